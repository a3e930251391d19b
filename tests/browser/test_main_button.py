"""The console's main button, pressed through a table's day: it is never refused and it leads through rounds."""

import pytest
from playwright.sync_api import expect

from browser.housed import AtConsole, Visit, enter
from pitboss.games.catalogue import game, game_names
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
STEPS_MOST = 120
SHUFFLING = next(name for name in game_names() if not game(name).procedures.two_decks.is_stored)


class Presser:
    """A dealer who only presses the main button; cards, wagers and actions come from outside the browser."""

    def __init__(self, dealer: AtConsole) -> None:
        self.dealer, self.table = dealer, dealer.table
        self.done: list[str] = []

    def step(self) -> str:
        """Press the button of the moment, or let a player do what it waits for, and return the kind of the step."""
        table, first = self.table, self.table.console()["duties"][0]
        kind: str = first["command"]["kind"]
        console = self.dealer.page.get_by_test_id("console")
        expect(console).to_have_attribute("data-sequence", str(table.sequence))
        if kind == "PlaceWagers":
            table.wager("alice")
        elif kind == "Act":
            table.least_answer()
        elif kind in ("ReadCard", "DealCards"):
            table.deal_one()
        elif first["by"] == "floorperson":
            table.do(first)
        else:
            kind = self._press()
        self.done.append(kind)
        return kind

    def _press(self) -> str:
        dealer, before = self.dealer, self.table.sequence
        expect(dealer.button).to_have_attribute("aria-disabled", "false")
        kind = dealer.button.get_attribute("data-kind") or ""
        whole = len(self.table.game.deck)
        left = whole - (self.table.live.cards.round.dealt if self.table.live.in_round else 0)
        amounts = {"CountStub": left, "CutDeck": whole // 2, "ReadDeviceCount": whole, "CountDeck": whole}
        if kind in amounts:
            dealer.now.get_by_test_id("field-cards").fill(str(amounts[kind]))
        if kind == "ReceiveDeck" and dealer.now.get_by_test_id("field-deck").count():
            dealer.now.get_by_test_id("field-deck").fill(f"deck-{len(self.table.live.cards.decks) + 1}")
        if dealer.now.get_by_role("radio").count():
            dealer.now.get_by_role("radio").first.check()
        dealer.button.click()
        self._until_recorded(before, kind)
        if kind == "BeginRound":
            self.table.stack()
        return kind

    def _until_recorded(self, before: int, kind: str) -> None:
        for _ in range(100):
            if self.table.sequence > before:
                return
            assert self.dealer.now.get_by_role("alert").count() == 0, f"{kind}: {self.dealer.now.inner_text()}"
            self.dealer.page.wait_for_timeout(100)
        raise AssertionError(f"{kind} was pressed and nothing was recorded: {self.dealer.now.inner_text()}")


@pytest.mark.parametrize("decks", [1, 2])
def test_the_large_button_leads_through_opening_rounds_and_shuffles(
    floor: ScenarioFloor, visit: Visit, decks: int
) -> None:
    table = ScenarioTable(floor, SHUFFLING, decks=decks).open(("alice",))
    presser = Presser(AtConsole(enter(visit, floor, "dana"), table))
    for _ in range(STEPS_MOST):
        presser.step()
        if presser.done.count("EndRound") == 3:
            break
    assert presser.done.count("EndRound") == 3, presser.done
    assert "SpreadIdle" not in presser.done


@pytest.mark.parametrize("name", game_names())
def test_a_stub_count_that_is_due_is_the_large_button_before_the_settlement(
    floor: ScenarioFloor, visit: Visit, name: str
) -> None:
    table = ScenarioTable(floor, name).open(("alice",))
    for _ in range(9):
        table.begin()
        table.play_to("settling")
        if any(duty["command"]["kind"] == "CountStub" for duty in table.console()["duties"]):
            break
        table.put_stub_away()
        table.must("dana", "Settle")
        table.end()
    presser = Presser(AtConsole(enter(visit, floor, "dana"), table))
    assert presser.step() == "CountStub"
    while presser.step() != "EndRound":
        pass
    assert presser.done.count("Settle") == 1
