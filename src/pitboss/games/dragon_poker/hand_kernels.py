"""Reads many played hands at once: three faces against three, by tables of the faces."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel


@inlined
def _place(cards, row, faces, count):
    first, second = faces[cards[row, 0]], faces[cards[row, 1]]
    return (first * count + second) * count + faces[cards[row, 2]]


@kernel
def read_hands(
    kept: NDArray[np.uint8],
    dealer: NDArray[np.uint8],
    faces: NDArray[np.int64],
    count: int,
    values: NDArray[np.int64],
    cells: NDArray[np.int64],
    all_cells: int,
) -> NDArray[np.int64]:
    """Return for each row how it ends times the number of cells, and the cell; tables are by three faces."""
    found = np.empty(kept.shape[0], np.int64)
    for row in range(kept.shape[0]):
        own, against = _place(kept, row, faces, count), _place(dealer, row, faces, count)
        end = (values[own] > values[against]) - (values[own] < values[against]) + 1
        found[row] = end * all_cells + cells[own]
    return found
