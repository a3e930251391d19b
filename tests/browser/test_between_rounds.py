"""The dealer's console between rounds: one key shuffles the deck, and the keys for players with chips still work."""

import pytest
from playwright.sync_api import Page, expect

from browser.housed import AtConsole, Visit, enter
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
GAME = "ultimate-texas-holdem"
CASH = 1_000_00


@pytest.fixture
def table(floor: ScenarioFloor) -> ScenarioTable:
    """Return a table with a shuffler and a player without a device, after a round."""
    table = ScenarioTable(floor, GAME)
    table.document["pace"] = {"idle_ms": 60 * 60_000}
    table.open(players=())
    table.seat_patron(1, CASH)
    table.play_round()
    return table


def until(page: Page, table: ScenarioTable, before: int) -> None:
    for _ in range(600):
        if table.sequence > before:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"nothing was recorded: {page.get_by_test_id('console').inner_text()}")


def test_a_tip_is_entered_by_keys_while_the_shuffle_is_the_next_step(
    table: ScenarioTable, floor: ScenarioFloor, visit: Visit
) -> None:
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    page = dealer.page
    expect(dealer.button).to_have_attribute("data-kind", "ShuffleDeck")
    expect(dealer.now.get_by_role("radio").first).to_be_focused()
    seat = page.get_by_test_id("patron-1").locator("button").first
    expect(seat).to_be_enabled()
    before = table.sequence
    page.keyboard.press("1")
    expect(seat).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+T")
    expect(page.get_by_test_id("patron-amount")).to_be_focused()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    until(page, table, before)
    (tip,) = table.entries("house.TipGiven")
    assert tip.body["cents"] == 5_00


@pytest.mark.parametrize(
    ("key", "first", "meant", "event"), [("T", 100, 120, "house.TipGiven"), ("O", 300, 30, "house.ChipsCarriedAway")]
)
def test_chips_that_leave_and_a_large_tip_are_recorded_only_after_their_amount_was_shown(
    table: ScenarioTable, floor: ScenarioFloor, visit: Visit, key: str, first: int, meant: int, event: str
) -> None:
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    page, shown = dealer.page, dealer.page.get_by_test_id("patron-confirm")
    seat = page.get_by_test_id("patron-1").locator("button").first
    expect(seat).to_be_enabled()
    page.keyboard.press("1")
    expect(seat).to_have_attribute("aria-pressed", "true")
    before = table.sequence
    page.keyboard.press(f"Shift+{key}")
    amount = page.get_by_test_id("patron-amount")
    expect(amount).to_be_focused()
    for dollars in (first, meant):  # the amount that was shown isn't the one that is meant: it is shown again
        amount.fill(str(dollars))
        expect(shown).to_have_count(0)
        page.keyboard.press("Enter")
        expect(shown).to_contain_text(f"${dollars}")
        assert table.sequence == before
    page.keyboard.press("Enter")
    until(page, table, before)
    (recorded,) = table.entries(event)
    assert recorded.body["cents"] == meant * 100


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_deck_goes_through_the_shuffler_by_one_key(
    table: ScenarioTable, floor: ScenarioFloor, visit: Visit, key: str
) -> None:
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.button).to_have_attribute("data-kind", "ShuffleDeck")
    expect(dealer.button).to_have_attribute("aria-disabled", "false")
    expect(dealer.now.get_by_role("radio", name="By the shuffler")).to_be_checked()
    before = table.sequence
    dealer.page.keyboard.press(key)
    until(dealer.page, table, before)
    assert table.entries("table.DeckShuffled")[-1].body["way"] == "device"


def test_a_deck_is_shuffled_by_hand_once_the_shuffler_is_out(
    table: ScenarioTable, floor: ScenarioFloor, visit: Visit
) -> None:
    table.must("flo", "TakeOutDevice", device="shuffler", how="covered")
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.button).to_have_attribute("data-kind", "ShuffleDeck")
    expect(dealer.now.get_by_role("radio", name="By hand")).to_be_checked()


def test_a_shuffler_that_goes_out_while_the_step_shows_is_no_longer_chosen(
    table: ScenarioTable, floor: ScenarioFloor, visit: Visit
) -> None:
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.now.get_by_role("radio", name="By the shuffler")).to_be_checked()
    table.must("flo", "TakeOutDevice", device="shuffler", how="covered")
    expect(dealer.now.get_by_role("radio", name="By hand")).to_be_checked()
    expect(dealer.button).to_have_attribute("data-kind", "ShuffleDeck")


def test_a_space_in_the_preferences_is_no_step(table: ScenarioTable, floor: ScenarioFloor, visit: Visit) -> None:
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    page = dealer.page
    expect(dealer.button).to_have_attribute("aria-disabled", "false")
    before = len(table.entries("table.DeckShuffled"))
    page.get_by_role("button", name="Preferences").click()
    preferences = page.get_by_role("dialog", name="Preferences")
    made = preferences.get_by_role("radio", checked=True).first
    made.focus()
    page.keyboard.press("Space")
    page.wait_for_timeout(1000)
    assert len(table.entries("table.DeckShuffled")) == before
    preferences.get_by_role("button", name="Close").click()
    expect(dealer.button).to_have_attribute("data-kind", "ShuffleDeck")


def test_the_dealer_is_told_to_enter_the_bets_of_players_with_chips(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME).open(players=())
    table.seat_patron(1, CASH)
    table.begin()
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.now).to_contain_text("Enter the bets of players with chips")
    assert "deck deck" not in dealer.page.get_by_test_id("console").inner_text().lower()
    table.wager(table.live.seats[1])
    table.close_bets()
    # No reader is required on this floor, so the dealer types the cards.
    expect(dealer.now).to_contain_text("enter each")
