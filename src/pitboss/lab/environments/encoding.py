"""What an agent sees and answers, as numbers: the question, cards by face, actions in a fixed order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pitboss.cards.deck import Card, face
from pitboss.rules.dealing import Deal
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask

NO_CARD = 0  # a place without a card, or with a face-down card
ANY_SEAT = 1
Observation = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One action an agent may choose: its name, and the index in the hand of the card it discards."""

    action: str
    discards: int | None = None

    def __str__(self) -> str:
        return self.action if self.discards is None else f"{self.action}, discard card {self.discards + 1}"


class Encoding:
    """Turns what a seat sees into numbers and back; the same for every round under the same rules."""

    def __init__(self, rules: RulesInForce) -> None:
        self.asks = tuple(ask.name for ask in rules.asks)
        self.over = len(self.asks)  # the phase after the last question
        self.faces = tuple(dict.fromkeys(map(face, rules.game.deck.cards)))
        self._number = {name: index for index, name in enumerate(self.faces, NO_CARD + 1)}
        self.cards_each = rules.game.cards_each
        self.places = {place: rules.game.table_cards[place] for place in _seen(rules)}
        self.answers = tuple(_answers(rules))
        self._masks = {ask: self._mask(rules, ask) for ask in self.asks}
        self.action_space = spaces.Discrete(len(self.answers))
        kinds = len(self.faces) + 1
        sizes = {"hand": self.cards_each, **self.places}
        self.observation_space = spaces.Dict(
            {"phase": spaces.Discrete(self.over + 1)}
            | {place: spaces.MultiDiscrete([kinds] * size) for place, size in sizes.items()}
        )

    def observation(self, ask: str | None, hand: Iterable[Card], table: Mapping[str, Iterable[str | None]]) -> Any:
        """Return what a seat sees: the question, its own cards and the table's face-up cards."""
        phase = self.over if ask is None else self.asks.index(ask)
        found: Observation = {"phase": np.int64(phase), "hand": self._numbers(map(face, hand), self.cards_each)}
        for place, size in self.places.items():
            found[place] = self._numbers(table.get(place, ()), size)
        return found

    def mask(self, ask: str | None) -> NDArray[np.int8]:
        """Return 1 for each legal action at a question, 0 for the others."""
        return np.zeros(len(self.answers), np.int8) if ask is None else self._masks[ask].copy()

    def in_order(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return cards in the order of their faces, as an observation lists them."""
        return tuple(sorted(cards, key=lambda card: (self._number[face(card)], card)))

    def seen(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the faces in a part of an observation."""
        return tuple(self.faces[number - NO_CARD - 1] for number in numbers if number != NO_CARD)

    def _numbers(self, faces: Iterable[str | None], size: int) -> NDArray[np.int64]:
        found = np.full(size, NO_CARD, np.int64)
        known = sorted(self._number[name] for name in faces if name is not None)
        found[: len(known)] = known
        return found

    def _mask(self, rules: RulesInForce, ask: str) -> NDArray[np.int8]:
        return np.array([answer.action in rules.actions[ask] for answer in self.answers], np.int8)


def _answers(rules: RulesInForce) -> Iterable[Answer]:
    every = {name: action for actions in rules.actions.values() for name, action in actions.items()}
    for name, action in every.items():
        places = range(rules.game.cards_each) if action.discards else (None,)
        yield from (Answer(name, place) for place in places)


def _seen(rules: RulesInForce) -> Iterable[str]:
    # The places where a table card can be face up before the last question.
    last = max(index for index, step in enumerate(rules.play) if isinstance(step, Ask))
    before = [index for index, step in enumerate(rules.play[:last]) if isinstance(step, Deal)]
    up = {due.place for index in before for due in rules.deliveries(index, (ANY_SEAT,)) if due.face_up}
    return (place for place in rules.game.table_cards if place in up)
