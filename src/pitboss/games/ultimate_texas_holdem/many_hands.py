"""Many played hands read at once: who wins, whether the dealer has a pair, and the category the Blind is paid on."""

from collections.abc import Mapping

import numpy as np

from pitboss.cards.deck import STANDARD_DECK
from pitboss.cards.poker import CATEGORIES
from pitboss.games.ultimate_texas_holdem.hand_kernels import read_hands
from pitboss.odds.evaluator_tables import card_number
from pitboss.odds.hand_codes import Cards, Codes
from pitboss.rules.dealing import BOARD, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import SeatReading

NUMBERS = np.array([card_number(card) for card in STANDARD_DECK.cards], np.uint8)
ORDERS = ("loses", "ties", "wins")
PAIRS = ("dealer-below-a-pair", "dealer-has-a-pair")


class ManyHands:
    """Reads the best five of seven of seat and dealer."""

    def __init__(self, rules: RulesInForce) -> None:
        pass

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row."""
        own, dealer, board = map(np.ascontiguousarray, (kept, table[DEALER], table[BOARD]))
        return read_hands(own, dealer, board, NUMBERS)

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        ends, made = divmod(code, len(CATEGORIES))
        qualifies, order = divmod(ends, 3)
        name = CATEGORIES[made]
        return SeatReading(name, frozenset({PAIRS[qualifies], ORDERS[order]}), {"blind": name, "trips": name})
