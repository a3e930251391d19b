"""Readings priced side by side: which wagers an option changes, by how much and under which other setting."""

from fractions import Fraction

import pytest

from pitboss.games import game, game_names
from pitboss.games.catalogue import rulings
from pitboss.lab.effects import effects

pytestmark = pytest.mark.xdist_group("exact")
COLORADO = game("colorado-holdem")
HOLDEM = game("ultimate-texas-holdem")


def test_an_option_that_acts_by_itself_changes_only_its_wager() -> None:
    (effect,) = effects(game("dragon-poker"), "gold-with-one-dragon")
    assert (effect.wager, effect.paytable, effect.under) == ("dragon-bet", "A", {})
    assert {value: worth.ev for value, worth in effect.readings.items()} == {
        "pair": Fraction(-3373, 23426),
        "gold": Fraction(-3925, 23426),
    }


def test_a_reading_that_needs_another_version_is_found_there_and_favors_the_player() -> None:
    told: list[str] = []
    found = {effect.wager: effect for effect in effects(COLORADO, "permissible-tens", told.append)}
    assert all(effect.under == {"version": "permissible-bet"} for effect in found.values())
    readings = found["main"].readings
    assert readings["push"].house_edge > 0
    assert readings["pay"].ev == Fraction(20754, 978775)
    assert any("permissible-bet" in words for words in told)


def test_main_and_side_wagers_are_both_looked_at() -> None:
    assert {effect.wager for effect in effects(COLORADO, "ace-low-three-card")} == {"main", "bonus"}
    assert {effect.wager for effect in effects(COLORADO, "bonus-on-fold")} == {"bonus"}


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("colorado-holdem", "positions"),
        ("dragon-poker", "dealer-cards"),
    ],
)
def test_an_option_that_changes_no_value_has_no_effects(name: str, option: str) -> None:
    assert effects(game(name), option) == ()


@pytest.mark.parametrize(
    ("option", "moved"),
    [
        ("progressive-hand", {("progressive", letter) for letter in "ABCD"}),
        ("progressive-odds", {("progressive", "A")}),
        ("bad-beat-pays", {("bad-beat", letter) for letter in "ABC"}),
        ("bad-beat-on-fold", {("bad-beat", letter) for letter in "ABC"}),
        ("dealer-cards", set()),
    ],
)
@pytest.mark.slow
def test_each_reading_moves_its_own_wagers_under_every_paytable(option: str, moved: set[tuple[str, str]]) -> None:
    found = effects(game("ultimate-texas-holdem"), option)
    assert {(effect.wager, effect.paytable) for effect in found} == moved
    assert all(effect.under == {} for effect in found)


def test_a_reading_that_no_good_play_meets_is_priced_where_it_is_met() -> None:
    (effect,) = effects(COLORADO, "bonus-on-wrong-declaration")
    assert (effect.wager, effect.under) == ("bonus", {"a hand": "declared wrongly"})
    assert {value: worth.ev for value, worth in effect.readings.items()} == {"loses": -1, "returned": 0}


def test_an_envy_hand_without_the_wager_counts_under_one_reading_only() -> None:
    found = effects(HOLDEM, "envy-needs-wager")
    assert [(effect.wager, effect.paytable) for effect in found] == [("progressive", letter) for letter in "ABCD"]
    for effect in found:
        assert effect.under == {"one other player": "without the wager"}
        # Four royal flushes at $1,000 and 36 straight flushes at $300, of all five-card hands, for a dollar.
        gained = effect.readings["no"].ev - effect.readings["yes"].ev
        assert gained == Fraction(4 * 1000 + 36 * 300, 2598960)


@pytest.mark.slow
def test_the_wider_payout_limit_cuts_what_the_narrow_one_leaves() -> None:
    found = {(effect.wager, effect.paytable): effect for effect in effects(HOLDEM, "payout-limit-covers")}
    assert {wager for wager, _ in found} == {"ultimate-pairs", "bad-beat", "play-the-board"}
    effect = found["play-the-board", "A"]
    assert effect.under == {"payout-limit": "$50,000", "stakes": "$500"}
    # At $500 a win of more than 100 units is cut: a royal flush from 1,000, a straight flush from 200.
    narrow, wide = effect.readings.values()
    assert narrow.ev - wide.ev == Fraction(4 * 900 + 36 * 100, 2598960)
    assert effect.as_dict()["notes"] == list(wide.notes)
    assert "for this wager only" in wide.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_every_option_of_a_ruling_is_priced_or_moves_nothing(name: str) -> None:
    still = {"positions", "dealer-cards", "adjacent-positions", "adjacent-boxes", "adjacent-areas"}
    definition = game(name)
    ruled = {ruling.option for ruling in rulings(name) if ruling.option and ruling.option in definition.options_by_name}
    for option in ruled - still:
        found = effects(definition, option)
        assert found, option
        assert all(list(effect.readings) == list(definition.options_by_name[option].values) for effect in found)


def test_plain_data_carries_exact_fractions() -> None:
    (effect,) = effects(game("dragon-poker"), "gold-with-one-dragon")
    row = effect.as_dict()
    assert row["readings"][1] == {"value": "gold", "ev": "-3925/23426", "house_edge": 3925 / 23426}
    assert (row["wager"], row["paytable"], row["under"]) == ("dragon-bet", "A", {})
