"""Tables that people deal, and a dealer who works a table through the console or outside the browser."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from browser.entered import Sessions
from browser.staged import EVERYBODY, PATIENT, TRAY_CENTS, Stage, Visitor
from pitboss.games.catalogue import game_names
from pitboss.house.people.roles import CAGE, OPERATOR
from pitboss.house.running_tables import Asked, Done
from pitboss.rules.procedure import FLOORPERSON, PLAYER
from pitboss.server.demonstration import link_for, staffed_document
from pitboss.server.demonstration_staff import open_staffed
from pitboss.server.open_floor import OpenFloor
from pitboss.table.people import PIT_MANAGER

DRAWN, READ = "drawn-cards", "real-cards"  # the program draws the cards of the one; a reader reads the other's
STEPS_AT_MOST = 80
DEPOSIT_CENTS = 10_000_00
SETTLED_MS = 300  # the console takes no press that may have been meant for the step before


def documents() -> dict[str, dict[str, Any]]:
    """Return the tables' documents, without meters: opening them is the office's work and tested elsewhere."""
    found = staffed_document()
    wagers = {name: wager for name, wager in found["table"]["wagers"].items() if name != "progressive"}
    table = {**found["table"], "wagers": wagers, "options": {}}
    plain = {**found, "progressive": None}
    return {DRAWN: {**plain, "table": table}, READ: {**plain, "table": {**table, "free-play": False}}}


class StaffedStage(Stage):
    """A stage with two tables that wait for a dealer, and tables that deal by themselves."""

    DEPOSIT_CENTS = DEPOSIT_CENTS

    def __init__(self, data: Path, tables: Sequence[str] | None = None, pace: Mapping[str, int] | None = None) -> None:
        # One table deals by itself: the program gives players their first money only if there is such a table.
        super().__init__(data, tables or game_names()[-1:], pace or PATIENT)

    async def _opening(self, floor: OpenFloor) -> None:
        for role in (OPERATOR, PIT_MANAGER, FLOORPERSON):
            await link_for(floor, role, role)
        await super()._opening(floor)
        for table, document in documents().items():
            await open_staffed(floor, table, document, TRAY_CENTS)
        for name in (name for name, role in EVERYBODY.items() if role == PLAYER):
            body = {"kind": "IssueMoney", "person": name, "cents": self.DEPOSIT_CENTS, "free_play": False}
            paid = await floor.back_office.do(Asked(floor.fresh(), "cay", (CAGE,), body))
            assert isinstance(paid, Done), paid


class Dealing:
    """A dealer at the console of a table, with a deck of cards in hand where cards are read."""

    def __init__(self, visitor: Visitor, table: str, cards: Sequence[str] = ()) -> None:
        self.page: Page = visitor.goto(f"/dealer/{table}")
        self.now: Locator = self.page.get_by_role("region", name="Now")
        self.button: Locator = self.page.get_by_test_id("do")
        self.done: list[str] = []
        self._cards: Iterator[str] = iter(cards)

    def work_to(self, sentence: str | re.Pattern[str]) -> None:
        """Press the button through every step until the console says the wanted sentence."""
        for _ in range(STEPS_AT_MOST):
            self.now.wait_for()
            expect(self.now).to_have_attribute("aria-busy", "false")  # cards that were typed are on their way
            self.page.wait_for_timeout(SETTLED_MS)
            if self.now.get_by_text(sentence).count():
                return
            self.press()
        raise AssertionError(f"{sentence} never came: {self.done}")

    def press(self) -> None:
        """Fill in what the step asks for and press the button."""
        step = self.button.get_attribute("data-kind") or ""
        before = self.now.inner_text()
        if step == "ReadCard":
            self._field("card").fill(next(self._cards))  # a card needs no button
        if step == "ReceiveDeck" and self._field("deck").count():
            self._field("deck").fill("deck-1")
        if self._field("cards").count():
            self._field("cards").fill("26" if step == "CutDeck" else "52")
        if self.now.get_by_role("radio").count():
            self.now.get_by_role("radio").first.check()
        for box in self.now.get_by_role("checkbox").all():
            box.check()
        self.done.append(step)
        if step != "ReadCard":
            self.button.click()
        expect(self.now).not_to_have_text(re.compile(f"^{re.escape(before)}$"), use_inner_text=True)

    def _field(self, name: str) -> Locator:
        return self.now.get_by_test_id(f"field-{name}")


def open_tile(page: Page, table: str) -> None:
    """Open a table's tile at the floor's desk."""
    page.get_by_test_id(f"tile-{table}").get_by_role("button").click()
    page.get_by_test_id(f"opened-{table}").wait_for()


def seat(floor: Sessions, table: str, player: str, at: int = 1) -> None:
    """Give a player a seat and chips, without the browser, unless they are seated already."""
    client = floor.client(player)
    if not any(seat["player"] == player for seat in client.view(table)["seats"]):
        client.must(table, {"kind": "TakeSeat", "seat": at})
        client.must(table, {"kind": "BuyIn", "cents": 500_00})


def leave(floor: Sessions) -> None:
    """Let the dealer leave whichever table they deal at, so that the next test may begin at any."""
    dealer = floor.client("dea")
    for table in floor.stage.floor.house.tables:
        lease = dealer.http.get(f"/api/tables/{table}/console").json()["lease"]
        if lease is not None:
            dealer.must(table, {"kind": "ReleaseLease", "token": lease}, token=lease)


def work(floor: Sessions, table: str, until: str, player: str = "") -> None:
    """Do what the dealer's console says, without the browser, until a duty comes up."""
    dealer = floor.client("dea")
    for _ in range(300):
        shown = dealer.http.get(f"/api/tables/{table}/console").json()
        duties = shown["console"]["duties"]
        own = [duty for duty in duties if "dealer" in duty["by"] and duty["command"]["kind"] != "ConfirmDuty"]
        if own and own[0]["command"]["kind"] == until:
            return
        first = duties[0]["command"]
        at = next((seat["seat"] for seat in dealer.view(table)["seats"] if seat["player"] == player), None)
        if first["kind"] == "PlaceWagers" and player:
            stakes = {"ante": 10_00, "blind": 10_00}
            floor.client(player).must(table, {"kind": "PlaceWagers", "seat": at, "stakes": stakes})
        elif first["kind"] == "Act":
            answer = floor.client(player).view(table)["actions"][-1]
            floor.client(player).must(table, {"kind": "Act", "seat": at, "action": answer})
        else:  # without a wager a round is called off
            dealer.must(table, own[0]["command"] if own else {"kind": "EndRound"}, token=shown["lease"])
    raise AssertionError(f"{until} never came")
