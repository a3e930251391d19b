"""A real server with a real record for the browser: chosen tables, chosen cards, people of every role."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebSocket

from house.stacking import shuffle_by, stacked
from patience import WAIT_S
from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card, Deck
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import Asked, Done
from pitboss.rules.procedure import FLOORPERSON
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.open_floor import OpenFloor
from server.running import Running

EVERYBODY = {
    "alice": "player",
    "bob": "player",
    "carol": "player",
    "dea": "dealer",
    "flo": "floorperson",
    "pit": "pit-manager",
    "cay": "cage",
    "olga": "operator",
    "sue": "surveillance",
    "aud": "auditor",
    "reg": "regulator",
    "tec": "technician",
    "ann": "administrator",
    "adam": "administrator",  # last: once there is one, no program adds people
}
PATIENT = {"wagers_ms": 4_000, "decision_ms": 60_000, "step_ms": 30, "between_rounds_ms": 20_000}
TRAY_CENTS = 500_000_00
BLOCKED = "Service Worker registration blocked"
LOST = ("Failed to load resource", "WebSocket connection")
# Run on a page: every answer reaches it 700 ms late.
SLOW_ANSWERS = """() => {
    const fetched = window.fetch
    const later = () => new Promise((resolve) => setTimeout(resolve, 700))
    window.fetch = (...asked) => fetched(...asked).then((answer) => later().then(() => answer))
}"""


class Stage(Running):
    """A server whose decks a test stacks: the cards named come first, in that order, in the next round."""

    def __init__(self, data: Path, tables: Sequence[str], pace: Mapping[str, int] | None = None) -> None:
        self.tables = tables
        self._stacked: list[Card] = []
        self._chance = SeededShuffle(7)
        super().__init__(data, dict(pace or PATIENT))

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor = floor
        self._loop = asyncio.get_running_loop()
        shuffle_by(floor.house, self._order)
        for table in self.tables:
            document = {**demo_documents()[table], "pace": self.pace}
            await floor.open_free_play(table, document, TRAY_CENTS)
        for name, role in EVERYBODY.items():
            self.links[name] = await link_for(floor, name, role)

    def _order(self, live: LiveTable, deck: Deck) -> tuple[Card, ...]:
        return stacked(live, self._stacked, self._chance.order(deck))

    @property
    def stacked(self) -> Sequence[Card]:
        """Return the cards that come first in every deck that is shuffled now."""
        return self._stacked

    @stacked.setter
    def stacked(self, cards: Sequence[Card]) -> None:
        # The order of a deck is its shuffle's: one that lies ready is shuffled again, as the floor may direct.
        self._stacked = list(cards)
        if self._stacked:
            asyncio.run_coroutine_threadsafe(self._shuffled_again(), self._loop).result(WAIT_S)

    async def _shuffled_again(self) -> None:
        assert self.floor is not None
        for table, running in self.floor.house.tables.items():
            live = running.live
            if live.is_order_fixed and live.in_round:
                continue
            for deck in live.orders:
                body = {"kind": "DirectShuffle", "deck": deck}
                done = await self.floor.house.do(table, Asked(self.floor.fresh(), "flo", (FLOORPERSON,), body))
                assert isinstance(done, Done), done


class Visitor:
    """A person at a browser: their page, and everything that came over the wire to it."""

    def __init__(
        self, browser: Browser, stage: Running, name: str | None, *, tours: bool = False, **options: Any
    ) -> None:
        self.stage = stage
        self.context: BrowserContext = browser.new_context(
            service_workers="block", **{"viewport": {"width": 1280, "height": 800}, **options}
        )
        self.context.set_default_timeout(120_000)  # a machine that runs the whole suite is slow
        if not tours:  # the first round of a game is explained once; most tests aren't about that
            keep = f"localStorage.setItem('pitboss.tours', '{json.dumps(game_names())}')"
            self.context.add_init_script(f"if (location.protocol !== 'about:') {keep}")
        self.page: Page = self.context.new_page()
        self.frames: list[str] = []
        self.faults: list[str] = []
        self.forgives = False
        self.page.on("websocket", self._follow)
        self.page.on("pageerror", lambda fault: self.faults.append(f"error: {fault}"))
        self.page.on("console", self._noted)
        if name is not None:
            self.page.goto(f"{stage.address}/links/{stage.links[name]}")

    def _noted(self, said: ConsoleMessage) -> None:
        # A service worker would hide requests from the routes that tests set; that it is blocked is no fault.
        if said.type == "error" and BLOCKED not in said.text:
            self.faults.append(said.text)

    def goto(self, path: str) -> Page:
        """Open a page of the program."""
        self.page.goto(self.stage.address + path)
        return self.page

    def forgive(self) -> None:
        """Let the browser note requests that were lost or refused, as the test means them to be, and nothing else."""
        self.forgives = True

    def close(self) -> None:
        """Leave, and say what went wrong on the page if anything did."""
        assert not self.stage.server.should_exit, "the server was stopped under a page that still asks it"
        self.context.close()
        faults = [fault for fault in self.faults if not (self.forgives and fault.startswith(LOST))]
        assert not faults, faults

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: self.frames.append(str(payload)))


Visit = Callable[..., Visitor]
