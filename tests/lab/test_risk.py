"""Figures of risk: moments, waits and bankrolls against their definitions, and what jurisdictions demand."""

import math
import random
from fractions import Fraction
from functools import cache

import pytest

from pitboss.games import game
from pitboss.lab.configuration import configuration_hash
from pitboss.lab.edges import edges
from pitboss.lab.gates import FAIL, GATES, PASS, SHOW_ODDS, checked, gates_for
from pitboss.lab.risk import (
    HIT_SHARES,
    HitWait,
    bankroll,
    clear_rounds,
    excess_kurtosis,
    house_range,
    percentiles,
    risk_of,
    rounds_to_overcome,
    ruin_exponent,
    skewness,
)
from pitboss.lab.worth import Worth
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

NAMES = ("colorado-holdem", "dragon-poker", "top-five-poker")


def coin(win: Fraction, lose: Fraction = Fraction(-1), ways: tuple[int, int] = (1, 1)) -> Worth:
    """Return a wager with two results."""
    return Worth("a game", "coin", None, {}, {win: ways[0], lose: ways[1]}, sum(ways), Fraction(1), ())


@cache
def worths() -> tuple[Worth, ...]:
    return tuple(worth for name in NAMES for worth in edges(game(name)))


def test_moments_are_those_of_the_definition() -> None:
    fair = coin(Fraction(1))
    assert skewness(fair) == 0
    assert excess_kurtosis(fair) == -2
    # A success of chance p: skewness (1 - 2p) / root(p(1-p)), excess kurtosis (1 - 6p(1-p)) / (p(1-p)).
    rare = coin(Fraction(9), ways=(1, 19))
    p = Fraction(1, 20)
    assert skewness(rare) == pytest.approx(float((1 - 2 * p) / Fraction(math.sqrt(p * (1 - p)))))
    assert excess_kurtosis(rare) == (1 - 6 * p * (1 - p)) / (p * (1 - p))
    assert rounds_to_overcome(rare) == rare.variance / rare.house_edge**2
    assert rounds_to_overcome(fair) is None


def test_the_ruin_of_a_coin_is_the_gambler_s() -> None:
    # Against a coin that wins one unit with chance p, a bank of b is lost with probability (p / q) to the b.
    worth = coin(Fraction(1), ways=(9, 11))
    rate = ruin_exponent(worth)
    assert rate == pytest.approx(math.log(11 / 9))
    units = bankroll(worth, Fraction(1, 100))
    assert units is not None
    assert (9 / 11) ** units == pytest.approx(0.01)
    assert bankroll(coin(Fraction(1)), Fraction(1, 100)) is None


def test_a_bankroll_survives_as_often_as_it_says() -> None:
    worth = next(worth for worth in worths() if worth.wager == "three-card-bonus")
    units = bankroll(worth, Fraction(1, 20))
    assert units is not None
    rng = random.Random(7)
    nets, counts = [float(net) for net in worth.distribution], list(worth.distribution.values())
    trials, ruined = 300, 0
    for _ in range(trials):
        left = units
        for net in rng.choices(nets, counts, k=4_000):
            left -= net
            if left < 0:
                ruined += 1
                break
    assert 0 < ruined / trials < 0.05 + 4 * math.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize("chance", [Fraction(1), Fraction(1, 2), Fraction(1, 248_882), Fraction(2, 3)])
def test_a_wait_is_the_fewest_rounds_that_suffice(chance: Fraction) -> None:
    wait = HitWait("a hit", chance)
    for share in HIT_SHARES:
        rounds = wait.within(share)
        assert 1 - (1 - float(chance)) ** rounds >= float(share) - 1e-12
        assert rounds == 1 or 1 - (1 - float(chance)) ** (rounds - 1) < float(share)


def test_no_range_holds_an_impossible_result() -> None:
    for worth in worths():
        nets = sorted(worth.distribution)
        for rounds in (1, 1_000, 1_000_000):
            low, high = house_range(worth, rounds)
            assert -nets[-1] * rounds <= low <= float(worth.house_edge) * rounds <= high <= -nets[0] * rounds, worth
        at = percentiles(worth, 1_000)
        assert list(at.values()) == sorted(at.values())


def test_the_house_is_ahead_from_the_clear_rounds_on() -> None:
    for worth in worths():
        rounds = clear_rounds(worth)
        assert rounds is not None
        assert house_range(worth, rounds)[0] > -float(worth.house_edge) * rounds * 0.02
        assert house_range(worth, rounds // 2)[0] < 0
    assert clear_rounds(coin(Fraction(1))) is None


def test_figures_are_plain_data() -> None:
    found = risk_of(worths()[0])
    assert set(found["percentiles"]) == {"100", "1000", "10000"}
    assert [hit["hand"] for hit in found["hits"]] == ["any win", "largest win"]


def test_a_jurisdiction_has_its_own_gate_or_the_general_one() -> None:
    assert [gate.least for gate in gates_for("Maryland")] == [Fraction(3, 4), Fraction(1, 100_000_000)]
    assert [gate.least for gate in gates_for("Massachusetts")] == [Fraction(4, 5), Fraction(1, 100_000_000)]
    assert all(gate.source for gate in GATES)


def test_gates_pass_and_fail_where_the_figure_says() -> None:
    low = coin(Fraction(1), ways=(39, 61))  # returns 78%
    assert [check.result for check in checked(low, "Maryland")] == [PASS, PASS]
    assert [check.result for check in checked(low, "Massachusetts")] == [FAIL, PASS]
    rare = coin(Fraction(10**8), ways=(1, 10**8))
    assert [check.result for check in checked(rare, "Maryland")] == [PASS, SHOW_ODDS]


def test_a_configuration_s_hash_changes_with_what_is_paid_and_with_nothing_else() -> None:
    dragon = game("dragon-poker")
    first = configuration_hash(RulesInForce(dragon))
    assert configuration_hash(RulesInForce(dragon, Choices(paytables={"three-card-bonus": "A"}))) == first
    others = (
        Choices(paytables={"three-card-bonus": "B"}),
        Choices(options={"gold-with-one-dragon": "gold"}),
        Choices(stakes={"dragon-bet": 500}),
    )
    assert len({first, *(configuration_hash(RulesInForce(dragon, other)) for other in others)}) == 4
