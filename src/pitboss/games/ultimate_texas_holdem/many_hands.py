"""Many played hands read at once: who wins, whether the dealer has a pair, and the category the Blind is paid on."""

from collections.abc import Mapping

import numpy as np

from pitboss.cards.deck import STANDARD_DECK
from pitboss.cards.poker import CATEGORIES, PAIR
from pitboss.odds.evaluator import CATEGORY, rank_hands
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
        board = NUMBERS[table[BOARD]]
        value = rank_hands(np.concatenate([NUMBERS[kept], board], axis=1)).astype(np.int64)
        against = rank_hands(np.concatenate([NUMBERS[table[DEALER]], board], axis=1)).astype(np.int64)
        ends = 3 * (CATEGORY[against] >= PAIR) + np.sign(value - against) + 1
        found: Codes = ends * len(CATEGORIES) + CATEGORY[value]
        return found

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        ends, made = divmod(code, len(CATEGORIES))
        qualifies, order = divmod(ends, 3)
        name = CATEGORIES[made]
        return SeatReading(name, frozenset({PAIRS[qualifies], ORDERS[order]}), {"blind": name, "trips": name})
