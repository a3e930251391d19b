"""The demonstration as people find it: the lobby with bots playing, and what the pit sees of them."""

from pathlib import Path
from unittest.mock import patch

from playwright.sync_api import Browser, Page, expect

from browser.scenes.album import Album, Visitors
from browser.staged import Stage
from pitboss.games.catalogue import game_names
from pitboss.server import demonstration
from pitboss.server.open_floor import OpenFloor

BRISK = {"wagers_ms": 4_000, "decision_ms": 20_000, "step_ms": 120, "between_rounds_ms": 500}
BOTS = 3
PLAYED_MS = 240_000
COUNTED_MS = 300_000  # where nothing was compiled before
OPENED = ("lobby", "sign-in", "reports")


class Demonstration(Stage):
    """The demonstration as `pitboss demo` opens it, dealt more briskly."""

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor = floor
        with patch.object(demonstration, "PACE", BRISK):
            self.links = await demonstration.open_demo(floor, BOTS)


def opened(album: Album, browser: Browser, folder: Path) -> None:
    """Take what a guest sees while bots play, and what the pit sees of it afterwards."""
    stage = Demonstration(folder, [])
    with Visitors(browser, stage) as visitors:
        album.take(visitors.come(None).goto("/sign-in"), "sign-in")
        if album.wants("lobby", "reports"):
            player = visitors.come("player")
            lobby = player.goto("/")
            lobby.locator('[data-testid^="sit-"]').first.wait_for()
            for table in game_names():  # bots play where someone is watching
                player.context.new_page().goto(f"{stage.address}/tables/{table}")
            lobby.bring_to_front()
            _moved(lobby)
            album.take(lobby, "lobby")
        if album.wants("reports"):
            _reports(album, visitors)


def _moved(lobby: Page) -> None:
    meter = lobby.locator(".meter .money").first
    expect(meter).to_be_visible()
    first = meter.inner_text()
    expect(meter).not_to_have_text(first, timeout=PLAYED_MS)


def _reports(album: Album, visitors: Visitors) -> None:
    page = visitors.come("pit-manager").goto("/floor/reports/theory")
    expect(page.get_by_role("main").locator("tbody svg").first).to_be_visible(timeout=COUNTED_MS)
    expect(page.get_by_text("Calculating theory")).to_have_count(0, timeout=COUNTED_MS)
    album.take(page, "reports")
