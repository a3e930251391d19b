"""What has happened at a live table apart from the cards and the play, each with the house rule behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, get_args

from pitboss.house.live_table.pit_events import CallAnswered as CallAnswered
from pitboss.house.live_table.pit_events import FloorCalled as FloorCalled
from pitboss.house.live_table.pit_events import FormTakenDown as FormTakenDown
from pitboss.house.live_table.pit_events import LimitsChanged as LimitsChanged
from pitboss.house.live_table.pit_events import PitEvent as PitEvent
from pitboss.house.live_table.pit_events import ReservationEnded as ReservationEnded
from pitboss.house.live_table.pit_events import SeatReserved as SeatReserved
from pitboss.house.live_table.pit_events import SensorEnrolled as SensorEnrolled
from pitboss.house.live_table.pit_events import SensorHeard as SensorHeard
from pitboss.house.live_table.pit_events import SensorRetired as SensorRetired
from pitboss.house.live_table.pit_events import ShiftNoted as ShiftNoted
from pitboss.house.people import house_rules as rule
from pitboss.house.people import leases
from pitboss.round.events import Outcome
from pitboss.rules.plain import made, plain

# The possible answers to a report.
RULED, DECLINED, WITHDRAWN = "ruled", "declined", "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionActivated:
    clause: ClassVar[str] = rule.SUBMISSIONS
    document: Mapping[str, Any]
    version: str
    second: str
    rests_on: tuple[str, ...] = ()  # the interpretations of unclear clauses that its rounds are dealt and settled by
    before: str = ""  # the version that was in force


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    clause: ClassVar[str] = rule.TABLES
    tray_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCounted:
    """The tray was counted; a difference from its expected amount is the house's gain or loss."""

    clause: ClassVar[str] = rule.TRAYS
    tray_cents: int
    expected_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayLocked:
    """The closed table's chips are locked in its tray until the next opener."""

    clause: ClassVar[str] = rule.TRAY_COUNTS
    cents: int
    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """The tray was counted and is empty; what its shift came to, equal to the cent."""

    clause: ClassVar[str] = rule.TABLES
    tray_cents: int
    expected_cents: int
    opening_cents: int
    fills_cents: int
    credits_cents: int  # in records of earlier versions, including the closing tray
    drop_cents: int
    won_cents: int
    contributed_cents: int
    counted_over_cents: int
    corrected_cents: int
    closing_cents: int = 0  # the tray at closing, wherever it went


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
class SeatGivenUp:
    """A player left during a round; the seat has wagers in play and is freed after the round."""

    clause: ClassVar[str] = rule.DEPARTURES
    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReturned:
    """A player who was ruled gone gives a command at the table, and is asked again like any other."""

    clause: ClassVar[str] = "G-5"
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGiven:
    """A player asked for time, and has the decision time again."""

    clause: ClassVar[str] = rule.TIME_REQUESTS
    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBought:
    """Chips left the tray for money: cash in the drop box, or a player's balance."""

    clause: ClassVar[str] = rule.CHIPS
    player: str
    cents: int
    is_boxed: bool = True  # False where boxes are counted and the money is in the cage already


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBrought:
    """A player without a device brought chips to the table that weren't bought at it."""

    clause: ClassVar[str] = rule.PATRONS
    player: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsExchanged:
    """The tray took chips from a player and gave others of the same value."""

    clause: ClassVar[str] = rule.PATRONS
    player: str
    cents: int
    taken: Mapping[int, int]
    given: Mapping[int, int]


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
    second: str | None  # none if a closing count empties the tray
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What an earlier entry of this table booked was reversed."""

    clause: ClassVar[str] = rule.CORRECTIONS
    entry: int
    kind: str
    reason: str
    second: str
    drop_cents: int  # its effect on the drop box, which is in another stream


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    clause: ClassVar[str] = rule.TABLES
    round: str
    number: int
    deck: str
    key: str  # the id of the master key behind its seals


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCommitted:
    """A shuffle fixed the order of a deck: each position by a salted hash, all of it sealed.

    Older records drew the order when a round began: there the round is named, and neither deck nor shuffle.
    """

    clause: ClassVar[str] = rule.SECRETS
    commitments: tuple[str, ...]
    sealed_order: str
    deck: str = ""
    shuffle: str = ""  # the name that the seal and the salts are derived from
    round: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFixed:
    """A round is dealt from this committed order, as the cuts left it."""

    clause: ClassVar[str] = rule.SECRETS
    round: str
    deck: str
    shuffle: str
    cut_cards: int  # how many cards all cuts together have moved from the top to the bottom
    commitment: str  # of the whole deck, from the top card down


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    """A card was read: by a reader, in its numbered message, or entered by keyboard where that is marked."""

    clause: ClassVar[str] = rule.READERS
    position: int
    sealed: str
    source: str = ""  # a reader, or the keyboard; none where nobody requires a reader
    sequence: int = 0  # of the reader's message


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderEnrolled:
    clause: ClassVar[str] = rule.CARD_READERS
    reader: str
    key: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRetired:
    clause: ClassVar[str] = rule.CARD_READERS
    reader: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderIgnored:
    """A reader's message was authentic, but its card wasn't due; its number is used up."""

    clause: ClassVar[str] = rule.CARD_READERS
    reader: str
    sequence: int
    by_clause: str
    ruling: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyboardSwitched:
    """The floor lets the dealer enter cards by keyboard, or no longer; payouts are then verified from lower amounts."""

    clause: ClassVar[str] = rule.CARD_READERS
    is_on: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCorrected:
    """A misread card was replaced by the right one; the reading stays on the record, sealed."""

    clause: ClassVar[str] = "G-22"
    position: int
    sealed: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadsForgotten:
    """The deck was cut or shuffled again; cards that were read but not dealt are somewhere in it."""

    clause: ClassVar[str] = rule.READERS
    deck: str
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCounted:
    """The count of progressive chips, compared with the accepted wagers."""

    clause: ClassVar[str] = rule.METERS
    chips: int
    wagers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionPaid:
    """Whole cents of progressive stakes moved from the tray to the pool behind the meters, or back if negative."""

    clause: ClassVar[str] = rule.METERS
    progressive: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityReported:
    """Something went wrong; the table is held until the report is answered."""

    clause: ClassVar[str] = rule.ORDER
    irregularity: str
    seat: int | None
    by_clause: str | None
    incident: str = ""
    card: Mapping[str, Any] | None = None  # sealed at its position if it is face down
    other_deck: bool = False
    limb: str | None = None
    note: str = ""
    ruling: str | None = None  # the interpretation that holds the table


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentAnswered:
    """The answer to a report: ruled on, declined by someone else, or withdrawn by its reporter."""

    clause: ClassVar[str] = rule.ORDER
    incident: str
    irregularity: str
    seat: int | None
    outcome: str
    reported_by: str
    second: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeReported:
    """The settlement of the last round is in dispute; no other round begins until it is resolved."""

    clause: ClassVar[str] = rule.DISPUTES
    dispute: str
    round: str
    seats: tuple[int, ...]
    note: str
    by_clause: str  # the clause by which hands are picked up so that they can be reconstructed
    ruling: str = "G-19"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeResolved:
    """How two people resolved a dispute; the reversals and new results are the entries before it."""

    clause: ClassVar[str] = rule.DISPUTES
    dispute: str
    round: str
    outcome: str
    seats: tuple[int, ...]
    note: str
    reported_by: str
    second: str
    by_clause: str
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # as corrected, by place
    ruling: str = "G-19"


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
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A command that takes a second person waits for one, for a limited time."""

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
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    clause: ClassVar[str] = rule.ROLES
    proposal: str
    proposed_by: str


OwnEvent = (
    SubmissionActivated
    | TableOpened
    | TrayLocked
    | TrayCounted
    | TableClosed
    | SeatTaken
    | SeatLeft
    | SeatGivenUp
    | PlayerReturned
    | TimeGiven
    | ChipsBought
    | ChipsBrought
    | ChipsExchanged
    | ChipsCarriedAway
    | TipGiven
    | TipsHandedOut
    | TrayFilled
    | TrayCredited
    | Corrected
    | RoundBegun
    | DeckCommitted
    | OrderFixed
    | CardRead
    | ReaderEnrolled
    | ReaderRetired
    | ReaderIgnored
    | KeyboardSwitched
    | ReadCorrected
    | ReadsForgotten
    | ChipsCounted
    | ContributionPaid
    | IrregularityReported
    | IncidentAnswered
    | DisputeReported
    | DisputeResolved
    | SealOpened
    | RoundEnded
    | Proposed
    | Declined
    | Confirmed
)
Event = OwnEvent | PitEvent | leases.Event

KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Event)}


def body_of(event: Event) -> dict[str, Any]:
    """Return an event as an entry's body."""
    body: dict[str, Any] = plain(event)
    return body


def event_of(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event in an entry's body."""
    event: Event = made(KINDS[kind], body)
    return event
