"""Reads many played hands at once: who has the best five of seven, whether the dealer has a pair, the category."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CARD_KEY, CATEGORY, FLUSH, FLUSH_BITS, START, flush_suit, value7

CATEGORIES, PAIR = 10, 1


@inlined
def _of_suit(suit, card):
    return 1 << (card >> 2) if card & 3 == suit else 0


@kernel
def _value(key, board, row, numbers, first, second):
    if key & FLUSH_BITS:
        suit = flush_suit(key)
        mask = _of_suit(suit, first) | _of_suit(suit, second)
        for at in range(5):
            mask |= _of_suit(suit, np.int64(numbers[board[row, at]]))
        return np.int64(FLUSH[mask])
    return np.int64(value7(key))


@kernel
def read_hands(
    kept: NDArray[np.uint8], dealer: NDArray[np.uint8], board: NDArray[np.uint8], numbers: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return for each row ten times how it ends, three more if the dealer has a pair, and the player's category."""
    found = np.empty(kept.shape[0], np.int64)
    for row in range(kept.shape[0]):
        key = START
        for at in range(5):
            key += CARD_KEY[numbers[board[row, at]]]
        first, second = np.int64(numbers[kept[row, 0]]), np.int64(numbers[kept[row, 1]])
        value = _value(key + CARD_KEY[first] + CARD_KEY[second], board, row, numbers, first, second)
        low, high = np.int64(numbers[dealer[row, 0]]), np.int64(numbers[dealer[row, 1]])
        against = _value(key + CARD_KEY[low] + CARD_KEY[high], board, row, numbers, low, high)
        end = (value > against) - (value < against) + 1
        if CATEGORY[against] >= PAIR:
            end += 3
        found[row] = end * CATEGORIES + np.int64(CATEGORY[value])
    return found
