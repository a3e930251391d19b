"""One player's situation at a time: every dealer's hand, and after the flop every turn and river."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import DEALERS, ENDS, FIRST_PAIR, LOSE, TIE, WIN
from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import CARD_KEY, CATEGORY, FLUSH, FLUSH_BITS, START, flush_suit, value7


@kernel
def _value(key: int, masks: NDArray[np.int64], first: int, second: int) -> int:
    whole = key + CARD_KEY[first] + CARD_KEY[second]
    if whole & FLUSH_BITS:
        suit = flush_suit(whole)
        mask = masks[suit]
        if first & 3 == suit:
            mask |= 1 << (first >> 2)
        if second & 3 == suit:
            mask |= 1 << (second >> 2)
        return np.int64(FLUSH[mask])
    return np.int64(value7(whole))


@kernel
def ends_against(board: NDArray[np.int64], hole: NDArray[np.int64], ends: NDArray[np.int64]) -> int:
    """Split the dealer's 990 holdings by how one hand ends after the river; return the hand's category."""
    key = START
    masks = np.zeros(4, np.int64)
    gone = np.zeros(52, np.bool_)
    for card in board:
        key += CARD_KEY[card]
        masks[card & 3] |= 1 << (card >> 2)
        gone[card] = True
    gone[hole[0]] = True
    gone[hole[1]] = True
    ends[:] = 0
    value = _value(key, masks, hole[0], hole[1])
    for first in range(51):
        if gone[first]:
            continue
        for second in range(first + 1, 52):
            if gone[second]:
                continue
            against = _value(key, masks, first, second)
            end = WIN if value > against else LOSE if value < against else TIE
            ends[end + (against < FIRST_PAIR)] += 1
    return CATEGORY[value]


@kernel
def worth_after_flop(
    flop: NDArray[np.int64], hole: NDArray[np.int64], fixed: NDArray[np.int64], play: NDArray[np.int64], fold: int
) -> tuple[int, int, int]:
    """Sum over every turn and river what is won regardless of the raise, what each unit raised wins, and a check."""
    board = np.empty(5, np.int64)
    board[:3] = flop
    gone = np.zeros(52, np.bool_)
    for card in flop:
        gone[card] = True
    for card in hole:
        gone[card] = True
    ends = np.empty(ENDS, np.int64)
    all_base = 0
    all_each = 0
    waited = 0
    for turn in range(51):
        if gone[turn]:
            continue
        board[3] = turn
        for river in range(turn + 1, 52):
            if gone[river]:
                continue
            board[4] = river
            category = ends_against(board, hole, ends)
            base = 0
            each = 0
            for end in range(ENDS):
                base += ends[end] * fixed[end, category]
                each += ends[end] * play[end, category]
            all_base += base
            all_each += each
            waited += max(base + each, fold * DEALERS)
    return all_base, all_each, waited
