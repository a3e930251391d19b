"""The commands people and devices may send to a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.cards.deck import Card
from pitboss.round.events import Place
from pitboss.round.verification import Verification


class PlaceWagers(NamedTuple):
    """Put these stakes, in cents by wager, on a seat's betting areas, replacing what was there."""

    seat: int
    player: str
    stakes: Mapping[str, int]
    instrument: str = "chips"
    other_instruments: Mapping[str, str] = {}  # by wager, if different
    coupons: Mapping[str, int] = {}  # the face value of a coupon placed with the chips, by wager


@dataclass(frozen=True, slots=True)
class WithdrawWagers:
    """Take a seat's wagers back before bets are closed."""

    seat: int


@dataclass(frozen=True, slots=True)
class CloseBets:
    """Call no more bets; the house's limits say which payouts of this round are verified before they are paid."""

    verification: Verification | None = None


@dataclass(frozen=True, slots=True)
class BankStakes:
    """Put the chips of the progressive wagers in the tray after they are counted."""


class DealCards(NamedTuple):
    """Deliver the next cards from the card source to the place that is due."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """Correct a dealt card that was misread."""

    place: Place
    was: Card
    card: Card


@dataclass(frozen=True, slots=True)
class TurnCards:
    """Turn the cards face up that are due to be turned."""


class Act(NamedTuple):
    """Answer the dealer's question for a seat, with the card to discard where the answer needs one."""

    seat: int
    action: str
    discard: Card | None = None


@dataclass(frozen=True, slots=True)
class ActForAbsent:
    """Take the action that wagers nothing more for a player who left or whose time ran out."""

    seat: int
    discard: Card | None = None
    ruling: str | None = None  # the reading that ends the wait
    ruled_by: str | None = None  # the floorperson, where it takes one
    dealer: str | None = None  # who ruled with the floorperson


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle the open seats, from the highest down, until a payout has to be validated."""


@dataclass(frozen=True, slots=True)
class ValidatePayout:
    """Pay what a seat's hand is waiting for, naming who verified it."""

    seat: int
    validated_by: str


@dataclass(frozen=True, slots=True)
class PayMeter:
    """Answer a seat that waits for a meter: what the meter shows, and who validated the payout."""

    seat: int
    meter_cents: int
    validated_by: str


@dataclass(frozen=True, slots=True)
class ReportIrregularity:
    """Report what went wrong, at which seat, with which card, and the floorperson's ruling if one is needed."""

    irregularity: str
    seat: int | None = None
    card: Card | None = None
    other_deck: bool = False
    ruling: str | None = None
    ruled_by: str | None = None
    limb: str | None = None  # which duty was broken, where the clause lists several
    note: str | None = None  # in the words of the person who reports or rules
    after: int = 0  # how many cards drawn before the one drawn in error are dealt first
    is_drawn: bool = False  # cards of the round were drawn and are not dealt yet


Command = (
    PlaceWagers
    | WithdrawWagers
    | CloseBets
    | BankStakes
    | DealCards
    | CorrectCard
    | TurnCards
    | Act
    | ActForAbsent
    | Settle
    | ValidatePayout
    | PayMeter
    | ReportIrregularity
)
