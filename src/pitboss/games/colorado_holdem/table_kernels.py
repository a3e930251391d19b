"""Reads whole tables at once: each seat's decision and the cell of its hand as one number, with no price in it."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CARD_KEY, FLUSH, FLUSH_BITS, START, value5

TWO_BELOW = np.array([n * (n - 1) // 2 for n in range(52)], np.uint16)
THREE_BELOW = np.array([n * (n - 1) * (n - 2) // 6 for n in range(52)], np.uint16)
# An answer: what the number says besides the cell, and below it which card is discarded: the lowest by number, the
# middle or the highest, or none.
DISCARDS, NONE = np.uint8(3), np.uint8(3)


@inlined
def _ordered(first, second, third):
    low, high = min(first, second), max(first, second)
    return min(low, third), max(low, min(high, third)), max(high, third)


@inlined
def _value(key, a, b, c, first, second):
    if key & FLUSH_BITS:
        return np.int64(FLUSH[1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (first >> 2) | 1 << (second >> 2)])
    return np.int64(value5(key))


@inlined
def _card(deals, row, at, numbers):
    return np.int64(numbers[deals[row, at]])


@kernel
def read_tables(
    deals: NDArray[np.uint8],
    seats: int,
    numbers: NDArray[np.uint8],
    answers: NDArray[np.uint8],
    cells: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Return a number for each row of cards and each seat, which play by this table of answers.

    Answers are by three cards, cells by the value of five.
    """
    codes = np.empty((deals.shape[0], seats), np.int64)
    for row in range(deals.shape[0]):
        at = 3 * seats
        a, b, c = _card(deals, row, at, numbers), _card(deals, row, at + 1, numbers), _card(deals, row, at + 2, numbers)
        board = START + CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c]
        for seat in range(seats):
            low, middle, high = _ordered(
                _card(deals, row, 3 * seat, numbers),
                _card(deals, row, 3 * seat + 1, numbers),
                _card(deals, row, 3 * seat + 2, numbers),
            )
            answer = answers[np.int64(THREE_BELOW[high]) + np.int64(TWO_BELOW[middle]) + low]
            code = np.int64(answer >> 2)
            discard = answer & DISCARDS
            if discard != NONE:
                first = middle if discard == 0 else low
                second = middle if discard == 2 else high
                key = board + CARD_KEY[first] + CARD_KEY[second]
                code += np.int64(cells[_value(key, a, b, c, first, second)])
            codes[row, seat] = code
    return codes
