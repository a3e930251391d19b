"""Where a round's cards come from: the table's shuffle, a reader of real cards, or a script that is not for tables."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pitboss.cards import Card, Deck, TableShuffle
from pitboss.cards.deck import face
from pitboss.rules.procedure import Cutting
from pitboss.rules.refusal import Refusal
from pitboss.table.cut import check_cut, cut_with_cover_card


class CardsMissing(LookupError):
    """The source doesn't have as many cards as requested."""


class CardSource(Protocol):
    """Gives cards in the order they leave the deck."""

    fit_for_tables: ClassVar[bool]

    def draw(self, count: int) -> tuple[Card, ...]:
        """Return the next cards and take them from the source."""
        ...


class ShuffleSource:
    """One shuffled deck, drawn by the program; it accepts only the table's shuffle."""

    fit_for_tables: ClassVar[bool] = True

    def __init__(self, shuffle: TableShuffle, deck: Deck) -> None:
        # Not isinstance: a subclass could bring an order of its own.
        if type(shuffle) is not TableShuffle:
            raise TypeError(f"a table is shuffled by TableShuffle, not by {type(shuffle).__name__}")
        self._order = shuffle.order(deck)
        self._drawn = 0

    @property
    def order(self) -> tuple[Card, ...]:
        """Return the whole order, drawn cards first: for the sealed record, never for a view."""
        return self._order

    @property
    def remaining(self) -> int:
        """Return how many cards are left."""
        return len(self._order) - self._drawn

    def cut(self, cards: int, cutting: Cutting) -> Refusal | None:
        """Cut the deck at a number of cards from its top, or say why not."""
        if self._drawn:
            return Refusal("Cut the deck before dealing any card", cutting.cite)
        refusal = check_cut(cutting, len(self._order), cards)
        if refusal is None:
            self._order = cut_with_cover_card(self._order, cards)
        return refusal

    def draw(self, count: int) -> tuple[Card, ...]:
        """Return the next cards from the top."""
        _check_count(count, self.remaining)
        cards = self._order[self._drawn : self._drawn + count]
        self._drawn += count
        return cards


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
    """Real cards, each reported by a reader before it is drawn here; one source serves one round."""

    fit_for_tables: ClassVar[bool] = True

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._seen: set[Card] = set()
        self._waiting: deque[Card] = deque()

    @property
    def waiting(self) -> int:
        """Return how many cards were reported and not yet drawn."""
        return len(self._waiting)

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
        self._waiting.append(card)
        return CardRead(card)

    def draw(self, count: int) -> tuple[Card, ...]:
        """Return the cards reported first."""
        _check_count(count, len(self._waiting))
        return tuple(self._waiting.popleft() for _ in range(count))


class ScriptedSource:
    """Cards in an order written by hand: for tests and demonstrations, never for a table."""

    fit_for_tables: ClassVar[bool] = False

    def __init__(self, cards: Iterable[Card]) -> None:
        self._waiting = deque(cards)

    def draw(self, count: int) -> tuple[Card, ...]:
        """Return the next cards of the script."""
        _check_count(count, len(self._waiting))
        return tuple(self._waiting.popleft() for _ in range(count))


def table_source(source: CardSource) -> CardSource:
    """Return the source if it is fit for a table, else raise TypeError."""
    if not source.fit_for_tables:
        raise TypeError(f"{type(source).__name__} is not for tables")
    return source


def _check_count(count: int, available: int) -> None:
    if not 0 <= count <= available:
        raise CardsMissing(f"{count} cards were requested, but {available} are available")
