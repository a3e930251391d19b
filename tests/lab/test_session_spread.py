"""Totals of many rounds: percentiles are those of the exact distribution, and never an impossible result."""

import math
import tracemalloc
from collections import defaultdict
from fractions import Fraction
from itertools import accumulate

import pytest

from pitboss.games import game
from pitboss.lab import session_spread
from pitboss.lab.edges import edges
from pitboss.lab.risk import PERCENTILES
from pitboss.lab.session_spread import Nets, nets_of, range_95, session_of

SHARES = (*PERCENTILES.values(), 0.025, 0.975)
DICE: Nets = tuple((Fraction(net), Fraction(1, 6)) for net in range(1, 7))
UNEVEN: Nets = (
    (Fraction(-1), Fraction(7, 10)),
    (Fraction(1, 2), Fraction(1, 5)),
    (Fraction(3), Fraction(99, 1000)),
    (Fraction(1000), Fraction(1, 1000)),
)


def summed(nets: Nets, rounds: int) -> dict[Fraction, Fraction]:
    """Return the exact distribution of a total, by convolution of fractions."""
    found = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        after: dict[Fraction, Fraction] = defaultdict(Fraction)
        for total, chance in found.items():
            for net, own in nets:
                after[total + net] += chance * own
        found = dict(after)
    return found


def percentile(exact: dict[Fraction, Fraction], share: float) -> Fraction:
    passed = Fraction(0)
    for total, chance in sorted(exact.items()):
        passed += chance
        if passed >= Fraction(str(share)):
            return total
    raise AssertionError


@pytest.mark.parametrize("window", [1 << 16, 64], ids=["wide", "narrow"])
@pytest.mark.parametrize("rounds", [1, 2, 9, 20])
@pytest.mark.parametrize("nets", [DICE, UNEVEN], ids=["dice", "uneven"])
def test_percentiles_are_those_of_the_exact_distribution(nets: Nets, rounds: int, window: int) -> None:
    exact = summed(nets, rounds)
    session = session_of(nets, rounds, window=window)
    near = 1e-6 if session.is_exact else 2 * session._steps[0]
    for share in SHARES:
        assert session.percentile(share) == pytest.approx(float(percentile(exact, share)), abs=near), share
    totals = sorted(exact) if session.is_exact else ()
    for total, below in zip(totals, accumulate(exact[total] for total in totals), strict=True):
        assert session.at_most(float(total)) == pytest.approx(float(below), abs=1e-8), (total, exact[total])


def test_a_prize_too_large_for_the_window_is_counted_apart() -> None:
    nets = ((Fraction(-1), Fraction(998, 1000)), (Fraction(0), Fraction(1, 1000)), (Fraction(10**6), Fraction(1, 1000)))
    session = session_of(nets, 500, window=1 << 10)
    assert len(set(session._firsts.tolist())) > 1
    never = 0.999**500
    assert session.at_most(0) == pytest.approx(never, abs=1e-9)
    assert session.percentile(0.998**500 - 1e-6) == -500
    assert session.percentile(never + 1e-6) == pytest.approx(10**6 - 499)
    assert session.percentile(1 - 1e-3) == pytest.approx(4 * 10**6 - 496)  # 0.18% of sessions have four hits or more


def test_a_coarse_lattice_keeps_the_mean_and_comes_close() -> None:
    nets = ((Fraction(-1), Fraction(1, 2)), (Fraction(101, 100), Fraction(1, 2)))
    coarse, fine = session_of(nets, 40_000, window=1 << 10), session_of(nets, 40_000, window=1 << 20)
    assert fine.is_exact
    assert not coarse.is_exact
    for share in SHARES:
        assert coarse.percentile(share) == pytest.approx(fine.percentile(share), abs=8)


@pytest.mark.parametrize("name", ["dragon-poker", "top-five-poker", "colorado-holdem"])
@pytest.mark.parametrize("rounds", [1, 250, 100_000])
def test_a_range_holds_only_possible_results_and_at_least_95_percent(name: str, rounds: int) -> None:
    for worth in edges(game(name)):
        nets = nets_of(worth.distribution, worth.total)
        low, high = range_95(nets, rounds)
        assert rounds * nets[0][0] <= low <= high <= rounds * nets[-1][0]
        session = session_of(nets, rounds)
        step = session._steps[0]
        assert session.at_most(high) - session.at_most(low - step / 2) >= 0.95 - 1e-6
        if worth.wager == "main" and rounds == 100_000:  # nothing rare: the normal range is close
            reach = 1.96 * worth.standard_deviation * math.sqrt(rounds)
            assert high == pytest.approx(float(worth.ev) * rounds + reach, rel=0.06)


def test_odds_that_nobody_pays_take_no_more_memory_than_usual_ones() -> None:
    # Anyone may write odds in the lab: a lattice with a point for each part of a unit would take gigabytes here.
    often, seldom = Fraction(4_000_000), Fraction(99999999999999, 9999999967) * 10**9
    nets = (
        (Fraction(-1), Fraction(7, 10)),
        (Fraction(1, 7), Fraction(2, 10) - Fraction(1, 10**9)),
        (often, Fraction(1, 10)),
        (seldom, Fraction(1, 10**9)),
    )
    tracemalloc.start()
    try:
        session = session_of(nets, 1_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2**27
    assert not session.is_exact
    assert session.percentile(0.5) == pytest.approx(float(often) * 100, rel=0.01)


@pytest.mark.parametrize("jackpot", [10**4, 10**5])
def test_a_coarser_lattice_keeps_the_percentiles(jackpot: int, monkeypatch: pytest.MonkeyPatch) -> None:
    nets = ((Fraction(-1), Fraction(8, 10)), (Fraction(1, 7), Fraction(1, 10)), (Fraction(jackpot), Fraction(1, 10)))
    monkeypatch.setattr(session_spread, "SINGLE_MOST", 1 << 25)
    fine = session_of.__wrapped__(nets, 500)
    monkeypatch.setattr(session_spread, "SINGLE_MOST", 1 << 14)
    coarse = session_of.__wrapped__(nets, 500)
    for share in (0.025, 0.5, 0.975):
        assert coarse.percentile(share) == pytest.approx(fine.percentile(share), rel=0.001)
