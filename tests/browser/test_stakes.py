"""The chips shown on the betting areas are what is bet, by click and by Enter, also where wagers must be equal."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.seated import Seated
from browser.staged import PATIENT, Stage, Visitor
from pitboss.games.catalogue import game, game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
CHIP = 25_00
PAIRS = [(name, wager.equals, wager.name) for name in game_names() for wager in game(name).wagers if wager.equals]


def sit(staged: Staged, visit: Visit, table: str) -> Seated:
    pace = {**PATIENT, "wagers_ms": 600_000, "decision_ms": 600_000}
    return Seated(visit(staged([table], pace=pace), "alice"), table, 1)


def stakes(player: Seated) -> dict[str, Any]:
    """Return what the table holds for the seat, once a bet lies there."""
    table = player.page.url.rsplit("/", 1)[-1]
    expect(player.page.get_by_test_id("bet")).to_have_count(0)
    seats = player.page.request.get(f"{player.visitor.stage.address}/api/tables/{table}").json()["seats"]
    found: dict[str, Any] = next(seat for seat in seats if seat["seat"] == player.seat)["stakes"]
    return found


def put(player: Seated, wager: str, times: int = 1) -> None:
    player.page.get_by_test_id(f"chip-{CHIP}").click()
    for _ in range(times):
        player.page.get_by_test_id(f"area-{wager}").click()


@pytest.mark.parametrize(("table", "first", "second"), [*PAIRS, *((name, two, item) for name, item, two in PAIRS)])
def test_chips_on_both_of_two_equal_wagers_count_once(
    staged: Staged, visit: Visit, table: str, first: str, second: str
) -> None:
    player = sit(staged, visit, table)
    put(player, first)
    put(player, second)
    for wager in (first, second):
        expect(player.page.get_by_test_id(f"area-{wager}")).to_have_accessible_name(re.compile(r"\$25\b"))
    expect(player.page.get_by_test_id("hint")).to_contain_text("$25")
    player.page.get_by_test_id("bet").click()
    assert stakes(player) == {first: CHIP, second: CHIP}


@pytest.mark.parametrize(("table", "base", "equal"), PAIRS)
def test_chips_are_raised_and_taken_back_on_both_of_two_equal_wagers(
    staged: Staged, visit: Visit, table: str, base: str, equal: str
) -> None:
    player = sit(staged, visit, table)
    put(player, base, times=3)
    put(player, equal, times=2)  # fewer than lie there already
    area = player.page.get_by_test_id(f"area-{equal}")
    expect(area).to_have_accessible_name(re.compile(r"\$75\b"))
    put(player, equal, times=2)
    expect(area).to_have_accessible_name(re.compile(r"\$100\b"))
    area.click(button="right")
    area.click(button="right")
    player.page.keyboard.press("Enter")
    assert stakes(player) == {base: 2 * CHIP, equal: 2 * CHIP}


@pytest.mark.parametrize("table", game_names())
def test_enter_after_clicks_bets_what_is_shown_and_adds_nothing(staged: Staged, visit: Visit, table: str) -> None:
    player = sit(staged, visit, table)
    put(player, "ante", times=2)
    player.page.keyboard.press("Enter")
    required = {wager.name for wager in game(table).wagers if wager.required and not wager.by_action}
    assert stakes(player) == dict.fromkeys(required, 2 * CHIP)
