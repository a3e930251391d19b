"""Each game's felt at a player's turn, and a round that was won: its lines, reasons, steps and audit."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.dealt import Place, stacked
from browser.scenes.album import NARROW, WIDE, Album, Visitors
from browser.seated import Seated
from browser.staged import Stage
from pitboss.server.demonstration import demo_documents

HELD = {"wagers_ms": 120_000, "decision_ms": 120_000, "step_ms": 30, "between_rounds_ms": 900_000}
UNHURRIED = {**HELD, "decision_ms": 600_000}
SETTLED_MS = 60_000
COACHED_MS = 300_000  # where nothing was compiled before
TEXAS, COLORADO = "ultimate-texas-holdem", "colorado-holdem"
Hand = tuple[Mapping[str, int], Mapping[str, int], Sequence[str], Mapping[Place, Sequence[str]]]

# What each player puts down, what follows from it by itself, what both answer, and the cards.
HANDS: dict[str, Hand] = {
    TEXAS: (
        {"ante": 10_00, "trips": 5_00},
        {"blind": 10_00},
        ("check",),
        {1: ["Kh", "Qh"], 3: ["9c", "9d"], "dealer": ["As", "4d"], "board": ["Qc", "Jh", "9h", "2h", "5s"]},
    ),
    "top-five-poker": (
        {"ante": 10_00, "top-five-bonus": 5_00},
        {},
        (),
        {
            1: ["As", "Ad", "Ah", "Kc", "Kd", "2c", "3d"],
            3: ["Ts", "9c", "8d", "7s", "6h", "4h", "3c"],
            "dealer": ["4c", "5d", "7h", "9s", "Js", "Qd", "2h"],
        },
    ),
    "dragon-poker": (
        {"ante": 10_00, "three-card-bonus": 5_00},
        {"ante-bonus": 10_00},
        (),
        {1: ["Dg1", "Db1", "Ph1"], 3: ["Ti1", "Pa1", "Mo2"], "dealer": ["Ra1", "Mo1", "Pa2"]},
    ),
    COLORADO: (
        {"ante": 10_00, "bonus": 1_00},
        {},
        (),
        {1: ["Ks", "Kd", "4h"], 3: ["8c", "9d", "Jh"], "board": ["4c", "Kc", "2d"]},
    ),
}
TABLES = (*(f"table-{table}" for table in HANDS), "watch", "rules")
WON = ("settled", "why", "sheet", "history", "audit", "audit-events")


def tables(album: Album, browser: Browser, folder: Path) -> None:
    """Take each game's felt at a player's turn, and one as a spectator sees it."""
    for table in HANDS:
        looked_on = ("watch", "rules") if table == TEXAS else ()
        if not album.wants(f"table-{table}", *looked_on):
            continue
        stage = Stage(folder / table, [table], HELD)
        with Visitors(browser, stage) as visitors:
            alice, _ = _dealt(stage, visitors, table)
            album.take(alice.page, f"table-{table}")
            if looked_on:
                _looked_on(album, visitors.come("carol").goto(f"/tables/{table}"))


def _looked_on(album: Album, page: Page) -> None:
    page.get_by_test_id("invitation").wait_for()
    album.take(page, "watch")
    page.get_by_test_id("open-rules").click()
    page.get_by_test_id("rules-sheet").wait_for()
    album.take(page, "rules")


def coach(album: Album, browser: Browser, folder: Path) -> None:
    """Take the coach next to the felt with the chart open."""
    stage = Stage(folder, [TEXAS], UNHURRIED)
    with Visitors(browser, stage) as visitors:
        waiting = visitors.come("carol").goto("/lab")  # the lab is warm once it shows an edge
        expect(waiting.locator("output.edge").first).to_contain_text("%", timeout=COACHED_MS)
        alice, _ = _dealt(stage, visitors, TEXAS, has_coach=True)
        panel = alice.page.get_by_role("region", name="Coach")
        expect(panel.locator("li.best").first).to_be_visible(timeout=COACHED_MS)
        panel.get_by_role("button", name="Chart").click()
        panel.get_by_role("heading", level=3).first.wait_for()
        album.take(alice.page, "coach", WIDE)
        _opened_sheet(alice.page)
        sheet = alice.page.get_by_role("dialog").get_by_role("region", name="Coach")
        expect(sheet.locator("li.best").first).to_be_visible(timeout=COACHED_MS)
        sheet.get_by_role("button", name="Chart").click()
        sheet.get_by_role("heading", level=3).first.wait_for()
        album.take(alice.page, "coach", NARROW, about=sheet.get_by_role("listitem").last)


def won(album: Album, browser: Browser, folder: Path) -> None:
    """Take a round whose every line is settled, and what can be looked up about it."""
    stage = Stage(folder, [TEXAS, COLORADO], HELD)
    with Visitors(browser, stage) as visitors:
        alice, bob = _dealt(stage, visitors, TEXAS, dealer=("Js", "4d"))
        for player in (alice, bob):
            player.act("raise 2x")
        page = alice.page
        expect(page.get_by_test_id("round-net")).to_be_visible(timeout=SETTLED_MS)
        expect(page.get_by_test_id("now")).to_be_visible()
        album.take(page, "settled")
        page.get_by_test_id("why-trips").click()
        page.get_by_test_id("why").get_by_role("heading", level=3).first.wait_for()
        album.take(page, "why", WIDE)
        page.keyboard.press("Escape")
        _opened_sheet(page)
        album.take(page, "sheet", NARROW)
        page.get_by_role("dialog").get_by_test_id("why-trips").click()
        page.get_by_test_id("why").get_by_role("heading", level=3).first.wait_for()
        album.take(page, "why", NARROW)
        _looked_up(album, visitors, alice)


def _looked_up(album: Album, visitors: Visitors, alice: Seated) -> None:
    page = alice.visitor.goto("/history")
    page.get_by_role("main").get_by_role("listitem").first.get_by_role("link").click()
    page.get_by_role("slider").wait_for()
    for _ in range(6):  # back to before the last cards, so that the felt shows a step and not the end
        page.keyboard.press("ArrowLeft")
    album.take(page, "history")
    room = visitors.come("aud").goto("/audit")
    room.get_by_test_id("rounds").get_by_role("link").filter(has_text="alice").first.click()
    room.get_by_test_id("check-payouts").wait_for()
    room.get_by_test_id("replay").wait_for()
    album.take(room, "audit")
    room.get_by_role("tab", name="Events").click()
    room.get_by_label("Stream").select_option(f"table/{TEXAS}")
    entry = room.get_by_test_id("events").get_by_role("listitem").filter(has_text="settled").first
    entry.locator("summary").click()
    album.take(room, "audit-events", WIDE)
    room = visitors.come("reg").goto("/audit")
    room.get_by_role("tab", name="Events").click()
    room.get_by_label("Stream").select_option(f"table/{TEXAS}")
    room.get_by_test_id("events").get_by_role("listitem").nth(8).wait_for()
    album.take(room, "audit-events", NARROW)


def _dealt(
    stage: Stage, visitors: Visitors, table: str, *, dealer: Sequence[str] = (), has_coach: bool = False
) -> tuple[Seated, Seated]:
    stakes, follows, actions, cards = HANDS[table]
    cards = {**cards, "dealer": dealer} if dealer else cards
    seats = [card for card in cards if isinstance(card, int)]
    stage.stacked = stacked(demo_documents()[table], {seat: {**stakes, **follows} for seat in seats}, cards)
    first, second = visitors.come("alice"), visitors.come("bob")
    if has_coach:
        kept = json.dumps(json.dumps({"coach": True}))
        first.context.add_init_script(f"localStorage.setItem('pitboss.preferences', {kept})")
    alice, bob = Seated(first, table, seats[0]), Seated(second, table, seats[1])
    for player in (alice, bob):
        player.bet(stakes)
    for action in actions:
        for player in (alice, bob):
            player.act(action)
    alice.page.locator('[data-testid^="action-"]').first.wait_for()
    return alice, bob


def _opened_sheet(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Your round").first.click()
    page.get_by_role("dialog").wait_for()
