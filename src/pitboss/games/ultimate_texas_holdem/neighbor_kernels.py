"""Hands on one flop beside cards that other seats have shown: every turn, river and dealer's hand that is left."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import (
    CLASSES,
    ENDS,
    FIRST_KIND,
    FIRST_PAIR,
    KINDS,
    LOSE,
    LOSE_NO_PAIR,
    RANKS,
    SECOND_KIND,
    TIE,
    TIE_NO_PAIR,
    WIN,
    WIN_NO_PAIR,
    new_board,
    value_board,
)
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY

CARDS, BOARD, FLOP = 52, 5, 3
CLASS_OF = np.zeros((KINDS, KINDS), np.int64)
CLASS_OF[FIRST_KIND, SECOND_KIND] = CLASS_OF[SECOND_KIND, FIRST_KIND] = np.arange(CLASSES)

Integers = NDArray[np.int64]


@inlined
def _kind(card, flush):
    return (card >> 2) + (RANKS if card & 3 == flush else 0)


@inlined
def _ways(left, first, second, same):
    # Two cards of one kind, or a card of each.
    return left[first] * (left[second] - same) >> same


@kernel
def _split(value, values, first, second, same, count, unpaired, left, dealers, ends):
    """Split the dealer's hands by how one hand ends; classes are in order of value, `unpaired` without a pair."""
    ends[:] = 0
    wins = 0
    ties = 0
    at = 0
    if value >= FIRST_PAIR:
        while at < unpaired:
            ends[WIN_NO_PAIR] += _ways(left, first[at], second[at], same[at])
            at += 1
        while values[at] < value:
            wins += _ways(left, first[at], second[at], same[at])
            at += 1
        while at < count and values[at] == value:
            ties += _ways(left, first[at], second[at], same[at])
            at += 1
        ends[WIN] = wins
        ends[TIE] = ties
        ends[LOSE] = dealers - wins - ties - ends[WIN_NO_PAIR]
        return
    while values[at] < value:
        wins += _ways(left, first[at], second[at], same[at])
        at += 1
    while at < count and values[at] == value:
        ties += _ways(left, first[at], second[at], same[at])
        at += 1
    while at < unpaired:
        ends[LOSE_NO_PAIR] += _ways(left, first[at], second[at], same[at])
        at += 1
    ends[WIN_NO_PAIR] = wins
    ends[TIE_NO_PAIR] = ties
    ends[LOSE] = dealers - wins - ties - ends[LOSE_NO_PAIR]


@kernel
def sum_beside(
    flop: Integers, hands: Integers, fixed: Integers, play: Integers, fold: int, equal_raises: bool, found: Integers
) -> None:
    """Sum by hand over every turn, river and dealer's hand: a fixed part, each unit raised, a wait; count river raises.

    A hand is its two cards and then the cards that other seats have shown, the same number for each.
    """
    board = new_board()
    rows, size = hands.shape
    held = np.zeros(rows, np.int64)
    for row in range(rows):
        for at in range(size):
            held[row] |= 1 << hands[row, at]
    rest = CARDS - BOARD - size
    dealers = rest * (rest - 1) >> 1
    masks = np.zeros(4, np.int64)
    left = np.zeros(KINDS, np.int64)
    values = np.zeros(CLASSES, np.int64)
    first, second, same = np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64)
    ends = np.zeros(ENDS, np.int64)
    on_flop = 0
    for card in flop:
        on_flop |= 1 << card
    for turn in range(CARDS):
        for river in range(turn):
            dealt = 1 << turn | 1 << river
            if on_flop & dealt:
                continue
            masks[:] = 0
            for card in range(CARDS):
                masks[card & 3] |= ((on_flop | dealt) >> card & 1) << (card >> 2)
            flush, count = value_board(masks, board)
            unpaired = 0
            for at in range(count):
                holding = board.live[at]
                values[at] = board.values[holding]
                first[at], second[at] = FIRST_KIND[holding], SECOND_KIND[holding]
                same[at] = first[at] == second[at]
                unpaired += values[at] < FIRST_PAIR
            for row in range(rows):
                if held[row] & dealt:
                    continue
                left[:] = board.copies
                for at in range(size):
                    left[_kind(hands[row, at], flush)] -= 1
                own = CLASS_OF[_kind(hands[row, 0], flush), _kind(hands[row, 1], flush)]
                value = board.values[own]
                _split(value, values, first, second, same, count, unpaired, left, dealers, ends)
                category = CATEGORY[value]
                base = 0
                each = 0
                for end in range(ENDS):
                    base += ends[end] * fixed[end, category]
                    each += ends[end] * play[end, category]
                gain = base + each - fold * dealers
                raises = gain > 0 or (gain == 0 and equal_raises)
                found[row, 0] += base
                found[row, 1] += each
                found[row, 2] += base + each if raises else fold * dealers
                found[row, 3] += raises
