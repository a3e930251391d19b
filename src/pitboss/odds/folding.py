"""First fit: where each row of a sparse table can be placed so that no two cells collide."""

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel


@kernel
def first_fit(columns: NDArray[np.int64], ends: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the smallest shift of each row, in the order given, that lands on free cells only."""
    taken = np.zeros(size, np.bool_)
    shifts = np.zeros(ends.size, np.int64)
    start = 0
    for row in range(ends.size):
        end = ends[row]
        shift = 0
        at = start
        while at < end:
            if taken[columns[at] + shift]:
                shift += 1
                at = start
            else:
                at += 1
        for at in range(start, end):
            taken[columns[at] + shift] = True
        shifts[row] = shift
        start = end
    return shifts
