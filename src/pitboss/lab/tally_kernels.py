"""Adds up a block of whole tables by the bytes of their numbers, each group of wagers by its own."""

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel

HALF = np.int64(32)
LOW = np.int64((1 << 32) - 1)


@kernel
def count_bytes(codes: NDArray[np.int64], shifts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Count how often each value of each group's byte is met."""
    for row in range(codes.shape[0]):
        for seat in range(codes.shape[1]):
            code = codes[row, seat]
            for group in range(shifts.size):
                counts[group, code >> shifts[group] & 255] += 1


@kernel
def first_with(codes: NDArray[np.int64], shift: int, value: int) -> tuple[int, int]:
    """Return the round and seat of the first number whose byte has a value, given that one has."""
    for row in range(codes.shape[0]):
        for seat in range(codes.shape[1]):
            if codes[row, seat] >> shift & 255 == value:
                return row, seat
    return -1, -1


@kernel
def add_bytes(
    codes: NDArray[np.int64],
    shifts: NDArray[np.int64],
    nets: NDArray[np.int64],
    house: NDArray[np.int64],
    signs: NDArray[np.int8],
    squares: NDArray[np.int64],
) -> None:
    """Write what the house gains by round and whether each seat gains, and sum the squares of each group's rounds.

    A sum of squares has two parts, that above 32 bits and that below, as one alone could be too large.
    """
    groups = shifts.size
    totals = np.zeros(groups, np.int64)
    for row in range(codes.shape[0]):
        for group in range(groups):
            totals[group] = 0
        for seat in range(codes.shape[1]):
            code = codes[row, seat]
            whole = 0
            for group in range(groups):
                net = nets[group, code >> shifts[group] & 255]
                totals[group] += net
                whole += net
            signs[row, seat] = (whole > 0) - (whole < 0)
        gained = 0
        for group in range(groups):
            gained += totals[group]
            square = totals[group] * totals[group]
            squares[group, 0] += square >> HALF
            squares[group, 1] += square & LOW
        house[row] = -gained


@kernel
def find_bytes(codes: NDArray[np.int64], shift: int, wanted: NDArray[np.bool_], found: NDArray[np.int64]) -> None:
    """Write the round and seat of each number whose byte has a wanted value; there are as many as `found` has rows."""
    at = 0
    for row in range(codes.shape[0]):
        for seat in range(codes.shape[1]):
            if wanted[codes[row, seat] >> shift & 255]:
                found[at, 0] = row
                found[at, 1] = seat
                at += 1
