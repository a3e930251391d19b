"""One meter's exact amounts: seed and contributions on one side, where they went on the other."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from pitboss.house.progressive.meter_terms import NOTHING, MeterTerms

GROWTH_POINTS = 24 * 31  # one per hour, for a month
_HOUR_MS = 3_600_000


class Point(NamedTuple):
    """What a meter showed at the end of an hour."""

    hour: int
    shown_cents: int


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter; `seed_cents` and `contributed` are everything that ever came in."""

    terms: MeterTerms
    shown_cents: int = 0
    remainder: Fraction = NOTHING  # the fraction of a cent beyond the displayed amount
    reserve: Fraction = NOTHING
    overflow: Fraction = NOTHING
    paid_cents: int = 0
    seed_cents: int = 0  # the house's own money, less what went back to it
    contributed: Fraction = NOTHING
    growth: tuple[Point, ...] = ()
    transferred_cents: int = 0  # moved to other meters, less what was received from them
    is_retired: bool = False

    @property
    def is_at_rest(self) -> bool:
        """Say whether no stake has fed it since it was opened, hit or emptied into another meter."""
        return self.shown_cents == self.terms.reset_cents or not self.contributed

    @property
    def value(self) -> Fraction:
        """Return the meter's value, to the fraction of a cent."""
        return self.shown_cents + self.remainder

    @property
    def held(self) -> Fraction:
        """Return all the money behind the meter."""
        return self.contributed + (
            self.seed_cents - self.paid_cents - self.transferred_cents
        )  # the shorter side of the equation


class Share(NamedTuple):
    """What a stake feeds a meter, and how much of that isn't displayed."""

    amount: Fraction
    to_reserve: Fraction
    to_overflow: Fraction


class Restored(NamedTuple):
    """What brings a meter back within its bounds."""

    from_reserve_cents: int
    from_house_cents: int
    from_overflow: Fraction


def balances(meter: Meter) -> bool:
    """Say whether the meter's equation holds and nothing in it is below zero."""
    came_in = meter.seed_cents + meter.contributed
    went = meter.shown_cents + meter.reserve + meter.overflow + meter.paid_cents + meter.remainder
    went += meter.transferred_cents
    parts = (meter.shown_cents, meter.reserve, meter.overflow, meter.paid_cents)
    return came_in == went and all(part >= 0 for part in parts) and 0 <= meter.remainder < 1


def moved(
    meter: Meter,
    *,
    value: Fraction = NOTHING,
    reserve: Fraction = NOTHING,
    overflow: Fraction = NOTHING,
    paid_cents: int = 0,
    seed_cents: int = 0,
    contributed: Fraction = NOTHING,
    transferred_cents: int = 0,
) -> Meter:
    """Return the meter after money moved, with its equation checked."""
    worth = meter.value + value
    shown = floor(worth)
    after = replace(
        meter,
        shown_cents=shown,
        remainder=worth - shown,
        reserve=meter.reserve + reserve,
        overflow=meter.overflow + overflow,
        paid_cents=meter.paid_cents + paid_cents,
        seed_cents=meter.seed_cents + seed_cents,
        contributed=meter.contributed + contributed,
        transferred_cents=meter.transferred_cents + transferred_cents,
    )
    assert balances(after), f"the meter {meter.terms.name} doesn't balance: {after}"
    return after


def share(meter: Meter, stake_cents: int) -> Share:
    """Return what a stake feeds the meter."""
    terms = meter.terms
    to_reserve = stake_cents * terms.reserve_rate
    to_value = stake_cents * terms.rate
    return Share(to_value + to_reserve, to_reserve, _over_limit(terms, meter.value + to_value))


def restored(meter: Meter) -> Restored:
    """Return what brings the meter to its reset and within its limit; the house pays what the reserve lacks."""
    terms = meter.terms
    missing = max(ceil(terms.reset_cents - meter.value), 0)
    from_reserve = min(missing, floor(meter.reserve))
    value = meter.value + missing
    if terms.limit_cents is None:
        return Restored(from_reserve, missing - from_reserve, meter.overflow)
    return Restored(from_reserve, missing - from_reserve, min(meter.overflow, terms.limit_cents - value))


def overflow_of_return(meter: Meter, returned: Fraction) -> Fraction:
    """Return how much of an amount returned to the meter goes above its limit."""
    return _over_limit(meter.terms, meter.value + returned)


def taken_out(meter: Meter, amount: Fraction, to_reserve: Fraction) -> tuple[Fraction, Fraction, int]:
    """Return what reserve, overflow and house pay when a share is taken out of a meter that keeps its reset."""
    from_reserve = min(to_reserve, meter.reserve)
    from_overflow = min(amount - from_reserve, meter.overflow)
    left = meter.value - (amount - from_reserve - from_overflow)
    from_house = max(ceil(meter.terms.reset_cents - left), 0)
    # Whole cents from the house may lift a meter whose limit equals its reset above it, by a fraction of a cent.
    return from_reserve, from_overflow - _over_limit(meter.terms, left + from_house), from_house


def grown(meter: Meter, at: int) -> Meter:
    """Return the meter with its displayed amount added to its history."""
    hour, growth = at // _HOUR_MS, meter.growth
    if growth and hour <= growth[-1].hour:  # a clock that was set back starts no new hour
        point = Point(growth[-1].hour, meter.shown_cents)
        return meter if point == growth[-1] else replace(meter, growth=(*growth[:-1], point))
    return replace(meter, growth=(*growth[-GROWTH_POINTS + 1 :], Point(hour, meter.shown_cents)))


def _over_limit(terms: MeterTerms, value: Fraction) -> Fraction:
    return NOTHING if terms.limit_cents is None else max(value - terms.limit_cents, NOTHING)
