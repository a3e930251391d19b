"""Counts over every board and hand; the only prices are those that the caller passes in.

One pass over the 134,459 suit-distinct boards compares the holdings of each, class by class. Sums go to the rows of
the ten flops a board contains; suit symmetry is pooled by the caller.
"""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import (
    CLASSES,
    DEALERS,
    ENDS,
    HIGHER,
    LOSE,
    LOSE_NO_PAIR,
    LOWER,
    MIXED,
    ONE_SUIT,
    PAIRS,
    RANKS,
    SUITED,
    TWO_SUITS,
    below_category,
    flop_without,
    new_board,
    read_board,
)
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CATEGORY
from pitboss.odds.symmetry import hole_cards

# A row has a slot for every two cards: sixteen for each pair of ranks, and among those one for each pair of suits. So
# sums go from a class to its slots, and from slot to slot, by plain additions of adjacent numbers. Two cards of one
# rank have two slots, one for each order; slots that aren't two different cards are never read.
SLOTS = 16 * PAIRS


def _slots() -> NDArray[np.int64]:
    # By hole: its slot and, if the ranks are equal, the slot with the same two cards in the other order.
    low, high = hole_cards()
    first, second = low >> 2, high >> 2
    start = 16 * (RANKS * first - (first * (first - 1) >> 1) + second - first)
    slot, turned = start + 4 * (low & 3) + (high & 3), start + 4 * (high & 3) + (low & 3)
    return np.stack([slot, np.where(first == second, turned, slot)])


SLOTS_OF_HOLE = _slots()
SLOTS_WITH = np.array([np.unique(SLOTS_OF_HOLE[:, (np.stack(hole_cards()) == card).any(axis=0)]) for card in range(52)])
CHANGES = 10  # of suits, at most: one for each flop of a board


@kernel
def _spread(of_class, flush, held, moved, row):
    """Write each class's value to its slots with suits permuted, and zero to slots with a card of the board."""
    for pair in range(PAIRS):
        unsuited = of_class[pair]
        at = 16 * pair
        for slot in range(at, at + 16):
            row[slot] = unsuited
    if flush >= 0:
        suit = moved[flush]
        for pair in range(PAIRS):
            low, high = LOWER[pair], HIGHER[pair]
            low_suited = of_class[MIXED + RANKS * low + high]
            high_suited = of_class[MIXED + RANKS * high + low]
            at = 16 * pair
            for other in range(4):
                row[at + 4 * suit + other] = low_suited
            for other in range(4):
                row[at + 4 * other + suit] = high_suited
            row[at + 5 * suit] = of_class[SUITED + pair]
    for at in range(5):
        card = held[at] & ~3 | moved[held[at] & 3]
        for number in range(SLOTS_WITH.shape[1]):
            row[SLOTS_WITH[card, number]] = 0


@kernel
def _add(row, to):
    for slot in range(SLOTS):
        to[slot] += row[slot]


@kernel
def _moved_before(moved, codes, known):
    """Return the index of a suit permutation among those already seen, or how many there are if it is new."""
    code = moved[0] | moved[1] << 2 | moved[2] << 4 | moved[3] << 6
    for at in range(known):
        if codes[at] == code:
            return at
    codes[known] = code
    return known


@inlined
def worth_raised(holding, category, ends, fixed, play):
    base = 0
    each = 0
    for end in range(ENDS):
        base += ends[holding, end] * fixed[end, category]
        each += ends[holding, end] * play[end, category]
    return base, each


@kernel
def _weigh(board, count, ways, fixed, play, fold, gain, before):
    live, values, ends, holdings, suited = board.live, board.values, board.ends, board.holdings, board.suited
    for at in range(count):
        holding = live[at]
        category = CATEGORY[values[holding]]
        base, each = worth_raised(holding, category, ends, fixed, play)
        waited = max(base + each, fold * DEALERS)
        gain[holding] = ways * (base + 2 * each - waited)
        of_one_suit, of_two = ways * suited[holding], ways * (holdings[holding] - suited[holding])
        for number, ranks in ((of_one_suit, ONE_SUIT[holding]), (of_two, TWO_SUITS[holding])):
            before[ranks, 0] += number * base
            before[ranks, 1] += number * each
            before[ranks, 2] += number * waited


@kernel
def sum_worth(
    first: int,
    step: int,
    boards: NDArray[np.int64],
    all_ways: NDArray[np.int64],
    fixed: NDArray[np.int64],
    play: NDArray[np.int64],
    fold: int,
    gained: NDArray[np.int64],
    before: NDArray[np.int64],
) -> None:
    """Sum over every `step`-th board what a raise on the flop gains over a check, and the values before the flop.

    `before` is indexed by the two ranks as `board_kernels` numbers them. It holds what is won regardless of the raise,
    what each unit raised wins, and the value of a hand that waits for the river.
    """
    board = new_board()
    moved = np.zeros(4, np.int64)
    codes = np.zeros(CHANGES, np.int64)
    gain = np.zeros(CLASSES, np.int64)
    rows = np.zeros((CHANGES, SLOTS), np.int64)
    for number in range(first, boards.shape[0], step):
        masks = boards[number]
        flush, count = read_board(masks, board)
        ways = all_ways[number]
        _weigh(board, count, ways, fixed, play, fold, gain, before)
        known = 0
        for gone in range(4):
            for also_gone in range(gone + 1, 5):
                flop = flop_without(masks, board.held, gone, also_gone, moved)
                same = _moved_before(moved, codes, known)
                if same == known:
                    _spread(gain, flush, board.held, moved, rows[same])
                    known += 1
                _add(rows[same], gained[flop])


@kernel
def _gather_raised(row, flush, held, moved, raised):
    """Add up over the slots of each class how often its holdings were raised, with suits permuted back."""
    for at in range(5):
        card = held[at] & ~3 | moved[held[at] & 3]
        for number in range(SLOTS_WITH.shape[1]):
            row[SLOTS_WITH[card, number]] = 0
    suit = moved[flush] if flush >= 0 else 0
    for pair in range(PAIRS):
        at = 16 * pair
        total = 0
        for slot in range(at, at + 16):
            total += row[slot]
        low, high = LOWER[pair], HIGHER[pair]
        if flush >= 0:
            low_suited = 0
            high_suited = 0
            for other in range(4):
                low_suited += row[at + 4 * suit + other]
                high_suited += row[at + 4 * other + suit]
            both = np.int64(row[at + 5 * suit])
            total -= low_suited + high_suited - both
            raised[MIXED + RANKS * low + high] += low_suited - both
            if low != high:
                raised[MIXED + RANKS * high + low] += high_suited - both
            raised[SUITED + pair] += both
        raised[pair] += total >> (low == high)


class FlopsRaised(NamedTuple):
    """By class: on how many of a board's flops its holdings were raised; and the arrays to count them in."""

    raised: NDArray[np.int64]
    rows: NDArray[np.uint8]
    codes: NDArray[np.int64]
    moves: NDArray[np.int64]


@kernel
def no_flops_raised():
    """Allocate the arrays for one board, which are refilled for every board."""
    return FlopsRaised(
        np.zeros(CLASSES, np.int64),
        np.zeros((CHANGES, SLOTS), np.uint8),
        np.zeros(CHANGES, np.int64),
        np.zeros((CHANGES + 1, 4), np.int64),
    )


@kernel
def flops_raised(masks, board, flush, raises_flop, found):
    """Count for each class on how many of the ten flops its holdings were raised, all holdings together."""
    raised, rows, codes, moves = found.raised, found.rows, found.codes, found.moves
    for number in range(CLASSES):
        raised[number] = 0
    known = 0
    for gone in range(4):
        for also_gone in range(gone + 1, 5):
            flop = flop_without(masks, board.held, gone, also_gone, moves[known])
            same = _moved_before(moves[known], codes, known)
            if same == known:
                for slot in range(SLOTS):
                    rows[same, slot] = 0
                known += 1
            _add(raises_flop[flop], rows[same])
    for at in range(known):
        _gather_raised(rows[at], flush, board.held, moves[at], raised)


@kernel
def _count_board(board, count, ways, fixed, play, fold, equal_raises, raises_before, raised, counts, beaten):
    live, values, ends, holdings, suited = board.live, board.values, board.ends, board.holdings, board.suited
    for at in range(count):
        holding = live[at]
        category = CATEGORY[values[holding]]
        early = suited[holding] * raises_before[ONE_SUIT[holding]]
        early += (holdings[holding] - suited[holding]) * raises_before[TWO_SUITS[holding]]
        late = 10 * (holdings[holding] - early) - raised[holding]
        base, each = worth_raised(holding, category, ends, fixed, play)
        worth = base + each - fold * DEALERS
        last = 2 if worth > 0 or (worth == 0 and equal_raises) else 3
        for end in range(ENDS):
            deals = ways * ends[holding, end]
            counts[0, category, end] += 10 * early * deals
            counts[1, category, end] += raised[holding] * deals
            counts[last, category, end] += late * deals
        loses = ways * (ends[holding, LOSE] + ends[holding, LOSE_NO_PAIR])
        if last == 2:
            beaten[0, 0, category] += 10 * holdings[holding] * loses
        else:
            beaten[0, 0, category] += (10 * holdings[holding] - late) * loses
            beaten[1, 0, category] += late * loses
            _count_beaten_dealers(board, holding, category, late * ways, beaten[1, 1])


@kernel
def _count_beaten_dealers(board, holding, category, ways, beaten):
    lower = 0
    for higher in range(1, category + 1):
        below = below_category(holding, board, higher)
        beaten[higher - 1] += ways * (below - lower)
        lower = below
    beaten[category] += ways * (board.below[holding] - lower)


@kernel
def count_ends(
    first: int,
    step: int,
    boards: NDArray[np.int64],
    all_ways: NDArray[np.int64],
    fixed: NDArray[np.int64],
    play: NDArray[np.int64],
    fold: int,
    equal_raises: bool,
    raises_before: NDArray[np.int64],
    raises_flop: NDArray[np.uint8],
    counts: NDArray[np.int64],
    beaten: NDArray[np.int64],
) -> None:
    """Count how hands end under decisions made before the river, over every `step`-th board.

    `counts` is by decision (before the flop, on the flop, on the river, folded), category and end; `beaten` by
    whether the player folded, who was beaten (the player, the dealer) and the category of the beaten hand.
    """
    board = new_board()
    found = no_flops_raised()
    for number in range(first, boards.shape[0], step):
        masks = boards[number]
        flush, count = read_board(masks, board)
        ways = all_ways[number]
        flops_raised(masks, board, flush, raises_flop, found)
        _count_board(board, count, ways, fixed, play, fold, equal_raises, raises_before, found.raised, counts, beaten)
