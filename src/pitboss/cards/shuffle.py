"""Two shuffles that can't be confused: one fit for a table, one that repeats."""

import os
import random
from collections.abc import Callable

from pitboss.cards.deck import Card, Deck


def _below(limit: int, draw_byte: Callable[[], int]) -> int:
    # Exact: bytes at or above the limit are thrown away, never folded back by a remainder.
    assert 0 < limit <= 256
    mask = (1 << (limit - 1).bit_length()) - 1
    while (drawn := draw_byte() & mask) >= limit:
        pass
    return drawn


def _fisher_yates(cards: tuple[Card, ...], draw_byte: Callable[[], int]) -> tuple[Card, ...]:
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, draw_byte)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


class TableShuffle:
    """A shuffle from the operating system's cryptographic generator; the only kind a table accepts."""

    def order(self, deck: Deck) -> tuple[Card, ...]:
        """Return the deck's cards in a fresh uniformly random order."""
        return _fisher_yates(deck.cards, _SystemBytes().draw)


class SeededShuffle:
    """A shuffle that repeats for the same seed: for tests, demonstrations and simulation only."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def order(self, deck: Deck) -> tuple[Card, ...]:
        """Return the deck's cards in the next order of this seed."""
        return _fisher_yates(deck.cards, lambda: self._random.getrandbits(8))


class _SystemBytes:
    def __init__(self) -> None:
        self._buffer = b""
        self._at = 0

    def draw(self) -> int:
        if self._at == len(self._buffer):
            self._buffer = os.urandom(128)
            self._at = 0
        self._at += 1
        return self._buffer[self._at - 1]
