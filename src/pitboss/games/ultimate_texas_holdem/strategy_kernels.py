"""Which holdings raise on the river by rules to memorize, a bit for each kind of holding."""

# Boards and holdings are told apart as in `raise_kernels`: by ranks alone where no flush can be made, else by ranks in
# the one suit that matters and ranks outside it.

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np

from pitboss.games.ultimate_texas_holdem.raise_kernels import (
    PLAIN_BYTES,
    PLAIN_PAIR,
    RANKS,
    SUIT_RANKS,
    SUITED_BYTES,
    SUITED_PAIR,
    SUITED_ROWS,
    Raises,
    suited_row,
)
from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import CATEGORY, FLUSH, RANK_KEY, VALUES, value5, value6, value7

STRAIGHT = 4
NEVER = 10  # above every category


@kernel
def _with_cards(kind, also, key, mask, in_suit):
    # The value of a board with one card of a kind, and with another where there is one; -1 stands for no other.
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
        if left[kind]:  # a card that there is not has no value
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
                # Neither of the two cards held makes a better hand alone than both make together.
                outs = 0
                for kind in range(kinds):
                    if with_one[kind] > value:
                        outs += left[kind]
                raises = outs <= most_outs
            if raises:
                bit = np.int64(pairs[kinds * number + other])
                row[bit >> 3] |= 1 << (bit & 7)


@kernel
def _mark_plain(own_pairs, most_outs, least, bits):
    left = np.empty(RANKS, np.int64)
    for a in range(RANKS):
        for b in range(a + 1):
            for c in range(b + 1):
                for d in range(c + 1):
                    for e in range(d + 1):
                        if a == e:
                            continue
                        left[:] = 4
                        key = 0
                        for rank in (a, b, c, d, e):
                            left[rank] -= 1
                            key += RANK_KEY[4 * rank]
                        row = bits[np.int64(value5(key))]
                        _mark(RANKS, PLAIN_PAIR, key, 0, 0, left, own_pairs, most_outs, least, row)


@kernel
def _mark_suited(own_pairs, most_outs, least, bits):
    left = np.empty(SUIT_RANKS, np.int64)
    for mask in range(1 << RANKS):
        in_suit = 0
        key = 0
        left[:RANKS] = 1
        for rank in range(RANKS):
            if mask >> rank & 1:
                in_suit += 1
                key += RANK_KEY[4 * rank]
                left[rank] = 0
        if in_suit < 3 or in_suit > 5:
            continue
        for outside in range(0 if in_suit < 5 else -1, RANKS if in_suit < 5 else 0):
            for also in range(0 if in_suit < 4 else -1, outside + 1 if in_suit < 4 else 0):
                left[RANKS:] = 3
                whole = key
                for rank in (outside, also):
                    if rank >= 0:
                        left[RANKS + rank] -= 1
                        whole += RANK_KEY[4 * rank]
                row = bits[suited_row(mask, outside, also)]
                _mark(SUIT_RANKS, SUITED_PAIR, whole, mask, in_suit, left, own_pairs, most_outs, least, row)


def raises_by_rules(*, own_pairs: bool = False, most_outs: int = -1, least_category: int = NEVER) -> Raises:
    """Return who raises: a category or better; a pair of its own or a straight or better above the board; few outs."""
    plain = np.zeros((VALUES, PLAIN_BYTES), np.uint8)
    suited = np.zeros((SUITED_ROWS, SUITED_BYTES), np.uint8)
    _mark_plain(own_pairs, most_outs, least_category, plain)
    _mark_suited(own_pairs, most_outs, least_category, suited)
    return Raises(plain, suited)
