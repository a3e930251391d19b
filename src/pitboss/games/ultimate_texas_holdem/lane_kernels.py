"""What a suit's flushes change, summed over every way to complete a board, for every card the dealer may show.

A kind of the dealer's card has a lane: sixteen for the ranks outside the suit, sixteen for those in it. Loops over
lanes are in floating point, exact for whole numbers below 2^53, and run eight side by side.
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
    KINDS,
    RANKS,
    SECOND_KIND,
    SUITED,
    Board,
    new_board,
    rank_plain,
    rank_suited,
    sort_by_value,
)
from pitboss.games.ultimate_texas_holdem.view_kernels import (
    HALF,
    HELD,
    NO_VALUE,
    PAIR_OF_CLASS,
    Sums,
    against_all,
    index_of,
)
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY

LANES = 2 * HALF
LANE_OF_KIND = np.array([kind if kind < RANKS else HALF + kind - RANKS for kind in range(KINDS)], np.int64)
LANE_OF = np.array([[(c >> 2) + (HALF if c & 3 == suit else 0) for c in range(52)] for suit in range(4)], np.int64)
FIRST_PAIR_AS_REAL = np.float64(FIRST_PAIR)
ONE, NONE = np.float64(1), np.float64(0)
TO, EITHER, OTHER, LEFT_ONE, LEFT_OTHER = range(5)  # columns of a target
IN_SUIT, OUTSIDE = range(2)

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


class Room(NamedTuple):
    """Room for one view of a board; allocated once and refilled."""

    board: Board
    ranks: Integers
    all_counts: Integers
    now: Integers  # by number and class, where nothing of the dealer's is seen
    values: Reals  # by kind and lane: the dealer's hand with the two
    below: Reals  # by lane, as what follows
    level: Reals
    no_pairs: Reals
    forms: Reals
    change: Reals
    all_ways: Reals  # by target, and by how many cards of the two ranks the player holds
    is_made: NDArray[np.bool_]
    targets: Integers  # where the change belongs, the two ranks that complete a board outside the suit, cards of each


@kernel
def _new_room(numbers):
    return Room(
        new_board(),
        np.zeros(5, np.int64),
        np.zeros(RANKS, np.int64),
        np.zeros((numbers, CLASSES, 1), np.int64),
        np.zeros((KINDS, LANES)),
        np.zeros(LANES),
        np.zeros(LANES),
        np.zeros(LANES),
        np.zeros(13),
        np.zeros(LANES),
        np.zeros((5, 9, LANES)),
        np.zeros((5, 9), np.bool_),
        np.zeros((5, 5), np.int64),
    )


@inlined
def _ways(target, holding):
    # In how many ways the cards outside the suit that complete the board can be dealt without those held.
    if target[EITHER] < 0:
        return 1
    more = target[LEFT_ONE] - HELD[target[EITHER], holding]
    if target[OTHER] < 0:
        return more
    if target[EITHER] == target[OTHER]:
        return more * (more - 1) >> 1
    return more * (target[LEFT_OTHER] - HELD[target[OTHER], holding])


@kernel
def _read_view(mask, counts, room):
    """Rank the classes of one view of a board, worst first; return the number of its ranks, of its suit, of classes."""
    board, ranks, all_counts = room.board, room.ranks, room.all_counts
    on_suit = 0
    key = 0
    for rank in range(RANKS):
        in_suit = mask >> rank & 1
        on_suit += in_suit
        board.copies[rank] = 3 - counts[rank]
        board.copies[RANKS + rank] = 1 - in_suit
        all_counts[rank] = counts[rank] + in_suit
        key += all_counts[rank] * CARD_RANK_KEY[rank]
    count = rank_plain(board, key)
    count = rank_suited(board, key, mask, on_suit, count)
    sort_by_value(board, count)
    return index_of(all_counts, ranks), on_suit, count


@kernel
def _add_unseen(mask, counts, by_ranks, sums, room, found):
    """Add what a suit's flushes change on one view against a dealer of whom nothing is seen, times the ways to it."""
    board, now, target = room.board, room.now, room.targets[0]
    index, _, count = _read_view(mask, counts, room)
    plain = by_ranks[index]
    against_all(board, count, sums, now)
    for at in range(count):
        holding = board.live[at]
        ways = _ways(target, holding)
        for number in range(found.shape[0]):
            change = now[number, holding, 0] - plain[number, PAIR_OF_CLASS[holding], 0]
            found[number, holding, 0] += ways * change


@kernel
def _fill_ways(either, other, left_one, left_other, copies, ways):
    """Write by the dealer's lane in how many ways the cards outside the suit that complete the board can be dealt."""
    for kind in range(KINDS):
        lane = LANE_OF_KIND[kind]
        ways[lane] = 0
        if not copies[kind]:
            continue
        ways[lane] = 1
        if either >= 0:
            more = left_one - (kind == either)
            if other < 0:
                ways[lane] = more
            elif either == other:
                ways[lane] = more * (more - 1) >> 1
            else:
                ways[lane] = more * (left_other - (kind == other))


@kernel
def _fill_change(value, forms, values, first, second, below, level, no_pairs, plain, row, pair, start, change):
    """Write by lane what one class is worth more than by its ranks."""
    # Whole tables and places in them: a slice of a table costs as much as the lanes.
    own = np.float64(value)
    gain, gain_win, gain_tie, gain_no = forms[0], forms[1], forms[2], forms[3]
    base, base_win, base_tie, base_no = forms[4], forms[5], forms[6], forms[7]
    more, more_win, more_tie, more_no, folded = forms[8], forms[9], forms[10], forms[11], forms[12]
    for lane in range(start, LANES):
        either, other = values[first, lane], values[second, lane]
        # Two of the dealer's other cards are in the player's hand.
        wins = below[lane] - (ONE if either < own else NONE) - (ONE if other < own else NONE)
        ties = level[lane] - (ONE if either == own else NONE) - (ONE if other == own else NONE)
        no_pair = no_pairs[lane] - (ONE if either < FIRST_PAIR_AS_REAL else NONE)
        no_pair -= ONE if other < FIRST_PAIR_AS_REAL else NONE
        raised = more + more_win * wins + more_tie * ties + more_no * no_pair
        is_raised = gain + gain_win * wins + gain_tie * ties + gain_no * no_pair >= NONE
        worth = base + base_win * wins + base_tie * ties + base_no * no_pair + (raised if is_raised else folded)
        change[lane] = worth - np.float64(plain[row, pair, lane % HALF])


@kernel
def _count_dealers(holding, copies, counted):
    """Add to the lanes of a class's two kinds how many other cards make that class with them."""
    first, second = FIRST_KIND[holding], SECOND_KIND[holding]
    counted[LANE_OF_KIND[first]] += copies[second] - (first == second)
    if first != second:
        counted[LANE_OF_KIND[second]] += copies[first]


@kernel
def _prepare(room, count):
    """Lay out the dealer's hands by the card shown, and count by lane those without a pair."""
    values, no_pairs, live, of_class = room.values, room.no_pairs, room.board.live, room.board.values
    values[:] = NO_VALUE
    room.below[:] = 0
    no_pairs[:] = 0
    room.is_made[:] = False
    for at in range(count):
        holding = live[at]
        first, second = FIRST_KIND[holding], SECOND_KIND[holding]
        values[first, LANE_OF_KIND[second]] = values[second, LANE_OF_KIND[first]] = of_class[holding]
        if of_class[holding] < FIRST_PAIR:
            _count_dealers(holding, room.board.copies, no_pairs)


@kernel
def _add_to(aims, at, number, holding, start, copies, change, all_ways, is_made, to):
    """Add the change of one class to a target, times the ways to complete its board."""
    onto, either, other = aims[at, TO], aims[at, EITHER], aims[at, OTHER]
    # The ways depend on the player's class only by how many cards of the two ranks it holds.
    held_one = HELD[either, holding] if either >= 0 else 0
    held_other = HELD[other, holding] if other >= 0 else 0
    row = 3 * held_one + held_other
    if not is_made[at, row]:
        is_made[at, row] = True
        left_one, left_other = aims[at, LEFT_ONE] - held_one, aims[at, LEFT_OTHER] - held_other
        _fill_ways(either, other, left_one, left_other, copies, all_ways[at, row])
    for lane in range(start, LANES):
        to[onto, number, holding, lane] += all_ways[at, row, lane] * change[lane]


@kernel
def _add_seen(mask, counts, targets, by_ranks, sums, room, to):
    """Add what a suit's flushes change on one view against every card that the dealer may show, to every target."""
    index, on_suit, count = _read_view(mask, counts, room)
    _prepare(room, count)
    # Taken out of the tuple once: what is passed on whole costs as much as a row.
    live, of_class, copies = room.board.live, room.board.values, room.board.copies
    values, below, level, no_pairs = room.values, room.below, room.level, room.no_pairs
    forms, change, all_ways, is_made, aims = room.forms, room.change, room.all_ways, room.is_made, room.targets
    decision, always, raised, folded = sums.decision, sums.always, sums.raised, sums.folded
    plain = by_ranks[index]
    at = 0
    while at < count:
        value = of_class[live[at]]
        category = CATEGORY[value]
        level[:] = 0
        end = at
        while end < count and of_class[live[end]] == value:
            _count_dealers(live[end], copies, level)
            end += 1
        for number in range(to.shape[1]):
            for term in range(4):
                forms[term] = decision[category, term]
                forms[4 + term] = always[number, category, term]
                forms[8 + term] = raised[number, category, term]
            forms[12] = folded[number]
            for place in range(at, end):
                holding = live[place]
                # With three of the suit on the board and a card outside it the dealer has no flush: only a player may.
                start = HALF if on_suit == 3 and holding < SUITED else 0
                first, second, pair = FIRST_KIND[holding], SECOND_KIND[holding], PAIR_OF_CLASS[holding]
                _fill_change(
                    value, forms, values, first, second, below, level, no_pairs, plain, number, pair, start, change
                )
                for aim in range(targets):
                    _add_to(aims, aim, number, holding, start, copies, change, all_ways, is_made, to)
        for lane in range(LANES):
            below[lane] += level[lane]
        at = end


@kernel
def _aim(room, at, to, either, other, left_one, left_other):
    room.targets[at, TO] = to
    room.targets[at, EITHER] = either
    room.targets[at, OTHER] = other
    room.targets[at, LEFT_ONE] = left_one
    room.targets[at, LEFT_OTHER] = left_other


@kernel
def _add_board(mask, counts, either, other, left, by_ranks, sums, room, found, lanes):
    left_one = left[either] if either >= 0 else 0
    left_other = left[other] if other >= 0 else 0
    _aim(room, 0, 0, either, other, left_one, left_other)
    if found.shape[2] == 1:
        _add_unseen(mask, counts, by_ranks, sums, room, found)
    else:
        _add_seen(mask, counts, 1, by_ranks, sums, room, lanes)


@kernel
def sum_view(mask, known, by_ranks, sums, found):
    """Sum over every way to complete a board what a suit's flushes change.

    `mask` has the ranks of the suit among the cards known, `known` counts the ranks of the others. `found` is by
    number, class and lane of the dealer's card.
    """
    numbers = found.shape[0]
    room = _new_room(numbers)
    lanes = np.zeros((1, numbers, CLASSES, LANES))
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
            _add_board(whole, counts, -1, -1, left, by_ranks, sums, room, found, lanes)
            continue
        for either in range(RANKS):
            if counts[either] == 3:
                continue
            counts[either] += 1
            if rest == 1:
                _add_board(whole, counts, either, -1, left, by_ranks, sums, room, found, lanes)
            else:
                for other in range(either, RANKS):
                    if counts[other] == 3:
                        continue
                    counts[other] += 1
                    _add_board(whole, counts, either, other, left, by_ranks, sums, room, found, lanes)
                    counts[other] -= 1
            counts[either] -= 1
    if found.shape[2] > 1:
        found[:] = lanes[0].astype(np.int64)


@kernel
def _aim_at_cards(mask, either, other, room):
    """Aim at each card of a board as the one that is known; return how many there are."""
    targets = 0
    for rank in range(RANKS):
        if mask >> rank & 1:
            _aim(room, targets, rank, either, other, 3, 3)
            targets += 1
    if either >= 0:
        # The other card outside the suit is dealt: one of two if it has the rank of the card that is known.
        _aim(room, targets, RANKS + either, other, -1, 2 if either == other else 3, 0)
        targets += 1
        if other >= 0 and other != either:
            _aim(room, targets, RANKS + other, either, -1, 3, 0)
            targets += 1
    return targets


@kernel
def sum_one_known(
    first: int,
    step: int,
    by_ranks: NDArray[np.int32],
    sums: Sums,
    found: Reals,
) -> None:
    """Sum as `sum_view` does with one card known, for all of them at once, over every `step`-th mask of the suit.

    `found` is by the card, thirteen in the suit and thirteen outside, by number, class and lane.
    """
    room = _new_room(found.shape[1])
    counts = np.zeros(RANKS, np.int64)
    for mask in range(first, 1 << RANKS, step):
        in_suit = 0
        for rank in range(RANKS):
            in_suit += mask >> rank & 1
        if in_suit < 3 or in_suit > 5:
            continue
        if in_suit == 5:
            _add_seen(mask, counts, _aim_at_cards(mask, -1, -1, room), by_ranks, sums, room, found)
            continue
        for either in range(RANKS):
            counts[either] += 1
            if in_suit == 4:
                _add_seen(mask, counts, _aim_at_cards(mask, either, -1, room), by_ranks, sums, room, found)
            else:
                for other in range(either, RANKS):
                    counts[other] += 1
                    _add_seen(mask, counts, _aim_at_cards(mask, either, other, room), by_ranks, sums, room, found)
                    counts[other] -= 1
            counts[either] -= 1
