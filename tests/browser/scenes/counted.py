"""The lab with answers in it, practice after an answer, and the submission desk with a fault and with changes."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.scenes.album import Album, Visitors
from browser.staged import PATIENT, Stage

TEXAS, COLORADO, TOP_FIVE = "ultimate-texas-holdem", "colorado-holdem", "top-five-poker"
COUNTED_MS = 600_000  # where nothing was compiled before
PICKED = ("king of hearts", "queen of hearts", "queen of clubs", "jack of hearts", "nine of hearts")
EDITED = ("Flush", "8 to 1")


def _edges(page: Page) -> None:
    expect(page.locator("output.edge").first).to_contain_text("%", timeout=COUNTED_MS)


def _paytable(page: Page) -> None:
    _edges(page)
    page.locator("header.bar select").select_option("trips")
    page.get_by_label(f"odds for {EDITED[0]}").fill(EDITED[1])
    page.get_by_text("No table may offer this.").wait_for(timeout=COUNTED_MS)


def _strategy(page: Page) -> None:
    expect(page.get_by_role("heading", level=3).first).to_be_visible(timeout=COUNTED_MS)  # the chart is there
    page.get_by_role("button", name="After the flop").click()
    for card in PICKED:
        page.get_by_role("button", name=re.compile(f"^{card}", re.IGNORECASE)).first.click()
    expect(page.locator("li.best").first).to_be_visible(timeout=COUNTED_MS)


def _shift(page: Page) -> None:
    page.get_by_label("Rounds").fill("20000")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile("The house (won|lost)"))).to_be_visible(timeout=COUNTED_MS)


def _rulings(page: Page) -> None:
    page.locator("article").first.wait_for(timeout=COUNTED_MS)


def _practised(page: Page) -> None:
    page.locator(".actions button").first.wait_for(timeout=COUNTED_MS)
    page.keyboard.press("1")
    page.get_by_role("button", name="Next hand").wait_for(timeout=COUNTED_MS)


VIEWS: dict[str, Callable[[Page], None]] = {
    "lab-paytable": _paytable,
    "lab-edges": _edges,
    "lab-sheet": _edges,
    "lab-results": _edges,
    "lab-strategy": _strategy,
    "lab-shift": _shift,
    "lab-rulings": _rulings,
}
QUICKER = {"lab-shift": TOP_FIVE}  # of this game a long evening is simulated in a moment
LAB = (*VIEWS, "practice")
SUBMITTED = ("submissions", "submissions-fault", "submissions-changes")


def lab(album: Album, browser: Browser, folder: Path) -> None:
    """Take every view of the lab with its answer, and practice."""
    stage = Stage(folder, [TEXAS], PATIENT)
    with Visitors(browser, stage) as visitors:
        alice = visitors.come("alice")
        _edges(alice.goto("/lab"))
        if album.wants("lab-rulings"):  # counted in parallel, because it takes longest
            alice.context.new_page().goto(f"{stage.address}/lab/{TEXAS}/rulings")
            alice.page.bring_to_front()
        for name, answered in VIEWS.items():
            if album.wants(name):
                page = alice.goto(f"/lab/{QUICKER.get(name, TEXAS)}/{name.removeprefix('lab-')}")
                answered(page)
                album.take(page, name, about=page.locator("li.best").first if name == "lab-strategy" else None)
        if album.wants("practice"):
            page = alice.goto(f"/practice/{TEXAS}")
            _practised(page)
            album.take(page, "practice")


def submitted(album: Album, browser: Browser, folder: Path) -> None:
    """Take the submission desk: without a fault, with one, and compared with what is in force."""
    stage = Stage(folder, [TEXAS, COLORADO], PATIENT)
    with Visitors(browser, stage) as visitors:
        olga = visitors.come("olga")
        page = olga.goto(f"/submissions?game={TEXAS}")
        page.get_by_test_id("layout").wait_for()
        album.take(page, "submissions")
        page.get_by_test_id("positions").fill("9")
        expect(page.get_by_test_id("faults")).to_contain_text("1 error to fix")
        album.take(page, "submissions-fault", about=page.get_by_test_id("positions"))
        if album.wants("submissions-changes"):
            page = olga.goto(f"/submissions?table={TEXAS}")
            page.get_by_test_id("layout").wait_for()
            page.get_by_label("Minimum").first.fill("10")
            page.get_by_test_id("wager-trips").get_by_label("Paytable").select_option(index=1)
            expect(page.get_by_test_id("faults")).to_contain_text("No errors")
            page.get_by_role("tab", name="Changes").click()
            page.get_by_test_id("edges").get_by_text("%").first.wait_for(timeout=COUNTED_MS)
            page.get_by_test_id("submit").click()
            page.get_by_test_id("first").wait_for()
            album.take(page, "submissions-changes", about=page.get_by_test_id("edges"))
