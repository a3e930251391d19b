"""Reads whole tables at once: each seat's decision and the cell of each wager as one number, with no price in it."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel

CARDS_EACH = 7
# How a hand ends against a dealer who does not qualify; five more against one who does. The lowest byte of a number
# is 0 for a fold, else 1 and the end; each byte above it is the cell of a side wager.
MORE, FEWER, HIGHER, LOWER, EQUAL = range(5)
QUALIFIED = 5


@inlined
def _kind(deals, row, at, bits, kinds):
    # A bit for each card from ten to ace and none for the others: their set tells the kind of hand.
    held = np.uint32(0)
    for place in range(at, at + CARDS_EACH):
        held |= bits[deals[row, place]]
    return np.int64(kinds[held])


@kernel
def read_tables(
    deals: NDArray[np.uint8],
    seats: int,
    bits: NDArray[np.uint32],
    kinds: NDArray[np.uint16],
    sizes: NDArray[np.uint8],
    values: NDArray[np.int64],
    qualifies: NDArray[np.bool_],
    cells: NDArray[np.int64],
    plays: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return a number for each row of cards and each seat, which play by this table of decisions.

    The last five tables are by kind of hand: how many cards count, what the hand compares by, whether a dealer
    qualifies with it, the cells of the side wagers and whether it is played.
    """
    codes = np.empty((deals.shape[0], seats), np.int64)
    for row in range(deals.shape[0]):
        dealer = _kind(deals, row, CARDS_EACH * seats, bits, kinds)
        first = 1 + QUALIFIED if qualifies[dealer] else 1
        for seat in range(seats):
            hand = _kind(deals, row, CARDS_EACH * seat, bits, kinds)
            code = cells[hand]
            if plays[hand]:
                if sizes[hand] != sizes[dealer]:
                    end = MORE if sizes[hand] > sizes[dealer] else FEWER
                elif values[hand] != values[dealer]:
                    end = HIGHER if values[hand] > values[dealer] else LOWER
                else:
                    end = EQUAL
                code += first + end
            codes[row, seat] = code
    return codes
