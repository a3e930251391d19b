"""Compiled evaluation of five to seven cards: to a dense value, 0 for the worst hand and 7,461 for a royal flush."""

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator_tables import RANK_KEYS, ROW_BITS, tables

_TABLES = tables()
ROW5, VALUE5 = _TABLES.row5, _TABLES.value5
ROW6, VALUE6 = _TABLES.row6, _TABLES.value6
ROW7, VALUE7 = _TABLES.row7, _TABLES.value7
FLUSH, CATEGORY = _TABLES.flush, _TABLES.category
VALUES = CATEGORY.size

# A card's key: its rank's key below, one in its suit's counter above. Counters start at three, so that the
# fifth card of a suit sets the counter's top bit. An invalid card counts above the suits, where it is noticed along
# with the flushes and costs other hands no extra test.
SUITS_AT, NO_CARD_AT = 32, 48
RANK_KEY = np.array([RANK_KEYS[card // 4] for card in range(52)], np.int64)
CARD_KEY = np.full(256, 1 << NO_CARD_AT, np.int64)
CARD_KEY[:52] = [RANK_KEYS[card // 4] | 1 << SUITS_AT + 4 * (card % 4) for card in range(52)]
SUIT_COUNTERS = np.int64(sum(1 << SUITS_AT + 4 * suit for suit in range(4)))
START = 3 * SUIT_COUNTERS
FLUSH_BITS = 8 * SUIT_COUNTERS
NO_CARD = np.int64(7 << NO_CARD_AT)
RANKS_ONLY = np.int64((1 << SUITS_AT) - 1)
# Unsigned, like every table index: a signed one would be checked for being negative.
ROWS_AT, IN_ROW = np.uint32(ROW_BITS), np.uint32((1 << ROW_BITS) - 1)


@inlined
def flush_suit(key: int) -> int:
    """Return the suit with five cards, given that there is one."""
    found = key & FLUSH_BITS
    if found & np.int64(8) << SUITS_AT:
        return 0
    if found & np.int64(8) << SUITS_AT + 4:
        return 1
    return 2 if found & np.int64(8) << SUITS_AT + 8 else 3


@inlined
def value5(key: int) -> int:
    """Return the value of five cards without a flush from the sum of their keys."""
    ranks = np.uint32(key & RANKS_ONLY)
    return VALUE5[(ranks & IN_ROW) + ROW5[ranks >> ROWS_AT]]


@inlined
def value6(key: int) -> int:
    """Return the value of six cards without a flush from the sum of their keys."""
    ranks = np.uint32(key & RANKS_ONLY)
    return VALUE6[(ranks & IN_ROW) + ROW6[ranks >> ROWS_AT]]


@inlined
def value7(key: int) -> int:
    """Return the value of seven cards without a flush from the sum of their keys."""
    ranks = np.uint32(key & RANKS_ONLY)
    return VALUE7[(ranks & IN_ROW) + ROW7[ranks >> ROWS_AT]]


@kernel
def _rank_seven(hands: NDArray[np.uint8], found: NDArray[np.uint16]) -> bool:
    # Written out: a loop over the seven columns costs three times as much.
    for row in range(hands.shape[0]):
        a, b, c, d = hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3]
        e, f, g = hands[row, 4], hands[row, 5], hands[row, 6]
        key = START + CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c] + CARD_KEY[d] + CARD_KEY[e] + CARD_KEY[f] + CARD_KEY[g]
        if key & (FLUSH_BITS | NO_CARD):
            if key & NO_CARD:
                return False
            found[row] = FLUSH[_flush_mask(hands, row, flush_suit(key))]
        else:
            found[row] = value7(key)
    return True


@kernel
def _rank_fewer(hands: NDArray[np.uint8], found: NDArray[np.uint16]) -> bool:
    count, size = hands.shape
    for row in range(count):
        key = START
        for column in range(size):
            key += CARD_KEY[hands[row, column]]
        if key & (FLUSH_BITS | NO_CARD):
            if key & NO_CARD:
                return False
            found[row] = FLUSH[_flush_mask(hands, row, flush_suit(key))]
        elif size == 6:
            found[row] = value6(key)
        else:
            found[row] = value5(key)
    return True


@kernel
def _flush_mask(hands: NDArray[np.uint8], row: int, suit: int) -> int:
    mask = 0
    for column in range(hands.shape[1]):
        card = hands[row, column]
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return mask


def rank_hands(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return the dense value of each row of five to seven cards, higher for better hands."""
    if hands.ndim != 2 or hands.shape[1] not in (5, 6, 7):
        raise ValueError("Hands must be rows of five, six or seven cards.")
    # Integers other than bytes are checked first; converted to bytes, they could look like cards.
    if hands.dtype != np.uint8 and hands.size and not 0 <= int(hands.min()) <= int(hands.max()) <= 51:
        raise ValueError("A card must be a number from 0 to 51.")
    rows = np.ascontiguousarray(hands, np.uint8)
    found = np.empty(len(rows), np.uint16)
    if not (_rank_seven if rows.shape[1] == 7 else _rank_fewer)(rows, found):
        raise ValueError("A card must be a number from 0 to 51.")
    return found
