"""Many played hands read at once: three cards of eight faces, looked up in a table."""

from collections.abc import Mapping
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card, face
from pitboss.games.dragon_poker.deck import COPIES, DECK
from pitboss.games.dragon_poker.hand_kernels import read_hands
from pitboss.games.dragon_poker.paytables import HAND_CELLS
from pitboss.games.dragon_poker.readings import cell_of, value_of
from pitboss.odds.hand_codes import Cards, Codes
from pitboss.rules.dealing import DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import SeatReading

FACES = tuple(COPIES)
FACE = np.array([FACES.index(face(card)) for card in DECK.cards], np.int64)
ORDERS = ("loses", "ties", "wins")


class ManyHands:
    """Reads three cards against three."""

    def __init__(self, rules: RulesInForce) -> None:
        pass

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row."""
        values, cells = _hands()
        own, dealer = map(np.ascontiguousarray, (kept, table[DEALER]))
        return read_hands(own, dealer, FACE, len(FACES), values, cells, len(HAND_CELLS))

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        order, cell = divmod(code, len(HAND_CELLS))
        name = HAND_CELLS[cell]
        return SeatReading(name, frozenset({ORDERS[order]}), {"ante-bonus": name, "three-card-bonus": name})


@cache
def _hands() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    # By three faces: the value, and the place of the hand's cell. Two gold dragons can't be dealt.
    values = [value_of(tuple(map(Card, faces))) if faces.count("Dg") < 2 else 0 for faces in product(FACES, repeat=3)]
    return np.array(values, np.int64), np.array(
        [HAND_CELLS.index(cell_of(value or 1 << 8)) for value in values], np.int64
    )
