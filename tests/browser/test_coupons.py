"""A match play coupon on the page: the player bets it with chips, the dealer sees it, one decision uses it up."""

import pytest
from playwright.sync_api import Page, expect

from browser.housed import AtConsole, Visit, enter
from browser.test_barriers import barriers
from pitboss.games.catalogue import game, game_names
from scenarios.floor import DRAWN, ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
TAKING = next(name for name in game_names() if game(name).procedures.instruments.beside_chips)
COUPONS = list(game(TAKING).procedures.instruments.beside_chips)


def wagering(floor: ScenarioFloor, **changes: object) -> ScenarioTable:
    table = ScenarioTable(floor, TAKING, instruments=COUPONS, **changes).open(("alice",))
    table.begin()
    return table


def put(page: Page, chip: int, times: int) -> None:
    page.get_by_test_id(f"chip-{chip}").click()
    for _ in range(times):
        page.get_by_test_id("area-ante").click()


def lay(page: Page, face: str) -> None:
    page.get_by_test_id("coupon-face").fill(face)
    page.get_by_test_id("coupon-face").press("Enter")


def test_a_player_lays_a_coupon_that_the_dealer_sees_and_the_result_takes(floor: ScenarioFloor, visit: Visit) -> None:
    table = wagering(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    page = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    put(page, 500, 4)
    lay(page, "15")
    expect(page.get_by_test_id("take-coupon-ante")).to_be_visible()
    expect(page.get_by_test_id("felt-coupon-ante")).to_contain_text("15")
    expect(page.get_by_test_id("area-ante")).to_have_accessible_name(
        "Ante, seat 1: $20 in chips, not bet yet, with a $15 coupon"
    )
    assert not barriers(page)
    page.get_by_test_id("bet").click()
    expect(page.get_by_test_id("coupon-ante")).to_have_text("with a $15 coupon")
    expect(page.get_by_test_id("area-ante")).to_have_accessible_name("Ante, seat 1: $20 bet, with a $15 coupon")
    expect(dealer.page.get_by_test_id("coupon-1-ante")).to_have_text("+ $15 coupon")
    assert table.entries("round.WagersPlaced")[-1].body["coupons"] == {"ante": 15_00}
    table.close_bets()
    while table.phase != "over":
        table.step()
    result = table.live.play.results[1, "ante"]
    if result.coupon:  # a push is no decision
        page.get_by_test_id("why-ante").click()
        expect(page.get_by_test_id("why")).to_contain_text("The coupon is used up.")


def test_a_coupon_is_taken_off_again_and_the_bet_changed(floor: ScenarioFloor, visit: Visit) -> None:
    table = wagering(floor)
    page = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    put(page, 500, 4)
    lay(page, "15")
    page.get_by_test_id("bet").click()
    expect(page.get_by_test_id("bet")).to_have_text("Bet placed")
    page.get_by_test_id("take-coupon-ante").click()
    expect(page.get_by_test_id("bet")).to_contain_text("Change to $20")
    page.get_by_test_id("bet").click()
    expect(page.get_by_test_id("coupon-ante")).to_have_count(0)
    expect(page.get_by_test_id("bet")).to_have_text("Bet placed")
    assert table.entries("round.WagersPlaced")[-1].body["coupons"] == {}


def test_a_coupon_that_cannot_lie_there_is_explained_before_anything_is_sent(
    floor: ScenarioFloor, visit: Visit
) -> None:
    table = wagering(floor, coupon_wagers=["ante"], coupon_maximum=15_00)
    page = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    hint = page.get_by_test_id("hint")
    lay(page, "15")
    expect(hint).to_have_text("Coupons are played with chips. Put chips on the Ante first.")
    put(page, 500, 2)
    lay(page, "fifteen")
    expect(hint).to_have_text("Enter the coupon’s face value in dollars, like 15.")
    lay(page, "20")
    expect(hint).to_have_text("The largest coupon at this table is $15.")
    lay(page, "15")
    expect(hint).to_have_text("A $15 coupon needs at least $15 in chips; the Ante is $10.")
    put(page, 500, 1)
    lay(page, "15")
    expect(page.get_by_test_id("felt-coupon-ante")).to_be_visible()
    page.get_by_test_id("area-ante").click(button="right")
    expect(hint).to_have_text("A $15 coupon needs at least $15 in chips; the Ante is $10.")
    expect(page.get_by_test_id("bet")).to_be_disabled()
    assert not table.entries("round.WagersPlaced")


def test_a_table_that_takes_no_coupons_offers_none(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, TAKING, DRAWN, instruments=[]).open(("alice",))
    table.begin()
    page = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    expect(page.get_by_test_id("bet")).to_be_visible()
    expect(page.get_by_test_id("coupons")).to_have_count(0)
