"""The shuffle is exactly uniform, proved by trying every byte, and the two kinds can't be confused."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations

import pytest

from pitboss.cards import STANDARD_DECK, Card, Deck, SeededShuffle, TableShuffle
from pitboss.cards.shuffle import _below


class NoMoreBytes(Exception):
    pass


def source(script: bytes) -> Callable[[], int]:
    left: Iterator[int] = iter(script)

    def draw() -> int:
        for byte in left:
            return byte
        raise NoMoreBytes

    return draw


def small_deck(cards: int) -> Deck:
    return Deck("small", tuple(Card(f"Ra{copy}") for copy in range(cards)), {"Ra": "rabbit"})


@pytest.mark.parametrize("limit", range(1, 257))
def test_each_number_below_a_limit_is_drawn_by_equally_many_of_the_256_bytes(limit: int) -> None:
    drawn: Counter[int] = Counter()
    thrown_away = 0
    for byte in range(256):
        try:
            drawn[_below(limit, source(bytes([byte])))] += 1
        except NoMoreBytes:
            thrown_away += 1
    assert set(drawn) == set(range(limit))
    assert len(set(drawn.values())) == 1
    assert thrown_away < 128  # a draw takes fewer than two bytes on average


def test_a_byte_thrown_away_leaves_the_next_one_untouched() -> None:
    assert [_below(5, source(bytes([7, 6, 5, 255, byte]))) for byte in range(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("limit", [0, -1, 257])
def test_a_limit_that_one_byte_cannot_serve_is_our_own_bug(limit: int) -> None:
    with pytest.raises(AssertionError):
        _below(limit, source(b"\0"))


@pytest.mark.parametrize(("cards", "depth"), [(2, 5), (3, 7), (4, 8)])
def test_every_order_of_a_small_deck_is_equally_likely(cards: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # At most two low bits of a byte matter here, so four bytes stand for all 256. Scripts of bytes grow
    # until the shuffle is served; each order's share of all scripts is summed exactly.
    deck = small_deck(cards)
    scripts = [b""]
    shares: Counter[tuple[Card, ...]] = Counter()
    total = Fraction(0)
    for length in range(depth + 1):
        unserved = []
        for script in scripts:
            served = iter((script,))
            monkeypatch.setattr(os, "urandom", lambda _, served=served: next(served))
            try:
                order = TableShuffle().order(deck)
            except (StopIteration, IndexError):
                unserved.append(script)
                continue
            shares[order] += 4 ** (depth - length)
            total += Fraction(1, 4**length)
        scripts = [script + bytes([byte]) for script in unserved for byte in range(4)]
        if shares:
            assert set(shares) == set(permutations(deck.cards))
            assert len(set(shares.values())) == 1
    assert total > Fraction(9, 10)


def test_a_table_shuffle_draws_on_the_operating_system_again_when_its_bytes_run_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def bytes_of_the_system(count: int) -> bytes:
        asked.append(count)
        return bytes([255] * count) if len(asked) == 1 else bytes(count)

    monkeypatch.setattr(os, "urandom", bytes_of_the_system)
    order = TableShuffle().order(STANDARD_DECK)
    assert len(asked) == 2
    assert sorted(order) == sorted(STANDARD_DECK.cards)


@pytest.mark.parametrize("made", [TableShuffle, lambda: SeededShuffle(3)])
def test_a_shuffle_keeps_every_card_once(made: Callable[[], TableShuffle | SeededShuffle]) -> None:
    shuffled = made()
    for _ in range(50):
        assert sorted(shuffled.order(STANDARD_DECK)) == sorted(STANDARD_DECK.cards)


def test_the_same_seed_repeats_and_another_differs() -> None:
    first, again, other = SeededShuffle(7), SeededShuffle(7), SeededShuffle(8)
    orders = [first.order(STANDARD_DECK) for _ in range(3)]
    assert [again.order(STANDARD_DECK) for _ in range(3)] == orders
    assert len(set(orders)) == 3
    assert other.order(STANDARD_DECK) not in orders


def test_neither_shuffle_is_a_kind_of_the_other() -> None:
    assert not issubclass(SeededShuffle, TableShuffle)
    assert not issubclass(TableShuffle, SeededShuffle)
    assert set(SeededShuffle.__mro__) & set(TableShuffle.__mro__) == {object}
    with pytest.raises(TypeError):
        TableShuffle(7)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        SeededShuffle()  # type: ignore[call-arg]


def test_cards_of_a_table_shuffle_are_equally_likely_everywhere() -> None:
    shuffles, cards = 1500, len(STANDARD_DECK)
    landed: Counter[tuple[int, Card]] = Counter()
    table = TableShuffle()
    for _ in range(shuffles):
        landed.update(enumerate(table.order(STANDARD_DECK)))
    expected = shuffles / cards
    chi_square = sum(
        (landed[place, card] - expected) ** 2 / expected for place in range(cards) for card in STANDARD_DECK.cards
    )
    freedom = (cards - 1) ** 2
    # Seven standard deviations either way (Wilson and Hilferty): wrong less than once in 10^11 runs.
    for deviations in (-7, 7):
        bound = freedom * (1 - 2 / (9 * freedom) + deviations * math.sqrt(2 / (9 * freedom))) ** 3
        assert (chi_square < bound) == (deviations > 0)
