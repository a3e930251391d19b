"""Counts over every board and hand, with no price in them but those the caller passes in.

One pass over the 134,459 suit-distinct boards ranks the 1,081 holdings of each once and sorts them; the number
of dealer's holdings below, level and above follows from running counts, less those that share a card with the
player. Sums go to the rows of the ten flops a board contains; suit symmetry is pooled by the caller.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel, parallel_kernel
from pitboss.odds.evaluator import (
    CARD_KEY,
    CATEGORY,
    FLUSH,
    FLUSH_BITS,
    RANK_KEY,
    START,
    VALUES,
    flush_suit,
    value7,
)
from pitboss.odds.symmetry import hole_index, kinds

FLOP_KEYS = kinds(3).key
HOLE_INDEX = hole_index()
LEFT, HOLDINGS, DEALERS = 47, 1081, 990
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
FIRST_HELD, SECOND_HELD = np.triu_indices(LEFT, 1)

# How a hand ends against the dealer; by row of a payoff table and of the counts.
WIN, WIN_NO_PAIR, LOSE, LOSE_NO_PAIR, TIE, TIE_NO_PAIR = range(6)
ENDS = 6


@kernel
def lay_out(masks: NDArray[np.int64], held: NDArray[np.int64], cards: NDArray[np.int64]) -> None:
    """Split the deck into the five cards of a board and the 47 others."""
    on_board = 0
    other = 0
    for rank in range(13):
        for suit in range(4):
            if masks[suit] >> rank & 1:
                held[on_board] = 4 * rank + suit
                on_board += 1
            else:
                cards[other] = 4 * rank + suit
                other += 1


@kernel
def rank_holdings(
    masks: NDArray[np.int64], held: NDArray[np.int64], cards: NDArray[np.int64], values: NDArray[np.int64]
) -> None:
    """Rank every pair of the other cards with the board."""
    key = 0
    suit_counts = np.zeros(4, np.int64)
    for at in range(5):
        key += RANK_KEY[held[at]]
        suit_counts[held[at] & 3] += 1
    suit = -1
    for one in range(4):
        if suit_counts[one] >= 3:
            suit = one
    mask = masks[suit] if suit >= 0 else 0
    needed = 5 - suit_counts[suit] if suit >= 0 else 3
    at = 0
    for first in range(LEFT):
        card = cards[first]
        first_key = key + RANK_KEY[card]
        first_suited = 1 if card & 3 == suit else 0
        first_mask = mask | first_suited << (card >> 2)
        for second in range(first + 1, LEFT):
            other = cards[second]
            suited = 1 if other & 3 == suit else 0
            if first_suited + suited >= needed:
                values[at] = FLUSH[first_mask | suited << (other >> 2)]
            else:
                values[at] = value7(first_key + RANK_KEY[other])
            at += 1


@kernel
def count_below(
    values: NDArray[np.int64],
    order: NDArray[np.int64],
    starts: NDArray[np.int32],
    below: NDArray[np.int64],
    level: NDArray[np.int64],
    total_at: NDArray[np.int64],
    card_at: NDArray[np.int64],
) -> None:
    """Count the holdings below and level with each, none sharing a card with it.

    `total_at` and `card_at` keep the running counts as they stood where each category begins.
    """
    lowest = VALUES
    highest = 0
    for one in range(HOLDINGS):
        value = values[one]
        starts[value] += 1
        lowest = min(lowest, value)
        highest = max(highest, value)
    running = 0
    for value in range(lowest, highest + 1):
        count = starts[value]
        starts[value] = running
        running += count
    for one in range(HOLDINGS):
        value = values[one]
        order[starts[value]] = one
        starts[value] += 1
    for value in range(lowest, highest + 1):
        starts[value] = 0
    card_count = np.zeros(LEFT, np.int64)
    total = 0
    category = 0
    at = 0
    while at < HOLDINGS:
        value = values[order[at]]
        while category <= CATEGORY[value]:
            total_at[category] = total
            card_at[category, :] = card_count
            category += 1
        end = at
        while end < HOLDINGS and values[order[end]] == value:
            one = order[end]
            below[one] = total - card_count[FIRST_HELD[one]] - card_count[SECOND_HELD[one]]
            end += 1
        for place in range(at, end):
            one = order[place]
            card_count[FIRST_HELD[one]] += 1
            card_count[SECOND_HELD[one]] += 1
        total += end - at
        for place in range(at, end):
            one = order[place]
            not_above = total - card_count[FIRST_HELD[one]] - card_count[SECOND_HELD[one]] + 1
            level[one] = not_above - below[one]
        at = end
    while category <= 10:
        total_at[category] = total
        card_at[category, :] = card_count
        category += 1


@inlined
def split_ends(one, values, below, level, total_at, card_at, ends):
    """Split the dealer's 990 holdings by how the hand ends and whether the dealer has a pair."""
    wins = below[one]
    ties = level[one]
    loses = DEALERS - wins - ties
    no_pair = total_at[1] - card_at[1, FIRST_HELD[one]] - card_at[1, SECOND_HELD[one]]
    if values[one] >= FIRST_PAIR:
        ends[WIN] = wins - no_pair
        ends[WIN_NO_PAIR] = no_pair
        ends[LOSE] = loses
        ends[LOSE_NO_PAIR] = 0
        ends[TIE] = ties
        ends[TIE_NO_PAIR] = 0
    else:
        lost_to_no_pair = no_pair + 1 - wins - ties
        ends[WIN] = 0
        ends[WIN_NO_PAIR] = wins
        ends[LOSE] = loses - lost_to_no_pair
        ends[LOSE_NO_PAIR] = lost_to_no_pair
        ends[TIE] = 0
        ends[TIE_NO_PAIR] = ties


@kernel
def map_to_flop(
    board: NDArray[np.int64],
    held: NDArray[np.int64],
    cards: NDArray[np.int64],
    first_gone: int,
    second_gone: int,
    mapped: NDArray[np.int64],
) -> int:
    """Return the kind of flop that is left without two cards of a board, and the other cards in its suits."""
    masks = board.copy()
    for gone in (held[first_gone], held[second_gone]):
        masks[gone & 3] &= ~(1 << (gone >> 2))
    suits = np.arange(4)
    for at in range(1, 4):
        place = at
        while place > 0 and masks[suits[place]] > masks[suits[place - 1]]:
            suits[place], suits[place - 1] = suits[place - 1], suits[place]
            place -= 1
    new_suit = np.empty(4, np.int64)
    for place in range(4):
        new_suit[suits[place]] = place
    for at in range(LEFT):
        mapped[at] = (cards[at] & ~3) | new_suit[cards[at] & 3]
    key = ((masks[suits[0]] << 13 | masks[suits[1]]) << 13 | masks[suits[2]]) << 13 | masks[suits[3]]
    return np.searchsorted(FLOP_KEYS, key)


@kernel
def _sum_worth(first, step, boards, all_ways, fixed, play, fold, raised, waited, before):
    """Sum what each holding is worth over every `step`-th board: raised on the flop, waited to the river, before."""
    held = np.empty(5, np.int64)
    cards = np.empty(LEFT, np.int64)
    mapped = np.empty(LEFT, np.int64)
    values = np.empty(HOLDINGS, np.int64)
    order = np.empty(HOLDINGS, np.int64)
    below = np.empty(HOLDINGS, np.int64)
    level = np.empty(HOLDINGS, np.int64)
    starts = np.zeros(VALUES, np.int32)
    total_at = np.empty(11, np.int64)
    card_at = np.empty((11, LEFT), np.int64)
    ends = np.empty(ENDS, np.int64)
    on_flop = np.empty(HOLDINGS, np.int64)
    on_river = np.empty(HOLDINGS, np.int64)
    for number in range(first, boards.shape[0], step):
        board = boards[number]
        lay_out(board, held, cards)
        rank_holdings(board, held, cards, values)
        count_below(values, order, starts, below, level, total_at, card_at)
        ways = all_ways[number]
        for one in range(HOLDINGS):
            split_ends(one, values, below, level, total_at, card_at, ends)
            category = CATEGORY[values[one]]
            base = 0
            each = 0
            for end in range(ENDS):
                base += ends[end] * fixed[end, category]
                each += ends[end] * play[end, category]
            on_flop[one] = ways * (base + 2 * each)
            on_river[one] = ways * max(base + each, fold * DEALERS)
            hole = HOLE_INDEX[52 * cards[FIRST_HELD[one]] + cards[SECOND_HELD[one]]]
            before[0, hole] += ways * base
            before[1, hole] += ways * each
        for gone in range(4):
            for also_gone in range(gone + 1, 5):
                flop = map_to_flop(board, held, cards, gone, also_gone, mapped)
                raised_row = raised[flop]
                waited_row = waited[flop]
                one = 0
                for at in range(LEFT):
                    row = 52 * mapped[at]
                    for other in range(at + 1, LEFT):
                        hole = HOLE_INDEX[row + mapped[other]]
                        raised_row[hole] += on_flop[one]
                        waited_row[hole] += on_river[one]
                        one += 1


@parallel_kernel
def sum_worth(threads, boards, ways, fixed, play, fold, raised, waited, before):
    """Run `_sum_worth` on every thread, each into its own arrays."""
    for thread in numba.prange(threads):
        _sum_worth(thread, threads, boards, ways, fixed, play, fold, raised[thread], waited[thread], before[thread])


@kernel
def _count_ends(
    first, step, boards, all_ways, fixed, play, fold, equal_raises, raises_before, raises_flop, counts, beaten
):
    """Count how hands end under decisions made before the river, over every `step`-th board.

    `counts` is by decision (before the flop, on the flop, on the river, folded), end and category; `beaten` by
    whether the player folded, who was beaten (the player, the dealer) and the category of the beaten hand.
    """
    held = np.empty(5, np.int64)
    cards = np.empty(LEFT, np.int64)
    mapped = np.empty((10, LEFT), np.int64)
    flops = np.empty(10, np.int64)
    values = np.empty(HOLDINGS, np.int64)
    order = np.empty(HOLDINGS, np.int64)
    below = np.empty(HOLDINGS, np.int64)
    level = np.empty(HOLDINGS, np.int64)
    starts = np.zeros(VALUES, np.int32)
    total_at = np.empty(11, np.int64)
    card_at = np.empty((11, LEFT), np.int64)
    ends = np.empty(ENDS, np.int64)
    for number in range(first, boards.shape[0], step):
        board = boards[number]
        lay_out(board, held, cards)
        rank_holdings(board, held, cards, values)
        count_below(values, order, starts, below, level, total_at, card_at)
        ways = all_ways[number]
        at = 0
        for gone in range(4):
            for also_gone in range(gone + 1, 5):
                flops[at] = map_to_flop(board, held, cards, gone, also_gone, mapped[at])
                at += 1
        for one in range(HOLDINGS):
            split_ends(one, values, below, level, total_at, card_at, ends)
            category = CATEGORY[values[one]]
            left, right = FIRST_HELD[one], SECOND_HELD[one]
            loses = ends[LOSE] + ends[LOSE_NO_PAIR]
            if raises_before[HOLE_INDEX[52 * cards[left] + cards[right]]]:
                for end in range(ENDS):
                    counts[0, end, category] += 10 * ways * ends[end]
                beaten[0, 0, category] += 10 * ways * loses
                continue
            raised = 0
            for at in range(10):
                raised += raises_flop[flops[at], HOLE_INDEX[52 * mapped[at, left] + mapped[at, right]]]
            base = 0
            each = 0
            for end in range(ENDS):
                base += ends[end] * fixed[end, category]
                each += ends[end] * play[end, category]
            worth = base + each - fold * DEALERS
            last = 2 if worth > 0 or (worth == 0 and equal_raises) else 3
            for end in range(ENDS):
                counts[1, end, category] += raised * ways * ends[end]
                counts[last, end, category] += (10 - raised) * ways * ends[end]
            beaten[0, 0, category] += (raised if last == 3 else 10) * ways * loses
            if last == 3:
                weight = (10 - raised) * ways
                beaten[1, 0, category] += weight * loses
                for lower in range(category + 1):
                    start = total_at[lower] - card_at[lower, left] - card_at[lower, right]
                    if lower < category:
                        end_ = total_at[lower + 1] - card_at[lower + 1, left] - card_at[lower + 1, right]
                    else:
                        end_ = below[one]
                    beaten[1, 1, lower] += weight * (end_ - start)


@parallel_kernel
def count_ends(threads, boards, ways, fixed, play, fold, equal_raises, raises_before, raises_flop, counts, beaten):
    """Run `_count_ends` on every thread, each into its own arrays."""
    for thread in numba.prange(threads):
        _count_ends(
            thread,
            threads,
            boards,
            ways,
            fixed,
            play,
            fold,
            equal_raises,
            raises_before,
            raises_flop,
            counts[thread],
            beaten[thread],
        )


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
    """Sum over every turn and river what stands regardless of the raise, what each unit raised wins, and a check."""
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
