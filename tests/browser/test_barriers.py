"""Every page in both languages, dark and light, narrow, wide and zoomed: axe finds nothing serious."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.axe import violations
from browser.entered import Sessions
from browser.seated import Seated
from browser.staged import Visitor
from browser.worked import DRAWN, Dealing, StaffedStage
from pitboss.games.catalogue import game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
GAME = game_names()[0]
# Who opens which page, and what tells that it is there; what is opened inside lab and audit room has its own tests.
PAGES = {
    "sign-in": (None, "/sign-in", "main form"),
    "lab": ("alice", "/lab", "main select"),
    "lobby": ("alice", "/", f'[data-testid="sit-{GAME}"]'),
    "table": ("alice", f"/tables/{GAME}", '[data-testid^="sit-"]'),
    "table looked at": (None, f"/tables/{GAME}", '[data-testid="seat-1"]'),
    "history": ("alice", "/history", "main h1"),
    "practice": ("alice", f"/practice?game={GAME}", "main h1"),
    "tables to deal": ("dea", "/dealer", f'[data-testid="deal-{DRAWN}"]'),
    "console": ("dea", f"/dealer/{DRAWN}", '[data-testid="do"]'),
    "floor": ("flo", "/floor", f'[data-testid="tile-{DRAWN}"]'),
    "floor of a technician": ("tec", "/floor", f'[data-testid="tile-{DRAWN}"]'),
    "cage": ("cay", "/floor/cage", '[data-testid="cage-IssueMoney"]'),
    "people": ("adam", "/floor/people", '[data-testid="add-person"]'),
    "reports": ("pit", "/floor/reports", "main table, main p.soft"),
    "audit room": ("aud", "/audit", "main h1"),
    "submissions": ("olga", "/submissions", '[data-testid="layout"]'),
    "incidents": ("pit", "/floor/reports/incidents", "main table, main p.soft"),
    "reports to sign": ("olga", "/floor/reports/signed", '[data-testid="signed-header"]'),
    "house settings": ("olga", "/floor/money/settings", '[data-testid="working"]'),
    "patrons": ("pit", "/floor/patrons", "main h2"),
    "password": ("alice", "/password", "main form"),
}
# Width and height; 640 by 400 is 1280 by 800 at twice the size.
SCREENS = ((360, 740), (390, 844), (640, 400), (768, 1024), (1024, 768), (1280, 800), (1920, 1080), (2560, 1440))
# The page has taken its new colors and places. On a starved machine Chromium sometimes stops drawing a page for good:
# its script runs, but no frame comes and no transition ends. Then the transitions are ended here.
SETTLED = """async () => {
  const most = () => new Promise((done) => setTimeout(done, 10000))
  for (let left = 3; left > 0; left--) {
    await Promise.race([new Promise((done) => requestAnimationFrame(done)), most()])
    const moving = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.race([Promise.allSettled(moving.map((animation) => animation.finished)), most()])
    for (const animation of moving) animation.finish()
  }
}"""
# What a width does to a page: it scrolls sideways, text is cut or runs out of its box, a link can't be seen and nothing
# says that there is more, or a box to check isn't on the line of its label.
FAULTS = """() => {
  const faults = []
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than its window')
  const named = (one) => `${one.tagName.toLowerCase()} ${(one.textContent || one.value).trim().slice(0, 40)}`
  for (const one of document.querySelectorAll('body *:not(svg *, .unseen, .unseen *, option)')) {
    const box = one.getBoundingClientRect()
    if (!one.checkVisibility({visibilityProperty: true}) || box.width < 2) continue
    const written = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim())
    const {overflowX, display} = getComputedStyle(one)
    const isScrolled = ['auto', 'scroll'].includes(overflowX)
    if (written && !isScrolled && display !== 'inline' && one.scrollWidth > one.clientWidth + 2)
      faults.push(`cut off: ${named(one)}`)
    const isOutside = box.right > innerWidth + 1 || box.left < -1
    if (isOutside && one.matches('a, button') && !one.closest('.skip, .strip, table'))
      faults.push(`out of sight: ${named(one)}`)
    if (written && one.matches('label') && one.querySelector(':scope > :is([type="checkbox"], [type="radio"])')) {
      const line = document.createRange()
      line.selectNodeContents(written)
      const [text, mark] = [line.getClientRects()[0], one.querySelector('input').getBoundingClientRect()]
      const off = text.top + text.height / 2 - mark.top - mark.height / 2
      if (Math.abs(off) > 5) faults.push(`not in line: ${named(one)}`)
    }
  }
  return [...new Set(faults)]
}"""
Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    stage = StaffedStage(tmp_path_factory.mktemp("barriers"), [GAME])
    yield Sessions(stage)
    stage.stop()


def entered(floor: Sessions, visit: Visit, name: str | None, **options: Any) -> Visitor:
    return visit(floor.stage, None, **options) if name is None else floor.enter(visit, name, **options)


def barriers(page: Page) -> list[str]:
    found = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            page.evaluate(SETTLED)
            found += [f"{theme} {width}: {violation}" for violation in violations(page)]
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found += [f"{width}: {fault}" for fault in page.evaluate(FAULTS)]
    page.set_viewport_size({"width": 1280, "height": 800})  # as a visitor comes
    page.evaluate(SETTLED)
    return found


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("where", PAGES)
def test_a_page_has_no_serious_barrier(floor: Sessions, visit: Visit, where: str, language: str) -> None:
    name, path, there = PAGES[where]
    page = entered(floor, visit, name, locale=f"{language}-US").goto(path)
    page.locator(there).first.wait_for()
    assert page.locator("html").get_attribute("lang") == language
    assert barriers(page) == []


def test_a_table_in_the_middle_of_a_round_has_no_serious_barrier(floor: Sessions, visit: Visit) -> None:
    player = Seated(floor.enter(visit, "bob"), GAME, 1)
    player.bet({"ante": 10_00})
    player.page.locator('[data-testid^="action-"]').first.wait_for()
    assert barriers(player.page) == []


def test_an_opened_tile_and_its_form_have_no_serious_barrier(floor: Sessions, visit: Visit) -> None:
    page = floor.enter(visit, "flo").goto("/floor")
    page.get_by_test_id(f"tile-{DRAWN}").get_by_role("button").click()
    page.get_by_test_id("choose-Fill").click()
    page.get_by_test_id("act-Fill").wait_for()
    assert barriers(page) == []


def test_the_form_for_an_irregularity_has_no_serious_barrier(floor: Sessions, visit: Visit) -> None:
    visitor = floor.enter(visit, "dea")
    page = visitor.page
    Dealing(visitor, DRAWN).work_to(re.compile("prepare the cards"))
    page.get_by_test_id("irregularity").click()
    page.get_by_role("dialog").get_by_label("What happened?").select_option(index=1)
    assert barriers(page) == []
