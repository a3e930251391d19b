"""Short rules gain the most that their form allows, and say exactly what they gain."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest

from pitboss.odds.short_rules import by_kind, cost_of, sums_of_kind, thresholds


def most_by_trying(gains: list[list[int]], lines: int) -> int:
    sights, hands = len(gains), len(gains[0])
    most = None
    for cuts in (cuts for many in range(lines) for cuts in combinations(range(1, sights), many)):
        ends = [0, *cuts, sights]
        gained = sum(
            max(sum(sum(row[least:]) for row in gains[first:last]) for least in range(hands + 1))
            for first, last in pairwise(ends)
        )
        most = gained if most is None else max(most, gained)
    assert most is not None
    return most


@pytest.mark.parametrize("seed", range(20))
def test_no_other_stretches_gain_more(seed: int) -> None:
    chance = random.Random(seed)
    gains = [[chance.randint(-9, 9) * 10**20 for _ in range(5)] for _ in range(6)]
    for lines in (1, 2, 3, 6):
        found = thresholds(gains, lines)
        assert found.gained == most_by_trying(gains, lines)
        assert len(found.stretches) <= lines
        played = [(row, stretch) for stretch in found.stretches for row in range(stretch.first, stretch.last + 1)]
        assert [row for row, _ in played] == list(range(6))
        assert sum(sum(gains[row][stretch.least :]) for row, stretch in played) == found.gained


def test_no_more_lines_are_used_than_are_needed() -> None:
    assert len(thresholds([[-1, 2], [-3, 4], [5, -6]], 3).stretches) == 2
    assert len(thresholds([[-1, 2], [-3, 4]], 5).stretches) == 1


def test_a_hand_that_only_loses_is_never_played() -> None:
    (stretch,) = thresholds([[-5, -1]]).stretches
    assert (stretch.first, stretch.last, stretch.least) == (0, 0, 2)


def test_a_kind_is_played_if_that_gains_on_the_whole_and_costs_what_it_misses() -> None:
    gains = np.array([3, -1, 2**62, 2**62, -4, 1], np.int64)
    kinds = {
        "two": sums_of_kind(gains[:2]),
        "large": sums_of_kind(gains[2:4]),
        "poor": sums_of_kind(gains[4:]),
        "none": (0, 0),
    }
    found = by_kind(kinds)
    assert kinds["large"] == (2**63, 2**63)
    assert found.play == ("two", "large")
    assert found.leave == ("poor",)
    assert found.lost == 1 + 1


def test_no_rule_gains_more_than_best_play() -> None:
    assert cost_of(10, 4, 12) == 0.5
    with pytest.raises(AssertionError):
        cost_of(3, 4, 12)
