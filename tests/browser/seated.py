"""A player at a table in the browser, using only what a player has: clicks, and what the page shows."""

import re
from collections.abc import Mapping

from playwright.sync_api import Page, expect

from browser.staged import Visitor

CHIPS = (500_00, 100_00, 25_00, 5_00, 1_00)


class Seated:
    """A player seated at a table."""

    def __init__(self, visitor: Visitor, table: str, seat: int) -> None:
        self.visitor, self.seat = visitor, seat
        self.page: Page = visitor.goto(f"/tables/{table}")
        self.page.get_by_test_id(f"sit-{seat}").click()
        self.page.get_by_test_id("sit-down").click()
        expect(self.page.get_by_test_id("stack")).to_be_visible()
        expect(self.page.get_by_role("dialog")).to_be_hidden()

    def bet(self, stakes: Mapping[str, int]) -> None:
        """Put chips on the betting areas and place the bet."""
        for wager, cents in stakes.items():
            for chip in CHIPS:
                for _ in range(cents // chip):
                    self.page.get_by_test_id(f"chip-{chip}").click()
                    self.page.get_by_test_id(f"area-{wager}").click()
                cents %= chip
        self.page.get_by_test_id("bet").click()

    def act(self, action: str) -> None:
        """Give the dealer an answer."""
        self.page.get_by_test_id(f"action-{action}").click()

    def comes_to(self, net: str | re.Pattern[str]) -> None:
        """Wait until the round has come to so much."""
        expect(self.page.get_by_test_id("round-net")).to_have_text(net, timeout=120_000)

    def result(self, wager: str) -> str:
        """Return how a wager ended, as its betting area shows it."""
        return self.page.get_by_test_id(f"result-{wager}").text_content() or ""
