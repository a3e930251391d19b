"""Takes the pictures of docs/pictures: every page at three widths, light and dark, from a server with real rounds."""

import io
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser.chromium import ARGUMENTS, ensure
from browser.dealt import Place, stacked
from browser.seated import Seated
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names
from pitboss.server.demonstration import demo_documents, open_demo
from pitboss.server.floor import OpenFloor

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {390: 844, 1280: 800, 1920: 1080}
THEMES = ("dark", "light")
SLOW = {"wagers_ms": 4_000, "decision_ms": 600_000, "step_ms": 30, "between_rounds_ms": 600_000}
COLOURS = 256

HANDS: dict[str, tuple[Mapping[str, int], Sequence[str], dict[Place, Sequence[str]]]] = {
    "ultimate-texas-holdem": (
        {"ante": 10_00, "trips": 5_00},
        ("check",),
        {1: ["Kh", "Qh"], 3: ["9c", "9d"], "dealer": ["As", "4d"], "board": ["Qc", "Jh", "9h", "2h", "5s"]},
    ),
    "top-five-poker": (
        {"ante": 10_00},
        (),
        {1: ["As", "Ad", "Ah", "Kc", "Kd", "2c", "3d"], "dealer": ["4c", "5d", "7h", "9s", "Js", "Qd", "2h"]},
    ),
    "dragon-poker": (
        {"ante": 10_00, "three-card-bonus": 5_00},
        (),
        {1: ["Dg1", "Db1", "Ph1"], 3: ["Ti1", "Pa1", "Mo2"], "dealer": ["Ra1", "Mo1", "Pa2"]},
    ),
    "colorado-holdem": (
        {"ante": 10_00, "bonus": 1_00},
        (),
        {1: ["Ks", "Kd", "4h"], 3: ["8c", "9d", "Jh"], "board": ["4c", "Kc", "2d"]},
    ),
}


def shoot(page: Page, name: str) -> None:
    """Save a page as it stands, at every width and in both themes."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(400)
            taken = Image.open(io.BytesIO(page.screenshot()))
            taken.convert("RGB").quantize(COLOURS).save(FOLDER / f"{name}-{width}-{theme}.png", optimize=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    print(name, flush=True)


def main(wanted: Sequence[str]) -> None:
    """Take all pictures, or those of the scenes that are named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=list(ARGUMENTS))
        for name, scene in SCENES.items():
            if not wanted or name in wanted:
                with tempfile.TemporaryDirectory() as folder:
                    scene(browser, Path(folder))
        browser.close()


def _tables(browser: Browser, folder: Path) -> None:
    for table, (stakes, actions, cards) in HANDS.items():
        stage = Stage(folder / table, [table], SLOW)
        seats = [one for one in cards if isinstance(one, int)]
        rules = demo_documents()[table]
        equal = {"blind": stakes["ante"]} if table.startswith("ultimate") else {}
        equal |= {"ante-bonus": stakes["ante"]} if table.startswith("dragon") else {}
        stage.stacked = stacked(rules, {seat: {**stakes, **equal} for seat in seats}, cards)
        visitors = [Visitor(browser, stage, name) for name in ("alice", "bob")]
        players = [Seated(who, table, seat) for who, seat in zip(visitors, seats, strict=False)]
        for player in players:
            player.bet(stakes)
        page = players[0].page
        page.locator('[data-testid^="action-"]').first.wait_for()
        for action in actions:
            for player in players:
                player.act(action)
        page.locator('[data-testid^="action-"]').first.wait_for()
        shoot(page, f"table-{table}")
        stage.stop()


def _lobby(browser: Browser, folder: Path) -> None:
    stage = Stage(folder, game_names(), SLOW)
    page = Visitor(browser, stage, "alice").goto("/")
    page.locator('[data-testid^="sit-"]').first.wait_for()
    shoot(page, "lobby")
    page = Visitor(browser, stage, None).goto("/sign-in")
    shoot(page, "sign-in")
    stage.stop()


def _lab(browser: Browser, folder: Path) -> None:
    stage = Stage(folder, game_names(), SLOW)
    visitor = Visitor(browser, stage, "alice")
    for view in ("paytable", "results", "strategy"):
        page = visitor.goto(f"/lab/ultimate-texas-holdem/{view}")
        expect(page.locator("main")).to_contain_text(re.compile(r"\d %|Pick"), timeout=120_000)
        page.wait_for_timeout(1_500)
        shoot(page, f"lab-{view}")
    page = visitor.goto("/practice")
    page.wait_for_timeout(3_000)
    shoot(page, "practice")
    page = Visitor(browser, stage, "olga").goto("/submissions")
    page.get_by_test_id("layout").wait_for()
    shoot(page, "submissions")
    stage.stop()


class _Demonstration(Stage):
    """The demonstration as `pitboss demo` opens it, with bots and every role."""

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor = floor
        self.links = await open_demo(floor, 2)


def _staff(browser: Browser, folder: Path) -> None:
    stage = _Demonstration(folder, [])
    player = Visitor(browser, stage, "player")
    seated = Seated(player, "ultimate-texas-holdem", 1)
    seated.bet({"ante": 10_00})
    for action in ("check", "check"):
        seated.act(action)
    seated.act("raise 1x")
    expect(seated.page.get_by_test_id("round-net")).to_be_visible(timeout=60_000)
    shoot(seated.page, "settled")
    page = Visitor(browser, stage, "auditor").goto("/audit")
    page.get_by_test_id("rounds").get_by_role("link").filter(has_text="player").first.click()
    page.get_by_test_id("check-payouts").wait_for()
    shoot(page, "audit")
    dealer = Visitor(browser, stage, "dealer").goto("/dealer")
    dealer.get_by_test_id("deal-dealers-table").get_by_role("link").click()
    for _ in range(12):
        button = dealer.get_by_test_id("do")
        button.wait_for()
        if button.get_attribute("data-kind") in ("DealCards", "CloseBets"):
            break
        button.click()
        dealer.wait_for_timeout(800)
    shoot(dealer, "dealer")
    page = Visitor(browser, stage, "floorperson").goto("/floor")
    page.get_by_test_id("tile-dealers-table").wait_for()
    shoot(page, "floor")
    stage.stop()


SCENES: dict[str, Callable[[Browser, Path], None]] = {"lobby": _lobby, "tables": _tables, "lab": _lab, "staff": _staff}

if __name__ == "__main__":
    main(sys.argv[1:])
