"""Readings priced beside one another: which wagers an option moves, by how much and under which other setting."""

from fractions import Fraction

import pytest

from pitboss.games import game
from pitboss.lab.effects import effects

pytestmark = pytest.mark.xdist_group("exact")
COLORADO = game("colorado-holdem")


def test_an_option_that_acts_by_itself_moves_its_wager_alone() -> None:
    (effect,) = effects(game("dragon-poker"), "gold-with-one-dragon")
    assert (effect.wager, effect.paytable, effect.under) == ("dragon-bet", "A", {})
    assert {value: worth.ev for value, worth in effect.readings.items()} == {
        "pair": Fraction(-3373, 23426),
        "gold": Fraction(-3925, 23426),
    }


def test_a_reading_that_needs_another_version_is_found_there_and_favours_the_player() -> None:
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
        ("colorado-holdem", "bonus-on-wrong-declaration"),
        ("dragon-poker", "dealer-cards"),
    ],
)
def test_an_option_that_moves_no_worth_has_no_effects(name: str, option: str) -> None:
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


def test_plain_data_carries_exact_fractions() -> None:
    (effect,) = effects(game("dragon-poker"), "gold-with-one-dragon")
    row = effect.as_dict()
    assert row["readings"][1] == {"value": "gold", "ev": "-3925/23426", "house_edge": 3925 / 23426}
    assert (row["wager"], row["paytable"], row["under"]) == ("dragon-bet", "A", {})
