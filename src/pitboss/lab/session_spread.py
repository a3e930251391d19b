"""The distribution of the total of many rounds: percentiles that are always possible results.

A total is the sum of independent rounds. The usual results of a round lie on a lattice, and their sum is found by a
discrete Fourier transform on a window that holds all but a stated part of the probability. Results that are too large
for the window and too rare to matter often are left out of it, counted by how many of them come up, and added to it.
A sum that is still too wide is made of two halves on a lattice half as fine. Probabilities are in floating point.
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
SINGLE_MOST = WINDOW_MOST  # of one round's lattice, which odds that anyone may write decide
TOTAL_MOST = 1 << 50  # in whole parts of a unit, of one rare result
LEFT_OUT = 1e-10  # of the probability, outside the window
RARE_HITS = 6.0  # how many results left out of the window may be expected
DROPPED = 1e-12
TAIL_95 = (0.025, 0.975)


@dataclass(frozen=True)
class Session:
    """The total of a number of rounds, as a mixture of shifted lattices."""

    rounds: int
    is_exact: bool  # whether every result lies on the lattice; otherwise sums are split between two neighbors
    lowest: float
    highest: float
    _starts: Floats  # of each part: where its lattice begins
    _steps: Floats
    _weights: Floats
    _table: Floats  # cumulative probabilities, one lattice after the other: one for each count of rare results
    _firsts: NDArray[np.int64]  # of each part: where its lattice begins in the table
    _lasts: NDArray[np.int64]  # and its last place there

    def at_most(self, total: float) -> float:
        """Return the probability that the total is at most this, in units."""
        places = self._firsts + np.floor((total - self._starts) / self._steps + 1e-9).astype(np.int64)
        reached = self._table[np.minimum(np.maximum(places, self._firsts), self._lasts)]
        return float(self._weights @ np.where(places < self._firsts, 0.0, reached))

    def percentile(self, share: float) -> float:
        """Return the lowest result that the total does not exceed with this probability, in units."""
        low, high = self.lowest, self.highest
        if self.at_most(low) >= share:
            return low
        for _ in range(200):
            middle = (low + high) / 2
            if high - low <= float(self._steps[0]) * 1e-6 or middle in (low, high):
                break
            if self.at_most(middle) >= share - LEFT_OUT:
                high = middle
            else:
                low = middle
        return self._on_lattice(high)

    def _on_lattice(self, total: float) -> float:
        # The result nearest to where the probability steps up.
        places = np.round((total - self._starts) / self._steps)
        values = self._starts + places * self._steps
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
    single = _lattice(usual)
    chance = float(sum(chance for _, chance in rare))
    parts, starts, weights, which = [], [], [], []
    scale = _scale_of(rare)
    hits = _Hits(np.zeros(1, np.int64), np.ones(1))
    single_hit = _Hits(
        np.array([round(net * scale) for net, _ in rare], np.int64), np.array([float(each) for _, each in rare])
    )
    for count in range(rounds + 1):
        weight = _binomial(rounds, count, chance)
        if count and weight < DROPPED and count > rounds * chance:
            break
        part = _many(single, rounds - count, window)
        starts.append(part.start + hits.totals / float(scale))
        weights.append(weight * hits.shares)
        which.append(np.full(len(hits.totals), count, np.int64))
        parts.append(part)
        if not rare:
            break
        hits = _one_more(hits, single_hit)
    shares, numbers = np.concatenate(weights), np.concatenate(which)
    ends = np.cumsum([part.chances.size for part in parts])
    firsts = ends - [part.chances.size for part in parts]
    return Session(
        rounds,
        all(part.step == float(_step_of(usual)) for part in parts),
        float(rounds * nets[0][0]),
        float(rounds * nets[-1][0]),
        np.concatenate(starts),
        np.array([part.step for part in parts])[numbers],
        shares / shares.sum(),
        np.concatenate([np.cumsum(part.chances) / part.chances.sum() for part in parts]),
        firsts[numbers],
        ends[numbers] - 1,
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


def _lattice(usual: Nets) -> "_Part":
    # A step that is too fine for the memory becomes coarser: a result between two points counts for both, so that the
    # mean stays.
    base, last = usual[0][0], usual[-1][0]
    step = max(_step_of(usual), (last - base) / SINGLE_MOST)
    whole = float(sum(chance for _, chance in usual))
    chances = np.zeros(int((last - base) / step) + 2)
    for net, chance in usual:
        place, beyond = divmod((net - base) / step, 1)
        chances[place] += float(chance * (1 - beyond)) / whole
        chances[place + 1] += float(chance * beyond) / whole
    return _Part(float(base), float(step), chances if chances[-1] else chances[:-1])


def _scale_of(rare: Nets) -> Fraction:
    scale, most = (
        math.lcm(*(net.denominator for net, _ in rare)),
        max((abs(net) for net, _ in rare), default=Fraction()),
    )
    return min(Fraction(scale), TOTAL_MOST / most) if most else Fraction(scale)


def _step_of(nets: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    gaps = [after - before for (before, _), (after, _) in pairwise(sorted(nets))]
    if not gaps:
        return Fraction(1)
    scale = math.lcm(*(gap.denominator for gap in gaps))
    return Fraction(math.gcd(*(int(gap * scale) for gap in gaps)), scale)


def _fits(nets: Sequence[tuple[Fraction, Fraction]], rounds: int, step: Fraction, window: int) -> bool:
    values = np.array([float(net) for net, _ in nets])
    chances = np.array([float(chance) for _, chance in nets])
    return _points(values, chances / chances.sum(), rounds, float(step)) <= window


def _points(values: Floats, chances: Floats, rounds: int, step: float) -> float:
    # Bernstein's inequality: outside the reach lies no more than `LEFT_OUT` of the probability.
    mean = float(values @ chances)
    variance = float((values - mean) ** 2 @ chances)
    jump = float(np.abs(values - mean).max())
    log = math.log(2 / LEFT_OUT)
    reach = jump * log / 3 + math.sqrt((jump * log / 3) ** 2 + 2 * rounds * variance * log)
    every = rounds * float(values.max() - values.min())
    return min(every, 2 * reach) / step + 3


@dataclass(frozen=True)
class _Part:
    """A distribution on a lattice: where it begins, the step, and the chance of each point."""

    start: float
    step: float
    chances: Floats


def _many(single: _Part, rounds: int, window: int) -> _Part:
    if rounds == 0:
        return _Part(0.0, single.step, np.ones(1))
    met = np.flatnonzero(single.chances)
    points = _points(np.asarray(met * single.step, np.float64), single.chances[met], rounds, single.step)
    if points <= window:
        return _transformed(single, rounds, int(points))
    half = _many(single, rounds // 2, window)
    while 2 * len(half.chances) > window:
        half = _coarser(half)
    both = _joined(half, half)
    if rounds % 2:
        last = single
        while last.step < both.step:
            last = _coarser(last)
        both = _joined(both, last)
    return both


def _transformed(single: _Part, rounds: int, points: int) -> _Part:
    size = 1 << max(1, points.bit_length())
    folded = np.zeros(size)
    np.add.at(folded, np.arange(len(single.chances)) % size, single.chances)
    chances = np.clip(np.fft.irfft(np.fft.rfft(folded) ** rounds, size), 0.0, None)
    mean = float(np.arange(len(single.chances)) @ single.chances) * rounds
    top = (len(single.chances) - 1) * rounds
    first = 0 if top < size else max(0, min(round(mean) - size // 2, top - size + 1))
    # The transform knows a sum only up to multiples of the window's size: the window begins at `first`.
    return _trimmed(_Part(single.start * rounds + single.step * first, single.step, np.roll(chances, -(first % size))))


def _joined(first: _Part, second: _Part) -> _Part:
    size = 1 << (len(first.chances) + len(second.chances) - 1).bit_length()
    chances = np.fft.irfft(np.fft.rfft(first.chances, size) * np.fft.rfft(second.chances, size), size)
    return _trimmed(_Part(first.start + second.start, first.step, np.clip(chances, 0.0, None)))


def _coarser(part: _Part) -> _Part:
    # Every other point gives half of its chance to each neighbor: the mean stays.
    chances = np.append(part.chances, np.zeros(2 - len(part.chances) % 2 + 1))
    kept, split = chances[0::2].copy(), chances[1::2] / 2
    kept[: len(split)] += split
    kept[1 : len(split) + 1] += split[: len(kept) - 1]
    return _Part(part.start, 2 * part.step, kept)


def _trimmed(part: _Part) -> _Part:
    total = np.cumsum(part.chances)
    least = DROPPED * total[-1]
    first, last = np.searchsorted(total, least), np.searchsorted(total, total[-1] - least) + 1
    kept = part.chances[first:last] / part.chances[first:last].sum()
    return _Part(part.start + float(first) * part.step, part.step, kept)


@dataclass(frozen=True)
class _Hits:
    """What rare results give together, in whole parts of a unit, and the share of each total."""

    totals: NDArray[np.int64]
    shares: Floats


def _one_more(hits: _Hits, single_hit: _Hits) -> _Hits:
    sums = np.add.outer(hits.totals, single_hit.totals).ravel()
    totals, places = np.unique(sums, return_inverse=True)
    shares: Floats = np.zeros(len(totals))
    np.add.at(shares, places, np.outer(hits.shares, single_hit.shares / single_hit.shares.sum()).ravel())
    kept = shares > DROPPED
    return _Hits(totals[kept], shares[kept])


def _binomial(rounds: int, count: int, chance: float) -> float:
    if chance == 0.0:
        return float(count == 0)
    if chance == 1.0:
        return float(count == rounds)
    ways = math.lgamma(rounds + 1) - math.lgamma(count + 1) - math.lgamma(rounds - count + 1)
    return math.exp(ways + count * math.log(chance) + (rounds - count) * math.log1p(-chance))
