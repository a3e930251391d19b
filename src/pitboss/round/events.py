"""What has happened in a round; each event names its clause."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.cards.deck import Card

Place = int | str  # a seat's number, or dealer, board, box, burn


class WagerResult(NamedTuple):
    """How one wager ended: the money, the odds and the clauses behind them."""

    wager: str
    stake: int
    result: str
    net: int
    odds: str | None
    clause: str
    odds_clause: str | None
    paid: int = 0  # winnings handed out; net is less where the stake is kept
    remainder: str = "0"  # the fraction of a cent that rounding down left
    cut: int = 0  # what the payout limit took
    cut_clause: str | None = None

    @property
    def returned(self) -> int:
        """Return how much of the stake goes back to the player."""
        return self.stake + self.net - self.paid


@dataclass(frozen=True, slots=True)
class WagersPlaced:
    seat: int
    player: str
    stakes: Mapping[str, int]
    instrument: str
    clause: str
    other_instruments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WagersWithdrawn:
    seat: int
    clause: str


@dataclass(frozen=True, slots=True)
class BetsClosed:
    clause: str


@dataclass(frozen=True, slots=True)
class WagerReturned:
    seat: int
    wager: str
    clause: str


@dataclass(frozen=True, slots=True)
class CardsDealt:
    place: Place
    cards: tuple[Card, ...]
    face_up: bool
    clause: str


@dataclass(frozen=True, slots=True)
class CardsTurned:
    place: Place
    count: int
    clause: str


@dataclass(frozen=True, slots=True)
class ActionTaken:
    seat: int
    action: str
    becomes: str
    wager: str | None
    stake: int
    discard: Card | None
    absent: bool
    clause: str


@dataclass(frozen=True, slots=True)
class CardsCollected:
    place: Place
    clause: str


@dataclass(frozen=True, slots=True)
class WagersSettled:
    seat: int
    hand: str | None
    results: tuple[WagerResult, ...]


@dataclass(frozen=True, slots=True)
class EnvyPaid:
    seat: int
    from_seat: int
    hand: str
    net: int
    clause: str


@dataclass(frozen=True, slots=True)
class MeterAwaited:
    seat: int
    wager: str
    meter: str
    percent: int
    clause: str


@dataclass(frozen=True, slots=True)
class MeterPaid:
    seat: int
    meter: str
    percent: int
    paid: int
    validated_by: str
    clause: str


@dataclass(frozen=True, slots=True)
class IrregularityRuled:
    irregularity: str
    remedy: str
    seat: int | None
    card: Card | None
    ruling: str | None
    ruled_by: str | None
    deck: str
    settles: tuple[str, ...]
    settles_clause: str | None
    clause: str


@dataclass(frozen=True, slots=True)
class WagersReversed:
    seat: int
    results: tuple[WagerResult, ...]
    envy: int
    clause: str


@dataclass(frozen=True, slots=True)
class RoundVoided:
    deck: str
    clause: str


@dataclass(frozen=True, slots=True)
class RoundClosed:
    pickup: tuple[Place, ...]
    clause: str


Event = (
    WagersPlaced
    | WagersWithdrawn
    | BetsClosed
    | WagerReturned
    | CardsDealt
    | CardsTurned
    | ActionTaken
    | CardsCollected
    | WagersSettled
    | EnvyPaid
    | MeterAwaited
    | MeterPaid
    | IrregularityRuled
    | WagersReversed
    | RoundVoided
    | RoundClosed
)
