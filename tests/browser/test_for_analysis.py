"""A free-play table whose rules are for analysis says so at the table in large letters."""

import pytest
from playwright.sync_api import Page, expect

from browser.housed import GAME, Visit, enter
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
SIZE = "node => parseFloat(getComputedStyle(node).fontSize)"


def is_marked(page: Page) -> None:
    """Check that the page says it in letters larger than those of its text."""
    mark = page.get_by_test_id("for-analysis")
    expect(mark).to_have_count(1)
    expect(mark).to_have_text("For analysis only, not for play")
    assert mark.evaluate(SIZE) > 1.2 * page.locator("body").evaluate(SIZE)


def test_a_table_for_analysis_says_so_in_large_letters(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME, analysis=True, free_play=True)
    table.document["analysis"] = True
    table.open(("alice",))
    is_marked(enter(visit, floor, "alice").goto(f"/tables/{table.table}"))
