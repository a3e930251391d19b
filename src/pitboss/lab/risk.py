"""What a PAR sheet says about risk: moments, volatility, percentiles of a session, bankrolls and waits for a hit."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.lab.session_spread import nets_of, range_95, session_of
from pitboss.lab.worth import Worth

# By the share of results within it, how many standard deviations to either side of a normal mean.
CONFIDENCE = {"90%": Fraction(1645, 1000), "95%": Fraction(196, 100), "99%": Fraction(2576, 1000)}
PERCENTILES = {
    "P1": 0.01,
    "P5": 0.05,
    "P25": 0.25,
    "P50": 0.5,
    "P75": 0.75,
    "P95": 0.95,
    "P99": 0.99,
    "P99.9": 0.999,
}
SESSION_ROUNDS = (100, 1_000, 10_000)
RISKS = (Fraction(1, 20), Fraction(1, 100), Fraction(1, 1000))
HIT_SHARES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))
SEARCH_WINDOW = 1 << 13
SEARCHED = 1.01  # how closely the number of clear rounds is searched for


@dataclass(frozen=True, slots=True)
class HitWait:
    """How long a hit takes: its chance, and in how many rounds it has come with a given probability."""

    hand: str
    chance: Fraction

    def within(self, share: Fraction) -> int:
        """Return the fewest rounds in which it comes up with at least this probability."""
        if self.chance == 1:
            return 1
        return max(1, math.ceil(math.log1p(-float(share)) / math.log1p(-float(self.chance)) - 1e-12))

    def as_dict(self) -> dict[str, Any]:
        """Return the wait as plain data."""
        within = {f"{float(share):.0%}": self.within(share) for share in HIT_SHARES}
        return {"hand": self.hand, "probability": str(self.chance), "mean": str(1 / self.chance), "within": within}


def moment(worth: Worth, power: int) -> Fraction:
    """Return a central moment of a round's net result, exactly."""
    mean = worth.ev - worth.envy
    return sum(((net - mean) ** power * count for net, count in worth.distribution.items()), Fraction(0)) / worth.total


def skewness(worth: Worth) -> float:
    """Return the skewness of a round's net result: the root of an exact fraction, with the sign of the third moment."""
    third, variance = moment(worth, 3), worth.variance
    return math.copysign(math.sqrt(third * third / variance**3), third) if variance else 0.0


def excess_kurtosis(worth: Worth) -> Fraction:
    """Return the kurtosis of a round's net result above that of a normal distribution, exactly."""
    variance = worth.variance
    return moment(worth, 4) / variance**2 - 3 if variance else Fraction(0)


def rounds_to_overcome(worth: Worth) -> Fraction | None:
    """Return N0: after how many rounds the expected result equals one standard deviation; None without an edge."""
    return worth.variance / worth.house_edge**2 if worth.house_edge else None


def percentiles(worth: Worth, rounds: int) -> dict[str, float]:
    """Return the percentiles of the player's total over a session, in units: each of them a possible result."""
    session = session_of(nets_of(worth.distribution, worth.total), rounds)
    return {name: session.percentile(share) for name, share in PERCENTILES.items()}


def house_range(worth: Worth, rounds: int) -> tuple[float, float]:
    """Return the range that holds 95% of the house's results after a number of rounds, in units, envy included."""
    low, high = range_95(nets_of(worth.distribution, worth.total), rounds)
    envy = float(worth.envy * rounds)
    return -high - envy, -low - envy


def clear_rounds(worth: Worth) -> int | None:
    """Return about how many rounds it takes until the house is ahead in the whole 95% range; None if it never is."""
    if worth.house_edge <= 0:
        return None
    guess = max(1.0, float(CONFIDENCE["95%"] ** 2 * worth.variance / worth.house_edge**2))
    nets, envy = nets_of(worth.distribution, worth.total), float(worth.envy)

    def is_clear(rounds: float) -> bool:
        count = max(1, round(rounds))
        return session_of(nets, count, window=SEARCH_WINDOW).percentile(0.975) + envy * count < 0

    low = high = guess
    while not is_clear(high):
        low, high = high, 2 * high
    while low > 1 and is_clear(low):
        low, high = low / 2, low
    while high / low > SEARCHED and high - low > 1:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_clear(middle) else (middle, high)
    unit: int = 10 ** max(0, math.floor(math.log10(high)) - 1)
    return math.ceil(high / unit) * unit


def ruin_exponent(worth: Worth) -> float | None:
    """Return the rate at which a larger bankroll makes the house's ruin less likely; None without a house edge.

    The root of Lundberg's equation: the chance that a bankroll is ever lost is at most e to the minus rate times it.
    """
    if worth.house_edge <= 0 or max(worth.distribution) <= 0:
        return None
    nets = [(float(net + worth.envy), count / worth.total) for net, count in worth.distribution.items()]
    highest = max(net for net, _ in nets)

    def excess(rate: float) -> float:
        return sum(chance * math.expm1(rate * net) for net, chance in nets)

    high = 1.0 / highest
    while excess(high) < 0:
        high *= 2
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return low


def bankroll(worth: Worth, risk: Fraction) -> float | None:
    """Return a bankroll, in units, that the house loses with at most this probability, however long it plays."""
    rate = ruin_exponent(worth)
    return -math.log(risk) / rate if rate else None


def hit_waits(worth: Worth) -> Iterator[HitWait]:
    """Yield the wait for any net win, and for the largest result."""
    best = max(worth.distribution)
    yield HitWait("any win", worth.hit_frequency)
    if best > 0:
        yield HitWait("largest win", Fraction(worth.distribution[best], worth.total))


def risk_of(worth: Worth) -> dict[str, Any]:
    """Return every risk figure as plain data; exact ones as fractions in lowest terms, the others as decimals."""
    overcome = rounds_to_overcome(worth)
    return {
        "skewness": skewness(worth),
        "excess_kurtosis": str(excess_kurtosis(worth)),
        "volatility_index": {name: float(reach) * worth.standard_deviation for name, reach in CONFIDENCE.items()},
        "n0": None if overcome is None else str(overcome),
        "percentiles": {str(rounds): percentiles(worth, rounds) for rounds in SESSION_ROUNDS},
        "bankroll": {str(risk): bankroll(worth, risk) for risk in RISKS},
        "hits": [wait.as_dict() for wait in hit_waits(worth) if wait.chance],
    }
