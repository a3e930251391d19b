"""What the clock does is said before and after; chips that can't be bet come back with the reason."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.dealt import stacked
from browser.seated import Seated
from browser.staged import PATIENT, Stage, Visitor
from pitboss.server.demonstration import demo_documents

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
TABLE = "colorado-holdem"


def test_a_player_is_told_what_happens_when_time_runs_out_and_that_it_did(staged: Staged, visit: Visit) -> None:
    stage = staged([TABLE], pace={**PATIENT, "decision_ms": 5_000, "between_rounds_ms": 60_000})
    cards = {1: ["9s", "Td", "2h"], "board": ["2c", "5d", "8h"]}
    stage.stacked = stacked(demo_documents()[TABLE], {1: {"ante": 10_00}}, cards)
    alice = Seated(visit(stage, "alice"), TABLE, 1)
    alice.bet({"ante": 10_00})
    desk = alice.page.get_by_test_id("desk")
    expect(desk).to_contain_text("If time runs out: Fold.")
    expect(alice.page.get_by_test_id("now")).not_to_contain_text("declare")
    expect(alice.page.get_by_test_id("notice")).to_have_text("Time ran out. Played for you: Fold.", timeout=15_000)


def test_chips_below_the_minimum_come_back_with_the_reason(staged: Staged, visit: Visit) -> None:
    stage = staged([TABLE], pace={**PATIENT, "wagers_ms": 5_000})
    alice, bob = (Seated(visit(stage, name), TABLE, seat) for seat, name in ((1, "alice"), (2, "bob")))
    alice.page.get_by_test_id("chip-100").click()
    alice.page.get_by_test_id("area-ante").click()
    bob.bet({"ante": 10_00})
    notice = alice.page.get_by_test_id("notice")
    expect(notice).to_contain_text("Your $1 wasn’t bet")
    expect(notice).to_contain_text("Ante: $5 to $500")


def test_the_last_bet_and_undo_survive_a_reload(staged: Staged, visit: Visit) -> None:
    stage = staged([TABLE], pace={**PATIENT, "wagers_ms": 3_000, "between_rounds_ms": 300})
    alice = Seated(visit(stage, "alice"), TABLE, 1)
    alice.bet({"ante": 10_00})
    alice.act("fold")
    page = alice.page
    expect(page.get_by_test_id("repeat")).to_have_text("Rebet $10 R")
    page.reload()
    page.get_by_test_id("repeat").click()
    page.get_by_test_id("save-bet").click()
    page.reload()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("repeat")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_test_id("keys")).to_contain_text("put it on Ante")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_test_id("area-ante")).to_have_attribute("aria-keyshortcuts", "a")
