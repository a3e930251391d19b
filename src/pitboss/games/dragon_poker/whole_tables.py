"""Whole tables under optimal play, read by compiled code and described in the terms of the readings."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card, face
from pitboss.games.dragon_poker import table_kernels
from pitboss.games.dragon_poker.deck import COPIES, DECK
from pitboss.games.dragon_poker.exact import SOLVER, hands_of
from pitboss.games.dragon_poker.paytables import DRAGON_CELLS, HAND_CELLS
from pitboss.games.dragon_poker.readings import cell_of, dragon_cell, value_of
from pitboss.odds.deciding import Decide, Meant
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import SeatReading, TableCards

FACES = tuple(COPIES)
# By the deck's own number of a card: the number of its face.
FACE_NUMBERS = np.array([FACES.index(face(card)) for card in DECK.cards], np.uint8)
ENDS = {
    table_kernels.WINS: frozenset({"wins"}),
    table_kernels.LOSES: frozenset({"loses"}),
    table_kernels.TIES: frozenset({"ties"}),
}
FOLD_FACTS = frozenset({"folded"})
# The byte of a number that tells how a wager ends, counted from the lowest.
BYTES = {"ante": 0, "ante-bonus": 0, "play": 0, "three-card-bonus": 1, "dragon-bet": 2, "progressive": 3}


class WholeTables:
    """Reads blocks of deals, one number a seat, and says what it means; play is optimal unless a strategy is given."""

    def __init__(self, rules: RulesInForce, decide: Decide | None = None) -> None:
        ((ask, actions),) = rules.actions.items()
        play = next(action for action in actions.values() if action.becomes == PLAYED)
        self._placed = play.stakes
        self._progressive = DRAGON_CELLS if rules.options.get("progressive-reads") == "dragons" else HAND_CELLS
        answers = decide or SOLVER.player(rules)
        self._values = np.zeros(1 << 3 * table_kernels.FACE_BITS, np.int16)
        self._cells = np.zeros(self._values.size, np.int64)
        self._plays = np.zeros(self._values.size, np.bool_)
        for cards, _ in hands_of(COPIES):
            hand = tuple(FACES.index(card) for card in cards)
            places = [_place(*order) for order in permutations(hand)]
            self._values[places] = value_of(cards)
            self._cells[places] = self._packed(cards)
            self._plays[places] = answers(ask, cards, TableCards())[0] == play.name

    @property
    def bytes_of(self) -> Mapping[str, int]:
        """Return by wager which byte of a number tells how it ends."""
        return BYTES

    def codes(self, deals: NDArray[np.uint8], seats: int) -> NDArray[np.int64]:
        """Return a number for each deal and seat."""
        return table_kernels.read_tables(deals, seats, FACE_NUMBERS, self._values, self._cells, self._plays)

    def meaning(self, code: int) -> Meant:
        """Return the wagers that a seat with this number placed, its status and how its hand is read."""
        made, dragons, progressive = (code >> 8 * at & 255 for at in (1, 2, 3))
        cells = {
            "three-card-bonus": HAND_CELLS[made],
            "dragon-bet": DRAGON_CELLS[dragons],
            "progressive": self._progressive[progressive],
        }
        if not code & 255:
            return Meant(None, FOLDED, SeatReading("folded", FOLD_FACTS, cells))
        end, cell = divmod((code & 255) - 1, table_kernels.OF_END)
        hand = HAND_CELLS[cell]
        return Meant(self._placed, PLAYED, SeatReading(hand, ENDS[end], cells | {"ante-bonus": hand}))

    def _packed(self, cards: tuple[Card, ...]) -> int:
        made, dragons = HAND_CELLS.index(cell_of(value_of(cards))), DRAGON_CELLS.index(dragon_cell(cards))
        progressive = dragons if self._progressive is DRAGON_CELLS else made
        return made | made << 8 | dragons << 16 | progressive << 24


def _place(first: int, second: int, third: int) -> int:
    return (first << table_kernels.FACE_BITS | second) << table_kernels.FACE_BITS | third
