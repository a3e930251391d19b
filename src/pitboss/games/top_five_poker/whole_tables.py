"""Whole tables under optimal play, read by compiled code and described in the terms of the readings."""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.games.top_five_poker import table_kernels
from pitboss.games.top_five_poker.exact import (
    DEALER_FACTS,
    ENDS,
    FOLD_FACTS,
    HIGH_CARDS,
    ORDERS,
    SOLVER,
    all_kinds,
    cards_of,
    kinds_by_mask,
)
from pitboss.games.top_five_poker.paytables import COUNT_CELLS, POKER_CELLS
from pitboss.games.top_five_poker.readings import READINGS
from pitboss.odds.deciding import Decide, Meant
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import NO_DEALER, SeatCards, SeatReading, TableCards

# By the deck's own number of a card: its bit among the cards that count, or none.
BITS = np.array(
    [1 << HIGH_CARDS.index(card) if card in HIGH_CARDS else 0 for card in STANDARD_DECK.cards],
    np.uint32,
)
# The byte of a number that tells how a wager ends, counted from the lowest.
BYTES = {"ante": 0, "play": 0, "top-five-bonus": 1, "poker-bonus": 2}
CELLS = {"top-five-bonus": COUNT_CELLS, "poker-bonus": POKER_CELLS}
# A kernel's end is its place among the exact ones, those of a dealer who qualifies second.
assert ORDERS[table_kernels.EQUAL] == "equal"
assert DEALER_FACTS[1] in ENDS[table_kernels.QUALIFIED]


class WholeTables:
    """Reads blocks of deals, one number a seat, and says what it means; play is optimal unless a strategy is given."""

    def __init__(self, rules: RulesInForce, decide: Decide | None = None) -> None:
        ((ask, actions),) = rules.actions.items()
        play = next(action for action in actions.values() if action.becomes == PLAYED)
        self._placed = play.stakes
        answers = decide or SOLVER.player(rules)
        self._plays = np.array([answers(ask, cards, TableCards())[0] == play.name for cards in _samples()], np.bool_)
        kinds = all_kinds()
        self._sizes, self._values = kinds.size().astype(np.uint8), kinds.value
        self._qualifies, self._cells = _read()

    @property
    def bytes_of(self) -> Mapping[str, int]:
        """Return by wager which byte of a number tells how it ends."""
        return BYTES

    def codes(self, deals: NDArray[np.uint8], seats: int) -> NDArray[np.int64]:
        """Return a number for each deal and seat."""
        return table_kernels.read_tables(
            deals,
            seats,
            BITS,
            kinds_by_mask(),
            self._sizes,
            self._values,
            self._qualifies,
            self._cells,
            self._plays,
        )

    def meaning(self, code: int) -> Meant:
        """Return the wagers that a seat with this number placed, its status and how its hand is read."""
        cells = {wager: names[code >> 8 * BYTES[wager] & 255] for wager, names in CELLS.items()}
        hand = cells["poker-bonus"]
        if not code & 255:
            return Meant(None, FOLDED, SeatReading(hand, FOLD_FACTS, cells))
        return Meant(self._placed, PLAYED, SeatReading(hand, ENDS[(code & 255) - 1], cells))


@cache
def _samples() -> tuple[tuple[Card, ...], ...]:
    return tuple(cards_of(mask) for mask in all_kinds().sample.tolist())


@cache
def _read() -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    # By kind: whether a dealer qualifies, and the cells of the side wagers in their bytes.
    qualifies, packed = [], []
    for cards in _samples():
        qualifies.append(bool(READINGS.dealer(TableCards(dealer=cards), {}).qualifies))
        cells = READINGS.seat(TableCards(), NO_DEALER, SeatCards(cards, FOLDED), {}, CELLS).cells
        packed.append(sum(names.index(cells[wager]) << 8 * BYTES[wager] for wager, names in CELLS.items()))
    return np.array(qualifies, np.bool_), np.array(packed, np.int64)
