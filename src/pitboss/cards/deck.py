"""What a card is, and which cards make a deck."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NewType

# A card is the name of one physical card. Its first two letters are its face; where a deck
# repeats a face a number follows ("Ra7" is the seventh rabbit), so that no card can appear twice.
Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_TITLES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUIT_TITLES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class UnknownCard(ValueError):
    """A name no card in the deck has, or more cards of a face than the deck has."""


def face(card: Card) -> str:
    """Return what the card shows, without its number."""
    return card[:2]


@dataclass(frozen=True)
class Deck:
    """The physical cards of one deck and the title of each face."""

    name: str
    cards: tuple[Card, ...]
    titles: Mapping[str, str]

    def __post_init__(self) -> None:
        assert len(set(self.cards)) == len(self.cards), "a deck holds each card once"
        assert {face(card) for card in self.cards} == set(self.titles), "every face has a title"

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self._set

    @cached_property
    def _set(self) -> frozenset[Card]:
        return frozenset(self.cards)

    @cached_property
    def _by_face(self) -> Mapping[str, tuple[Card, ...]]:
        faces: dict[str, list[Card]] = {}
        for card in self.cards:
            faces.setdefault(face(card), []).append(card)
        return {name: tuple(cards) for name, cards in faces.items()}

    def of_face(self, name: str) -> tuple[Card, ...]:
        """Return the physical cards that show this face."""
        return self._by_face.get(name, ())

    def pick(self, faces: Iterable[str], taken: set[Card]) -> tuple[Card, ...]:
        """Return a physical card for each face, none of them in `taken`, and add them to it."""
        picked: list[Card] = []
        for name in faces:
            copies = self._by_face.get(name)
            if copies is None:
                raise UnknownCard(f"{name!r} is not a card of the {self.name} deck")
            card = next((copy for copy in copies if copy not in taken), None)
            if card is None:
                many = "appears twice" if len(copies) == 1 else f"appears more than {len(copies)} times"
                raise UnknownCard(f"{name} {many}")
            taken.add(card)
            picked.append(card)
        return tuple(picked)


STANDARD_DECK = Deck(
    name="52-card",
    cards=tuple(Card(rank + suit) for suit in SUITS for rank in RANKS),
    titles={
        rank + suit: f"{title} of {SUIT_TITLES[suit]}"
        for suit in SUITS
        for rank, title in zip(RANKS, RANK_TITLES, strict=True)
    },
)
