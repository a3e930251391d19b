"""Reads whole tables at once: each seat's decision and the cell of each wager as one number, with no price in it."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel

FACE_BITS = 3
# A number's lowest byte: 0 for a fold, else 1, 16 for each end and the cell of the hand.
OF_END = 16
WINS, LOSES, TIES = range(3)
SIDES = np.int64(~255)


@inlined
def _three(deals, row, at, faces):
    # Three faces in any order: a place in tables of 512.
    first, second = np.int64(faces[deals[row, at]]), np.int64(faces[deals[row, at + 1]])
    return first << 2 * FACE_BITS | second << FACE_BITS | np.int64(faces[deals[row, at + 2]])


@kernel
def read_tables(
    deals: NDArray[np.uint8],
    seats: int,
    faces: NDArray[np.uint8],
    values: NDArray[np.int16],
    cells: NDArray[np.int64],
    plays: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return a number for each row of cards and each seat, which play by this table of decisions.

    The tables are by three faces: the value of the hand, its cells from the lowest byte up, and whether it is played.
    """
    codes = np.empty((deals.shape[0], seats), np.int64)
    for row in range(deals.shape[0]):
        dealer = values[_three(deals, row, 3 * seats, faces)]
        for seat in range(seats):
            hand = _three(deals, row, 3 * seat, faces)
            code = cells[hand]
            if plays[hand]:
                value = values[hand]
                end = WINS if value > dealer else (LOSES if value < dealer else TIES)
                code += 1 + OF_END * end
            else:
                code &= SIDES
            codes[row, seat] = code
    return codes
