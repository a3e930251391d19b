"""Where a round's real cards come from: a reader that reports each card as it leaves the deck."""

from dataclasses import dataclass

from pitboss.cards import Card, Deck
from pitboss.cards.deck import face


@dataclass(frozen=True, slots=True)
class CardRead:
    """The reader reported a card that may be dealt."""

    card: Card


@dataclass(frozen=True, slots=True)
class RepeatedCard:
    """The reader reported more of a face than the deck holds: a card was drawn twice or read wrongly."""

    text: str


@dataclass(frozen=True, slots=True)
class ForeignCard:
    """The reader reported a card that is not of this deck."""

    text: str


ReaderOutcome = CardRead | RepeatedCard | ForeignCard


class ReaderSource:
    """Tells which card of a deck each report means; one source serves one round."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._seen: set[Card] = set()

    def report(self, text: str) -> ReaderOutcome:
        """Take a report of a card, by its face or by its physical name, and say what it is."""
        copies = (Card(text),) if text in self._deck else self._deck.of_face(text)
        if not copies:
            return ForeignCard(text)
        # A reader that sees only faces can't distinguish copies; any unseen copy is taken for the one read.
        card = next((copy for copy in copies if copy not in self._seen), None)
        if card is None:
            return RepeatedCard(face(copies[0]) if len(copies) > 1 else text)
        self._seen.add(card)
        return CardRead(card)
