"""Counts behind the short rules after the river: what a raise gains, by what a person can see at a glance."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import (
    CARD_RANK_KEY,
    DEALERS,
    FIRST_KIND,
    KINDS,
    ONE_SUIT,
    RANKS,
    SECOND_KIND,
    TWO_SUITS,
    new_board,
    read_board,
)
from pitboss.games.ultimate_texas_holdem.kernels import flops_raised, no_flops_raised, worth_raised
from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import CATEGORY, FLUSH, value5, value6

STRAIGHT = 4


@kernel
def _value_of_board(masks, board, flush, with_one):
    """Return the board's own value, and by kind its value with one card of that kind."""
    key = 0
    mask = 0
    on_suit = 0
    if flush >= 0:
        mask = masks[flush]
    for at in range(5):
        key += CARD_RANK_KEY[board.held[at] >> 2]
        on_suit += board.held[at] & 3 == flush
    for kind in range(KINDS):
        with_one[kind] = 0
        if not board.copies[kind]:
            continue
        rank = kind % RANKS
        if kind >= RANKS and on_suit >= 4:
            with_one[kind] = FLUSH[mask | 1 << rank]
        else:
            with_one[kind] = FLUSH[mask] if on_suit == 5 else value6(key + CARD_RANK_KEY[rank])
    return np.int64(FLUSH[mask]) if on_suit == 5 else np.int64(value5(key))


@kernel
def count_river(
    first: int,
    step: int,
    boards: NDArray[np.int64],
    all_ways: NDArray[np.int64],
    fixed: NDArray[np.int64],
    play: NDArray[np.int64],
    fold: int,
    raises_before: NDArray[np.int64],
    raises_flop: NDArray[np.uint8],
    gained: NDArray[np.int64],
) -> None:
    """Sum what a raise after the river gains over a fold, over every `step`-th board, where neither was raised before.

    `gained` is indexed by whether a card of the hand is paired or the hand is a straight or better that isn't the
    board's own, by the dealer's outs, and by whether the raise loses or gains. Decisions are by ranks and by slot.
    """
    board = new_board()
    found = no_flops_raised()
    with_one = np.zeros(KINDS, np.int64)
    for number in range(first, boards.shape[0], step):
        masks = boards[number]
        flush, count = read_board(masks, board)
        flops_raised(masks, board, flush, raises_flop, found)
        of_board = _value_of_board(masks, board, flush, with_one)
        ranks = masks[0] | masks[1] | masks[2] | masks[3]
        for at in range(count):
            holding = board.live[at]
            suited, others = board.suited[holding], board.holdings[holding] - board.suited[holding]
            early = suited * raises_before[ONE_SUIT[holding]] + others * raises_before[TWO_SUITS[holding]]
            waited = 10 * (board.holdings[holding] - early) - found.raised[holding]
            if not waited:
                continue
            value = board.values[holding]
            outs = 0
            for kind in range(KINDS):
                # One of the two cards held never makes a better hand than both of them together.
                if with_one[kind] > value:
                    outs += board.copies[kind]
            high, low = FIRST_KIND[holding] % RANKS, SECOND_KIND[holding] % RANKS
            paired = high == low or (ranks >> high & 1) == 1 or (ranks >> low & 1) == 1
            made = CATEGORY[value] >= STRAIGHT and value > of_board
            base, each = worth_raised(holding, CATEGORY[value], board.ends, fixed, play)
            gain = base + each - fold * DEALERS
            gained[int(paired or made), outs, int(gain > 0)] += waited * all_ways[number] * gain
