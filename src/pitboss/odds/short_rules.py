"""Short rules for exposed cards: few enough lines to remember, and exactly what they gain."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LINES = 5  # that a person can remember


class Stretch(NamedTuple):
    """Neighboring sights, by number from first to last, and the lowest hand to play there; past the last hand, none."""

    first: int
    last: int
    least: int


class Thresholds(NamedTuple):
    """The lowest hand to play for everything that may be seen, and what that gains over never playing."""

    stretches: tuple[Stretch, ...]
    gained: int


class Sorted(NamedTuple):
    """Kinds of situations by what is best on the whole, and what treating each kind alike loses."""

    play: tuple[str, ...]
    leave: tuple[str, ...]
    lost: int


def thresholds(gains: Sequence[Sequence[int]], lines: int = LINES) -> Thresholds:
    """Return the best thresholds of at most this many lines.

    `gains` says, by what is seen in order and by hand from the lowest, what playing gains over all such deals.
    """
    sights = len(gains)
    sums = np.zeros((sights + 1, len(gains[0])), object)
    sums[1:] = np.array(gains, object).cumsum(axis=0)
    best: dict[tuple[int, int], tuple[int, int]] = {}
    for first in range(sights):
        for last in range(first, sights):
            from_top = [0, *accumulate(reversed((sums[last + 1] - sums[first]).tolist()))]
            gained = max(from_top)
            best[first, last] = gained, len(from_top) - 1 - from_top.index(gained)
    # By how many lines: the most that the sights before each one can gain, and where its last line begins.
    found = [[(0, 0), *((best[0, last][0], 0) for last in range(sights))]]
    for _ in range(1, lines):
        before = found[-1]
        options = (
            [(before[first][0] + best[first, last][0], first) for first in range(last + 1)] for last in range(sights)
        )
        found.append([(0, 0), *map(max, options)])
    most = max(row[-1][0] for row in found)
    used = next(number for number, row in enumerate(found) if row[-1][0] == most)
    stretches: list[Stretch] = []
    end = sights
    while end > 0:
        first = found[used][end][1]
        stretches.append(Stretch(first, end - 1, best[first, end - 1][1]))
        end, used = first, used - 1
    return Thresholds(tuple(reversed(stretches)), most)


def by_kind(gains: Mapping[str, tuple[int, int]]) -> Sorted:
    """Return which kinds to play: each has what playing all of it gains, and what playing where it gains does."""
    play = tuple(kind for kind, (total, most) in gains.items() if total >= 0 and (total, most) != (0, 0))
    leave = tuple(kind for kind, (total, _) in gains.items() if total < 0)
    return Sorted(play, leave, sum(most - max(total, 0) for total, most in gains.values()))


def sums_of_kind(gains: NDArray[np.int64]) -> tuple[int, int]:
    """Return the sum of all gains and of those above zero, in whole numbers of any size."""
    every = gains.astype(object)
    return int(every.sum()), int(every[gains > 0].sum())


def cost_of(best: int, gained: int, total: int) -> Fraction:
    """Return what a rule costs in units, from what best play and the rule gain over all deals."""
    assert gained <= best, "no rule gains more than best play"
    return Fraction(best - gained, total)
