"""Whether to raise on the river, a bit for each kind of board and holding."""

# Where no suit has three cards on the board, nobody can have a flush and suits do not matter: a board is its five
# ranks, a holding two. Where one suit has three, only that suit matters: a board is the ranks it has in the suit and
# those it has outside it, a holding two ranks, each in the suit or outside. That makes 42,783 boards instead of
# 134,459, and rows of 91 or 351 holdings instead of 1,081.

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY, FLUSH, RANK_KEY, VALUES, value5, value7

FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
RANKS, SUIT_RANKS = 13, 26
WIN, WIN_NO_PAIR, LOSE, LOSE_NO_PAIR, TIE, TIE_NO_PAIR = range(6)
DEALERS = 990
PLAIN_BYTES, SUITED_BYTES = 12, 44  # of a row: 91 bits, and 351


def _pairs(kinds: int) -> NDArray[np.uint16]:
    # The number of a pair of kinds in either order, including a kind with itself; indexed by `kinds` * one + the other.
    table = np.empty((kinds, kinds), np.uint16)
    for high in range(kinds):
        for low in range(high + 1):
            table[high, low] = table[low, high] = high * (high + 1) // 2 + low
    return table.ravel()


def _first_rows() -> NDArray[np.uint16]:
    # By the ranks a board has in its suit: the first of the rows for the ranks it has outside.
    table = np.zeros(1 << RANKS, np.uint16)
    row = 0
    for mask in range(1 << RANKS):
        if 3 <= mask.bit_count() <= 5:
            table[mask] = row
            row += (91, RANKS, 1)[mask.bit_count() - 3]
    return table


# Unsigned, like every table index: a signed one would be checked for being negative.
PLAIN_PAIR, SUITED_PAIR, FIRST_ROW = _pairs(RANKS), _pairs(SUIT_RANKS), _first_rows()
PLAIN_ROWS, SUITED_ROWS = 6_175, 36_608


class Raises(NamedTuple):
    """The bits of boards on which no flush can be made, a row by value of the ranks, and of those on which one can."""

    plain: NDArray[np.uint8]
    suited: NDArray[np.uint8]


def no_raises() -> Raises:
    """Return tables in which nobody raises yet."""
    return Raises(np.zeros((VALUES, PLAIN_BYTES), np.uint8), np.zeros((SUITED_ROWS, SUITED_BYTES), np.uint8))


@inlined
def plain_place(row, first, second):
    """Return where the bit of two cards is, given the value of a board's ranks."""
    return (row * PLAIN_BYTES << 3) + np.int64(PLAIN_PAIR[RANKS * (first >> 2) + (second >> 2)])


@inlined
def suited_place(row, suit, first, second):
    """Return where the bit of two cards is, given the row of a board and its suit."""
    first_kind = first >> 2 if first & 3 == suit else RANKS + (first >> 2)
    other = second >> 2 if second & 3 == suit else RANKS + (second >> 2)
    return (row * SUITED_BYTES << 3) + np.int64(SUITED_PAIR[SUIT_RANKS * first_kind + other])


@inlined
def suited_row(mask, outside, also_outside):
    """Return the row of a board by its ranks in the suit and those outside it; -1 for a rank it doesn't have."""
    if also_outside >= 0:
        return np.int64(FIRST_ROW[mask]) + np.int64(PLAIN_PAIR[RANKS * outside + also_outside])
    return np.int64(FIRST_ROW[mask]) + max(outside, 0)


class Boards(NamedTuple):
    """Kinds of boards, one row each: the key to its ranks' value, its suit's ranks, and the cards left by kind."""

    key: NDArray[np.int64]
    mask: NDArray[np.int64]
    in_suit: NDArray[np.int64]
    left: NDArray[np.int64]
    row: NDArray[np.int64]  # of the bits of its raises


@kernel
def _room(count, kinds):
    return Boards(
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, kinds), np.int64),
        np.zeros(count, np.int64),
    )


@kernel
def plain_boards():
    """Return the kinds of boards on which no flush can be made: five ranks, not all equal."""
    boards = _room(PLAIN_ROWS, RANKS)
    number = 0
    for a in range(RANKS):
        for b in range(a + 1):
            for c in range(b + 1):
                for d in range(c + 1):
                    for e in range(d + 1):
                        if a == e:
                            continue
                        left = boards.left[number]
                        left[:] = 4
                        key = 0
                        for rank in (a, b, c, d, e):
                            left[rank] -= 1
                            key += RANK_KEY[4 * rank]
                        boards.key[number] = key
                        boards.row[number] = value5(key)
                        number += 1
    return boards


@kernel
def suited_boards():
    """Return the kinds of boards with three or more of a suit: the ranks in the suit and those outside it."""
    boards = _room(SUITED_ROWS, SUIT_RANKS)
    number = 0
    own = np.empty(RANKS, np.int64)
    for mask in range(1 << RANKS):
        in_suit = 0
        key = 0
        own[:] = 1
        for rank in range(RANKS):
            if mask >> rank & 1:
                in_suit += 1
                key += RANK_KEY[4 * rank]
                own[rank] = 0
        if in_suit < 3 or in_suit > 5:
            continue
        for outside in range(0 if in_suit < 5 else -1, RANKS if in_suit < 5 else 0):
            for also in range(0 if in_suit < 4 else -1, outside + 1 if in_suit < 4 else 0):
                left = boards.left[number]
                left[:RANKS] = own
                left[RANKS:] = 3
                whole = key
                for rank in (outside, also):
                    if rank >= 0:
                        left[RANKS + rank] -= 1
                        whole += RANK_KEY[4 * rank]
                boards.key[number] = whole
                boards.mask[number] = mask
                boards.in_suit[number] = in_suit
                boards.row[number] = suited_row(mask, outside, also)
                number += 1
    return boards


@kernel
def _holdings(kinds, key, mask, in_suit, left):
    # Pairs of kinds that the deck still has, lowest value first: the value, and in the bits below it the two kinds.
    # Kinds are the ranks, or the ranks in the suit and then those outside it; `left` says how many cards of each kind
    # the deck still has.
    found = np.empty(kinds * (kinds + 1) // 2, np.int64)
    count = 0
    for number in range(kinds):
        for other in range(number + 1):
            if left[number] == 0 or left[other] == (1 if number == other else 0):
                continue
            suited = (number < RANKS) + (other < RANKS)
            if in_suit and in_suit + suited >= 5:
                whole = mask
                if number < RANKS:
                    whole |= 1 << number
                if other < RANKS:
                    whole |= 1 << other
                value = np.int64(FLUSH[whole])
            else:
                value = np.int64(value7(key + RANK_KEY[4 * (number % RANKS)] + RANK_KEY[4 * (other % RANKS)]))
            found[count] = (value << 5 | number) << 5 | other
            count += 1
    return np.sort(found[:count])


@kernel
def _add(pair, left, with_card):
    first, other = pair >> 5 & 31, pair & 31
    if first == other:
        with_card[first] += left[first] - 1
        return left[first] * (left[first] - 1) // 2
    with_card[first] += left[other]
    with_card[other] += left[first]
    return left[first] * left[other]


@kernel
def _gain(value, wins, ties, no_pair, gains):
    # What a raise gains over a fold against the dealer's 990 holdings, given how many of them have no pair.
    loses = DEALERS - wins - ties
    own = gains[CATEGORY[value]]
    if value >= FIRST_PAIR:
        return (wins - no_pair) * own[WIN] + no_pair * own[WIN_NO_PAIR] + loses * own[LOSE] + ties * own[TIE]
    lost_to_no_pair = no_pair - wins - ties
    return (
        wins * own[WIN_NO_PAIR]
        + (loses - lost_to_no_pair) * own[LOSE]
        + lost_to_no_pair * own[LOSE_NO_PAIR]
        + ties * own[TIE_NO_PAIR]
    )


@kernel
def _mark(kinds, pairs, key, mask, in_suit, left, gains, equal_raises, row):
    holdings = _holdings(kinds, key, mask, in_suit, left)
    # Running counts of pairs of cards, and of those that hold one given card of a kind.
    no_pair = 0
    no_pair_with = np.zeros(kinds, np.int64)
    for at in range(holdings.size):
        if holdings[at] >> 10 >= FIRST_PAIR:
            break
        no_pair += _add(holdings[at], left, no_pair_with)
    total = 0
    with_card = np.zeros(kinds, np.int64)
    at = 0
    while at < holdings.size:
        value = holdings[at] >> 10
        end = at
        below, below_with = total, with_card.copy()
        while end < holdings.size and holdings[end] >> 10 == value:
            total += _add(holdings[end], left, with_card)
            end += 1
        for place in range(at, end):
            first, other = holdings[place] >> 5 & 31, holdings[place] & 31
            # The holding itself is counted twice among those with one of its cards and once among all; it ties itself.
            wins = below - below_with[first] - below_with[other]
            ties = total - with_card[first] - with_card[other] + 1 - wins
            without = no_pair - no_pair_with[first] - no_pair_with[other] + (1 if value < FIRST_PAIR else 0)
            gain = _gain(value, wins, ties, without, gains)
            if gain > 0 or (gain == 0 and equal_raises):
                bit = np.int64(pairs[kinds * first + other])
                row[bit >> 3] |= 1 << (bit & 7)
        at = end


@kernel
def _mark_all(kinds, pairs, boards, gains, equal_raises, bits):
    for at in range(boards.row.size):
        key, mask, in_suit, left = boards.key[at], boards.mask[at], boards.in_suit[at], boards.left[at]
        _mark(kinds, pairs, key, mask, in_suit, left, gains, equal_raises, bits[boards.row[at]])


def river_raises(gains: NDArray[np.int64], *, equal_raises: bool) -> Raises:
    """Return when a raise on the river is worth more than a fold, by what it gains in each category and end."""
    raises = no_raises()
    _mark_all(RANKS, PLAIN_PAIR, plain_boards(), gains, equal_raises, raises.plain)
    _mark_all(SUIT_RANKS, SUITED_PAIR, suited_boards(), gains, equal_raises, raises.suited)
    return raises
