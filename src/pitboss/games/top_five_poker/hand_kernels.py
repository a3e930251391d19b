"""Reads many played hands at once: the high cards of seven against the dealer's, by tables of their kinds."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel

DEALT = 7


@inlined
def _kind(cards, row, bits, kinds):
    mask = 0
    for at in range(DEALT):
        mask |= bits[cards[row, at]]
    return np.int64(kinds[mask])


@kernel
def read_hands(
    kept: NDArray[np.uint8],
    dealer: NDArray[np.uint8],
    bits: NDArray[np.int64],
    kinds: NDArray[np.uint16],
    sizes: NDArray[np.int64],
    values: NDArray[np.int64],
    qualified: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return for each row how it ends; bits are by card, kinds by high cards, the other tables by kind.

    `qualified` is what is added against a dealer of the kind.
    """
    found = np.empty(kept.shape[0], np.int64)
    for row in range(kept.shape[0]):
        own, against = _kind(kept, row, bits, kinds), _kind(dealer, row, bits, kinds)
        if sizes[own] != sizes[against]:
            order = 0 if sizes[own] > sizes[against] else 1
        elif values[own] != values[against]:
            order = 2 if values[own] > values[against] else 3
        else:
            order = 4
        found[row] = order + qualified[against]
    return found
