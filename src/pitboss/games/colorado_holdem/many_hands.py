"""Many played hands read at once: the two cards kept and the three on the board."""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import STANDARD_DECK
from pitboss.games.colorado_holdem.hand_kernels import read_hands
from pitboss.games.colorado_holdem.readings import five_card_cell
from pitboss.odds.evaluator_tables import card_number, tables
from pitboss.odds.hand_codes import Cards, Codes
from pitboss.rules.dealing import BOARD
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import SeatReading

NUMBERS = np.array([card_number(card) for card in STANDARD_DECK.cards], np.uint8)


class ManyHands:
    """Reads five cards; there is no dealer's hand."""

    def __init__(self, rules: RulesInForce) -> None:
        pass

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row."""
        own, board = map(np.ascontiguousarray, (kept, table[BOARD]))
        return read_hands(own, board, NUMBERS, _cells()[0])

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        cell = _cells()[1][code]
        return SeatReading(cell, frozenset({cell}), dict.fromkeys(("ante", "bet", "bonus"), cell))


@cache
def _cells() -> tuple[NDArray[np.int64], tuple[str, ...]]:
    names = [five_card_cell(value) for value in tables().poker_value.tolist()]
    kinds = tuple(dict.fromkeys(names))
    return np.array([kinds.index(name) for name in names], np.int64), kinds
