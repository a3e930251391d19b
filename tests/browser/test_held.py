"""A report holds the table on every page: what was reported, by whom, how to answer it, and how play continues."""

import pytest
from playwright.sync_api import Page, expect

from browser.housed import GAME, AtConsole, Visit, enter, read_so_far
from browser.worked import open_tile
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


def dealt(floor: ScenarioFloor) -> ScenarioTable:
    table = ScenarioTable(floor, GAME).open(("alice",))
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.deal_one()
    return table


def report(page: Page, kind: str) -> None:
    page.get_by_test_id("irregularity").click()
    form = page.get_by_role("dialog", name="Report an irregularity")
    form.get_by_label("What happened?").select_option(kind)
    form.get_by_role("button", name="Send report").click()


def test_a_report_is_declined_by_the_floor_with_a_reason_and_play_goes_on(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealt(floor)
    alice = enter(visit, floor, "alice").goto(f"/tables/{table.table}")
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    report(dealer.page, "wrong-number-of-cards")
    held = dealer.page.get_by_test_id("held")
    expect(held).to_contain_text("A hand has the wrong number of cards")
    expect(held).to_contain_text("You, dealer, reported this")
    expect(held).to_contain_text("when a second person confirms or declines it")
    expect(dealer.page.get_by_test_id("withdraw")).to_be_visible()
    expect(alice.get_by_test_id("desk")).to_contain_text("Play is paused. The floor has been called.")
    page = enter(visit, floor, "flo").goto("/floor")
    open_tile(page, table.table)
    opened = page.get_by_test_id(f"opened-{table.table}")
    expect(opened.get_by_test_id("held")).to_contain_text("dana, dealer, reported this")
    opened.get_by_test_id("decline").click()
    opened.get_by_label("Reason, for the record").fill("both hands were counted: two cards each")
    opened.get_by_test_id("decline").click()
    expect(held).to_have_count(0)
    expect(alice.get_by_test_id("desk")).not_to_contain_text("Play is paused")
    assert table.entries("house.IncidentAnswered")[-1].body["outcome"] == "declined"
    expect(dealer.card).to_be_focused()


def test_the_dealer_withdraws_a_report_with_a_reason(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealt(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    report(dealer.page, "wrong-number-of-cards")
    dealer.page.get_by_test_id("withdraw").click()
    dealer.page.get_by_label("Reason, for the record").fill("I miscounted")
    dealer.page.get_by_test_id("withdraw").click()
    expect(dealer.page.get_by_test_id("held")).to_have_count(0)
    assert table.entries("house.IncidentAnswered")[-1].body["outcome"] == "withdrawn"


def test_a_mistyped_stub_count_is_counted_again(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME).open(("alice",))
    for _ in range(9):
        table.begin()
        table.play_to("settling")
        if table.console()["duties"][0]["command"]["kind"] == "CountStub":
            break
        table.put_stub_away()
        table.must("dana", "Settle")
        table.end()
    left = len(table.game.deck) - table.live.cards.round.dealt
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.button).to_have_attribute("data-kind", "CountStub")
    field = dealer.now.get_by_test_id("field-cards")
    expect(field).to_be_focused()
    dealer.page.keyboard.type(str(left - 10))
    dealer.page.keyboard.press("Enter")
    expect(dealer.now).to_contain_text("Count the stub again")
    expect(dealer.page.get_by_text("Find out whether the cards were misdealt")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    dealer.page.keyboard.type(str(left))
    dealer.page.keyboard.press("Enter")
    expect(dealer.button).to_have_attribute("data-kind", "ConfirmDuty")  # the dealer's hand is announced first
    dealer.button.click()
    expect(dealer.button).to_have_attribute("data-kind", "Settle")


def test_a_card_that_was_read_wrong_is_corrected_by_dealer_and_floor(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealt(floor)
    (wrong,) = read_so_far(table)
    right = table.deck[-1]
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    dealer.page.get_by_test_id("irregularity").click()
    form = dealer.page.get_by_role("dialog", name="Report an irregularity")
    form.get_by_label("What happened?").select_option("misread")
    form.get_by_label("Card as read").fill(wrong)
    form.get_by_label("Actual card").fill(right)
    form.get_by_role("button", name="Send report").click()
    page = enter(visit, floor, "flo").goto("/floor")
    open_tile(page, table.table)
    proposal = page.get_by_test_id(f"opened-{table.table}").get_by_test_id("proposal")
    expect(proposal).to_contain_text("Correct a misread card")
    proposal.get_by_test_id("confirm").click()
    expect(proposal).to_have_count(0)
    assert read_so_far(table) == [right]
