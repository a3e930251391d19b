"""The ways a seat can play a whole round, and what each of them wins when all cards are known."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.games.parts import part_of
from pitboss.lab.suspicion_kernels import price
from pitboss.odds.hand_codes import Cards, HandCodes, hand_codes
from pitboss.odds.outcomes import Stakes
from pitboss.odds.pricing import main_wagers, net_of_stakes, required_stakes, stakes_after
from pitboss.odds.seen import questions
from pitboss.rules.dealing import BOX
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import PLAYED, UNDECIDED, SeatStatus
from pitboss.rules.reading import SeatCards, SeatReading, TableCards

# A rare prize would drown every other difference between hands that are dealt a few dozen times.
MOST_UNITS = 10.0

Floats = NDArray[np.float64]


class Answer(NamedTuple):
    """A seat's answer to a question: the action, and the place in its hand of the card it discards."""

    ask: str
    action: str
    discard: int | None = None


class Line(NamedTuple):
    """A seat's answers from the first to the last, and what they make of it."""

    answers: tuple[Answer, ...]
    status: SeatStatus
    stakes: Stakes

    @property
    def discard(self) -> int | None:
        """Return the place of the card that is discarded."""
        return self.answers[-1].discard


class Lines:
    """Every line of a game, and its net in units of the main wagers."""

    def __init__(self, rules: RulesInForce) -> None:
        self.rules = rules
        self.asks = tuple(questions(rules))
        self.all = tuple(self._lines((), required_stakes(rules), 0))
        self.places = {place: count for place, count in rules.game.table_cards.items() if place != BOX}
        self._hands: HandCodes = hand_codes(rules, part_of(rules.game.name, "many_hands"))
        self._nets: dict[int | None, Floats] = {}
        self._ended: dict[tuple[int, tuple[int, ...]], float] = {}
        self._settled: dict[tuple[Stakes, frozenset[str], tuple[tuple[str, str], ...]], float] = {}

    @cached_property
    def numbers(self) -> Mapping[Card, int]:
        """Return each card's place in the deck."""
        return {card: at for at, card in enumerate(self.rules.game.deck.cards)}

    def line(self, answers: tuple[Answer, ...]) -> int | None:
        """Return the number of the line with these answers; None if they don't end a hand."""
        return next((at for at, line in enumerate(self.all) if line.answers == answers), None)

    def answers_at(self, before: tuple[Answer, ...]) -> Mapping[Answer, tuple[int, ...]]:
        """Map each answer open after these to the lines it leads to."""
        found: dict[Answer, list[int]] = {}
        for at, line in enumerate(self.all):
            if line.answers[: len(before)] == before and len(line.answers) > len(before):
                found.setdefault(line.answers[len(before)], []).append(at)
        return {answer: tuple(lines) for answer, lines in found.items()}

    def nets(self, own: Cards, table: Mapping[str, Cards]) -> Floats:
        """Return the net of every line: own cards by seat, the table's by seat and by deal of them."""
        seats, deals = next(iter(table.values())).shape[:2]
        flat = {place: cards.reshape(seats * deals, -1) for place, cards in table.items()}
        found = np.empty((seats, deals, len(self.all)))
        for discard in {line.discard for line in self.all if line.status == PLAYED}:
            kept = own if discard is None else np.delete(own, discard, axis=1)
            rows = np.repeat(kept, deals, axis=0)
            which = [at for at, line in enumerate(self.all) if line.status == PLAYED and line.discard == discard]
            codes = self._hands.codes(rows, flat)
            self._price(discard, codes, which, found.reshape(seats * deals, -1))
        for at, line in enumerate(self.all):
            if line.status != PLAYED:
                found[:, :, at] = np.array([self._other(at, tuple(row)) for row in own.tolist()])[:, None]
        return found

    def _price(self, discard: int | None, codes: NDArray[np.int64], which: list[int], found: Floats) -> None:
        lines = np.array(which, np.int64)
        kept = self._nets.get(discard)
        if kept is not None and price(codes, kept, lines, found):
            return
        most = int(codes.max()) + 1
        if kept is None or len(kept) < most:
            grown = np.full((most, len(which)), np.nan)
            if kept is not None:
                grown[: len(kept)] = kept
            kept = self._nets[discard] = grown
        missing = np.unique(codes[np.isnan(kept[codes, 0])])
        for code in missing.tolist():
            reading = self._hands.reading(code)
            kept[code] = [self._net(self.all[at].stakes, reading) for at in which]
        price(codes, kept, lines, found)

    def _other(self, at: int, own: tuple[int, ...]) -> float:
        # A hand that isn't played to the end is settled without the table's cards.
        if (at, own) not in self._ended:
            if len(self._ended) > 100_000:
                self._ended.clear()
            rules, line = self.rules, self.all[at]
            cards = tuple(map(rules.game.deck.cards.__getitem__, own))
            seat = SeatCards(cards, line.status)
            none = tuple(
                map(rules.game.deck.cards.__getitem__, (n for n in range(len(rules.game.deck)) if n not in own))
            )
            filled, first = {}, 0
            for place, count in self.places.items():
                filled[place] = none[first : first + count]
                first += count
            table = TableCards(**filled)
            dealer = rules.game.readings.dealer(table, rules.options)
            self._ended[at, own] = self._net(
                line.stakes, rules.game.readings.seat(table, dealer, seat, rules.options, ())
            )
        return self._ended[at, own]

    def _net(self, stakes: Stakes, reading: SeatReading) -> float:
        # Many hands end alike, and most of all those that are folded.
        cells = tuple(reading.cells.items())
        key = stakes, reading.facts, cells
        if key not in self._settled:
            main = main_wagers(self.rules)
            placed = tuple((wager, units) for wager, units in stakes if wager in main)
            self._settled[key] = min(float(net_of_stakes(self.rules, placed, reading.facts, cells)), MOST_UNITS)
        return self._settled[key]

    def _lines(self, before: tuple[Answer, ...], stakes: Stakes, ask: int) -> list[Line]:
        found = []
        name = self.asks[ask][0]
        for action in self.rules.actions[name].values():
            held = range(self.rules.game.cards_each) if action.discards else (None,)
            for discard in held:
                answers, placed = (*before, Answer(name, action.name, discard)), stakes_after(stakes, action)
                if action.becomes == UNDECIDED and ask + 1 < len(self.asks):
                    found += self._lines(answers, placed, ask + 1)
                else:
                    found.append(Line(answers, action.becomes, placed))
        return found
