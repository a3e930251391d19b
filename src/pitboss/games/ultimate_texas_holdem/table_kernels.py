"""Reads whole tables at once: every seat's decision, end and cells as one number, with no price in it."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel
from pitboss.odds.evaluator import (
    CARD_KEY,
    CATEGORY,
    FLUSH,
    FLUSH_BITS,
    START,
    flush_suit,
    value5,
    value6,
    value7,
)
from pitboss.odds.symmetry import hole_index, kinds

FLOP_KEYS = kinds(3).key
HOLE_INDEX = hole_index()
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
UNSEEN = 45
ENDS = 6
NINE, ACE, ROYAL, DIAMONDS = 7, 12, 9, 1
SUPER_ROYAL, SUPER_ROYAL_OF_DIAMONDS = 10, 11


@kernel
def _mask(cards, size, suit):
    mask = 0
    for at in range(size):
        if cards[at] & 3 == suit:
            mask |= 1 << (cards[at] >> 2)
    return mask


@kernel
def _value(cards, size):
    key = START
    for at in range(size):
        key += CARD_KEY[cards[at]]
    if key & FLUSH_BITS:
        return np.int64(FLUSH[_mask(cards, size, flush_suit(key))])
    if size == 7:
        return np.int64(value7(key))
    if size == 6:
        return np.int64(value6(key))
    return np.int64(value5(key))


@kernel
def _six_card_cell(cards):
    category = np.int64(CATEGORY[_value(cards, 6)])
    if category == ROYAL:
        for suit in range(4):
            mask = _mask(cards, 6, suit)
            if mask >> NINE == 63:
                return SUPER_ROYAL_OF_DIAMONDS if suit == DIAMONDS else SUPER_ROYAL
    return category


@kernel
def _flop_kind(board, moved):
    masks = np.zeros(4, np.int64)
    for at in range(3):
        masks[board[at] & 3] |= 1 << (board[at] >> 2)
    suits = np.arange(4)
    for at in range(1, 4):
        place = at
        while place > 0 and masks[suits[place]] > masks[suits[place - 1]]:
            suits[place], suits[place - 1] = suits[place - 1], suits[place]
            place -= 1
    for place in range(4):
        moved[suits[place]] = place
    key = ((masks[suits[0]] << 13 | masks[suits[1]]) << 13 | masks[suits[2]]) << 13 | masks[suits[3]]
    return np.searchsorted(FLOP_KEYS, key)


@kernel
def _raises_river(board, first, second, mine, gains, unseen, ends):
    taken = np.int64(1) << first | np.int64(1) << second
    key = START
    masks = np.zeros(4, np.int64)
    for at in range(5):
        taken |= np.int64(1) << board[at]
        key += CARD_KEY[board[at]]
        masks[board[at] & 3] |= 1 << (board[at] >> 2)
    left = 0
    for card in range(52):
        if not taken >> card & 1:
            unseen[left] = card
            left += 1
    ends[:] = 0
    for one in range(UNSEEN):
        held = unseen[one]
        one_key = key + CARD_KEY[held]
        for other in range(one + 1, UNSEEN):
            also = unseen[other]
            both = one_key + CARD_KEY[also]
            if both & FLUSH_BITS:
                suit = flush_suit(both)
                mask = masks[suit]
                if held & 3 == suit:
                    mask |= 1 << (held >> 2)
                if also & 3 == suit:
                    mask |= 1 << (also >> 2)
                value = np.int64(FLUSH[mask])
            else:
                value = np.int64(value7(both))
            end = 0 if value < mine else (2 if value > mine else 4)
            ends[end + (1 if value < FIRST_PAIR else 0)] += 1
    gain = 0
    for end in range(ENDS):
        gain += ends[end] * gains[CATEGORY[mine], end]
    return gain >= 0


@kernel
def read_tables(
    deals: NDArray[np.uint8],
    seats: int,
    before: NDArray[np.int64],
    raises_flop: NDArray[np.bool_],
    gains: NDArray[np.int64],
    pairs: NDArray[np.int64],
    against_aces: NDArray[np.int64],
    board_cells: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return for each row of cards and each seat: multiple raised, end, and the cell of each reading, four bits each.

    From the lowest: the multiple, the end, the categories of seven cards, of the dealer's, of hole and flop, the
    cells of six cards, of the hole, of the board.
    """
    rounds = deals.shape[0]
    codes = np.empty((rounds, seats), np.int64)
    board = np.empty(5, np.int64)
    hand = np.empty(7, np.int64)
    moved = np.empty(4, np.int64)
    unseen = np.empty(UNSEEN, np.int64)
    ends = np.empty(ENDS, np.int64)
    for row in range(rounds):
        at = 2 * seats
        dealer_first, dealer_second = np.int64(deals[row, at]), np.int64(deals[row, at + 1])
        for place in range(5):
            board[place] = deals[row, at + 2 + place]
            hand[place] = board[place]
        board_cell = board_cells[_value(board, 5)]
        hand[5] = dealer_first
        hand[6] = dealer_second
        dealer = _value(hand, 7)
        flop = _flop_kind(board, moved)
        aces = dealer_first >> 2 == ACE and dealer_second >> 2 == ACE
        for seat in range(seats):
            first, second = np.int64(deals[row, 2 * seat]), np.int64(deals[row, 2 * seat + 1])
            hole = HOLE_INDEX[52 * first + second]
            hand[0] = first
            hand[1] = second
            for place in range(4):
                hand[2 + place] = deals[row, at + 7 + place]
            six = _six_card_cell(hand)
            for place in range(5):
                hand[2 + place] = board[place]
            made = _value(hand, 7)
            on_flop = np.int64(CATEGORY[_value(hand, 5)])
            times = before[hole]
            if times == 0:
                mapped = (first & ~3 | moved[first & 3]) * 52 + (second & ~3 | moved[second & 3])
                if raises_flop[flop, HOLE_INDEX[mapped]]:
                    times = 2
                elif _raises_river(board, first, second, made, gains, unseen, ends):
                    times = 1
            end = 0 if dealer < made else (2 if dealer > made else 4)
            end += 1 if dealer < FIRST_PAIR else 0
            pair = against_aces[hole] if aces else pairs[hole]
            code = times | end << 4 | np.int64(CATEGORY[made]) << 8 | np.int64(CATEGORY[dealer]) << 12
            codes[row, seat] = code | on_flop << 16 | six << 20 | pair << 24 | board_cell << 28
    return codes
