"""What has happened in a round; each event names its clause."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from pitboss.cards.deck import Card
from pitboss.round.verification import Verification
from pitboss.rules.irregularity import DeckFate
from pitboss.rules.play import OUT, SeatStatus
from pitboss.rules.settlement import Result

Place = int | str  # a seat's number, or dealer, board, box, burn

# How a round ends.
Outcome = Literal["settled", "void"]
SETTLED: Final = "settled"
VOIDED: Final = "void"


class WagerResult(NamedTuple):
    """How one wager ended: the money, the odds and the clauses behind them."""

    wager: str
    stake: int
    result: Result
    net: int
    odds: str | None
    clause: str
    odds_clause: str | None
    paid: int = 0  # winnings paid; net is less if the stake is kept
    remainder: str = "0"  # the fraction of a cent lost to rounding down
    cut: int = 0  # what the payout limit took
    cut_clause: str | None = None
    coupon: int = 0  # the face value of a coupon this decision took; its winnings are in paid
    rests_on: tuple[str, ...] = ()  # the rulings under which the payment was rounded or cut

    @property
    def returned(self) -> int:
        """Return how much of the stake goes back to the player."""
        return self.stake + self.net - self.paid


class WagersPlaced(NamedTuple):
    seat: int
    player: str
    stakes: Mapping[str, int]
    instrument: str
    clause: str
    other_instruments: Mapping[str, str] = {}
    coupons: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class WagersWithdrawn:
    seat: int
    clause: str


@dataclass(frozen=True, slots=True)
class BetsClosed:
    clause: str
    verification: Verification | None = None  # from which amounts this round's payouts are verified


@dataclass(frozen=True, slots=True)
class StakesBanked:
    """The chips of these seats' progressive wagers are now in the tray."""

    wager: str
    seats: tuple[int, ...]
    cents: int
    clause: str


@dataclass(frozen=True, slots=True)
class WagerReturned:
    seat: int
    wager: str
    clause: str


class CardsDealt(NamedTuple):  # by far the most frequent event: a named tuple is made in half the time
    place: Place
    cards: tuple[Card, ...]
    face_up: bool
    clause: str


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A card was misread when it was dealt, and is corrected."""

    place: Place
    was: Card
    card: Card
    clause: str


@dataclass(frozen=True, slots=True)
class CardsTurned:
    place: Place
    count: int
    clause: str


class ActionTaken(NamedTuple):
    seat: int
    action: str
    becomes: SeatStatus
    wager: str | None
    stake: int
    discard: Card | None
    absent: bool
    clause: str
    ruling: str | None = None  # of an answer for an absent player: the reading, and who ruled if a person did
    ruled_by: str | None = None
    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class CardsCollected:
    place: Place
    clause: str


@dataclass(frozen=True, slots=True)
class WagersSettled:
    seat: int
    hand: str | None
    results: tuple[WagerResult, ...]
    # These wagers were undecided. Older records don't have this field.
    given_back: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class EnvyPaid:
    seat: int
    from_seat: int
    hand: str
    net: int
    clause: str


@dataclass(frozen=True, slots=True)
class PayoutAwaited:
    """What a hand is paid once a floorperson has verified it, and the bonuses it brings the others after that."""

    seat: int
    hand: str
    results: tuple[WagerResult, ...]
    envy: tuple[EnvyPaid, ...]
    progressive: bool  # a progressive payout is among it
    clause: str
    ruling: str | None
    collect_clause: str | None = None  # where the hand is picked up as soon as it is paid


@dataclass(frozen=True, slots=True)
class PayoutValidated:
    seat: int
    cents: int
    validated_by: str
    clause: str
    ruling: str | None


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
    deck: DeckFate
    settles: tuple[str, ...]
    settles_clause: str | None
    clause: str
    rests_on: tuple[str, ...] = ()  # the readings of unclear or missing clauses that were applied
    limb: str | None = None
    limb_clause: str | None = None
    note: str | None = None
    after: int = 0  # a card drawn in error: how many cards drawn before it are dealt first
    other_deck: bool = False
    becomes: SeatStatus = OUT  # what a forfeit makes of the seat: folded where a wager of it is still to be settled


@dataclass(frozen=True, slots=True)
class WagersReversed:
    seat: int
    results: tuple[WagerResult, ...]
    envy: int
    clause: str


@dataclass(frozen=True, slots=True)
class RoundVoided:
    deck: DeckFate
    clause: str


@dataclass(frozen=True, slots=True)
class RoundClosed:
    pickup: tuple[Place, ...]
    clause: str


Event = (
    WagersPlaced
    | WagersWithdrawn
    | BetsClosed
    | StakesBanked
    | WagerReturned
    | CardsDealt
    | CardCorrected
    | CardsTurned
    | ActionTaken
    | CardsCollected
    | WagersSettled
    | EnvyPaid
    | PayoutAwaited
    | PayoutValidated
    | MeterAwaited
    | MeterPaid
    | IrregularityRuled
    | WagersReversed
    | RoundVoided
    | RoundClosed
)
