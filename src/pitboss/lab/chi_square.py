"""The chi-square test: how likely counts are to differ this much from the expected ones."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

LEAST_EXPECTED = 5
STEPS = 10_000
ENOUGH = 1e-15


@dataclass(frozen=True, slots=True)
class Fit:
    """The statistic, its degrees of freedom and the probability of one at least as large."""

    chi_square: float
    degrees: int
    p: float


def fit(counts: Iterable[tuple[int, Fraction]]) -> Fit | None:
    """Test counts against their probabilities, with rare ones pooled; None if fewer than two kinds are left.

    If something impossible was counted, the fit is as bad as can be.
    """
    pairs = list(counts)
    total = sum(count for count, _ in pairs)
    if any(count and not chance for count, chance in pairs):
        return Fit(math.inf, len(pairs) - 1, 0.0)
    rising = sorted((float(chance * total), count) for count, chance in pairs if chance)
    cells: list[tuple[float, int]] = []
    expected, observed = 0.0, 0
    for more, count in rising:
        expected, observed = expected + more, observed + count
        if expected >= LEAST_EXPECTED:
            cells.append((expected, observed))
            expected, observed = 0.0, 0
    if expected and cells:  # what is left over joins the largest
        cells[-1] = cells[-1][0] + expected, cells[-1][1] + observed
    if len(cells) < 2:
        return None
    statistic = sum((observed - expected) ** 2 / expected for expected, observed in cells)
    degrees = len(cells) - 1
    return Fit(statistic, degrees, chance_of_more(statistic, degrees))


def chance_of_more(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable exceeds a value."""
    half, at = degrees / 2, statistic / 2
    if at <= 0:
        return 1.0
    front = math.exp(half * math.log(at) - at - math.lgamma(half))
    if at < half + 1:
        return max(0.0, 1.0 - front * _series(half, at))
    return front * _continued_fraction(half, at)


def _series(half: float, at: float) -> float:
    # The lower incomplete gamma function as a power series, which converges fast below its middle.
    term = total = 1 / half
    for step in range(1, STEPS):
        term *= at / (half + step)
        total += term
        if term < total * ENOUGH:
            break
    return total


def _continued_fraction(half: float, at: float) -> float:
    # The upper incomplete gamma function as a continued fraction, evaluated from the front.
    tiny = 1e-300
    below = at + 1 - half
    above, ratio = 1 / tiny, 1 / below
    found = ratio
    for step in range(1, STEPS):
        part = -step * (step - half)
        below += 2
        ratio = 1 / (part * ratio + below or tiny)
        above = below + part / above or tiny
        change = above * ratio
        found *= change
        if abs(change - 1) < ENOUGH:
            break
    return found
