"""What a game reads from cards: facts and cells, by name, with no money in them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.cards.deck import Card
from pitboss.rules.play import SeatStatus


class TableCards(NamedTuple):
    """The cards that every seat's result may depend on."""

    dealer: tuple[Card, ...] = ()
    board: tuple[Card, ...] = ()
    box: tuple[Card, ...] = ()


class SeatCards(NamedTuple):
    """A seat's cards, its discard and its status."""

    cards: tuple[Card, ...]
    status: SeatStatus
    discard: Card | None = None


class DealerReading(NamedTuple):
    """The dealer's hand: a value that compares, its name, and whether it qualifies where the game asks that."""

    value: int
    hand: str | None
    qualifies: bool | None


NO_DEALER = DealerReading(0, None, None)


class SeatReading(NamedTuple):
    """A seat's hand by name, the facts that settle its main wagers and the cell of each priced wager."""

    hand: str
    facts: frozenset[str]
    cells: Mapping[str, str]


Options = Mapping[str, str]
ReadDealer = Callable[[TableCards, Options], DealerReading]
ReadSeat = Callable[[TableCards, DealerReading, SeatCards, Options, Collection[str]], SeatReading]


@dataclass(frozen=True)
class Readings:
    """The two functions by which a game reads cards."""

    dealer: ReadDealer
    seat: ReadSeat
    alike: tuple[tuple[Card, ...], ...] = ()  # groups of cards the readings never distinguish
    suits_alike: bool = True  # whether hands that differ by a change of suits are always read the same
