"""One board at a time: the holdings it leaves, grouped into classes that play the same, and how each class ends."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY, FLUSH, RANK_KEY, value7
from pitboss.odds.symmetry import kinds

# Cards of one rank are equivalent, except that on a board with three of a suit the cards of that suit are separate:
# thirteen kinds of cards, or twice as many, with the suited kinds after the others. A class is a pair of kinds, and
# everything that decides a hand is the same for all its holdings. Classes are in this order: both cards unsuited, by
# their two ranks; then one suited and one unsuited, by either rank; then both suited.
RANKS, KINDS = 13, 26
LOWER, HIGHER = (half.astype(np.int64) for half in np.triu_indices(RANKS))
PAIRS = LOWER.size
MIXED, SUITED, CLASSES = PAIRS, PAIRS + RANKS * RANKS, 2 * PAIRS + RANKS * RANKS
FIRST_KIND = np.concatenate([LOWER, np.repeat(np.arange(RANKS), RANKS) + RANKS, LOWER + RANKS])
SECOND_KIND = np.concatenate([HIGHER, np.tile(np.arange(RANKS), RANKS), HIGHER + RANKS])
# Two ranks as one number, the higher first where the suits differ.
_RANKS_HELD = np.sort([FIRST_KIND % RANKS, SECOND_KIND % RANKS], axis=0)
ONE_SUIT, TWO_SUITS = RANKS * _RANKS_HELD[0] + _RANKS_HELD[1], RANKS * _RANKS_HELD[1] + _RANKS_HELD[0]

CARD_RANK_KEY = RANK_KEY[::4].copy()
SUITS_IN = np.array([mask.bit_count() for mask in range(16)], np.int64)
CATEGORIES = 10
DIGIT = 7  # bits of a value that one pass of the sort looks at
DEALERS = 990
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
FLOP_KEYS = kinds(3).key
SUIT_MASK = (1 << 13) - 1

# How a hand ends against the dealer; by row of a payoff table and of the counts.
WIN, WIN_NO_PAIR, LOSE, LOSE_NO_PAIR, TIE, TIE_NO_PAIR = range(6)
ENDS = 6


class Board(NamedTuple):
    """What is known about the current board; allocated once and refilled for every board."""

    held: NDArray[np.int64]  # its five cards
    free: NDArray[np.int64]  # by rank: the suits left, a bit each
    copies: NDArray[np.int64]  # by kind: the cards left
    live: NDArray[np.int64]  # classes that have holdings, worst hand first
    values: NDArray[np.int64]  # by class
    below: NDArray[np.int64]  # by class: dealer's holdings that lose to it
    level: NDArray[np.int64]  # by class: those that tie
    holdings: NDArray[np.int64]  # by class: how many it has
    suited: NDArray[np.int64]  # by class: how many of them are of one suit
    ends: NDArray[np.int64]  # by class and end: the dealer's 990 holdings
    total_at: NDArray[np.int64]  # holdings of lower categories
    kind_at: NDArray[np.int64]  # of those, by category and kind: the ones that hold a given card
    running: NDArray[np.int64]
    sorting: NDArray[np.int64]
    places: NDArray[np.int64]


@kernel
def new_board():
    """Allocate the arrays for one board."""
    return Board(
        np.zeros(5, np.int64),
        np.zeros(RANKS, np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros((CLASSES, ENDS), np.int64),
        np.zeros(CATEGORIES + 1, np.int64),
        np.zeros((CATEGORIES + 1, KINDS), np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(1 << DIGIT, np.int64),
    )


@kernel
def read_board(masks, board):
    """Fill in a board from the ranks of each suit; return the suit of a possible flush, or -1, and the live classes."""
    flush, count = value_board(masks, board)
    compare(board, count)
    _count_holdings(board, count, flush)
    split_ends(board, count)
    return flush, count


@kernel
def value_board(masks, board):
    """Fill in a board's cards and value its classes, without comparing them; return what `read_board` returns."""
    held, free, copies = board.held, board.free, board.copies
    on_board = 0
    key = 0
    for rank in range(RANKS):
        free[rank] = 15
        for suit in range(4):
            if masks[suit] >> rank & 1:
                held[on_board] = 4 * rank + suit
                free[rank] ^= 1 << suit
                key += CARD_RANK_KEY[rank]
                on_board += 1
    flush = -1
    on_suit = 0
    for suit in range(4):
        count = 0
        for at in range(5):
            count += held[at] & 3 == suit
        if count >= 3:
            flush = suit
            on_suit = count
    for rank in range(RANKS):
        unsuited = free[rank] if flush < 0 else free[rank] & ~(1 << flush)
        copies[rank] = SUITS_IN[unsuited]
        copies[RANKS + rank] = copies[rank] != SUITS_IN[free[rank]]
    count = rank_plain(board, key)
    if flush >= 0:
        count = rank_suited(board, key, masks[flush], on_suit, count)
    sort_by_value(board, count)
    return flush, count


@kernel
def rank_plain(board, key):
    """Value the classes of two unsuited cards; return how many are live."""
    copies, live, values = board.copies, board.live, board.values
    count = 0
    holding = 0
    for first in range(RANKS):
        first_key = key + CARD_RANK_KEY[first]
        for second in range(first, RANKS):
            if copies[second] > (first == second) and copies[first]:
                values[holding] = value7(first_key + CARD_RANK_KEY[second])
                live[count] = holding
                count += 1
            holding += 1
    return count


@kernel
def rank_suited(board, key, mask, on_suit, count):
    """Value the classes with a suited card, and all of them if the board is a flush; return how many are live."""
    # With three of the suit on the board, two more make a flush; with four, one does; five already are one.
    copies, live, values = board.copies, board.live, board.values
    if on_suit == 5:
        for at in range(count):
            values[live[at]] = FLUSH[mask]
    for suited in range(RANKS):
        if not copies[RANKS + suited]:
            continue
        with_one = mask | 1 << suited
        for other in range(RANKS):
            if copies[other]:
                holding = MIXED + RANKS * suited + other
                if on_suit >= 4:
                    values[holding] = FLUSH[with_one]
                else:
                    values[holding] = value7(key + CARD_RANK_KEY[suited] + CARD_RANK_KEY[other])
                live[count] = holding
                count += 1
        for other in range(suited + 1, RANKS):
            if copies[RANKS + other]:
                holding = SUITED + RANKS * suited - (suited * (suited - 1) >> 1) + other - suited
                values[holding] = FLUSH[with_one | 1 << other]
                live[count] = holding
                count += 1
    return count


@kernel
def sort_by_value(board, count):
    """Order the live classes, worst hand first, seven bits of the value at a time."""
    live, values, sorting, places = board.live, board.values, board.sorting, board.places
    for shift in (0, DIGIT):
        for digit in range(1 << DIGIT):
            places[digit] = 0
        for at in range(count):
            places[values[live[at]] >> shift & (1 << DIGIT) - 1] += 1
        running = 0
        for digit in range(1 << DIGIT):
            here = places[digit]
            places[digit] = running
            running += here
        for at in range(count):
            holding = live[at]
            digit = values[holding] >> shift & (1 << DIGIT) - 1
            sorting[places[digit]] = holding
            places[digit] += 1
        for at in range(count):
            live[at] = sorting[at]


@kernel
def compare(board, count):
    """Count for each class the dealer's holdings that lose to it and those that tie."""
    # From the worst class up, with running counts of all holdings and, by kind, of those that hold a given card.
    copies, live, values, below, level = board.copies, board.live, board.values, board.below, board.level
    total_at, kind_at, running = board.total_at, board.kind_at, board.running
    for kind in range(KINDS):
        running[kind] = 0
    total = 0
    category = 0
    at = 0
    while at < count:
        value = values[live[at]]
        while category <= CATEGORY[value]:
            total_at[category] = total
            for kind in range(KINDS):
                kind_at[category, kind] = running[kind]
            category += 1
        end = at
        while end < count and values[live[end]] == value:
            holding = live[end]
            below[holding] = total - running[FIRST_KIND[holding]] - running[SECOND_KIND[holding]]
            end += 1
        for place in range(at, end):
            holding = live[place]
            first, second = FIRST_KIND[holding], SECOND_KIND[holding]
            if first == second:
                running[first] += copies[first] - 1
                total += copies[first] * (copies[first] - 1) >> 1
            else:
                running[first] += copies[second]
                running[second] += copies[first]
                total += copies[first] * copies[second]
        for place in range(at, end):
            holding = live[place]
            # A holding is subtracted twice, once for each of its cards.
            not_above = total - running[FIRST_KIND[holding]] - running[SECOND_KIND[holding]] + 1
            level[holding] = not_above - below[holding]
        at = end
    while category <= CATEGORIES:
        total_at[category] = total
        for kind in range(KINDS):
            kind_at[category, kind] = running[kind]
        category += 1


@kernel
def _count_holdings(board, count, flush):
    copies, free, live = board.copies, board.free, board.live
    holdings, suited = board.holdings, board.suited
    not_flush = 15 if flush < 0 else 15 & ~(1 << flush)
    for at in range(count):
        holding = live[at]
        first, second = FIRST_KIND[holding], SECOND_KIND[holding]
        suited[holding] = 0
        if first == second:
            holdings[holding] = copies[first] * (copies[first] - 1) >> 1
            continue
        holdings[holding] = copies[first] * copies[second]
        if holding >= SUITED:
            suited[holding] = 1
        elif holding < MIXED:
            suited[holding] = SUITS_IN[free[first] & free[second] & not_flush]


@kernel
def split_ends(board, count):
    """Split the dealer's 990 holdings by how the hand ends and whether the dealer has a pair."""
    live, values, below, level, ends = board.live, board.values, board.below, board.level, board.ends
    without_pair, by_kind = board.total_at[1], board.kind_at[1]
    for at in range(count):
        holding = live[at]
        wins, ties = below[holding], level[holding]
        loses = DEALERS - wins - ties
        no_pair = without_pair - by_kind[FIRST_KIND[holding]] - by_kind[SECOND_KIND[holding]]
        if values[holding] >= FIRST_PAIR:
            ends[holding, WIN] = wins - no_pair
            ends[holding, WIN_NO_PAIR] = no_pair
            ends[holding, LOSE] = loses
            ends[holding, LOSE_NO_PAIR] = 0
            ends[holding, TIE] = ties
            ends[holding, TIE_NO_PAIR] = 0
        else:
            lost_to_no_pair = no_pair + 1 - wins - ties
            ends[holding, WIN] = 0
            ends[holding, WIN_NO_PAIR] = wins
            ends[holding, LOSE] = loses - lost_to_no_pair
            ends[holding, LOSE_NO_PAIR] = lost_to_no_pair
            ends[holding, TIE] = 0
            ends[holding, TIE_NO_PAIR] = ties


@inlined
def below_category(holding, board, category):
    """Return how many of the dealer's holdings are of a lower category."""
    return (
        board.total_at[category]
        - board.kind_at[category, FIRST_KIND[holding]]
        - board.kind_at[category, SECOND_KIND[holding]]
    )


@kernel
def flop_without(masks, held, first_gone, second_gone, moved):
    """Return the kind of flop left when two cards are taken off a board; `moved` maps each suit to the kind's own."""
    key = 0
    for gone in (held[first_gone], held[second_gone]):
        key |= 1 << 13 * (gone & 3) + (gone >> 2)
    left = (masks[0] | masks[1] << 13 | masks[2] << 26 | masks[3] << 39) & ~key
    for suit in range(4):
        moved[suit] = 0
    # A suit's place is the number of suits with a higher mask; of equal masks, the earlier suit comes first.
    for suit in range(1, 4):
        for earlier in range(suit):
            after = (left >> 13 * suit & SUIT_MASK) <= (left >> 13 * earlier & SUIT_MASK)
            moved[suit if after else earlier] += 1
    key = 0
    for suit in range(4):
        key |= (left >> 13 * suit & SUIT_MASK) << 13 * (3 - moved[suit])
    low = 0
    high = FLOP_KEYS.size
    while high - low > 1:
        middle = (low + high) >> 1
        if FLOP_KEYS[middle] <= key:
            low = middle
        else:
            high = middle
    return low
