"""Whole tables under optimal play, read by compiled code and described in the terms of the readings."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.cards.poker import CATEGORIES, PAIR, category, category_name, first_rank
from pitboss.games.ultimate_texas_holdem import exact, table_kernels
from pitboss.games.ultimate_texas_holdem.paytables import BOARD_CELLS, PAIRS_CELLS
from pitboss.games.ultimate_texas_holdem.play import NUMBER, Tables, tables_of
from pitboss.games.ultimate_texas_holdem.readings import TEN, pairs_cell
from pitboss.games.ultimate_texas_holdem.table_kernels import OF_END, OF_UNIT
from pitboss.odds.deciding import Meant
from pitboss.odds.evaluator_tables import tables
from pitboss.odds.symmetry import hole_cards
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import SeatReading

# By the deck's own number of a card: the number by which kernels know it.
NUMBERS = np.array([NUMBER[card] for card in STANDARD_DECK.cards], np.uint8)
CARDS = {number: card for card, number in NUMBER.items()}
TWO_ACES = (Card("Ac"), Card("Ad"))
MAIN = ("ante", "blind", "play")
# The wagers that have a byte of a number each, from the second byte up, and what their cells are called.
SIDE = {
    "trips": CATEGORIES,
    "progressive": CATEGORIES,
    "six-card-bonus": (*CATEGORIES, "super-royal-of-another-suit", "super-royal-of-diamonds"),
    "ultimate-pairs": PAIRS_CELLS,
    "bad-beat": (*CATEGORIES, "tie", "nobody-beaten"),
    "play-the-board": BOARD_CELLS,
}
BYTES = dict.fromkeys(MAIN, 0) | {wager: at for at, wager in enumerate(SIDE, 1)}
FOLDED_OR_NOT = (exact.FOLDED, *exact.ENDS.values())


class WholeTables:
    """Reads blocks of deals as one number per seat, and says what it means; optimal play unless other tables are given.

    Hands that settle every wager the same way share a number, which is described by the first of their cells.
    """

    def __init__(self, rules: RulesInForce, played: Tables | None = None) -> None:
        solved = played or tables_of(rules)
        self._before = solved.before.astype(np.uint8)
        self._raises_flop = np.packbits(solved.raises_flop, axis=1, bitorder="little").ravel()
        self._raises_river = solved.raises_river
        self._pairs, self._against_aces = _pairs(()), _pairs(TWO_ACES)
        self._board_cells = _board_cells()
        self._main_alike = _main_alike(rules)
        self._side_alike = np.array([_side_alike(rules, wager, cells) for wager, cells in SIDE.items()], np.uint8)
        self._best_of_seven = rules.options["progressive-hand"] == "best-of-seven"
        self._player_only = rules.options["bad-beat-pays"] == "player"
        self._placed = {
            action.stakes.times: action.stakes
            for actions in rules.actions.values()
            for action in actions.values()
            if action.stakes
        }

    @property
    def bytes_of(self) -> Mapping[str, int]:
        """Return by wager which byte of a number says how it ends."""
        return BYTES

    def codes(self, deals: NDArray[np.uint8], seats: int) -> NDArray[np.int64]:
        """Return a number for each deal and seat."""
        return table_kernels.read_tables(
            deals,
            seats,
            NUMBERS,
            self._before,
            self._raises_flop,
            self._raises_river.plain.ravel(),
            self._raises_river.suited.ravel(),
            self._pairs,
            self._against_aces,
            self._board_cells,
            self._main_alike,
            self._side_alike,
            best_of_seven=self._best_of_seven,
            player_only=self._player_only,
        )

    def meaning(self, code: int) -> Meant:
        """Return the wagers that a seat with this number placed, its status and how its hand is read."""
        main = code & 255
        cells = {wager: names[code >> 8 * at & 15] for at, (wager, names) in enumerate(SIDE.items(), 1)}
        if main == table_kernels.FOLDED:
            return Meant(None, FOLDED, SeatReading(cells["trips"], exact.FOLDED, cells))
        units, end, made = main // OF_UNIT + 1, main % OF_UNIT // OF_END, CATEGORIES[main % OF_END]
        return Meant(self._placed[units], PLAYED, SeatReading(made, exact.ENDS[end], cells | {"blind": made}))


# The cells of every hand are the same under all rules.


@cache
def _pairs(dealer: tuple[Card, ...]) -> NDArray[np.uint8]:
    holes = zip(*(column.tolist() for column in hole_cards()), strict=True)
    return np.array([PAIRS_CELLS.index(pairs_cell((CARDS[a], CARDS[b]), dealer)) for a, b in holes], np.uint8)


@cache
def _board_cells() -> NDArray[np.uint8]:
    return np.array([BOARD_CELLS.index(_board_cell(value)) for value in tables().poker_value.tolist()], np.uint8)


def _board_cell(value: int) -> str:
    if category(value) == PAIR:
        return "pair-of-tens-or-better" if first_rank(value) >= TEN else "pair-below-tens"
    return category_name(value)


def _main_alike(rules: RulesInForce) -> NDArray[np.uint8]:
    # By end and category: the first end and category under which the main wagers end the same way.
    ways = [
        tuple(_verdict(rules, wager, facts, cell) for wager in MAIN)
        for facts in exact.ENDS.values()
        for cell in CATEGORIES
    ]
    return np.array(_firsts(ways), np.uint8)


def _side_alike(rules: RulesInForce, wager: str, cells: Sequence[str]) -> list[int]:
    # By cell: the first cell with which the wager always ends the same way and brings the same envy.
    if wager not in rules.offered:
        return [0] * 16
    progressive = rules.game.progressive
    envied = progressive.envy_cells if progressive and progressive.wager == wager else ()
    ways = [(cell in envied, *(_verdict(rules, wager, facts, cell) for facts in FOLDED_OR_NOT)) for cell in cells]
    return _firsts(ways) + [0] * (16 - len(cells))


def _firsts(ways: list[Any]) -> list[int]:
    found: dict[Any, int] = {}
    return [found.setdefault(way, at) for at, way in enumerate(ways)]


def _verdict(rules: RulesInForce, wager: str, facts: frozenset[str], cell: str) -> tuple[object, ...]:
    table = rules.paytables.get(wager)
    verdict = rules.adjudicate(wager, facts, cell if table else None)
    line = table.by_cell.get(cell) if table and verdict.odds_cite else None
    return verdict.result, verdict.payoff, verdict.cite, verdict.odds_cite, line and line.hand
