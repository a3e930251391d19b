"""Reads whole tables at once: every seat's decisions and the cell of each wager as one number, with no price in it."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.raise_kernels import plain_place, suited_place, suited_row
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import (
    CARD_KEY,
    CATEGORY,
    FLUSH,
    FLUSH_BITS,
    START,
    SUIT_COUNTERS,
    flush_suit,
    value5,
    value6,
    value7,
)
from pitboss.odds.symmetry import SUIT_PERMUTATIONS, hole_index, key_of, kinds

# Unsigned, like every table index: a signed one would be checked for being negative.
HOLE_INDEX = hole_index().astype(np.uint16)
HOLE_BYTES = 166  # of a flop's row: 1,326 bits
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
NINE, ACE, DIAMONDS = 7, 12, 1
SUPER_ROYAL, SUPER_ROYAL_OF_DIAMONDS = 10, 11
# How a hand ends against a dealer who has a pair; the next number is the same against a dealer without one.
WIN, LOSE, TIE = 0, 2, 4
# Added to a sum of keys, it sets a suit's top bit from the third card on instead of the fifth.
TWO_OF_EACH = 2 * SUIT_COUNTERS

# A number's bytes from the lowest: the main game, then each side wager. A main game that was played is 60 for each
# unit raised above the first, 10 for each end and the category; a side wager is its cell, `FOLDED_TOO` added if so.
FOLDED, OF_UNIT, OF_END, FOLDED_TOO = 240, 60, 10, 16
EVERY_SIDE_WAGER = np.int64(0x01010101010100)
# The kinds of hand that a bad beat has in addition to the categories.
TIED, NOBODY_BEATEN = 10, 11


def _flops() -> NDArray[np.uint16]:
    # By three cards in any order, 22,100 in all: the kind of flop and, in the bits below it, the suit permutation.
    low, middle, high = np.array([(a, b, c) for c in range(52) for b in range(c) for a in range(b)]).T
    masks = np.zeros((low.size, 4), np.int64)
    for card in (low, middle, high):
        masks[np.arange(low.size), card & 3] |= 1 << (card >> 2)
    suits = np.argsort(-masks, axis=1, kind="stable")
    kind = np.searchsorted(kinds(3).key, key_of(np.take_along_axis(masks, suits, axis=1)))
    moved = np.argsort(suits, axis=1)
    change = (moved[:, None, :] == SUIT_PERMUTATIONS).all(axis=2).argmax(axis=1)
    return (kind << 5 | change).astype(np.uint16)


FLOPS = _flops()
TWO_BELOW = np.array([n * (n - 1) // 2 for n in range(52)], np.uint16)
THREE_BELOW = np.array([n * (n - 1) * (n - 2) // 6 for n in range(52)], np.uint16)
MOVED = SUIT_PERMUTATIONS.ravel().astype(np.uint8)


@inlined
def _flop(first, second, third):
    low, high = min(first, second), max(first, second)
    middle = max(low, min(high, third))
    return FLOPS[np.int64(THREE_BELOW[max(high, third)]) + np.int64(TWO_BELOW[middle]) + min(low, third)]


@inlined
def _suited(suit, card):
    return 1 << (card >> 2) if card & 3 == suit else 0


@inlined
def _value7(key, suit, mask, first, second):
    # A suit that makes a flush has three cards on the board: it is known, and so are its ranks there.
    if key & FLUSH_BITS:
        return np.int64(FLUSH[mask | _suited(suit, first) | _suited(suit, second)])
    return np.int64(value7(key))


@kernel
def _on_flop(key, a, b, c, first, second):
    if key & FLUSH_BITS:
        return np.int64(FLUSH[1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (first >> 2) | 1 << (second >> 2)])
    return np.int64(value5(key))


@kernel
def _six_suited(key, a, b, c, d, first, second):
    suit = flush_suit(key)
    mask = _suited(suit, first) | _suited(suit, second)
    for card in (a, b, c, d):
        mask |= _suited(suit, card)
    if mask >> NINE == 63:
        return SUPER_ROYAL_OF_DIAMONDS if suit == DIAMONDS else SUPER_ROYAL
    return np.int64(CATEGORY[FLUSH[mask]])


@inlined
def _is_set(bits, place):
    return bits[place >> 3] >> (place & 7) & 1


@inlined
def _card(deals, row, at, numbers):
    return np.int64(numbers[deals[row, at]])


@inlined
def _suited_board(key, a, b, c, d, e):
    # The suit that has three cards or more, its ranks, and the row of the river's raises.
    suit = flush_suit(key + TWO_OF_EACH)
    mask = 0
    outside = -1
    also_outside = -1
    for card in (a, b, c, d, e):
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
        else:
            also_outside = outside
            outside = card >> 2
    return suit, mask, np.int64(suited_row(mask, outside, also_outside))


@inlined
def _raised_after(first, second, flop, raises_flop, suit, river_row, raises_plain, raises_suited):
    # How many units a player who checked before the flop raises after it: two, one, or zero for a fold.
    change = (flop & 31) << 2
    mapped = 52 * (first & ~3 | MOVED[change | first & 3]) + (second & ~3 | MOVED[change | second & 3])
    if _is_set(raises_flop, ((flop >> 5) * HOLE_BYTES << 3) + np.int64(HOLE_INDEX[mapped])):
        return 2
    if suit < 0:
        return np.int64(_is_set(raises_plain, plain_place(river_row, first, second)))
    return np.int64(_is_set(raises_suited, suited_place(river_row, suit, first, second)))


@inlined
def _beaten(end, category, dealer_category, player_only):
    if end >= TIE:
        return TIED
    if end < LOSE and player_only:
        return NOBODY_BEATEN
    return min(category, dealer_category)


@kernel
def read_tables(
    deals: NDArray[np.uint8],
    seats: int,
    numbers: NDArray[np.uint8],
    before: NDArray[np.uint8],
    raises_flop: NDArray[np.uint8],
    raises_plain: NDArray[np.uint8],
    raises_suited: NDArray[np.uint8],
    pairs: NDArray[np.uint8],
    against_aces: NDArray[np.uint8],
    board_cells: NDArray[np.uint8],
    main_alike: NDArray[np.uint8],
    side_alike: NDArray[np.uint8],
    best_of_seven: bool,
    player_only: bool,
) -> NDArray[np.int64]:
    """Return a number for each row of cards and each seat, which play by these tables of raises."""
    codes = np.empty((deals.shape[0], seats), np.int64)
    at = 2 * seats
    for row in range(deals.shape[0]):
        dealer_first, dealer_second = _card(deals, row, at, numbers), _card(deals, row, at + 1, numbers)
        a, b, c = (
            _card(deals, row, at + 2, numbers),
            _card(deals, row, at + 3, numbers),
            _card(deals, row, at + 4, numbers),
        )
        d, e = _card(deals, row, at + 5, numbers), _card(deals, row, at + 6, numbers)
        box_a, box_b = _card(deals, row, at + 7, numbers), _card(deals, row, at + 8, numbers)
        box_c, box_d = _card(deals, row, at + 9, numbers), _card(deals, row, at + 10, numbers)
        box_key = START + CARD_KEY[box_a] + CARD_KEY[box_b] + CARD_KEY[box_c] + CARD_KEY[box_d]
        flop_key = START + CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c]
        key = flop_key + CARD_KEY[d] + CARD_KEY[e]
        suit = -1
        mask = 0
        board_value = np.int64(value5(key))
        river_row = board_value
        if (key + TWO_OF_EACH) & FLUSH_BITS:
            suit, mask, river_row = _suited_board(key, a, b, c, d, e)
            if key & FLUSH_BITS:
                board_value = np.int64(FLUSH[mask])
        flop = np.int64(_flop(a, b, c))
        aces = dealer_first >> 2 == ACE and dealer_second >> 2 == ACE
        dealer_key = key + CARD_KEY[dealer_first] + CARD_KEY[dealer_second]
        dealer = _value7(dealer_key, suit, mask, dealer_first, dealer_second)
        dealer_category = np.int64(CATEGORY[dealer])
        of_board = np.int64(side_alike[5, board_cells[board_value]]) << 48
        for seat in range(seats):
            first, second = _card(deals, row, 2 * seat, numbers), _card(deals, row, 2 * seat + 1, numbers)
            own = CARD_KEY[first] + CARD_KEY[second]
            hole = np.int64(HOLE_INDEX[52 * first + second])
            made = _value7(key + own, suit, mask, first, second)
            category = np.int64(CATEGORY[made])
            times = np.int64(before[hole])
            if times == 0:
                times = np.int64(
                    _raised_after(first, second, flop, raises_flop, suit, river_row, raises_plain, raises_suited)
                )
            end = WIN if dealer < made else (LOSE if dealer > made else TIE)
            end += 1 if dealer < FIRST_PAIR else 0
            if times:
                code = OF_UNIT * (times - 1) + np.int64(main_alike[OF_END * end + category])
            else:
                code = FOLDED + FOLDED_TOO * EVERY_SIDE_WAGER
            progressive = category
            if not best_of_seven:
                progressive = np.int64(CATEGORY[_on_flop(flop_key + own, a, b, c, first, second)])
            if (box_key + own) & FLUSH_BITS:
                six = np.int64(_six_suited(box_key + own, box_a, box_b, box_c, box_d, first, second))
            else:
                six = np.int64(CATEGORY[value6(box_key + own)])
            pair = against_aces[hole] if aces else pairs[hole]
            beaten = _beaten(end, category, dealer_category, player_only)
            code += of_board | np.int64(side_alike[0, category]) << 8 | np.int64(side_alike[1, progressive]) << 16
            code += np.int64(side_alike[2, six]) << 24 | np.int64(side_alike[3, pair]) << 32
            codes[row, seat] = code + (np.int64(side_alike[4, beaten]) << 40)
    return codes
