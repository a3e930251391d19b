"""Decks that arrive inspected and shuffled: the dealer says so on the console, and the floor confirms it."""

import pytest
from playwright.sync_api import expect

from browser.housed import AtConsole, Visit, enter
from browser.worked import open_tile
from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.mark.parametrize("name", game_names())
def test_a_deck_that_came_ready_waits_for_the_floor_and_is_then_cut(
    floor: ScenarioFloor, visit: Visit, name: str
) -> None:
    table = ScenarioTable(floor, name, shuffler="none").open(("alice",))
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    page = enter(visit, floor, "flo").goto("/floor")
    open_tile(page, table.table)
    todo = page.get_by_test_id(f"opened-{table.table}").get_by_role("listitem")
    expect(dealer.button).to_have_attribute("data-kind", "ReceiveDeck")
    dealer.now.get_by_test_id("field-deck").fill("deck-1")
    dealer.now.get_by_label("Pre-inspected").check()
    dealer.now.get_by_label("Pre-shuffled").check()
    dealer.now.get_by_test_id("field-deck").press("Enter")
    for duty in table.game.procedures.cards.duties:  # the look at the cards, which nothing replaces
        expect(dealer.now).to_contain_text(duty.text.split(".")[0][:40])
        expect(dealer.button).to_have_attribute("aria-disabled", "false")
        dealer.button.click()
    expect(dealer.button).to_have_count(0)
    expect(dealer.now).to_contain_text("This is the floorperson’s job.")
    expect(dealer.now).to_contain_text(table.game.procedures.opening.skipped_cite)
    todo.filter(has_text="inspected and shuffled").get_by_role("button").click()
    expect(dealer.button).to_have_attribute("data-kind", "CutDeck")
    confirmed = table.entries("table.DutyConfirmed")[-1]
    assert (confirmed.actor, confirmed.clause) == ("flo", table.game.procedures.opening.skipped_cite)
    field = dealer.now.get_by_test_id("field-cards")
    expect(field).to_be_focused()
    dealer.page.keyboard.type("20")
    dealer.page.keyboard.press("Enter")
    expect(dealer.button).to_have_attribute("data-kind", "LoadDeck")
