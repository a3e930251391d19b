"""Boards as one suit sees them: sums over every way to complete a board, without going through suits one by one.

What a hand is worth on a board depends on ranks, except where a suit makes flushes possible, and a board has at most
one such suit. So a sum over boards is the sum by ranks, as if there were no flushes, and for each suit what its
flushes change. A suit's view of a board is the ranks it has there and the ranks of the other cards; how many boards
have a view without the cards already held follows from their classes.
"""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import (
    CARD_RANK_KEY,
    CLASSES,
    FIRST_KIND,
    FIRST_PAIR,
    HIGHER,
    KINDS,
    LOWER,
    PAIRS,
    RANKS,
    SECOND_KIND,
    compare,
    new_board,
    rank_plain,
    sort_by_value,
)
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY
from pitboss.odds.symmetry import hole_cards

ONE_OF_DEALERS, BOTH_OF_DEALERS = 44, 990  # hands the dealer may hold, one card seen or none
NO_VALUE = 1 << 20
HALF = 16  # lanes of the ranks, three of them idle
RANK_SETS = 6188  # of five ranks, repeats allowed
CHOOSE = np.array([[1 if k == 0 else 0 for k in range(6)] for _ in range(20)], np.int64)
for _n in range(1, 20):
    for _k in range(1, 6):
        CHOOSE[_n, _k] = CHOOSE[_n - 1, _k - 1] + CHOOSE[_n - 1, _k]

# By class: the two ranks as a pair, and how many of its cards have a rank outside the suit.
PAIR_OF_CLASS = np.zeros(CLASSES, np.int64)
HELD = np.zeros((RANKS, CLASSES), np.int64)
CLASS_WITH = np.zeros((KINDS, KINDS), np.int64)
for _holding in range(CLASSES):
    _first, _second = FIRST_KIND[_holding], SECOND_KIND[_holding]
    _low, _high = sorted((int(_first % RANKS), int(_second % RANKS)))
    PAIR_OF_CLASS[_holding] = RANKS * _low - (_low * (_low - 1) >> 1) + _high - _low
    CLASS_WITH[_first, _second] = CLASS_WITH[_second, _first] = _holding
    for _kind in (_first, _second):
        if _kind < RANKS:
            HELD[_kind, _holding] += 1

_low_card, _high_card = hole_cards()
# By suit and hole: its class as the suit sees it. By hole: the pair of its ranks.
CLASS_OF = np.array(
    [
        [
            CLASS_WITH[a >> 2 if a & 3 != suit else RANKS + (a >> 2), b >> 2 if b & 3 != suit else RANKS + (b >> 2)]
            for a, b in zip(_low_card.tolist(), _high_card.tolist(), strict=True)
        ]
        for suit in range(4)
    ],
    np.int64,
)
PAIR_OF = PAIR_OF_CLASS[CLASS_OF[0]]


class Sums(NamedTuple):
    """What is summed: each number has a fixed part, and a part that depends on the river's decision.

    Forms are linear: what is added for nothing, for each of the dealer's hands that loses, that ties and that has
    no pair, given the category of the player's hand.
    """

    always: NDArray[np.int64]  # by number, category and term
    raised: NDArray[np.int64]  # by number, category and term: added where the river is raised
    folded: NDArray[np.int64]  # by number: added where it is folded
    decision: NDArray[np.int64]  # by category and term: what a raise on the river gains over a fold


def linear(by_end: NDArray[np.int64], dealers: int) -> NDArray[np.int64]:
    """Return what is given by end and category as a form: by category, the four terms."""
    win, win_no_pair, lose, lose_no_pair, tie, tie_no_pair = by_end
    paired = np.stack([dealers * lose, win - lose, tie - lose, win_no_pair - win], axis=1)
    unpaired = np.stack(
        [dealers * lose, win_no_pair - lose_no_pair, tie_no_pair - lose_no_pair, lose_no_pair - lose], axis=1
    )
    paired[0] = unpaired[0]  # a high card beats only dealers without a pair
    return paired


Integers = NDArray[np.int64]


@inlined
def five_index(ranks):
    """Return the number of five ranks in increasing order."""
    return (
        CHOOSE[ranks[0], 1]
        + CHOOSE[ranks[1] + 1, 2]
        + CHOOSE[ranks[2] + 2, 3]
        + CHOOSE[ranks[3] + 3, 4]
        + CHOOSE[ranks[4] + 4, 5]
    )


@kernel
def index_of(counts, ranks):
    """Return the number of five ranks that are given by how often each is there."""
    at = 0
    for rank in range(RANKS):
        for _ in range(counts[rank]):
            ranks[at] = rank
            at += 1
    return five_index(ranks)


@inlined
def _summed(category, wins, ties, no_pair, sums, number, is_raised):
    form = sums.always[number, category]
    value = form[0] + form[1] * wins + form[2] * ties + form[3] * no_pair
    if is_raised:
        form = sums.raised[number, category]
        return value + form[0] + form[1] * wins + form[2] * ties + form[3] * no_pair
    return value + sums.folded[number]


@kernel
def _others_of(kind, copies, of_class, values, counts, of_kind):
    """List the dealer's other cards with a card of a kind, worst hand first; return how many kinds, and no pairs."""
    known = 0
    no_pair = 0
    for other in range(KINDS):
        left = copies[other] - (other == kind)
        of_kind[other] = NO_VALUE
        if left <= 0:
            continue
        value = of_class[CLASS_WITH[kind, other]]
        of_kind[other] = value
        if value < FIRST_PAIR:
            no_pair += left
        at = known
        while at > 0 and values[at - 1] > value:
            values[at] = values[at - 1]
            counts[at] = counts[at - 1]
            at -= 1
        values[at] = value
        counts[at] = left
        known += 1
    values[known] = 2 * NO_VALUE  # above every hand: what follows need not look for the end
    return known, no_pair


@kernel
def sum_by_ranks(
    first: int,
    step: int,
    sums: Sums,
    found: NDArray[np.int32],
) -> None:
    """Sum for each set of five ranks, as if there were no flushes, by pair and by the rank of the dealer's card."""
    board = new_board()
    values, counts = np.zeros(KINDS + 1, np.int64), np.zeros(KINDS + 1, np.int64)
    of_kind = np.zeros(KINDS, np.int64)
    ranks = np.zeros(5, np.int64)
    number = -1
    for a in range(RANKS):
        for b in range(a, RANKS):
            for c in range(b, RANKS):
                for d in range(c, RANKS):
                    for e in range(d, RANKS):
                        number += 1
                        if a == e or number % step != first:
                            continue
                        key = 0
                        board.copies[:] = 0
                        board.copies[:RANKS] = 4
                        ranks[:] = (a, b, c, d, e)
                        for rank in ranks:
                            board.copies[rank] -= 1
                            key += CARD_RANK_KEY[rank]
                        count = rank_plain(board, key)
                        sort_by_value(board, count)
                        to = found[five_index(ranks)]
                        if found.shape[3] == 1:
                            against_all(board, count, sums, to)
                            continue
                        for kind in range(RANKS):
                            if board.copies[kind]:
                                _against_one(board, count, kind, values, counts, of_kind, sums, to)


@kernel
def against_all(board, count, sums, to):
    """Write the sums of every class against a dealer of whom nothing is seen."""
    compare(board, count)
    without_pair, by_kind = board.total_at[1], board.kind_at[1]
    for at in range(count):
        holding = board.live[at]
        value = board.values[holding]
        wins, ties = board.below[holding], board.level[holding]
        no_pair = without_pair - by_kind[FIRST_KIND[holding]] - by_kind[SECOND_KIND[holding]]
        no_pair += value < FIRST_PAIR  # a holding is counted out twice, once for each of its cards
        category = CATEGORY[value]
        form = sums.decision[category]
        is_raised = form[0] + form[1] * wins + form[2] * ties + form[3] * no_pair >= 0
        for number in range(to.shape[0]):
            to[number, holding, 0] = _summed(category, wins, ties, no_pair, sums, number, is_raised)


@kernel
def _against_one(board, count, kind, values, counts, of_kind, sums, to):
    """Write the sums of every class against a dealer who shows a card of a kind."""
    _, all_no_pair = _others_of(kind, board.copies, board.values, values, counts, of_kind)
    below = 0
    at_value = 0
    for at in range(count):
        holding = board.live[at]
        value = board.values[holding]
        while values[at_value] < value:
            below += counts[at_value]
            at_value += 1
        level = 0
        next_value = at_value
        while values[next_value] == value:
            level += counts[next_value]
            next_value += 1
        # Two of the dealer's other cards are in the player's hand.
        either, other = of_kind[FIRST_KIND[holding]], of_kind[SECOND_KIND[holding]]
        wins = below - (either < value) - (other < value)
        ties = level - (either == value) - (other == value)
        no_pair = all_no_pair - (either < FIRST_PAIR) - (other < FIRST_PAIR)
        category = CATEGORY[value]
        form = sums.decision[category]
        is_raised = form[0] + form[1] * wins + form[2] * ties + form[3] * no_pair >= 0
        for number in range(to.shape[0]):
            to[number, holding, kind] = _summed(category, wins, ties, no_pair, sums, number, is_raised)


@kernel
def sum_plain(known, by_ranks, found):
    """Sum over every way to complete a board by ranks, as if there were no flushes; by number, pair and rank."""
    found[:] = 0
    counts = known.copy()
    missing = 5 - known.sum()
    ranks = np.zeros(5, np.int64)
    chosen = np.zeros(max(missing, 1), np.int64)
    added = np.zeros(RANKS, np.int64)
    drawn_ranks = np.zeros(5, np.int64)
    while True:
        counts[:] = known
        added[:] = 0
        for at in range(missing):
            counts[chosen[at]] += 1
            added[chosen[at]] += 1
        if counts.max() <= 4:
            different = 0
            for rank in range(RANKS):
                if added[rank]:
                    drawn_ranks[different] = rank
                    different += 1
            board = by_ranks[index_of(counts, ranks)]
            for pair in range(PAIRS):
                low, high = LOWER[pair], HIGHER[pair]
                for rank in range(found.shape[2]):
                    ways = 1
                    for index in range(different):
                        drawn = drawn_ranks[index]
                        left = 4 - known[drawn] - (low == drawn) - (high == drawn)
                        left -= found.shape[2] > 1 and rank == drawn
                        ways *= CHOOSE[left, added[drawn]] if left >= 0 else 0
                    if ways:
                        for number in range(found.shape[0]):
                            found[number, pair, rank] += ways * board[number, pair, rank]
        at = missing - 1
        while at >= 0 and chosen[at] == RANKS - 1:
            at -= 1
        if at < 0:
            return
        value = chosen[at] + 1
        for after in range(at, missing):
            chosen[after] = value
