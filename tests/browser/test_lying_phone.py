"""A phone on its side: in each game the felt, the cards, the clock and the buttons are seen whole and work."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.seated import Seated
from browser.staged import Stage, Visitor
from browser.test_felt import settled_faults
from browser.test_ways_to_play import faults_of_layout
from pitboss.games.catalogue import game, game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
SIZES = ((844, 390), (740, 360))
PHONE = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
SLOW = {"wagers_ms": 120_000, "decision_ms": 120_000, "step_ms": 30, "between_rounds_ms": 120_000}
CARDS = '[data-testid="seat-1"] .hand .stock'
LEAST_CARD_PX = 36
# What of this kind is not wholly in the window, or lies under something else.
HIDDEN = """(nodes) => nodes.filter((node) => node.checkVisibility()).filter((node) => {
  const box = node.getBoundingClientRect()
  const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const isWhole = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1
  const hand = node.closest('.hand') // cards lie over each other
  return !isWhole || !(node.contains(at) || at?.contains(node) || (hand && at?.closest('.hand') === hand))
}).map((node) => `${node.dataset.testid ?? node.tagName}: ${node.textContent.trim()}`)"""


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    """Return what a player can't see or press once the page has come to rest."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    found = settled_faults(page)
    page.wait_for_timeout(200)
    found += faults_of_layout(page, f"{width}x{height}")
    for selector in ('[data-testid="desk"] button', '[role="timer"]', ".felt > svg", CARDS):
        found += [f"hidden: {hidden}" for hidden in page.locator(selector).evaluate_all(HIDDEN)]
    widths = page.locator(CARDS).evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect().width)")
    return found + [f"a card of {wide:.0f} px" for wide in widths if wide < LEAST_CARD_PX]


@pytest.mark.parametrize("table", game_names())
def test_a_phone_on_its_side_shows_the_whole_table(
    table: str, staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    visitor = visit(staged([table], pace=SLOW), "alice", viewport={"width": 1280, "height": 800}, **PHONE)
    alice = Seated(visitor, table, 1)
    page, wrong = alice.page, []
    for moment in ("bet", "answer"):
        for size in SIZES:
            wrong += [f"{moment} {size[0]}: {fault}" for fault in faults(page, size)]
        if moment == "bet":
            alice.bet({bet.name: 10_00 for bet in game(table).wagers if bet.required and bet.equals is None})
            page.locator('[data-testid^="action-"]').first.wait_for()
            expect(page.locator(CARDS)).to_have_count(game(table).cards_each)
    assert not wrong, "\n".join(wrong)
