"""The scenarios' floor with browsers: tables driven over HTTP, and seen and worked on the page."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

from browser.staged import Visitor
from pitboss.cards.deck import face
from pitboss.server.session_cookie import COOKIE
from scenarios.floor import ScenarioFloor, ScenarioTable

Visit = Callable[..., Visitor]
GAME = "ultimate-texas-holdem"
BETWEEN_CARDS_MS = 100  # ten cards a second


def enter(visit: Visit, floor: ScenarioFloor, name: str, **options: Any) -> Visitor:
    """Open a browser with the session of a person on the scenarios' floor."""
    visitor = visit(floor, None, **options)
    cookie = floor.people[name].http.cookies[COOKIE]
    visitor.context.add_cookies([{"name": COOKIE, "value": cookie, "url": floor.address}])
    return visitor


class AtConsole:
    """A dealer at the console of a scenario's table, who types as a keyboard or a reader does."""

    def __init__(self, visitor: Visitor, table: ScenarioTable) -> None:
        self.table = table
        self.page: Page = visitor.goto(f"/dealer/{table.table}")
        self.now: Locator = self.page.get_by_role("region", name="Now")
        self.button: Locator = self.page.get_by_test_id("do")
        self.card: Locator = self.page.get_by_test_id("field-card")
        self.stopped: Locator = self.page.get_by_test_id("entries-stopped")
        self.now.wait_for()

    def type_cards(self, cards: list[str], between_ms: float = BETWEEN_CARDS_MS) -> None:
        """Type cards, each with Enter behind it, at the pace of a reader, wherever the focus is."""
        for card in cards:
            self.page.keyboard.type(card)
            self.page.keyboard.press("Enter")
            self.page.wait_for_timeout(between_ms)

    def draw(self, count: int) -> list[str]:
        """Take the next cards of the table's deck into the hand."""
        drawn, self.table.deck = self.table.deck[:count], self.table.deck[count:]
        return drawn


def read_so_far(table: ScenarioTable) -> list[str]:
    """Return the cards of this round in the order in which they were read."""
    positions = table.live.positions
    return [face(card) for card in sorted(positions, key=positions.__getitem__)]
