"""Counts behind the short rules after the river: what a raise gains, by what a person can see at a glance."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.kernels import (
    DEALERS,
    ENDS,
    FIRST_HELD,
    HOLDINGS,
    HOLE_INDEX,
    LEFT,
    SECOND_HELD,
    count_below,
    lay_out,
    map_to_flop,
    rank_holdings,
    split_ends,
)
from pitboss.odds.compiled import kernel, parallel_kernel
from pitboss.odds.evaluator import (
    CARD_KEY,
    CATEGORY,
    FLUSH,
    FLUSH_BITS,
    START,
    VALUES,
    flush_suit,
    value5,
    value6,
)

STRAIGHT = 4


@kernel
def _board_value(masks: NDArray[np.int64], held: NDArray[np.int64]) -> int:
    key = START
    for card in held:
        key += CARD_KEY[card]
    if key & FLUSH_BITS:
        return np.int64(FLUSH[masks[flush_suit(key)]])
    return np.int64(value5(key))


@kernel
def _dealer_outs(
    masks: NDArray[np.int64],
    held: NDArray[np.int64],
    cards: NDArray[np.int64],
    values: NDArray[np.int64],
    order: NDArray[np.int64],
    outs: NDArray[np.int64],
) -> None:
    """Count for each holding the unseen cards of which one alone makes a better hand with the board."""
    key = START
    for card in held:
        key += CARD_KEY[card]
    with_one = np.empty(LEFT, np.int64)
    for at in range(LEFT):
        whole = key + CARD_KEY[cards[at]]
        if whole & FLUSH_BITS:
            suit = flush_suit(whole)
            mask = masks[suit]
            if cards[at] & 3 == suit:
                mask |= 1 << (cards[at] >> 2)
            with_one[at] = FLUSH[mask]
        else:
            with_one[at] = value6(whole)
    rising = np.argsort(with_one)
    passed = 0
    for place in range(HOLDINGS):
        one = order[place]
        while passed < LEFT and with_one[rising[passed]] <= values[one]:
            passed += 1
        # Neither of the two cards held can make a better hand alone than the two make together.
        outs[one] = LEFT - passed


@kernel
def _count_river(first, step, boards, all_ways, fixed, play, fold, raises_before, raises_flop, gained):
    """Sum what a raise after the river gains over a fold, over every `step`-th board, where neither was raised before.

    `gained` is by whether a card of the hand is paired or the hand is a straight or better and not the board's, by
    the dealer's outs, and by whether the raise loses or gains.
    """
    held = np.empty(5, np.int64)
    cards = np.empty(LEFT, np.int64)
    mapped = np.empty((10, LEFT), np.int64)
    flops = np.empty(10, np.int64)
    values = np.empty(HOLDINGS, np.int64)
    order = np.empty(HOLDINGS, np.int64)
    below = np.empty(HOLDINGS, np.int64)
    level = np.empty(HOLDINGS, np.int64)
    outs = np.empty(HOLDINGS, np.int64)
    starts = np.zeros(VALUES, np.int32)
    total_at = np.empty(11, np.int64)
    card_at = np.empty((11, LEFT), np.int64)
    ends = np.empty(ENDS, np.int64)
    for number in range(first, boards.shape[0], step):
        board = boards[number]
        lay_out(board, held, cards)
        rank_holdings(board, held, cards, values)
        count_below(values, order, starts, below, level, total_at, card_at)
        _dealer_outs(board, held, cards, values, order, outs)
        ranks = board[0] | board[1] | board[2] | board[3]
        of_board = _board_value(board, held)
        at = 0
        for gone in range(4):
            for also_gone in range(gone + 1, 5):
                flops[at] = map_to_flop(board, held, cards, gone, also_gone, mapped[at])
                at += 1
        for one in range(HOLDINGS):
            left, right = FIRST_HELD[one], SECOND_HELD[one]
            if raises_before[HOLE_INDEX[52 * cards[left] + cards[right]]]:
                continue
            waited = 10
            for at in range(10):
                waited -= raises_flop[flops[at], HOLE_INDEX[52 * mapped[at, left] + mapped[at, right]]]
            if not waited:
                continue
            split_ends(one, values, below, level, total_at, card_at, ends)
            category = CATEGORY[values[one]]
            gain = -fold * DEALERS
            for end in range(ENDS):
                gain += ends[end] * (fixed[end, category] + play[end, category])
            high, low = cards[left] >> 2, cards[right] >> 2
            paired = high == low or (ranks >> high & 1) == 1 or (ranks >> low & 1) == 1
            made = category >= STRAIGHT and values[one] > of_board
            gained[int(paired or made), outs[one], int(gain > 0)] += waited * all_ways[number] * gain


@parallel_kernel
def count_river(
    threads: int,
    boards: NDArray[np.int64],
    ways: NDArray[np.int64],
    fixed: NDArray[np.int64],
    play: NDArray[np.int64],
    fold: int,
    raises_before: NDArray[np.bool_],
    raises_flop: NDArray[np.bool_],
    gained: NDArray[np.int64],
) -> None:
    """Run `_count_river` on every thread, each into its own array."""
    for thread in numba.prange(threads):
        _count_river(thread, threads, boards, ways, fixed, play, fold, raises_before, raises_flop, gained[thread])
