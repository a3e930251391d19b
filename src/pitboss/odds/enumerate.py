"""Counts of poker categories over every hand of five, six or seven cards."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import (
    CARD_KEY,
    CATEGORY,
    FLUSH,
    FLUSH_BITS,
    RANKS_ONLY,
    START,
    SUIT_COUNTERS,
    flush_suit,
    value5,
    value6,
    value7,
)
from pitboss.odds.symmetry import hole_cards

# The last two cards of a hand are run through together, in one long loop: the pairs whose lower card lies above a
# given one come last in the numbering of pairs.
PAIRS = 1326
LOWER, HIGHER = hole_cards()
PAIR_KEY = CARD_KEY[LOWER] + CARD_KEY[HIGHER]
PAIR_RANKS = (PAIR_KEY & RANKS_ONLY).astype(np.uint32)
PAIRS_FROM = np.searchsorted(LOWER, np.arange(53))
PAIR_MASK = np.array(
    [sum(np.where(card & 3 == suit, 1 << (card >> 2), 0) for card in (LOWER, HIGHER)) for suit in range(4)], np.int64
)
TWO_OF_EACH_SUIT = 2 * SUIT_COUNTERS
# Neighboring counts of a category are added up separately, so that no addition waits for the previous one.
APART, TALLY = 3, 4


@kernel
def _count_without_flush(key: int, start: int, size: int, found: NDArray[np.int64]) -> None:
    ranks = np.uint32(key & RANKS_ONLY)
    for pair in range(start, PAIRS):
        whole = ranks + PAIR_RANKS[pair]
        if size == 7:
            value = value7(whole)
        elif size == 6:
            value = value6(whole)
        else:
            value = value5(whole)
        found[(pair & APART) << TALLY | CATEGORY[value]] += 1


@kernel
def _count_with_flush(key: int, start: int, size: int, suit: int, mask: int, found: NDArray[np.int64]) -> None:
    for pair in range(start, PAIRS):
        whole = key + PAIR_KEY[pair]
        if whole & FLUSH_BITS:
            value = FLUSH[mask | PAIR_MASK[suit, pair]]
        elif size == 7:
            value = value7(whole)
        elif size == 6:
            value = value6(whole)
        else:
            value = value5(whole)
        found[(pair & APART) << TALLY | CATEGORY[value]] += 1


@kernel
def _count(size: int) -> NDArray[np.int64]:
    # The first cards of a hand are in increasing order; the last two run through the cards above them.
    found = np.zeros((APART + 1) << TALLY, np.int64)
    first = size - 2
    cards = np.arange(first)
    keys = np.zeros(first + 1, np.int64)
    keys[0] = START
    for at in range(first):
        keys[at + 1] = keys[at] + CARD_KEY[cards[at]]
    while True:
        key, start = keys[first], PAIRS_FROM[cards[first - 1] + 1]
        could = key + TWO_OF_EACH_SUIT
        if could & FLUSH_BITS:
            suit = flush_suit(could)
            mask = 0
            for at in range(first):
                if cards[at] & 3 == suit:
                    mask |= 1 << (cards[at] >> 2)
            _count_with_flush(key, start, size, suit, mask, found)
        else:
            _count_without_flush(key, start, size, found)
        at = first - 1
        while at >= 0 and cards[at] == 52 - size + at:
            at -= 1
        if at < 0:
            return found
        cards[at] += 1
        keys[at + 1] = keys[at] + CARD_KEY[cards[at]]
        for after in range(at + 1, first):
            cards[after] = cards[after - 1] + 1
            keys[after + 1] = keys[after] + CARD_KEY[cards[after]]


@cache
def category_counts(size: int) -> tuple[int, ...]:
    """Return how many hands of a given size make each category, high card first."""
    return count_categories(size)


def count_categories(size: int) -> tuple[int, ...]:
    """Evaluate every hand of a given size, in order; return how many make each category, high card first."""
    tallies = _count(size).reshape(APART + 1, 1 << TALLY).sum(axis=0)
    return tuple(int(tally) for tally in tallies[: int(CATEGORY[-1]) + 1])
