"""A seat that is given up or does not act: what the player, the dealer and the floor see and do."""

import pytest
from playwright.sync_api import expect

from browser.housed import GAME, AtConsole, Visit, enter
from browser.test_barriers import barriers
from browser.worked import open_tile
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


def asked(floor: ScenarioFloor) -> ScenarioTable:
    table = ScenarioTable(floor, GAME).open(("alice",))
    table.begin()
    table.play_to("asking")
    return table


def test_a_player_gives_up_the_seat_during_a_round_and_it_is_freed_after_it(floor: ScenarioFloor, visit: Visit) -> None:
    table = asked(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    page = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    page.get_by_test_id("leave-seat").click()
    dialog = page.get_by_test_id("give-up-dialog")
    expect(dialog).to_contain_text("Give up seat 1 during the round?")
    assert not barriers(page)
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).to_have_count(0)
    assert table.live.given_up == ()
    page.get_by_test_id("leave-seat").click()
    dialog.get_by_test_id("give-up").click()
    expect(page.get_by_test_id("gave-up")).to_contain_text("It opens up when the round ends")
    expect(page.get_by_test_id("leave-seat")).to_be_disabled()
    expect(dealer.page.get_by_test_id("given-up-1")).to_have_text("gave up the seat")
    assert table.live.given_up == (1,)
    while table.live.in_round:
        if table.phase == "asking":
            table.must("dana", "ActForAbsent", seat=1)
        else:
            table.step()
    expect(page.get_by_test_id("invitation")).to_be_visible()
    assert table.live.seats == {}


def test_the_floor_frees_a_seat_between_rounds_and_sees_what_to_do_during_one(
    floor: ScenarioFloor, visit: Visit
) -> None:
    table = asked(floor)
    live = enter(visit, floor, "flo")
    page = live.goto("/floor")
    open_tile(page, table.table)
    opened = page.get_by_test_id(f"opened-{table.table}")
    opened.get_by_test_id("choose-LeaveSeat").click()
    form = opened.get_by_test_id("act-LeaveSeat")
    expect(form.get_by_label("Seat")).to_have_value("1")  # the only one
    expect(form.get_by_test_id("note-seat")).to_contain_text("This seat has wagers in play.")
    form.get_by_role("button", name="Free a seat").click()
    expect(form.get_by_role("alert")).to_contain_text("report that together with the dealer")
    while table.live.in_round:
        table.step()
    expect(form.get_by_test_id("note-seat")).to_have_count(0)
    form.get_by_role("button", name="Free a seat").click()
    expect(opened.get_by_text("Done and recorded.")).to_be_visible()
    assert table.live.seats == {}
    live.forgive()  # the browser notes the refusal


def test_the_console_says_that_time_is_up_and_a_floorperson_rules(floor: ScenarioFloor, visit: Visit) -> None:
    table = asked(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.now).to_contain_text("left to act (G-5)")
    expect(dealer.button).to_be_disabled()
    expect(dealer.page.get_by_test_id("time-is-up")).to_have_count(0)
    floor.pass_time(table.live.terms.pace.decision_ms + 1_000)
    dealer.page.reload()  # the page learns the house's new time
    expect(dealer.page.get_by_test_id("time-is-up")).to_have_text("The player’s time is up.")
    dealer.button.click()
    expect(dealer.page.get_by_test_id("proposal")).to_be_visible()
    assert not table.entries("round.ActionTaken")  # the dealer alone folds nobody
    page = enter(visit, floor, "flo").goto("/floor")
    open_tile(page, table.table)
    page.get_by_test_id(f"opened-{table.table}").get_by_role("button", name="Confirm").click()
    expect(dealer.page.get_by_test_id("proposal")).to_have_count(0)
    taken = table.entries("round.ActionTaken")[-1].body
    assert (taken["seat"], taken["absent"], taken["dealer"], taken["ruled_by"]) == (1, True, "dana", "flo")
