"""Reads many played hands at once: a small number for each, and what the number means."""

from collections.abc import Mapping
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import PLAYED
from pitboss.rules.reading import SeatCards, SeatReading, TableCards

Cards = NDArray[np.uint8]  # a row of cards per hand, each by its place in the game's deck
Codes = NDArray[np.int64]


class HandCodes(Protocol):
    """A game's reader of many hands that were played to the end."""

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row: the cards a seat kept, against the table's."""
        ...

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        ...


class ReadHandCodes:
    """Reads any game's hands with its own readings, a row at a time."""

    def __init__(self, rules: RulesInForce) -> None:
        self._rules = rules
        self._numbers: dict[tuple[frozenset[str], tuple[tuple[str, str], ...]], int] = {}
        self._readings: list[SeatReading] = []

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row: the cards a seat kept, against the table's."""
        places = [(place, cards.tolist()) for place, cards in table.items()]
        return np.array(
            [self._code(own, {place: rows[at] for place, rows in places}) for at, own in enumerate(kept.tolist())],
            np.int64,
        )

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        return self._readings[code]

    def _code(self, own: list[int], table: Mapping[str, list[int]]) -> int:
        rules, game = self._rules, self._rules.game
        shared = TableCards(**{place: self._named(cards) for place, cards in table.items()})
        dealer = game.readings.dealer(shared, rules.options)
        seat = SeatCards(self._named(own), PLAYED)
        found = game.readings.seat(shared, dealer, seat, rules.options, ())
        key = (found.facts, tuple(sorted(found.cells.items())))
        if key not in self._numbers:
            self._numbers[key] = len(self._readings)
            self._readings.append(found)
        return self._numbers[key]

    def _named(self, cards: list[int]) -> tuple[Card, ...]:
        return tuple(map(self._rules.game.deck.cards.__getitem__, cards))


def hand_codes(rules: RulesInForce, own_part: object | None) -> HandCodes:
    """Return the compiled reader of a game's folder, or the general one."""
    if own_part is None:
        return ReadHandCodes(rules)
    return cast(HandCodes, own_part.ManyHands(rules))  # type: ignore[attr-defined]
