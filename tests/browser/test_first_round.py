"""A round of each game as a stranger plays it: lobby to result, on a phone and on a desk, in few actions."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.staged import Visitor
from pitboss.games.catalogue import game_names
from pitboss.server.demonstration import open_demo
from pitboss.server.open_floor import OpenFloor
from server.running import Running

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
SCREENS = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
ACTIONS_MOST = 9  # sit down, a chip on each wager that the game requires, bet, and an answer to each question
ROUND_S = 120


class Demonstration(Running):
    """The demonstration floor, where a stranger plays at once."""

    ADMITS_GUESTS = True

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor = floor
        self.links = await open_demo(floor, 0)  # nobody to wait for


@pytest.fixture(scope="module", params=SCREENS)
def screen(request: pytest.FixtureRequest) -> str:
    """Name the screen."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def demonstration(screen: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    """Open a demonstration for each screen, so that nobody waits for whoever sat down before."""
    running = Demonstration(tmp_path_factory.mktemp(screen))
    yield running
    running.stop()


class Newcomer:
    """Someone who reads the page and does what it says, and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page, self.actions = page, 0

    def press(self, test_id: str) -> None:
        """Press a button that is in sight."""
        target = self.page.get_by_test_id(test_id)
        expect(target).to_be_in_viewport(ratio=0.9)
        target.click()
        self.actions += 1

    def play(self, table: str) -> None:
        """Sit down, bet what the tour says, and answer until the round is over."""
        page = self.page
        page.get_by_test_id(f"sit-{table}").scroll_into_view_if_needed()
        self.press(f"sit-{table}")
        expect(page.get_by_test_id("tour")).to_contain_text("1 of 3")
        self.press("chip-500")
        self.press("area-ante")
        self.press("bet")
        answer = page.locator('[data-testid^="action-"]:not([disabled])')
        over = page.get_by_test_id("tour").filter(has_text="3 of 3")
        while True:
            expect(answer.or_(over).first).to_be_visible()
            if over.count():
                break
            self.press(answer.last.get_attribute("data-testid") or "")
            expect(answer).to_have_count(0)
        expect(page.get_by_test_id("refused")).to_have_count(0)


@pytest.mark.parametrize("table", game_names())
def test_a_stranger_plays_a_first_round(
    chromium: Browser, demonstration: Demonstration, table: str, screen: str
) -> None:
    visitor = Visitor(chromium, demonstration, None, tours=True, viewport=SCREENS[screen])
    newcomer = Newcomer(visitor.goto("/"))
    began = time.monotonic()
    newcomer.play(table)
    took = time.monotonic() - began
    print(f"{table} on a {screen}: {newcomer.actions} actions, {took:.0f} s")
    assert newcomer.actions <= ACTIONS_MOST
    assert took < ROUND_S
    visitor.close()
