"""Whole tables under optimal play, read by compiled code and described in the terms of the readings."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, STANDARD_DECK, SUITS, Card
from pitboss.games.colorado_holdem import table_kernels
from pitboss.games.colorado_holdem.exact import SOLVER, cell_numbers
from pitboss.games.colorado_holdem.paytables import CELLS
from pitboss.games.colorado_holdem.readings import READINGS
from pitboss.odds.deciding import Decide, Meant
from pitboss.odds.evaluator_tables import card_at
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import DECLARED, FOLDED, PLAYED, Action
from pitboss.rules.reading import NO_DEALER, SeatCards, SeatReading, TableCards

# By the deck's own number of a card: the number by which kernels know it.
NUMBERS = np.array([4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in STANDARD_DECK.cards], np.uint8)
# A number: the cell of the hand, and 16 for each place of what became of it in this order.
OF_WAY = 16
FOLDS, DECLARES, BETS, CHECKS = range(4)
WRONGLY = 1  # declared without an instant winner; such a hand has no cell
FOLD_FACTS, DECLARED_FACTS, WRONG_FACTS = (frozenset({fact}) for fact in ("folded", "declared", "declared-wrongly"))
MAIN_AND_BONUS = ("ante", "bet", "bonus")


class WholeTables:
    """Reads blocks of deals, one number a seat, and says what a number means; optimal play unless a strategy is given.

    The same cell settles every wager, so one byte describes them all.
    """

    def __init__(self, rules: RulesInForce, decide: Decide | None = None) -> None:
        ((self._ask, self._actions),) = rules.actions.items()
        self._placed = next(action.stakes for action in self._actions.values() if action.stakes)
        self._answers = self._answered(rules, decide or SOLVER.player(rules))
        self._cells = cell_numbers().astype(np.uint8)

    @property
    def bytes_of(self) -> Mapping[str, int]:
        """Return by wager which byte of a number tells how it ends."""
        return dict.fromkeys(MAIN_AND_BONUS, 0)

    def codes(self, deals: NDArray[np.uint8], seats: int) -> NDArray[np.int64]:
        """Return a number for each deal and seat."""
        return table_kernels.read_tables(deals, seats, NUMBERS, self._answers, self._cells)

    def meaning(self, code: int) -> Meant:
        """Return the wagers that a seat with this number placed, its status and how its hand is read."""
        way, at = divmod(code, OF_WAY)
        if way == FOLDS:
            if at == WRONGLY:
                return Meant(None, DECLARED, SeatReading("no instant winner", WRONG_FACTS, {}))
            return Meant(None, FOLDED, SeatReading("folded", FOLD_FACTS, {}))
        cells = dict.fromkeys(MAIN_AND_BONUS, CELLS[at])
        if way == DECLARES:
            return Meant(None, DECLARED, SeatReading(CELLS[at], DECLARED_FACTS, cells))
        placed = self._placed if way == BETS else None
        return Meant(placed, PLAYED, SeatReading(CELLS[at], frozenset({CELLS[at]}), cells))

    def _answered(self, rules: RulesInForce, decide: Decide) -> NDArray[np.uint8]:
        # By three cards, in the order by which kernels find them.
        found = []
        for high in range(52):
            for middle in range(high):
                for low in range(middle):
                    cards = card_at(low), card_at(middle), card_at(high)
                    name, discard = decide(self._ask, cards, TableCards())
                    place = int(table_kernels.NONE) if discard is None else cards.index(discard)
                    found.append(_number(rules, self._actions[name], cards) << 2 | place)
        return np.array(found, np.uint8)


def _number(rules: RulesInForce, action: Action, cards: tuple[Card, ...]) -> int:
    if action.becomes == PLAYED:
        return OF_WAY * (BETS if action.stakes else CHECKS)
    if action.becomes == FOLDED:
        return OF_WAY * FOLDS
    declared = READINGS.seat(TableCards(), NO_DEALER, SeatCards(cards, DECLARED), rules.options, ())
    return OF_WAY * DECLARES + CELLS.index(declared.cells["ante"]) if declared.cells else OF_WAY * FOLDS + WRONGLY
