"""Amounts as chips: the fewest possible, the fewest a tray can give, and the exchange it needs when it can't."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

COIN = 1  # odd cents below the smallest chip, counted in cents

Chips = Mapping[int, int]  # denomination in cents, or COIN, to count; never a zero count
Counted = tuple[tuple[int, int], ...]  # the same, largest first

_COIN_PRICE = 1_000_000  # a chip is better than any coin


@dataclass(frozen=True, slots=True)
class Chip:
    """A value chip and its color."""

    cents: int
    colour: str


@dataclass(frozen=True)
class ChipSet:
    """The house's chips, largest first."""

    chips: tuple[Chip, ...]

    def __post_init__(self) -> None:
        values = [chip.cents for chip in self.chips]
        assert values, "a chip set has at least one chip"
        assert values == sorted(set(values), reverse=True), "chips are listed once each, largest first"
        assert values[-1] > COIN, "the smallest chip is worth more than a cent"

    @property
    def denominations(self) -> tuple[int, ...]:
        """Return the chip values, largest first, coin last."""
        return (*(chip.cents for chip in self.chips), COIN)

    def colour(self, cents: int) -> str:
        """Return the color of a denomination."""
        return next((chip.colour for chip in self.chips if chip.cents == cents), "coin")


US_CHIPS = ChipSet(
    tuple(
        Chip(dollar_cents, colour)
        for dollar_cents, colour in (
            (25_000_00, "orange"),
            (5_000_00, "brown"),
            (1_000_00, "yellow"),
            (500_00, "purple"),
            (100_00, "black"),
            (25_00, "green"),
            (5_00, "red"),
            (1_00, "white"),
            (50, "pink"),
        )
    )
)


@dataclass(frozen=True, slots=True)
class Exchange(Refusal):
    """A payment that the tray's chips can't make until one of them is exchanged for smaller ones."""

    gives: int = 0  # the denomination to break, once
    gets: Chips | None = None


class TrayChange(NamedTuple):
    """A tray after chips came in or went out, and the exchange that made it possible."""

    tray: Chips
    chips: Chips
    exchange: Exchange | None = None


def fewest(cents: int, chips: ChipSet = US_CHIPS) -> Chips:
    """Return an amount in the fewest chips, with as little coin as possible."""
    assert cents >= 0, f"chips can't be worth {cents} cents"
    return dict(_fewest(cents, chips.denominations))


def total(chips: Chips) -> int:
    """Return what chips are worth."""
    return sum(cents * count for cents, count in chips.items())


def joined(first: Chips, second: Chips) -> Chips:
    """Return two heaps combined."""
    return _present({cents: first.get(cents, 0) + second.get(cents, 0) for cents in {**first, **second}})


def without(heap: Chips, taken: Chips) -> Chips:
    """Return what is left of a heap after removing chips from it."""
    assert all(heap.get(cents, 0) >= count for cents, count in taken.items()), f"{taken} is not in {heap}"
    return _present({cents: count - taken.get(cents, 0) for cents, count in heap.items()})


def payment(cents: int, tray: Chips, chips: ChipSet = US_CHIPS) -> Chips | Refusal:
    """Return the fewest chips of a tray that make an amount, or the fill or exchange needed first."""
    assert cents >= 0, f"chips can't be worth {cents} cents"
    held = total(tray)
    if held < cents:
        return Refusal(f"The tray has only {dollars(held)}. Get a fill of {dollars(cents - held)} first", None, "fill")
    supply = tuple(_present(tray).items())
    found = _Search(supply).best(cents)
    return dict(found) if found is not None else _exchange(cents, supply, chips)


def tray_after(tray: Chips, cents: int, chips: ChipSet = US_CHIPS) -> TrayChange | Refusal:
    """Return a tray after its account changed, with chips exchanged if none fit; a fill may be needed."""
    if cents >= 0:
        came = fewest(cents, chips)
        return TrayChange(joined(tray, came), came)
    went = payment(-cents, tray, chips)
    if isinstance(went, Exchange):
        assert went.gets is not None
        changed = joined(without(tray, {went.gives: 1}), went.gets)
        paid = payment(-cents, changed, chips)
        assert not isinstance(paid, Refusal), "one exchange must be enough"
        return TrayChange(without(changed, paid), paid, went)
    return went if isinstance(went, Refusal) else TrayChange(without(tray, went), went)


def shown(chips: Chips, chip_set: ChipSet = US_CHIPS) -> str:
    """Return chips the way a dealer says them: 2 black ($100), 1 red ($5), 25 cents in coin."""
    parts = []
    for cents, count in sorted(chips.items(), reverse=True):
        if cents == COIN:
            parts.append(f"{count} cent{'s' * (count > 1)} in coin")
        else:
            parts.append(f"{count} {chip_set.colour(cents)} ({dollars(cents)})")
    return ", ".join(parts) or "nothing"


@lru_cache(maxsize=4096)
def _fewest(cents: int, denominations: tuple[int, ...]) -> Counted:
    found = _Search(tuple((value, cents // value) for value in denominations if value <= cents)).best(cents)
    assert found is not None, "coin makes any amount"
    return found


class _Search:
    # Finds the cheapest combination from the largest kind down. If enough smaller chips are used that some of them are
    # worth whole chips of an available kind, exchanging them gives fewer chips; so each kind is used as often as
    # possible, or at most its `window` less often.

    def __init__(self, supply: Counted) -> None:
        self.supply = supply
        values = [value for value, _ in supply]
        below = [values[place + 1 :] for place in range(len(values))]
        self.windows = [_window(value, smaller) for value, smaller in zip(values, below, strict=True)]
        self.worth = [sum(value * count for value, count in supply[place:]) for place in range(len(supply) + 1)]
        self.step = [gcd(*values[place:]) for place in range(len(supply) + 1)]
        self.known: dict[tuple[int, int], tuple[int, Counted] | None] = {}

    def best(self, cents: int) -> Counted | None:
        found = self.cheapest(0, cents)
        return None if found is None else found[1]

    def cheapest(self, place: int, rest: int) -> tuple[int, Counted] | None:
        if rest == 0:
            return 0, ()
        if rest > self.worth[place] or rest % self.step[place]:
            return None
        if (place, rest) not in self.known:
            self.known[place, rest] = self.tried(place, rest)
        return self.known[place, rest]

    def tried(self, place: int, rest: int) -> tuple[int, Counted] | None:
        value, count = self.supply[place]
        price = _COIN_PRICE if value == COIN else 1
        most = min(count, rest // value)
        found: tuple[int, Counted] | None = None
        for number in range(most, max(most - self.windows[place], 0) - 1, -1):
            left = rest - number * value
            if found is not None and number * price + left // value >= found[0]:
                continue  # the rest takes at least one chip for each multiple of this kind's value
            below = self.cheapest(place + 1, left)
            if below is not None and (found is None or number * price + below[0] < found[0]):
                here = ((value, number),) if number else ()
                found = number * price + below[0], here + below[1]
        return found


def _window(value: int, smaller: list[int]) -> int:
    chain = [value, *smaller]
    if all(large % small == 0 for large, small in pairwise(chain)):
        return 0  # if the smaller ones add up to more than one chip's worth, some of them add up to exactly that
    return sum(lcm(value, small) // value for small in smaller)


def _exchange(cents: int, supply: Counted, chips: ChipSet) -> Exchange:
    # Taking what fits, from the largest down, leaves less than any remaining chip: the smallest one is broken.
    rest, left = cents, []
    for value, count in supply:
        taken = min(count, rest // value)
        rest -= taken * value
        if taken < count:
            left.append(value)
    broken = min(left)
    smaller = tuple(value for value in chips.denominations if value < broken)
    gets = joined(dict(_fewest(rest, smaller)), dict(_fewest(broken - rest, smaller)))
    told = f"Exchange one {dollars(broken)} chip for {shown(gets, chips)} first"
    return Exchange(f"The tray can't make exactly {dollars(cents)}. {told}", None, "exchange", broken, gets)


def _present(chips: Chips) -> dict[int, int]:
    held = {cents: count for cents, count in chips.items() if count}
    assert all(count > 0 for count in held.values()), f"negative number of chips: {held}"
    return dict(sorted(held.items(), reverse=True))
