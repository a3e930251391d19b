"""Enter is never lost: if a button can't be pressed yet, the entry is sent afterward or visibly refused."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.housed import GAME, AtConsole, Visit, enter
from browser.staged import SLOW_ANSWERS
from browser.worked import open_tile
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
# What is given to a table goes over its socket; the answers are held back.
HELD_BACK = """() => {
  const send = WebSocket.prototype.send
  WebSocket.prototype.send = function (...sent) { setTimeout(() => send.apply(this, sent), 700) }
}"""


def test_a_count_entered_while_the_last_step_is_under_way_is_recorded(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME, shuffler="none").open(("alice",))
    while table.console()["duties"][0]["command"]["kind"] != "ShuffleDeck":
        table.do(table.console()["duties"][0])
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.button).to_have_attribute("data-kind", "ShuffleDeck")
    expect(dealer.now.get_by_role("radio")).to_have_count(0)  # by hand: without a shuffler there is no choice
    dealer.page.evaluate(SLOW_ANSWERS)
    expect(dealer.button).to_have_attribute("aria-disabled", "false")
    dealer.button.click()
    field = dealer.now.get_by_test_id("field-cards")
    expect(field).to_be_focused()
    dealer.page.keyboard.type("20")
    dealer.page.keyboard.press("Enter")
    expect(dealer.button).to_have_attribute("data-kind", "LoadDeck")
    assert table.entries("table.DeckCut")[-1].body["cards"] == 20


def test_two_presses_of_enter_record_a_further_duty_once(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME).open(("alice",))
    table.begin()
    table.play_to("asking")
    page = enter(visit, floor, "flo").goto("/floor")
    open_tile(page, table.table)
    opened = page.get_by_test_id(f"opened-{table.table}")
    opened.get_by_test_id("choose-LeaveSeat").wait_for()
    table.must("dana", "ReportIrregularity", irregularity="player-left", seat=1)
    page.evaluate(HELD_BACK)
    opened.get_by_role("button", name="Record the ruling", exact=True).click()
    opened.get_by_label("The hand is played out").check()
    before = len(table.entries("round.IrregularityRuled"))
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(opened.get_by_test_id("held")).to_have_count(0)
    expect(opened.get_by_role("alert")).to_have_count(0)
    assert len(table.entries("round.IrregularityRuled")) == before + 1


def test_enter_after_the_reason_declines_a_request(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME).open(("alice",))
    table.begin()
    table.play_to("asking")
    table.must("dana", "ReportIrregularity", irregularity="wrong-number-of-cards")
    page = enter(visit, floor, "flo").goto("/floor")
    open_tile(page, table.table)
    opened = page.get_by_test_id(f"opened-{table.table}")
    opened.get_by_test_id("decline").click()
    reason = opened.get_by_label("Reason, for the record")
    reason.press("Enter")  # which asks for the reason, and sends nothing
    expect(opened.get_by_test_id("proposal")).to_be_visible()
    assert table.live.trouble is not None
    reason.fill("both hands were counted")
    reason.press("Enter")
    expect(opened.get_by_test_id("proposal")).to_have_count(0)
    assert table.entries("house.IncidentAnswered")[-1].body["outcome"] == "declined"


def buying(page: Page, amount: str) -> None:
    page.get_by_test_id("other-amount").fill(amount)
    page.get_by_test_id("other-amount").press("Enter")


def test_an_amount_above_the_balance_is_refused_in_sight_and_nobody_sits_down_without_it(
    floor: ScenarioFloor, visit: Visit
) -> None:
    table = ScenarioTable(floor, GAME).open(())
    paid = floor.office("cay", {"kind": "IssueMoney", "person": "erin", "cents": 300_00, "free_play": False})
    assert paid.status_code == 200, paid.text
    page = enter(visit, floor, "erin").goto(f"/tables/{table.table}")
    page.get_by_test_id("sit-1").click()
    buying(page, "5000")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(
        "Your balance is $300. Enter that much or less."
    )
    assert table.live.seats == {}
    buying(page, "200")
    expect(page.get_by_test_id("stack")).to_have_text("$200")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_test_id("buy-chips").click()
    buying(page, "5000")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(
        "Your balance is $100. Enter that much or less."
    )
    buying(page, "100")
    expect(page.get_by_test_id("stack")).to_have_text("$300")


def test_chips_added_while_a_bet_is_under_way_are_bet_by_the_next_enter(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME).open(("alice",))
    table.begin()
    page = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    page.get_by_test_id("chip-2500").click()
    page.get_by_test_id("area-ante").click()
    page.evaluate(HELD_BACK)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("bet")).to_be_disabled()
    page.get_by_test_id("area-ante").click()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("at-stake")).to_have_text("$100")
    expect(page.get_by_test_id("bet")).to_have_text("Bet placed")
    placed = [entry.body["stakes"]["ante"] for entry in table.entries("round.WagersPlaced")]
    assert placed == [25_00, 50_00]


def test_a_person_without_a_role_is_refused_in_sight(floor: ScenarioFloor, visit: Visit) -> None:
    page = enter(visit, floor, "adam").goto("/floor/people")
    form = page.get_by_test_id("add-person")
    form.get_by_label(re.compile("^Name")).fill("nina")
    form.get_by_label(re.compile("^Name")).press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("Choose at least one role.")
    form.get_by_label("dealer", exact=True).check()
    form.get_by_label(re.compile("^Name")).press("Enter")
    expect(form.get_by_role("status")).to_have_text("nina was added.")
