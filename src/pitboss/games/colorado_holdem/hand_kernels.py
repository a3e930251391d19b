"""Reads many played hands at once: the cell of two cards kept and three on the board."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import CARD_KEY, FLUSH, FLUSH_BITS, START, value5


@kernel
def read_hands(
    kept: NDArray[np.uint8], board: NDArray[np.uint8], numbers: NDArray[np.uint8], cells: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the cell of each row; cells are by the value of five cards."""
    found = np.empty(kept.shape[0], np.int64)
    for row in range(kept.shape[0]):
        a, b = np.int64(numbers[kept[row, 0]]), np.int64(numbers[kept[row, 1]])
        c, d, e = np.int64(numbers[board[row, 0]]), np.int64(numbers[board[row, 1]]), np.int64(numbers[board[row, 2]])
        key = START + CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c] + CARD_KEY[d] + CARD_KEY[e]
        if key & FLUSH_BITS:
            mask = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2) | 1 << (e >> 2)
            found[row] = cells[FLUSH[mask]]
        else:
            found[row] = cells[value5(key)]
    return found
