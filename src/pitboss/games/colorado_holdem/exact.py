"""The kernel of Colorado Hold 'Em: every board for every three cards and discard.

The possible boards for two kept cards are all boards with those cards, minus the ones that contain the discard. So it
is enough to know the cells of the five-card hands that contain two or three given cards.
"""

from collections.abc import Collection
from functools import cache, partial
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, SUITS
from pitboss.games.colorado_holdem.paytables import CELLS
from pitboss.games.colorado_holdem.readings import five_card_cell
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.evaluator_tables import tables
from pitboss.odds.one_decision import End, Ends, Hand, OneDecision, end_of
from pitboss.odds.symmetry import hands_by_kind, suits_chosen
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import NO_DEALER, SeatCards, TableCards

BOARDS = comb(49, 3)

Integers = NDArray[np.int64]


def ends(rules: RulesInForce, seat: SeatCards, wagers: Collection[str]) -> Ends:
    """Count how a seat's hand ends on every board; without a discard the board doesn't matter."""
    if seat.discard is None:
        return {end_of(rules, TableCards(), NO_DEALER, seat, wagers): BOARDS}
    kept = tuple(card for card in seat.cards if card != seat.discard)
    boards = _hands_holding(_kind_of(kept)) - _hands_holding(_kind_of(seat.cards))
    return {_end(cell, tuple(wagers)): count for cell, count in zip(CELLS, boards.tolist(), strict=True) if count}


@cache
def _end(cell: str, wagers: tuple[str, ...]) -> End:
    return frozenset({cell}), tuple((wager, cell) for wager in wagers)


def _kind_of(cards: Hand) -> Hand:
    return tuple(sorted(suits_chosen(cards)))


@cache
def _hands_holding(cards: Hand) -> Integers:
    # By cell: how many five-card hands hold these cards.
    held = [4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in cards]
    others = np.array([number for number in range(52) if number not in held], np.uint8)
    drawn = others[_draws(len(others), 5 - len(held))]
    hands = np.hstack([np.tile(np.array(held, np.uint8), (len(drawn), 1)), drawn])
    return np.bincount(cell_numbers()[rank_hands(hands)], minlength=len(CELLS))


@cache
def _draws(cards: int, drawn: int) -> Integers:
    return np.array(list(combinations(range(cards), drawn)), np.int64)


@cache
def cell_numbers() -> Integers:
    """Return the number of the cell of each value of a five-card hand."""
    cells = {cell: number for number, cell in enumerate(CELLS)}
    return np.array([cells[five_card_cell(value)] for value in tables().poker_value.tolist()], np.int64)


SOLVER = OneDecision(partial(hands_by_kind, 3), ends, suits_chosen)
main_counts, wager_counts, action_worths = SOLVER.main_counts, SOLVER.wager_counts, SOLVER.action_worths
best_discard = SOLVER.best_discard
reason = SOLVER.reason
