"""Chips: the fewest of them, what a tray can give, the exchange or fill it needs, and a tray equal to its account."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.house.money import chips
from pitboss.house.money.chips import (
    COIN,
    US_CHIPS,
    Chip,
    Chips,
    ChipSet,
    Exchange,
    fewest,
    payment,
    shown,
    total,
    tray_after,
)
from pitboss.rules.refusal import Refusal

TRIED = settings(max_examples=300, derandomize=True, deadline=None, database=None)
# No chip of this set is a whole number of the next one, so the largest that fits is often wrong.
AWKWARD = ChipSet(tuple(Chip(cents, f"worth {cents}") for cents in (90, 70, 60, 25, 10)))


def cost(heap: Chips) -> tuple[int, int]:
    return heap.get(COIN, 0), sum(count for cents, count in heap.items() if cents != COIN)


def cheapest(cents: int, tray: tuple[tuple[int, int], ...]) -> tuple[int, int] | None:
    """Try everything: least coin, then fewest chips."""

    @cache
    def best(place: int, rest: int) -> tuple[int, int] | None:
        if place == len(tray):
            return (0, 0) if rest == 0 else None
        value, count = tray[place]
        found = []
        for number in range(min(count, rest // value) + 1):
            below = best(place + 1, rest - number * value)
            if below is not None:
                coin, pieces = below
                found.append((coin + number, pieces) if value == COIN else (coin, pieces + number))
        return min(found, default=None)

    return best(0, cents)


@pytest.mark.parametrize(
    ("cents", "told"),
    [
        (0, "nothing"),
        (1, "1 cent in coin"),
        (75, "1 pink ($0.50), 25 cents in coin"),
        (1_00, "1 white ($1)"),
        (30_00, "1 green ($25), 1 red ($5)"),
        (1_234_50, "1 yellow ($1,000), 2 black ($100), 1 green ($25), 1 red ($5), 4 white ($1), 1 pink ($0.50)"),
        (80_000_00, "3 orange ($25,000), 1 brown ($5,000)"),
    ],
)
def test_an_amount_is_said_in_the_fewest_chips_and_odd_cents_in_coin(cents: int, told: str) -> None:
    assert shown(fewest(cents)) == told
    assert total(fewest(cents)) == cents


@given(cents=st.integers(0, 400))
@TRIED
def test_no_other_way_takes_fewer_chips_in_any_set(cents: int) -> None:
    supply = tuple((value, cents // value) for value in AWKWARD.denominations)
    heap = fewest(cents, AWKWARD)
    assert total(heap) == cents
    assert cost(heap) == cheapest(cents, supply)


def test_the_largest_chip_that_fits_is_not_always_right() -> None:
    assert fewest(120, AWKWARD) == {60: 2}
    assert fewest(140, AWKWARD) == {70: 2}


trays = st.fixed_dictionaries({value: st.integers(0, 3) for value in AWKWARD.denominations})


@given(cents=st.integers(0, 500), tray=trays)
@TRIED
def test_a_tray_pays_with_its_fewest_chips_or_says_what_it_lacks(cents: int, tray: dict[int, int]) -> None:
    paid = payment(cents, tray, AWKWARD)
    expected = cheapest(cents, tuple(sorted(tray.items(), reverse=True)))
    if not isinstance(paid, Refusal):
        assert total(paid) == cents
        assert cost(paid) == expected
        chips.without(tray, paid)
        return
    assert expected is None
    if total(tray) < cents:
        assert (paid.field, isinstance(paid, Exchange)) == ("fill", False)
        return
    assert isinstance(paid, Exchange)
    assert paid.gets is not None
    assert tray[paid.gives] > 0
    assert total(paid.gets) == paid.gives
    assert all(value < paid.gives for value in paid.gets)
    exchanged = chips.joined(chips.without(tray, {paid.gives: 1}), paid.gets)
    again = payment(cents, exchanged, AWKWARD)
    assert not isinstance(again, Refusal)


def test_a_tray_without_small_chips_names_the_exchange_and_an_empty_one_the_fill() -> None:
    tray = {25_00: 1, 100_00: 2}
    assert str(payment(30_00, tray)) == (
        "The tray can't make exactly $30. Exchange one $100 chip for 3 green ($25), 5 red ($5) first"
    )
    assert str(payment(300_00, tray)) == "The tray has only $225. Get a fill of $75 first"
    assert payment(125_00, tray) == {100_00: 1, 25_00: 1}


@given(changes=st.lists(st.integers(-60_000_00, 60_000_00), max_size=30))
@TRIED
def test_a_tray_by_denomination_stays_equal_to_its_account(changes: list[int]) -> None:
    account, tray = 100_000_00, fewest(100_000_00)
    for cents in changes:
        change = tray_after(tray, cents)
        if isinstance(change, Refusal):
            assert account + cents < 0
            assert total(tray) == account
            continue
        account, tray = account + cents, change.tray
        assert total(tray) == account
        assert all(count > 0 for count in tray.values())
        assert total(change.chips) == abs(cents)


def test_a_tray_pays_after_an_exchange_and_says_so() -> None:
    change = tray_after({100_00: 1}, -30_00)
    assert not isinstance(change, Refusal)
    assert change.exchange is not None
    assert change.exchange.gives == 100_00
    assert (change.chips, change.tray) == ({25_00: 1, 5_00: 1}, {25_00: 2, 5_00: 4})


def test_a_set_of_chips_is_in_order_and_has_no_cent() -> None:
    for cents in ((), (5, 10), (10, 10), (10, 1)):
        with pytest.raises(AssertionError):
            ChipSet(tuple(Chip(cent, "red") for cent in cents))
    assert US_CHIPS.denominations[-2:] == (50, COIN)
    assert (US_CHIPS.colour(5_00), US_CHIPS.colour(COIN)) == ("red", "coin")


def test_chips_that_do_not_lie_there_cannot_be_taken() -> None:
    with pytest.raises(AssertionError):
        chips.without({5_00: 1}, {5_00: 2})
    with pytest.raises(AssertionError):
        fewest(-1)
    assert chips.without({5_00: 1, 1_00: 2}, {5_00: 1}) == {1_00: 2}
