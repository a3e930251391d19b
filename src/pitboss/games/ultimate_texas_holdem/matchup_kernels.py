"""What every hole is worth against every two cards of the dealer, both known: sums over boards, suit by suit.

Sums are whole numbers kept as floating point, exact below 2^53, because loops over them run eight side by side.
"""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import (
    CARD_RANK_KEY,
    CLASSES,
    FIRST_PAIR,
    HIGHER,
    LOSE,
    LOSE_NO_PAIR,
    LOWER,
    MIXED,
    PAIRS,
    RANKS,
    SUITED,
    TIE,
    TIE_NO_PAIR,
    WIN,
    WIN_NO_PAIR,
    new_board,
    rank_plain,
    rank_suited,
)
from pitboss.games.ultimate_texas_holdem.peek_kernels import FIRST_CARD, HOLES, SECOND_CARD, counts_without
from pitboss.games.ultimate_texas_holdem.view_kernels import CHOOSE, CLASS_OF, HELD, PAIR_OF, PAIR_OF_CLASS
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY

HELD_AS_REALS = HELD.astype(np.float64)
PAIRED = np.float64(FIRST_PAIR)
OUT_OF_REACH = np.float64(-(10**15))
HALF = np.ldexp(1, -1)  # of a product of two neighbors, so halved without a remainder

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


@inlined
def _worth(mine, dealers, ends):
    # All three are looked up and one is taken: without branches the loop runs over many hands at once.
    has_pair = dealers >= PAIRED
    win = ends[WIN] if has_pair else ends[WIN_NO_PAIR]
    lose = ends[LOSE] if has_pair else ends[LOSE_NO_PAIR]
    tie = ends[TIE] if has_pair else ends[TIE_NO_PAIR]
    return win if dealers < mine else (lose if dealers > mine else tie)


@kernel
def _add_row(mine, plain_mine, own, plain_own, of_class, plain_of_class, ways, start, to):
    """Add to one row what a suit's flushes change against each class of the dealer's hand."""
    win, win_no, lose = own[WIN], own[WIN_NO_PAIR], own[LOSE]
    lose_no, tie, tie_no = own[LOSE_NO_PAIR], own[TIE], own[TIE_NO_PAIR]
    plain_win, plain_win_no, plain_lose = plain_own[WIN], plain_own[WIN_NO_PAIR], plain_own[LOSE]
    plain_lose_no, plain_tie, plain_tie_no = plain_own[LOSE_NO_PAIR], plain_own[TIE], plain_own[TIE_NO_PAIR]
    for holding in range(start, CLASSES):
        dealers = of_class[holding]
        has_pair = dealers >= PAIRED
        won = win if has_pair else win_no
        lost = lose if has_pair else lose_no
        tied = tie if has_pair else tie_no
        now = won if dealers < mine else (lost if dealers > mine else tied)
        dealers = plain_of_class[holding]
        has_pair = dealers >= PAIRED
        won = plain_win if has_pair else plain_win_no
        lost = plain_lose if has_pair else plain_lose_no
        tied = plain_tie if has_pair else plain_tie_no
        before = won if dealers < plain_mine else (lost if dealers > plain_mine else tied)
        to[holding] += ways[holding] * (now - before)


@kernel
def _fill_ways(either, other, left_one, left_other, is_live, ways):
    """Write by the dealer's class in how many ways the cards outside the suit that complete the board can be dealt."""
    for holding in range(CLASSES):
        ways[holding] = is_live[holding]
    if either < 0:
        return
    for holding in range(CLASSES):
        more = np.float64(left_one) - HELD_AS_REALS[either, holding]
        if other < 0:
            ways[holding] *= more
        elif either == other:
            ways[holding] *= more * (more - 1) * HALF
        else:
            ways[holding] *= more * (np.float64(left_other) - HELD_AS_REALS[other, holding])


@kernel
def _add_board(mask, counts, either, other, left_one, left_other, ends, room, found):
    """Add what a suit's flushes change on one view of a board, times the ways to complete the board so."""
    board, of_class, plain_of_class, is_live, all_ways, is_made = room
    on_suit = 0
    key = 0
    for rank in range(RANKS):
        in_suit = mask >> rank & 1
        on_suit += in_suit
        board.copies[rank] = 4 - counts[rank] - in_suit
        board.copies[RANKS + rank] = 0
        key += (counts[rank] + in_suit) * CARD_RANK_KEY[rank]
    rank_plain(board, key)
    for holding in range(CLASSES):
        plain_of_class[holding] = board.values[PAIR_OF_CLASS[holding]]
        is_live[holding] = 0
    for rank in range(RANKS):
        board.copies[rank] = 3 - counts[rank]
        board.copies[RANKS + rank] = 1 - (mask >> rank & 1)
    count = rank_plain(board, key)
    count = rank_suited(board, key, mask, on_suit, count)
    for at in range(count):
        holding = board.live[at]
        of_class[holding] = board.values[holding]
        is_live[holding] = 1
    # The ways depend on the player's class only by how many cards of the two ranks it holds: at most nine rows.
    is_made[:] = False
    for at in range(count):
        mine = board.live[at]
        # With three of the suit on the board a flush takes both cards, with four it takes one.
        start = 0
        if on_suit == 3 and mine < SUITED:
            start = SUITED
        elif on_suit == 4 and mine < MIXED:
            start = MIXED
        row = 0
        if either >= 0:
            row = 3 * HELD[either, mine]
            if other >= 0:
                row += HELD[other, mine]
        ways = all_ways[row]
        if not is_made[row]:
            is_made[row] = True
            _fill_ways(either, other, left_one - row // 3, left_other - row % 3, is_live, ways)
        value, plain = of_class[mine], plain_of_class[mine]
        category, plain_category = CATEGORY[np.int64(value)], CATEGORY[np.int64(plain)]
        for number in range(found.shape[0]):
            _add_row(
                value,
                plain,
                ends[number, category],
                ends[number, plain_category],
                of_class,
                plain_of_class,
                ways,
                start,
                found[number, mine],
            )


@kernel
def sum_view(mask, known, ends, found):
    """Sum over every way to complete a board what a suit's flushes change; by number, class and dealer's class."""
    room = (
        new_board(),
        np.zeros(CLASSES),
        np.zeros(CLASSES),
        np.zeros(CLASSES),
        np.zeros((9, CLASSES)),
        np.zeros(9, np.bool_),
    )
    found[:] = 0
    in_suit = 0
    outside = 0
    for rank in range(RANKS):
        in_suit += mask >> rank & 1
        outside += known[rank]
    counts = known.copy()
    left = 3 - known
    missing = 5 - in_suit - outside
    for more in range(1 << RANKS):
        if more & mask:
            continue
        added = 0
        for rank in range(RANKS):
            added += more >> rank & 1
        rest = missing - added
        if rest < 0 or rest > 2 or in_suit + added < 3:
            continue
        whole = mask | more
        if rest == 0:
            _add_board(whole, counts, -1, -1, 0, 0, ends, room, found)
            continue
        for either in range(RANKS):
            if counts[either] == 3:
                continue
            counts[either] += 1
            if rest == 1:
                _add_board(whole, counts, either, -1, left[either], 0, ends, room, found)
            else:
                for other in range(either, RANKS):
                    if counts[other] == 3:
                        continue
                    counts[other] += 1
                    _add_board(whole, counts, either, other, left[either], left[other], ends, room, found)
                    counts[other] -= 1
            counts[either] -= 1


@kernel
def sum_plain(known, ends, found):
    """Sum over every way to complete a board by ranks, as if there were no flushes; by number, pair and pair."""
    found[:] = 0
    board = new_board()
    missing = 5 - known.sum()
    chosen = np.zeros(max(missing, 1), np.int64)
    counts = known.copy()
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
            key = 0
            for rank in range(RANKS):
                board.copies[rank] = 4 - counts[rank]
                board.copies[RANKS + rank] = 0
                key += counts[rank] * CARD_RANK_KEY[rank]
            count = rank_plain(board, key)
            for at in range(count):
                mine = board.live[at]
                value = board.values[mine]
                for place in range(count):
                    pair = board.live[place]
                    ways = 1
                    for index in range(different):
                        drawn = drawn_ranks[index]
                        left = 4 - known[drawn] - (LOWER[mine] == drawn) - (HIGHER[mine] == drawn)
                        left -= (LOWER[pair] == drawn) + (HIGHER[pair] == drawn)
                        ways *= CHOOSE[left, added[drawn]] if left >= 0 else 0
                    if ways:
                        for number in range(found.shape[0]):
                            own = ends[number, CATEGORY[value]]
                            worth = _worth(np.float64(value), np.float64(board.values[pair]), own)
                            found[number, mine, pair] += ways * worth
        at = missing - 1
        while at >= 0 and chosen[at] == RANKS - 1:
            at -= 1
        if at < 0:
            return
        value = chosen[at] + 1
        for after in range(at, missing):
            chosen[after] = value


@kernel
def _is_on(masks, hole):
    first, second = FIRST_CARD[hole], SECOND_CARD[hole]
    return (masks[first & 3] >> (first >> 2) | masks[second & 3] >> (second >> 2)) & 1


@kernel
def _expand(rows, to_class, found):
    for row in range(rows.shape[0]):
        of_row, to = rows[row], found[row]
        for hole in range(HOLES):
            to[hole] = of_row[to_class[hole]]


@kernel
def add_gains(
    first: int,
    step: int,
    boards: Integers,
    all_ways: Integers,
    ends: Reals,
    gained: Reals,
) -> None:
    """Add up over every `step`-th kind of flop what a raise gains where it is better than a check; by two holes."""
    plain = np.zeros((1, PAIRS, PAIRS))
    views = np.zeros((1, CLASSES, CLASSES))
    of_plain = np.zeros((PAIRS, HOLES))
    of_view = np.zeros((4, CLASSES, HOLES))
    known = np.zeros(RANKS, np.int64)
    last = np.full(RANKS, -1)
    nothing = np.zeros(HOLES)
    for number in range(first, boards.shape[0], step):
        masks = boards[number]
        ways = np.float64(all_ways[number])
        cards = counts_without(masks, 4, known)
        # Flops of the same ranks come one after another.
        if not np.array_equal(known, last):
            sum_plain(known, ends, plain)
            last[:] = known
        _expand(plain[0], PAIR_OF, of_plain)
        for hole in range(HOLES):
            if _is_on(masks, hole):
                for pair in range(PAIRS):
                    of_plain[pair, hole] = OUT_OF_REACH
        for suit in range(4):
            outside = counts_without(masks, suit, known)
            if cards - outside + 5 - cards >= 3:
                sum_view(masks[suit], known, ends, views)
                _expand(views[0], CLASS_OF[suit], of_view[suit])
        for hole in range(HOLES):
            if _is_on(masks, hole):
                continue
            rows = of_plain[PAIR_OF[hole]]
            first_suit = of_view[0, CLASS_OF[0, hole]] if masks[0] else nothing
            second_suit = of_view[1, CLASS_OF[1, hole]] if masks[1] else nothing
            third_suit = of_view[2, CLASS_OF[2, hole]] if masks[2] else nothing
            to = gained[hole]
            for other in range(HOLES):
                gain = rows[other] + first_suit[other] + second_suit[other] + third_suit[other]
                to[other] += ways * (gain if gain > 0 else 0)


@kernel
def sum_holes(
    ends: Reals,
    found: Reals,
) -> None:
    """Sum over every board by number and two holes; holes that share a card are never read."""
    numbers = found.shape[0]
    plain = np.zeros((numbers, PAIRS, PAIRS))
    view = np.zeros((numbers, CLASSES, CLASSES))
    known = np.zeros(RANKS, np.int64)
    sum_plain(known, ends, plain)
    sum_view(0, known, ends, view)
    for number in range(numbers):
        for hole in range(HOLES):
            to = found[number, hole]
            row = plain[number, PAIR_OF[hole]]
            for other in range(HOLES):
                to[other] = row[PAIR_OF[other]]
            for suit in range(4):
                of_suit = view[number, CLASS_OF[suit, hole]]
                for other in range(HOLES):
                    to[other] += of_suit[CLASS_OF[suit, other]]
