"""What has happened at a running table beside the cards and the play."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pitboss.house.people import leases
from pitboss.rules.plain import made, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionActivated:
    document: Mapping[str, Any]
    version: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    tray_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """The tray was counted; a difference from what it should hold is the house's gain or loss."""

    tray_cents: int
    expected_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBought:
    player: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCarriedAway:
    player: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TipGiven:
    player: str
    dealer: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayFilled:
    cents: int
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCredited:
    cents: int
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    round: str
    number: int
    deck: str
    key: str  # the id of the master key that its seals hang from


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCommitted:
    """The order of the deck is fixed: each position by a salted hash, the whole of it sealed."""

    round: str
    commitments: tuple[str, ...]
    sealed_order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    position: int
    sealed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionPaid:
    """Whole cents of progressive stakes went from the tray behind the meters, or came back where negative."""

    progressive: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SealOpened:
    """The key to the cards that were dealt; the rest of the deck stays sealed."""

    round: str
    dealt_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    round: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Something that takes a second person; the command waits for them."""

    proposal: str
    command: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    proposal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    proposal: str
    proposed_by: str


Event = (
    SubmissionActivated
    | TableOpened
    | TableClosed
    | leases.Event
    | SeatTaken
    | SeatLeft
    | ChipsBought
    | ChipsCarriedAway
    | TipGiven
    | TrayFilled
    | TrayCredited
    | RoundBegun
    | DeckCommitted
    | CardRead
    | ContributionPaid
    | SealOpened
    | RoundEnded
    | Proposed
    | Declined
    | Confirmed
)

KINDS: dict[str, type] = {one.__name__: one for one in get_args(Event)}


def body_of(event: Event) -> dict[str, Any]:
    """Return an event as the body of an entry."""
    body: dict[str, Any] = plain(event)
    return body


def event_of(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event that an entry's body stands for."""
    event: Event = made(KINDS[kind], body)
    return event
