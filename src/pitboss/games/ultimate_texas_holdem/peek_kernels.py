"""What a raise on the flop gains for a player who has seen a dealer's card, or none: every flop, hole and card."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.board_kernels import CLASSES, PAIRS, RANKS
from pitboss.games.ultimate_texas_holdem.lane_kernels import LANE_OF, LANES, sum_view
from pitboss.games.ultimate_texas_holdem.view_kernels import CLASS_OF, PAIR_OF, Sums, sum_plain
from pitboss.odds.compiled import kernel
from pitboss.odds.symmetry import hole_cards

FIRST_CARD, SECOND_CARD = (half.astype(np.int64) for half in hole_cards())
HOLES = FIRST_CARD.size
OUT_OF_REACH = -(1 << 60)

Integers = NDArray[np.int64]


@kernel
def counts_without(masks, suit, known):
    """Count the ranks of the cards outside a suit, all of them with suit 4; return the number of cards."""
    cards = 0
    for rank in range(RANKS):
        known[rank] = 0
        for other in range(4):
            if other != suit and masks[other] >> rank & 1:
                known[rank] += 1
                cards += 1
    return cards


@kernel
def sum_cards(
    masks: Integers,
    by_ranks: NDArray[np.int32],
    sums: Sums,
    plain: Integers,
    found: Integers,
    view: Integers,
    known: Integers,
    last: Integers,
) -> None:
    """Sum by number, hole and dealer's card over every way to complete a board, cards held twice left out.

    `found` is the result; `plain` and `view` are room for the sums by ranks and by one suit, and `last` has the ranks
    of the board before, whose sums by ranks may still be there.
    """
    cards = counts_without(masks, 4, known)
    if not np.array_equal(known, last):
        sum_plain(known, by_ranks, plain)
        last[:] = known
    _lay_out(plain, found)
    for suit in range(4):
        outside = counts_without(masks, suit, known)
        if cards - outside + 5 - cards < 3:
            continue
        # Suits without a card see the same board: what was summed for the last of them holds for the next.
        if masks[suit] or not (suit and masks[suit - 1] == 0):
            sum_view(masks[suit], known, by_ranks, sums, view)
        _add_view(suit, view, found)
    blank(masks, found)


@kernel
def sum_known_card(rank: int, by_ranks: NDArray[np.int32], views: Integers, plain: Integers, found: Integers) -> None:
    """Sum as `sum_cards` does with one card of the first suit known, from views of all known cards."""
    known = np.zeros(RANKS, np.int64)
    known[rank] = 1
    sum_plain(known, by_ranks, plain)
    _lay_out(plain, found)
    for suit in range(4):
        _add_view(suit, views[rank if suit == 0 else RANKS + rank], found)
    masks = np.zeros(4, np.int64)
    masks[0] = 1 << rank
    blank(masks, found)


@kernel
def _lay_out(plain, found):
    shown = found.shape[2]
    for number in range(found.shape[0]):
        for hole in range(HOLES):
            for card in range(shown):
                found[number, hole, card] = plain[number, PAIR_OF[hole], card >> 2 if shown > 1 else 0]


@kernel
def _add_view(suit, view, found):
    shown = found.shape[2]
    for number in range(found.shape[0]):
        for hole in range(HOLES):
            row = view[number, CLASS_OF[suit, hole]]
            to = found[number, hole]
            for card in range(shown):
                to[card] += row[LANE_OF[suit, card] if shown > 1 else 0]


@kernel
def blank(masks, found):
    """Clear what belongs to cards that are held twice."""
    for number in range(found.shape[0]):
        for hole in range(HOLES):
            first, second = FIRST_CARD[hole], SECOND_CARD[hole]
            to = found[number, hole]
            if masks[first & 3] >> (first >> 2) & 1 or masks[second & 3] >> (second >> 2) & 1:
                to[:] = 0
            elif to.size > 1:
                to[first] = 0
                to[second] = 0
                for suit in range(4):
                    for rank in range(RANKS):
                        if masks[suit] >> rank & 1:
                            to[4 * rank + suit] = 0


@kernel
def room_for(
    numbers: int,
    shown: int,
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Return room for `sum_cards`: sums by ranks, the result, sums of a suit, counts of ranks, the last of these."""
    lanes = LANES if shown > 1 else 1
    ranks = RANKS if shown > 1 else 1
    return (
        np.zeros((numbers, PAIRS, ranks), np.int64),
        np.zeros((numbers, HOLES, shown), np.int64),
        np.zeros((numbers, CLASSES, lanes), np.int64),
        np.zeros(RANKS, np.int64),
        np.full(RANKS, -1),
    )


@kernel
def add_gains(
    first: int,
    step: int,
    boards: Integers,
    all_ways: Integers,
    by_ranks: NDArray[np.int32],
    sums: Sums,
    gained: Integers,
) -> None:
    """Add up, over every `step`-th kind of cards known after the flop, what the better of a raise and a check gains.

    The first number of `sums` is what a raise gains. `gained` is by the card that was exposed, a single row where
    none was, by hole and by dealer's card.
    """
    plain, found, view, known, last = room_for(1, gained.shape[2])
    for number in range(first, boards.shape[0], step):
        masks = boards[number]
        sum_cards(masks, by_ranks, sums, plain, found, view, known, last)
        ways = all_ways[number]
        for hole in range(HOLES):
            row = found[0, hole]
            for card in range(row.size):
                row[card] = ways * max(row[card], 0)
        if gained.shape[0] == 1:
            gained[0] += found[0]
            continue
        for suit in range(4):
            for rank in range(RANKS):
                if masks[suit] >> rank & 1:
                    gained[4 * rank + suit] += found[0]
