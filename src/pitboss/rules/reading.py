"""What a game reads from cards: facts and cells, by name, with no money in them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

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


class CountedHand(NamedTuple):
    """The cards a wager looks at, those of them that count, and what they make by its full name."""

    among: tuple[Card, ...]
    cards: tuple[Card, ...]
    name: str


Order = Literal["wins", "loses", "ties"]


class WagerCount(NamedTuple):
    """What decides a wager: the seat's hand and, where they are compared, the dealer's and who is ahead."""

    seat: CountedHand
    dealer: CountedHand | None = None
    order: Order | None = None


def order_of(value: int, other: int) -> Order:
    """Return how a seat's value does against the dealer's."""
    return "wins" if value > other else "loses" if value < other else "ties"


Options = Mapping[str, str]
ReadDealer = Callable[[TableCards, Options], DealerReading]
ReadSeat = Callable[[TableCards, DealerReading, SeatCards, Options, Collection[str]], SeatReading]
CountWager = Callable[[TableCards, SeatCards, Options, str], WagerCount | None]


def _counts_nothing(table: TableCards, seat: SeatCards, options: Options, wager: str) -> WagerCount | None:
    return None


@dataclass(frozen=True)
class Readings:
    """The functions by which a game reads cards; `counted` explains to a player what decided a wager."""

    dealer: ReadDealer
    seat: ReadSeat
    alike: tuple[tuple[Card, ...], ...] = ()  # groups of cards the readings never distinguish
    counted: CountWager = _counts_nothing
    suits_alike: bool = True  # whether hands that differ by a change of suits are always read the same
