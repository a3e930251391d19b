"""What a dealer types is taken in order or visibly refused, at the pace of a card reader."""

import pytest
from playwright.sync_api import expect

from browser.housed import AtConsole, Visit, enter, read_so_far
from browser.staged import SLOW_ANSWERS
from pitboss.games.catalogue import game, game_names
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
OWN_DECK = next(name for name in game_names() if "As" not in game(name).deck.titles)
ALL_DEALT_FIRST = "top-five-poker"  # seven cards to each hand before the first decision


def dealing(floor: ScenarioFloor, name: str = ALL_DEALT_FIRST) -> ScenarioTable:
    table = ScenarioTable(floor, name).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    return table


@pytest.mark.parametrize("between_ms", [0, 100, 1_500])
def test_every_card_that_is_typed_is_taken_in_order(floor: ScenarioFloor, visit: Visit, between_ms: int) -> None:
    table = dealing(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.card).to_be_focused()
    cards = dealer.draw(21 if between_ms < 1_000 else 8)
    dealer.type_cards(cards, between_ms)
    expect(dealer.page.get_by_test_id("entry-waiting")).to_have_count(0)
    expect(dealer.page.get_by_test_id("entry-taken").last).to_be_visible()
    assert read_so_far(table) == cards
    assert dealer.stopped.count() == 0
    if len(cards) == 21:  # the whole deal, without another key
        assert table.phase == "asking"


def test_a_refused_card_stops_the_queue_and_names_what_was_not_taken(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealing(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.card).to_be_focused()
    cards = dealer.draw(6)
    dealer.type_cards([*cards[:3], cards[0], *cards[3:]])  # the first card once more: it cannot be in the deck
    expect(dealer.stopped).to_contain_text("4 cards weren’t recorded")
    expect(dealer.stopped).to_contain_text("was read more times than it is in this deck")
    for card in cards[3:]:
        expect(dealer.stopped.get_by_test_id("entry-left-out").filter(has_text=card)).to_be_visible()
    assert read_so_far(table) == cards[:3]
    expect(dealer.card).to_be_focused()
    expect(dealer.card).to_have_value("")
    # Until the dealer has seen it nothing more is taken.
    dealer.type_cards(cards[5:])
    expect(dealer.stopped).to_contain_text("5 cards weren’t recorded")
    assert read_so_far(table) == cards[:3]
    dealer.page.keyboard.press("Enter")
    expect(dealer.stopped).to_have_count(0)
    expect(dealer.card).to_be_focused()
    dealer.type_cards(cards[3:])
    expect(dealer.page.get_by_test_id("entry-waiting")).to_have_count(0)
    assert read_so_far(table) == cards


def test_an_invalid_card_stops_the_queue_as_well(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealing(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.card).to_be_focused()
    cards = dealer.draw(3)
    dealer.type_cards([cards[0], "xx", *cards[1:]])
    expect(dealer.stopped).to_contain_text("3 cards weren’t recorded")
    expect(dealer.stopped).to_contain_text("xx")
    assert read_so_far(table) == cards[:1]


def test_the_card_field_has_the_focus_after_a_dialog_and_a_relief(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealing(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.card).to_be_focused()
    cards = dealer.draw(3)
    dealer.page.keyboard.type("9")  # begun, and left
    dealer.page.get_by_test_id("irregularity").click()
    dialog = dealer.page.get_by_role("dialog", name="Report an irregularity")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dealer.card).to_be_focused()
    expect(dealer.card).to_have_value("")
    dealer.type_cards(cards[:1])
    expect(dealer.page.get_by_test_id("entry-taken")).to_have_count(1)
    dealer.page.get_by_test_id("leave-place").click()
    dealer.page.keyboard.press("Escape")
    expect(dealer.card).to_be_focused()
    expect(dealer.now).to_contain_text("for seat 2")  # the first card is dealt
    floor.people["flo"].must(table.table, {"kind": "WithdrawLease", "reason": "a relief"})
    expect(dealer.card).to_have_count(0)
    expect(dealer.button).to_have_attribute("data-kind", "TakeLease")
    dealer.page.wait_for_timeout(400)
    dealer.page.keyboard.press("Enter")
    expect(dealer.card).to_be_focused()
    expect(dealer.card).to_have_value("")
    dealer.type_cards(cards[1:])
    expect(dealer.page.get_by_test_id("entry-waiting")).to_have_count(0)
    assert dealer.stopped.count() == 0
    assert read_so_far(table) == cards


def test_a_card_typed_while_the_last_press_is_under_way_is_not_lost(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealing(floor)
    floor.people["flo"].must(table.table, {"kind": "WithdrawLease", "reason": "a relief"})
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.button).to_have_attribute("data-kind", "TakeLease")
    cards = dealer.draw(2)
    # The place is the dealer's, and the console is still being read: the large button is disabled.
    dealer.page.evaluate(SLOW_ANSWERS)
    dealer.page.wait_for_timeout(400)
    dealer.page.keyboard.press("Enter")
    expect(dealer.card).to_be_focused()
    expect(dealer.button).to_be_disabled()
    dealer.type_cards(cards)
    expect(dealer.page.get_by_test_id("entry-taken")).to_have_count(2)
    assert read_so_far(table) == cards


def test_a_card_read_while_the_focus_is_elsewhere_is_not_lost(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealing(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.card).to_be_focused()
    cards = dealer.draw(2)
    dealer.page.get_by_role("heading", level=1).click()
    dealer.type_cards(cards[:1])
    dealer.page.get_by_test_id("leave-place").focus()
    dealer.type_cards(cards[1:])
    expect(dealer.page.get_by_test_id("entry-taken")).to_have_count(2)
    assert read_so_far(table) == cards
    dealer.page.get_by_test_id("leave-place").click()
    dealer.type_cards(["2c"])  # a reader knows nothing of a question on the screen
    expect(dealer.page.get_by_role("dialog")).to_be_visible()
    dealer.page.keyboard.press("Escape")
    expect(dealer.stopped).to_contain_text("2c")
    assert read_so_far(table) == cards


def test_cards_of_another_deck_are_named_as_they_look(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealing(floor, OWN_DECK)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.card).to_be_focused()
    titles = table.game.deck.titles
    for code, title in titles.items():
        expect(dealer.now).to_contain_text(f"{code} {title.title()}")
    codes = list(titles)[:2]
    dealer.type_cards([titles[codes[0]].title(), codes[1].lower()])  # by the name on the card, and by its letters
    for code in codes:
        expect(dealer.page.get_by_test_id("entry-taken").filter(has_text=titles[code].title())).to_be_visible()
    assert read_so_far(table) == codes
