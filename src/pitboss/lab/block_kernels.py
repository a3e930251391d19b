"""Adds up a block of played rounds: each seat's ending, and the sums by round and by seat."""

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel

# Fibonacci hashing: consecutive codes fall far apart.
SPREAD = np.uint64(0x9E3779B97F4A7C15)
EMPTY = -1


@kernel
def number_codes(
    codes: NDArray[np.int64],
    keys: NDArray[np.int64],
    numbers: NDArray[np.int64],
    shift: int,
    which: NDArray[np.int64],
    unknown: NDArray[np.int64],
) -> int:
    """Write the number of each code, -1 where it has none; return how many had none, those codes in `unknown`."""
    mask = keys.size - 1
    missing = 0
    for row in range(codes.shape[0]):
        for seat in range(codes.shape[1]):
            code = codes[row, seat]
            place = np.int64((np.uint64(code) * SPREAD) >> np.uint64(shift))
            while numbers[place] != EMPTY and keys[place] != code:
                place = (place + 1) & mask
            number = numbers[place]
            which[row, seat] = number
            if number == EMPTY:
                unknown[missing] = code
                missing += 1
    return missing


@kernel
def enter_codes(
    codes: NDArray[np.int64], first: int, keys: NDArray[np.int64], numbers: NDArray[np.int64], shift: int
) -> None:
    """Give codes that are not known yet the numbers from `first` on."""
    mask = keys.size - 1
    for at in range(codes.size):
        code = codes[at]
        place = np.int64((np.uint64(code) * SPREAD) >> np.uint64(shift))
        while numbers[place] != EMPTY:
            place = (place + 1) & mask
        keys[place] = code
        numbers[place] = first + at


@kernel
def add_endings(
    which: NDArray[np.int64],
    nets: NDArray[np.int64],
    counts: NDArray[np.int64],
    totals: NDArray[np.int64],
    seats: NDArray[np.int64],
) -> None:
    """Count each ending, and sum nets by round and group, and by round and seat."""
    groups = nets.shape[1]
    for row in range(which.shape[0]):
        for seat in range(which.shape[1]):
            ending = which[row, seat]
            counts[ending] += 1
            whole = 0
            for group in range(groups):
                net = nets[ending, group]
                totals[row, group] += net
                whole += net
            seats[row, seat] = whole
