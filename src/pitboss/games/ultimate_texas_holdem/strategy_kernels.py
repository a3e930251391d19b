"""Which holdings raise on the river by rules to memorize, a bit for each kind of holding."""

# Boards and holdings are distinguished as in `raise_kernels`: by ranks only if no flush is possible, otherwise by ranks
# in the one suit that matters and ranks outside it.

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np

from pitboss.games.ultimate_texas_holdem.raise_kernels import (
    PLAIN_PAIR,
    RANKS,
    SUIT_RANKS,
    SUITED_PAIR,
    Raises,
    no_raises,
    plain_boards,
    suited_boards,
)
from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import CATEGORY, FLUSH, RANK_KEY, value5, value6, value7

STRAIGHT = 4
NEVER = 10  # above every category


@kernel
def _with_cards(kind, also, key, mask, in_suit):
    # The value of a board with one card of a kind, and with a second one unless it is -1.
    suited = in_suit + (kind < RANKS) + (0 <= also < RANKS)
    if in_suit and suited >= 5:
        whole = mask
        if kind < RANKS:
            whole |= 1 << kind
        if 0 <= also < RANKS:
            whole |= 1 << also
        return np.int64(FLUSH[whole])
    whole = key + RANK_KEY[4 * (kind % RANKS)]
    if also < 0:
        return np.int64(value6(whole))
    return np.int64(value7(whole + RANK_KEY[4 * (also % RANKS)]))


@kernel
def _mark(kinds, pairs, key, mask, in_suit, left, own_pairs, most_outs, least, row):
    board = np.int64(FLUSH[mask]) if in_suit == 5 else np.int64(value5(key))
    full = 4 if kinds == RANKS else 3
    on_board = np.empty(RANKS, np.bool_)
    for rank in range(RANKS):
        on_board[rank] = left[kinds - RANKS + rank] < full or mask >> rank & 1
    with_one = np.zeros(kinds, np.int64)
    for kind in range(kinds):
        if left[kind]:  # a card that is gone has no value
            with_one[kind] = _with_cards(kind, -1, key, mask, in_suit)
    for number in range(kinds):
        for other in range(number + 1):
            if left[number] == 0 or left[other] == (1 if number == other else 0):
                continue
            value = _with_cards(number, other, key, mask, in_suit)
            high, low = number % RANKS, other % RANKS
            raises = np.int64(CATEGORY[value]) >= least
            if own_pairs and not raises:
                raises = high == low or on_board[high] or on_board[low]
                raises |= np.int64(CATEGORY[value]) >= STRAIGHT and value > board
            if most_outs >= 0 and not raises:
                # One of the two cards held never makes a better hand than both of them together.
                outs = 0
                for kind in range(kinds):
                    if with_one[kind] > value:
                        outs += left[kind]
                raises = outs <= most_outs
            if raises:
                bit = np.int64(pairs[kinds * number + other])
                row[bit >> 3] |= 1 << (bit & 7)


@kernel
def _mark_all(kinds, pairs, boards, own_pairs, most_outs, least, bits):
    for at in range(boards.row.size):
        key, mask, in_suit, left = boards.key[at], boards.mask[at], boards.in_suit[at], boards.left[at]
        _mark(kinds, pairs, key, mask, in_suit, left, own_pairs, most_outs, least, bits[boards.row[at]])


def raises_by_rules(*, own_pairs: bool = False, most_outs: int = -1, least_category: int = NEVER) -> Raises:
    """Return who raises: a category or better; a pair of its own or a straight or better above the board; few outs."""
    raises = no_raises()
    _mark_all(RANKS, PLAIN_PAIR, plain_boards(), own_pairs, most_outs, least_category, raises.plain)
    _mark_all(SUIT_RANKS, SUITED_PAIR, suited_boards(), own_pairs, most_outs, least_category, raises.suited)
    return raises
