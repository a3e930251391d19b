"""A checked table becomes the choices and settings that a round and a table run with."""

import pytest

from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.limits import Limits
from pitboss.rules.payoff import For, MeterShare, To
from pitboss.submission.document import SubmittedTable
from pitboss.submission.table_choices import choices_for, settings_for
from pitboss.table.settings import READER, SHUFFLE, settings_faults
from submission.submitted import CLEAN, GONE, OPTIONS, WAGERS, Edits, submitted


def choices(name: str, edits: Edits | None = None) -> Choices:
    return choices_for(submitted(name, edits).tables[0])


def rules(name: str, edits: Edits | None = None) -> RulesInForce:
    settings = settings_for(submitted(name, edits).tables[0])
    return RulesInForce(settings.game, settings.choices)


def test_letters_options_amounts_and_devices_come_through() -> None:
    chosen = choices("holdem")
    assert chosen.paytables == {"blind": "A", "trips": "B", "progressive": "A"}
    assert chosen.options["envy-needs-wager"] == "yes"
    assert chosen.options["progressive-hand"] == "hole-and-flop"
    assert chosen.amounts == {"payout-limit": 5000000}
    assert chosen.offered == {"ante", "blind", "play", "trips", "progressive"}
    assert (chosen.dealing, chosen.positions, chosen.envy) == ("automated-shoe", 6, "A")


def test_required_wagers_share_the_table_limits_and_side_wagers_may_have_their_own() -> None:
    chosen = choices("holdem", {f"{WAGERS}.bad-beat": "A"})
    assert chosen.limits == {
        "ante": Limits(1000, 50000),
        "blind": Limits(1000, 50000),
        "trips": Limits(500, 10000),
        "bad-beat": Limits(1000, 50000),
    }


def test_a_wager_with_one_stake_has_that_stake_and_no_limits() -> None:
    assert choices("holdem").stakes == {"progressive": 100}
    assert choices("holdem", {f"{WAGERS}.progressive.stake": 500}).stakes == {"progressive": 500}
    assert choices("colorado").stakes == {"bonus": 100}
    assert choices("colorado").limits == {"ante": Limits(1000, 50000)}
    assert choices("dragon").stakes == {"progressive": 100}


def test_resets_are_kept_by_meter() -> None:
    assert choices("holdem").resets == {"meter": 1000000}
    assert choices("dragon").resets == {"meter": 250000}
    assert choices("top-five").resets == {}


def test_raised_odds_replace_one_line_of_the_paytable_in_force() -> None:
    table = choices("colorado").own_tables["bonus"]
    assert table.by_cell["flush"].payoff == To(30)
    assert table.by_cell["flush"].cite == "§12(d) Flush"
    assert table.by_cell["straight"].payoff == To(15)
    assert rules("colorado").paytables["bonus"] == table


def test_the_table_in_force_follows_the_version() -> None:
    edits: Edits = {f"{OPTIONS}.version": "permissible-bet", f"{WAGERS}.ante": {"odds": {"flush": "9 to 1"}}}
    table = choices("colorado", edits).own_tables["ante"]
    assert table.by_cell["four-of-a-kind"].payoff == To(25)
    assert table.by_cell["flush"].payoff == To(9)


def test_an_open_progressive_brings_its_own_table_and_hand() -> None:
    chosen = choices("dragon")
    assert chosen.own_hands == {"progressive": "dragons"}
    assert [line.payoff for line in chosen.own_tables["progressive"].lines] == [MeterShare(100, "meter"), For(5)]
    assert rules("dragon").draws_on_meter("progressive")
    assert "progressive" in rules("dragon").offered


def test_a_whole_table_for_analysis_takes_cells_and_lines_in_the_order_of_the_file() -> None:
    odds = {"red-aces": "99 to 1", "pair-of-aces": "40 to 1", "ace-king-suited": "$50"}
    edits: Edits = {"table[0].analysis": True, f"{WAGERS}.ultimate-pairs": {"odds": odds}}
    table = choices("holdem", edits).own_tables["ultimate-pairs"]
    assert [line.hand for line in table.lines] == list(odds)
    assert table.by_cell["red-aces"].payoff == To(99)
    assert table.by_cell["aces"].payoff == To(40)


def test_positions_stated_as_an_option_count() -> None:
    assert choices("colorado", {"table[0].positions": GONE, f"{OPTIONS}.positions": 3}).positions == 3
    assert choices("colorado", {"table[0].positions": GONE}).positions == 6
    assert choices("colorado", {"table[0].positions": 4}).options["positions"] == "4"
    assert choices("top-five").positions == 6


@pytest.mark.parametrize("name", CLEAN)
def test_the_settings_of_a_clean_table_are_sound(name: str) -> None:
    settings = settings_for(submitted(name).tables[0])
    assert settings_faults(settings) == ()
    assert settings.cards == READER


def test_devices_and_marks_reach_the_settings() -> None:
    edits: Edits = {"table[0].deck-hours": 7, "table[0].electronic": True}
    settings = settings_for(submitted("holdem", edits).tables[0])
    assert (settings.shuffler, settings.decks, settings.deck_hours) == ("counting", 2, 7)
    assert (settings.electronic, settings.cards) == (True, SHUFFLE)
    settings = settings_for(submitted("holdem", {**edits, "table[0].cards": "reader"}).tables[0])
    assert (settings.electronic, settings.cards) == (True, READER)
    settings = settings_for(submitted("top-five", {"table[0].free-play": True}).tables[0])
    assert (settings.free_play, settings.cards, settings.shuffler, settings.decks) == (True, SHUFFLE, "none", 1)


def test_accepted_instruments_reach_the_choices() -> None:
    chosen = choices("colorado", {"table[0].instruments": ["match-play-coupon"]})
    assert chosen.instruments == {"match-play-coupon"}


def test_a_table_of_no_known_game_has_no_choices() -> None:
    with pytest.raises(AssertionError):
        choices_for(SubmittedTable(game="whist"))
