"""The evaluator's tables: a value for any hand of five to seven cards, found by one sum and two lookups.

A rank's key is the smallest number that keeps the sums of any seven ranks apart, none held more than four times,
so a sum names the ranks held. Sums are folded: each row of 512 is laid where its values fit between others'.
The tables are built from `cards.poker` and kept in a file beside this module; a test builds them again.
"""

from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import poker
from pitboss.cards.deck import RANKS, SUITS, Card

FILE = Path(__file__).with_name("evaluator.npz")
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
ROW_BITS = 9
SIZES = (5, 6, 7)


class Tables(NamedTuple):
    """The lookup tables of the compiled code; dense values count up from the worst hand."""

    row5: NDArray[np.uint32]  # by row of sums: where the row was placed
    value5: NDArray[np.uint16]
    row6: NDArray[np.uint32]
    value6: NDArray[np.uint16]
    row7: NDArray[np.uint32]
    value7: NDArray[np.uint16]
    flush: NDArray[np.uint16]  # dense value by the ranks of the flush suit
    category: NDArray[np.uint8]  # by dense value
    poker_value: NDArray[np.int32]  # by dense value: what `cards.poker` gives


@cache
def tables() -> Tables:
    """Return the tables from their file."""
    with np.load(FILE) as kept:
        return Tables(**{name: kept[name] for name in Tables._fields})


def build() -> Tables:
    """Build the tables from the definition of the ranking."""
    by_sum = {size: _values_by_sum(size) for size in SIZES}
    by_flush = _values_by_flush()
    known = sorted({*by_sum[5].values(), *by_flush.values()})
    dense = {value: index for index, value in enumerate(known)}
    folded = {size: _fold({key: dense[value] for key, value in found.items()}) for size, found in by_sum.items()}
    flush = np.zeros(1 << len(RANKS), np.uint16)
    for mask, value in by_flush.items():
        flush[mask] = dense[value]
    return Tables(
        row5=folded[5][0],
        value5=folded[5][1],
        row6=folded[6][0],
        value6=folded[6][1],
        row7=folded[7][0],
        value7=folded[7][1],
        flush=flush,
        category=np.array([poker.category(value) for value in known], np.uint8),
        poker_value=np.array(known, np.int32),
    )


def save() -> None:
    """Write the tables to their file."""
    np.savez_compressed(FILE, **build()._asdict())


def card_number(card: Card) -> int:
    """Return a card's number in compiled code: four times its rank, plus its suit."""
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])


def card_at(number: int) -> Card:
    """Return the card with a number."""
    return Card(RANKS[number // 4] + SUITS[number % 4])


def _values_by_sum(size: int) -> dict[int, int]:
    # Alternating suits leave no flush among five to seven cards with at most four of a rank.
    found = {}
    for ranks in combinations_with_replacement(range(13), size):
        if max(map(ranks.count, ranks)) <= 4:
            cards = tuple(Card(RANKS[rank] + SUITS[index % 4]) for index, rank in enumerate(ranks))
            found[sum(RANK_KEYS[rank] for rank in ranks)] = poker.best(cards)
    return found


def _values_by_flush() -> dict[int, int]:
    found = {}
    for mask in range(1 << 13):
        if 5 <= mask.bit_count() <= 7:
            found[mask] = poker.best(tuple(Card(RANKS[number] + "c") for number in range(13) if mask >> number & 1))
    return found


def _fold(values: dict[int, int]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    from pitboss.odds.folding import first_fit

    rows: dict[int, list[int]] = {}
    for key in sorted(values):
        rows.setdefault(key >> ROW_BITS, []).append(key)
    order = sorted(rows, key=lambda row: (-len(rows[row]), row))
    columns = np.array([key & (1 << ROW_BITS) - 1 for row in order for key in rows[row]], np.int64)
    ends = np.cumsum([len(rows[row]) for row in order])
    shifts = first_fit(columns, ends, 8 * len(values) + (1 << ROW_BITS))
    laid = np.zeros(max(rows) + 1, np.uint32)
    table = np.zeros(8 * len(values) + (1 << ROW_BITS), np.uint16)
    last = 0
    for row, place in zip(order, shifts.tolist(), strict=True):
        laid[row] = place
        for key in rows[row]:
            at = place + (key & (1 << ROW_BITS) - 1)
            table[at] = values[key]
            last = max(last, at)
    return laid, table[: last + 1].copy()


if __name__ == "__main__":
    save()
