"""What has happened at a running table beside the cards and the play, each with the rule of the house it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, get_args

from pitboss.house.people import house_rules as rule
from pitboss.house.people import leases
from pitboss.rules.plain import made, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionActivated:
    clause: ClassVar[str] = rule.SUBMISSIONS
    document: Mapping[str, Any]
    version: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    clause: ClassVar[str] = rule.TABLES
    tray_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCounted:
    """A difference from what the tray should hold is the house's gain or loss."""

    clause: ClassVar[str] = rule.TRAYS
    tray_cents: int
    expected_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """The tray was counted and is empty; what its shift came to, equal to the cent."""

    clause: ClassVar[str] = rule.TABLES
    tray_cents: int
    expected_cents: int
    opening_cents: int
    fills_cents: int
    credits_cents: int  # with the closing one
    drop_cents: int
    won_cents: int
    contributed_cents: int
    counted_over_cents: int
    corrected_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    clause: ClassVar[str] = rule.TABLES
    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    clause: ClassVar[str] = rule.TABLES
    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBought:
    clause: ClassVar[str] = rule.CHIPS
    player: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCarriedAway:
    clause: ClassVar[str] = rule.CHIPS
    player: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TipGiven:
    clause: ClassVar[str] = rule.CHIPS
    player: str
    dealer: str
    cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TipsHandedOut:
    clause: ClassVar[str] = rule.CHIPS
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayFilled:
    clause: ClassVar[str] = rule.TRAYS
    cents: int
    second: str
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCredited:
    clause: ClassVar[str] = rule.TRAYS
    cents: int
    second: str | None  # none where a closing count empties the tray
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What an earlier entry of this table booked is reversed."""

    clause: ClassVar[str] = rule.CORRECTIONS
    entry: int
    kind: str
    reason: str
    second: str
    drop_cents: int  # what it does to the drop box, which another stream keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    clause: ClassVar[str] = rule.TABLES
    round: str
    number: int
    deck: str
    key: str  # the id of the master key that its seals hang from


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCommitted:
    """The order of the deck is fixed: each position by a salted hash, the whole of it sealed."""

    clause: ClassVar[str] = rule.SECRETS
    round: str
    commitments: tuple[str, ...]
    sealed_order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    clause: ClassVar[str] = rule.READERS
    position: int
    sealed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCounted:
    """Progressive chips against the wagers that were accepted."""

    clause: ClassVar[str] = rule.METERS
    chips: int
    wagers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionPaid:
    """Whole cents of progressive stakes went from the tray behind the meters, or came back where negative."""

    clause: ClassVar[str] = rule.METERS
    progressive: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityReported:
    """Something went wrong that has to be ruled on before the round goes on."""

    clause: ClassVar[str] = rule.ORDER
    irregularity: str
    seat: int | None
    by_clause: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealOpened:
    """The key to the cards that were dealt; the rest of the deck stays sealed."""

    clause: ClassVar[str] = rule.SECRETS
    round: str
    dealt_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    clause: ClassVar[str] = rule.TABLES
    round: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Something that takes a second person; the command waits for them, and not for ever."""

    clause: ClassVar[str] = rule.ROLES
    proposal: str
    command: Mapping[str, Any]
    token: int | None = None
    until: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    clause: ClassVar[str] = rule.ROLES
    proposal: str
    has_lapsed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    clause: ClassVar[str] = rule.ROLES
    proposal: str
    proposed_by: str


OwnEvent = (
    SubmissionActivated
    | TableOpened
    | TrayCounted
    | TableClosed
    | SeatTaken
    | SeatLeft
    | ChipsBought
    | ChipsCarriedAway
    | TipGiven
    | TipsHandedOut
    | TrayFilled
    | TrayCredited
    | Corrected
    | RoundBegun
    | DeckCommitted
    | CardRead
    | ChipsCounted
    | ContributionPaid
    | IrregularityReported
    | SealOpened
    | RoundEnded
    | Proposed
    | Declined
    | Confirmed
)
Event = OwnEvent | leases.Event

KINDS: dict[str, type] = {one.__name__: one for one in get_args(Event)}


def body_of(event: Event) -> dict[str, Any]:
    """Return an event as the body of an entry."""
    body: dict[str, Any] = plain(event)
    return body


def event_of(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event that an entry's body stands for."""
    event: Event = made(KINDS[kind], body)
    return event
