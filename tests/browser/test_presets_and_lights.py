"""Bets that a player saved, and the paying wagers and winning cards that light up in turn once a round is settled."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser.dealt import stacked
from browser.seated import Seated
from browser.staged import PATIENT, Stage, Visitor
from pitboss.server.demonstration import demo_documents

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
TABLE = "ultimate-texas-holdem"
STAKES = {"ante": 10_00, "blind": 10_00, "trips": 5_00}
CARDS = {1: ["As", "Ad"], "dealer": ["7d", "3h"], "board": ["2s", "4c", "Ah", "9d", "Kc"]}
# Notes every change of what is lit: the betting areas, and the names of the cards.
LIGHTS = """
window.lights = []
const lit = () => JSON.stringify([
  [...document.querySelectorAll('[data-testid^="area-"]:has(.area.lit)')].map((area) => area.dataset.testid.slice(5)),
  [...document.querySelectorAll('[data-testid="lit-card"]')]
    .map((card) => card.parentElement.querySelector('[aria-label]').getAttribute('aria-label')),
])
let before = lit()
new MutationObserver(() => {
  const now = lit()
  if (now !== before) window.lights.push(JSON.parse(now))
  before = now
}).observe(document, {childList: true, subtree: true, attributes: true})
"""


@pytest.fixture(scope="module")
def player(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seated]:
    """Seat a player for the tests of this file."""
    stage = Stage(tmp_path_factory.mktemp("lights"), [TABLE], {**PATIENT, "wagers_ms": 600_000})
    visitor = Visitor(chromium, stage, "alice")
    yield Seated(visitor, TABLE, 1)
    visitor.close()
    stage.stop()


def test_paying_wagers_and_the_cards_that_win_them_light_up_in_turn(player: Seated) -> None:
    stage, page = player.visitor.stage, player.page
    assert isinstance(stage, Stage)
    stage.stacked = stacked(demo_documents()[TABLE], {1: STAKES}, CARDS)
    page.evaluate(LIGHTS)
    player.bet({"ante": 10_00, "trips": 5_00})
    player.act("raise 4x")
    page.wait_for_function("() => window.lights.length > 0 && !window.lights.at(-1)[0].length")
    lights: list[tuple[list[str], list[str]]] = page.evaluate("window.lights")
    assert [areas for areas, _ in lights] == [["play"], ["trips"], []]  # the dealer doesn't qualify: the Ante pushes
    best = {"ace of spades", "ace of diamonds", "ace of hearts", "king of clubs", "nine of diamonds"}
    assert [set(cards) for _, cards in lights] == [best, best, set()]
    assert player.result("trips") == "+$15"


def test_a_saved_bet_is_put_down_with_one_press_and_is_there_after_a_reload(player: Seated) -> None:
    page, save, bet = player.page, player.page.get_by_test_id("save-bet"), player.page.get_by_test_id("bet")
    for trips in (1, 2, 3, 4):
        page.get_by_test_id("chip-500").click()
        page.get_by_test_id("area-ante").click()
        for _ in range(trips):
            page.get_by_test_id("area-trips").click()
        save.click()
        expect(save).to_have_count(0)  # it is saved
        page.get_by_role("button", name="Clear").click()
    for _ in range(2):
        expect(page.get_by_test_id("preset-3")).to_contain_text("$30")
        expect(page.get_by_test_id("preset-4")).to_have_count(0)  # the oldest made room
        page.get_by_test_id("preset-1").click()
        expect(bet).to_contain_text("$20")  # Ante, Blind, and twice $5 on Trips
        expect(page.get_by_test_id("area-trips")).to_have_attribute("aria-label", re.compile(r"\$10"))
        page.get_by_role("button", name="Clear").click()
        page.reload()
