"""The distribution of the total of many rounds: percentiles that are always possible results.

A total is the sum of independent rounds. The usual results of a round lie on a lattice, and their sum is found by a
discrete Fourier transform on a window that holds all but a stated part of the probability. Results that are too large
for the window and too rare to matter often are left out of it, counted by how many of them come up, and added to it.
Probabilities are in floating point; the results they belong to are exact where `step` says so.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Nets = tuple[tuple[Fraction, Fraction], ...]  # the net results of a round, lowest first, and the chance of each

WINDOW_MOST = 1 << 16  # points of the lattice
LEFT_OUT = 1e-10  # of the probability, outside the window
RARE_HITS = 6.0  # how many results left out of the window may be expected
DROPPED = 1e-12
TAIL_95 = (0.025, 0.975)


@dataclass(frozen=True)
class Session:
    """The total of a number of rounds, as a mixture of shifted lattices."""

    rounds: int
    is_exact: bool  # whether every result lies on the lattice; otherwise large ones are split between two neighbors
    lowest: float
    highest: float
    _starts: Floats  # of each part: where its lattice begins
    _step: float
    _weights: Floats
    _tables: tuple[Floats, ...]  # cumulative probabilities, by how many rare results came up
    _which: NDArray[np.int64]  # the table of each part

    def at_most(self, total: float) -> float:
        """Return the probability that the total is at most this, in units."""
        found = 0.0
        for number, table in enumerate(self._tables):
            own = self._which == number
            places = np.floor((total - self._starts[own]) / self._step + 1e-9).astype(np.int64)
            inside = np.clip(places, 0, table.size - 1)
            found += float(self._weights[own] @ np.where(places < 0, 0.0, table[inside]))
        return found

    def percentile(self, share: float) -> float:
        """Return the lowest result that the total does not exceed with this probability, in units."""
        low, high = self.lowest, self.highest
        if self.at_most(low) >= share:
            return low
        for _ in range(200):
            middle = (low + high) / 2
            if high - low <= self._step * 1e-6 or middle in (low, high):
                break
            if self.at_most(middle) >= share - LEFT_OUT:
                high = middle
            else:
                low = middle
        return self._on_lattice(high)

    def _on_lattice(self, total: float) -> float:
        # The result nearest to where the probability steps up.
        places = np.round((total - self._starts) / self._step)
        values = self._starts + places * self._step
        return float(values[np.argmin(np.abs(values - total))])


def nets_of(distribution: Mapping[Fraction, int], total: int) -> Nets:
    """Return the net results of a round with their chances, from counts."""
    return tuple((net, Fraction(count, total)) for net, count in sorted(distribution.items()) if count)


def range_95(nets: Nets, rounds: int, *, window: int = WINDOW_MOST) -> tuple[float, float]:
    """Return the range of totals that leaves out at most 2.5% of results on either side, in units."""
    session = session_of(nets, rounds, window=window)
    return session.percentile(TAIL_95[0]), session.percentile(TAIL_95[1])


@lru_cache(maxsize=256)
def session_of(nets: Nets, rounds: int, *, window: int = WINDOW_MOST) -> Session:
    """Return the distribution of the total of a number of rounds."""
    assert rounds > 0, "a session has a round"
    usual, rare = _split(nets, rounds, window)
    base = min(net for net, _ in usual)
    step, is_exact = _lattice(usual, rounds, window)
    chance = float(sum(chance for _, chance in rare))
    tables, starts, weights, which = [], [], [], []
    hits: dict[Fraction, float] = {Fraction(0): 1.0}
    for count in range(rounds + 1):
        weight = _binomial(rounds, count, chance)
        if count and weight < DROPPED and count > rounds * chance:
            break
        first, table = _summed(usual, rounds - count, base, step, window)
        for extra, share in hits.items():
            starts.append(first + float(extra))
            weights.append(weight * share)
            which.append(count)
        tables.append(table)
        if not rare:
            break
        hits = _one_more(hits, rare)
    shares = np.array(weights)
    return Session(
        rounds,
        is_exact,
        float(rounds * nets[0][0]),
        float(rounds * nets[-1][0]),
        np.array(starts),
        float(step),
        shares / shares.sum(),
        tuple(tables),
        np.array(which, np.int64),
    )


def _split(nets: Nets, rounds: int, window: int) -> tuple[Nets, Nets]:
    # The largest results leave the window while it is too narrow for them and few of them are expected.
    usual, rare = list(nets), []
    expected = 0.0
    while len(usual) > 1 and not _fits(usual, rounds, _step_of(usual), window):
        middle = sum(net * chance for net, chance in usual)
        farthest = max(usual, key=lambda item: abs(item[0] - middle))
        if expected + rounds * float(farthest[1]) > RARE_HITS:
            break
        expected += rounds * float(farthest[1])
        usual.remove(farthest)
        rare.append(farthest)
    return tuple(usual), tuple(rare)


def _lattice(usual: Nets, rounds: int, window: int) -> tuple[Fraction, bool]:
    step = exact = _step_of(usual)
    while not _fits(usual, rounds, step, window):
        step *= 2
    return step, step == exact


def _step_of(nets: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    gaps = [after - before for (before, _), (after, _) in pairwise(sorted(nets))]
    if not gaps:
        return Fraction(1)
    scale = math.lcm(*(gap.denominator for gap in gaps))
    return Fraction(math.gcd(*(int(gap * scale) for gap in gaps)), scale)


def _fits(nets: Sequence[tuple[Fraction, Fraction]], rounds: int, step: Fraction, window: int) -> bool:
    return _points(nets, rounds, step) <= window


def _points(nets: Sequence[tuple[Fraction, Fraction]], rounds: int, step: Fraction) -> int:
    lowest, highest = min(nets)[0], max(nets)[0]
    span = float(highest - lowest)
    every = rounds * span / float(step) + 3
    return int(min(every, 2 * _reach(nets, rounds) / float(step) + 3))


def _reach(nets: Sequence[tuple[Fraction, Fraction]], rounds: int) -> float:
    # Bernstein's inequality: outside this distance of the mean lies no more than `LEFT_OUT` of the probability.
    whole = float(sum(chance for _, chance in nets))
    mean = sum(float(net) * float(chance) for net, chance in nets) / whole
    variance = sum((float(net) - mean) ** 2 * float(chance) for net, chance in nets) / whole
    jump = max(abs(float(net) - mean) for net, _ in nets)
    log = math.log(2 / LEFT_OUT)
    return jump * log / 3 + math.sqrt((jump * log / 3) ** 2 + 2 * rounds * variance * log)


def _summed(usual: Nets, rounds: int, base: Fraction, step: Fraction, window: int) -> tuple[float, Floats]:
    # Where the window begins, and the cumulative probabilities of the sum of the usual results of these rounds.
    if rounds == 0:
        return 0.0, np.ones(1)
    whole = float(sum(chance for _, chance in usual))
    places: dict[int, float] = {}
    for net, chance in usual:
        place, part = divmod((net - base) / step, 1)
        places[int(place)] = places.get(int(place), 0.0) + float(chance * (1 - part)) / whole
        if part:  # between two points of a coarse lattice: the mean is kept
            places[int(place) + 1] = places.get(int(place) + 1, 0.0) + float(chance * part) / whole
    size = 1 << max(1, (_points(usual, rounds, step) + 1).bit_length())
    round_ = np.zeros(size)
    for place, share in places.items():
        round_[place % size] += share
    chances = np.clip(np.fft.irfft(np.fft.rfft(round_) ** rounds, size), 0.0, None)
    mean = sum(place * share for place, share in places.items()) * rounds
    top = max(places) * rounds
    first = 0 if top < size else max(0, min(round(mean) - size // 2, top - size + 1))
    # The transform knows a sum only up to multiples of the window's size: the window begins at `first`.
    table = np.cumsum(np.roll(chances, -(first % size)))
    return float(base * rounds + step * first), table / table[-1]


def _one_more(hits: Mapping[Fraction, float], rare: Nets) -> dict[Fraction, float]:
    whole = float(sum(chance for _, chance in rare))
    found: dict[Fraction, float] = {}
    for total, share in hits.items():
        for net, chance in rare:
            found[total + net] = found.get(total + net, 0.0) + share * float(chance) / whole
    return {total: share for total, share in found.items() if share > DROPPED}


def _binomial(rounds: int, count: int, chance: float) -> float:
    if chance == 0.0:
        return float(count == 0)
    if chance == 1.0:
        return float(count == rounds)
    ways = math.lgamma(rounds + 1) - math.lgamma(count + 1) - math.lgamma(rounds - count + 1)
    return math.exp(ways + count * math.log(chance) + (rounds - count) * math.log1p(-chance))
