"""Counts are priced by the rules in force, whatever paytable, option, stake or meter is chosen."""

from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.games import game
from pitboss.lab.edges import edges
from pitboss.lab.exact import counts_of
from pitboss.lab.worth import worth_of
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

HOLDEM = game("ultimate-texas-holdem")
pytestmark = pytest.mark.xdist_group("exact")


def rules(**options: str) -> RulesInForce:
    return RulesInForce(HOLDEM, Choices(options={name.replace("_", "-"): value for name, value in options.items()}))


def test_the_main_game_counted_afresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worth = worth_of(rules(), "main", recompute=True)
    assert worth.ev == Fraction(-607723787676, 27813810024000)
    assert worth.total == 27813810024000
    assert sum(line.combinations for line in worth.lines) == worth.total
    assert sum((line.contribution for line in worth.lines), Fraction(0)) == worth.ev


def test_equal_choices_move_averages_but_not_the_worth() -> None:
    more = worth_of(rules(), "main")
    less = worth_of(rules(), "main", ties="less")
    assert more.ev == less.ev
    assert more.average_wager > less.average_wager


@pytest.mark.parametrize(("pays", "points"), [("either", 4.55), ("player", 4.28)])
def test_a_fold_that_loses_bad_beat_costs_points_of_edge(pays: str, points: float) -> None:
    stays = worth_of(rules(bad_beat_pays=pays), "bad-beat")
    loses = worth_of(rules(bad_beat_pays=pays, bad_beat_on_fold="loses"), "bad-beat")
    assert round(100 * float(loses.house_edge - stays.house_edge), 2) == points


def test_bad_beat_for_the_player_alone_costs_most_of_the_stake() -> None:
    assert 0.55 < float(worth_of(rules(bad_beat_pays="player"), "bad-beat").house_edge) < 0.65


def test_a_progressive_on_seven_cards_returns_several_times_the_stake() -> None:
    assert worth_of(rules(progressive_hand="best-of-seven"), "progressive").ev > 1


def test_a_meter_breaks_even_where_its_worth_crosses_zero() -> None:
    worth = worth_of(rules(), "progressive")
    amount = worth.break_even_meter
    assert amount is not None
    assert worth_of(rules(), "progressive", meters={"meter": amount}).ev >= 0
    assert worth_of(rules(), "progressive", meters={"meter": amount - 1}).ev < 0


def test_each_other_player_adds_the_same_envy() -> None:
    none = worth_of(rules(), "progressive")
    one = worth_of(rules(), "progressive", others=1)
    five = worth_of(rules(), "progressive", others=5)
    assert one.ev - none.ev == Fraction(4 * 1000 + 36 * 300, 2598960)
    assert five.ev - none.ev == 5 * (one.ev - none.ev)


def test_dollar_prizes_shrink_against_a_larger_stake() -> None:
    small, large = (worth_of(rules(), "six-card-bonus", stake_cents=stake) for stake in (100, 500))
    prizes = Fraction(1 * 1_000_000 + 3 * 100_000, 20358520)
    assert small.ev - large.ev == prizes - prizes / 5


def test_a_side_paytable_needs_no_new_count() -> None:
    assert counts_of(rules(), "trips") == counts_of(RulesInForce(HOLDEM, Choices(paytables={"trips": "D"})), "trips")


def test_one_row_for_each_wager_and_paytable() -> None:
    rows = [(worth.wager, worth.paytable) for worth in edges(HOLDEM, wager="trips")]
    assert rows == [("trips", letter) for letter in "ABCDE"]
    row = next(edges(HOLDEM, wager="ultimate-pairs", paytable="A", settings={"x": "y"})).as_dict()
    assert row["ev"] == "-59/663"
    assert row["hit_frequency"] == "21/221"
    assert row["options"] == {"x": "y"}
    assert row["method"] == "exact"
