"""Whole tables under optimal play, read by compiled code and told in the words of the readings."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.cards.poker import CATEGORIES, PAIR, category, category_name, first_rank
from pitboss.games.ultimate_texas_holdem import exact, table_kernels
from pitboss.games.ultimate_texas_holdem.paytables import BOARD_CELLS, PAIRS_CELLS
from pitboss.games.ultimate_texas_holdem.play import NUMBER, gains_of, tables_of
from pitboss.games.ultimate_texas_holdem.readings import TEN, pairs_cell
from pitboss.odds.deciding import Meant
from pitboss.odds.symmetry import hole_cards
from pitboss.odds.tables import tables
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import SeatReading

# By the deck's own number of a card: the number by which kernels know it.
NUMBERS = np.array([NUMBER[card] for card in STANDARD_DECK.cards], np.uint8)
CARDS = {number: card for card, number in NUMBER.items()}
TWO_ACES = (Card("Ac"), Card("Ad"))
SIX_CARD = (*CATEGORIES, "super-royal-of-another-suit", "super-royal-of-diamonds")
TIES = (4, 5)
WINS = (0, 1)


class WholeTables:
    """Reads blocks of deals, one number a seat, and says what a number means."""

    def __init__(self, rules: RulesInForce) -> None:
        self._solved = tables_of(rules)
        self._gains = np.array(gains_of(rules), np.int64)
        self._pairs, self._against_aces = _pairs(()), _pairs(TWO_ACES)
        self._board_cells = np.array([BOARD_CELLS.index(_board_cell(one)) for one in tables().poker_value.tolist()])
        self._best_of_seven = rules.options["progressive-hand"] == "best-of-seven"
        self._player_only = rules.options["bad-beat-pays"] == "player"
        self._placed = {
            action.stakes.times: action.stakes
            for actions in rules.actions.values()
            for action in actions.values()
            if action.stakes
        }

    def codes(self, deals: NDArray[np.uint8], seats: int) -> NDArray[np.int64]:
        """Return a number for each deal and seat."""
        return table_kernels.read_tables(
            NUMBERS[deals],
            seats,
            self._solved.before,
            self._solved.raises_flop,
            self._gains,
            self._pairs,
            self._against_aces,
            self._board_cells,
        )

    def meaning(self, code: int) -> Meant:
        """Return what a seat with this number has placed, what became of it and how it is read."""
        times, end, made, dealer, on_flop, six, pairs, board = (code >> 4 * at & 15 for at in range(8))
        cells = {
            "blind": CATEGORIES[made],
            "trips": CATEGORIES[made],
            "progressive": CATEGORIES[made if self._best_of_seven else on_flop],
            "six-card-bonus": SIX_CARD[six],
            "ultimate-pairs": PAIRS_CELLS[pairs],
            "bad-beat": self._bad_beat(end, made, dealer),
            "play-the-board": BOARD_CELLS[board],
        }
        facts = exact.ENDS[end] if times else exact.FOLDED
        reading = SeatReading(CATEGORIES[made], facts, cells)
        return Meant(self._placed.get(times), PLAYED if times else FOLDED, reading)

    def _bad_beat(self, end: int, made: int, dealer: int) -> str:
        if end in TIES:
            return "tie"
        if end in WINS and self._player_only:
            return "nobody-beaten"
        return CATEGORIES[min(made, dealer)]


def _pairs(dealer: Sequence[Card]) -> NDArray[np.int64]:
    holes = zip(*(one.tolist() for one in hole_cards()), strict=True)
    return np.array([PAIRS_CELLS.index(pairs_cell((CARDS[a], CARDS[b]), tuple(dealer))) for a, b in holes], np.int64)


def _board_cell(value: int) -> str:
    if category(value) == PAIR:
        return "pair-of-tens-or-better" if first_rank(value) >= TEN else "pair-below-tens"
    return category_name(value)
