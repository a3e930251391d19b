"""Counts of poker categories over every hand of five, six or seven cards."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import CARD_KEY, CATEGORY, FLUSH, FLUSH_BITS, START, flush_suit, value5, value6, value7


@kernel
def _count(size: int) -> NDArray[np.int64]:
    # The first cards of a hand are numbered upwards; the last one runs through what is left above them.
    found = np.zeros(10, np.int64)
    cards = np.arange(size)
    keys = np.zeros(size + 1, np.int64)
    keys[0] = START
    for at in range(size - 1):
        keys[at + 1] = keys[at] + CARD_KEY[cards[at]]
    while True:
        for last in range(cards[size - 2] + 1, 52):
            key = keys[size - 1] + CARD_KEY[last]
            if key & FLUSH_BITS:
                suit = flush_suit(key)
                mask = 1 << (last >> 2) if last & 3 == suit else 0
                for at in range(size - 1):
                    if cards[at] & 3 == suit:
                        mask |= 1 << (cards[at] >> 2)
                value = FLUSH[mask]
            elif size == 7:
                value = value7(key)
            elif size == 6:
                value = value6(key)
            else:
                value = value5(key)
            found[CATEGORY[value]] += 1
        at = size - 2
        while at >= 0 and cards[at] == 52 - size + at:
            at -= 1
        if at < 0:
            return found
        cards[at] += 1
        for after in range(at + 1, size - 1):
            cards[after] = cards[after - 1] + 1
        for after in range(at, size - 1):
            keys[after + 1] = keys[after] + CARD_KEY[cards[after]]


@cache
def category_counts(size: int) -> tuple[int, ...]:
    """Return how many hands of so many cards make each category, high card first."""
    return tuple(int(one) for one in _count(size))
