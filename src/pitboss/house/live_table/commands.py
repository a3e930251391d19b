"""What people and devices may ask of a live table; card commands are the table's own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from pitboss.cards.deck import Card
from pitboss.house.people import leases
from pitboss.rules.plain import KIND, made, of_kind, with_kind
from pitboss.table import commands as table_commands
from pitboss.table.commands import CountStub, FindMisdeal, RackStub
from pitboss.table.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivateSubmission:
    """Put a version of the table's submission in force, between rounds."""

    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """Open the table with this amount in its tray; chips by denomination if they were counted that way."""

    tray_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable:
    """Close the table; the counted tray goes back to the cage, and every stack to its player's balance."""

    tray_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountInventory:
    """Count the tray between rounds."""

    tray_cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTray:
    """Count the tray by denomination to open or close the table; the dealer and a floorperson each count."""

    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveFill:
    """Count the chips of a fill that a runner brought, and put them into the tray."""

    slip: str
    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SendCredit:
    """Count the chips of a credit out of the tray, for a runner to take to the cage."""

    slip: str
    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSeat:
    """Take a betting position; the table's dealer takes one for a player without a device."""

    seat: int
    player: str = ""  # from the dealer: an account, or a patron in the next seat; empty for a player without an account


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveSeat:
    """Leave a betting position; with the last one the player's chips move to their balance."""

    seat: int
    give_up: bool = False  # with wagers in play: others answer for the hand, and the seat is freed after the round


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn:
    """Buy chips at the table from your balance; from the dealer, for the cash of a player without a device."""

    cents: int
    seat: int | None = None  # from the dealer: whose cash it is


@dataclass(frozen=True, slots=True, kw_only=True)
class BringChips:
    """Record chips that a player without a device brought from another table or the cage."""

    seat: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ColorUp:
    """Exchange chips of a player without a device for others of the same value; by default for the fewest."""

    seat: int
    chips: Mapping[int, int]  # from the player, by denomination
    into: Mapping[int, int] = field(default_factory=dict)  # from the tray


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut:
    """Move chips from the table to your balance; from the dealer, chips that a player without a device takes away."""

    cents: int
    seat: int | None = None  # from the dealer: whose chips they are


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """Give the dealer a tip."""

    cents: int
    chips: Mapping[int, int] = field(default_factory=dict)
    seat: int | None = None  # from the dealer: who gives it


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Move chips from the cage to the tray."""

    cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """Move chips from the tray to the cage."""

    cents: int
    chips: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct:
    """Reverse a manual booking of this table by its entry."""

    entry: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDispute:
    """Report that players dispute the settlement of the last round at these seats."""

    seats: tuple[int, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveDispute:
    """Uphold the results, void seats, or settle them again with corrected cards; without seats, all in dispute."""

    outcome: str  # stands, void or resettle
    note: str
    seats: tuple[int, ...] = ()
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by place


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginRound:
    """Open a round on a loaded deck."""

    deck: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceWagers:
    """Put these stakes on your betting position, replacing what is there."""

    seat: int
    stakes: Mapping[str, int]
    instrument: str = "chips"
    other_instruments: Mapping[str, str] = field(default_factory=dict)
    coupons: Mapping[str, int] = field(default_factory=dict)  # face value of the coupon placed with the chips, by wager


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatWagers:
    """Repeat last round's wagers of players without a device: at these seats, or at all that have none yet."""

    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawWagers:
    """Take your wagers back before bets are closed."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBets:
    """Call no more bets and enter the count of progressive chips; a repeat is only for counting them again."""

    progressive_chips: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCard:
    """Report a card that the reader saw leave the deck."""

    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSaw:
    """Report a card that a reader saw, in a message that it numbered and signed."""

    reader: str
    sequence: int
    card: str
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrollReader:
    """Let a card reader report this table's cards, with its Ed25519 public key in hexadecimal digits."""

    reader: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireReader:
    """Accept no more messages from a card reader."""

    reader: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchKeyboard:
    """Switch keyboard entry of cards on or off."""

    is_on: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorSaw:
    """Report the chips that a bet sensor sees at a seat, in a message that it numbered and signed."""

    sensor: str
    sequence: int
    seat: int
    stakes: Mapping[str, int]  # empty if the chips were taken back
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrollSensor:
    """Let a bet sensor enter wagers at this table, with its Ed25519 public key in hexadecimal digits."""

    sensor: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireSensor:
    """Accept no more messages from a bet sensor."""

    sensor: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveTime:
    """Give the player who is asked the decision time again, at the player's request."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFloor:
    """Call a floorperson to the table."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCall:
    """Answer the dealer's call for the floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLimits:
    """Change the minimum and maximum of wagers, within the submitted limits; an empty mapping restores those."""

    limits: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveSeat:
    """Keep a free seat for somebody for a while."""

    seat: int
    player: str = ""  # an account; empty for a player the house doesn't know, whom the dealer seats
    minutes: int = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class EndReservation:
    """Free a reserved seat."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteShift:
    """Leave a note for the people who work this table next."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectRead:
    """Correct a misread card, named by the reading or by its position among the cards read."""

    right: str
    was: str | None = None
    position: int | None = None
    sealed_right: str = ""  # replaces a face once the house has taken the command


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCards:
    """Deal the cards that are due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCards:
    """Turn the cards that are due to be turned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Answer the dealer's question."""

    seat: int
    action: str
    discard: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActForAbsent:
    """Take the action with no further wager for an absent player."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Settle the open seats, except for payouts that must be validated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateMeter:
    """Validate and pay the progressive payout that a seat waits for."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatePayout:
    """Verify and pay the payout that a seat's hand waits for."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportIrregularity:
    """Report what went wrong, at which seat and with which card, and the floor's ruling if one is needed."""

    irregularity: str
    seat: int | None = None
    card: Card | None = None
    other_deck: bool = False
    ruling: str | None = None
    limb: str | None = None  # which of the duties listed in a clause was broken
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHandPay:
    """Record the identity and the tax form's data for a hand pay, sealed."""

    seat: int
    sealed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRound:
    """Pick up the cards and end the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Confirm another person's proposal as the second person."""

    proposal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Decline another person's proposal, or withdraw your own; a report also by its name, and with a reason."""

    proposal: str
    reason: str = ""


OfPlay = (
    BeginRound
    | PlaceWagers
    | RepeatWagers
    | WithdrawWagers
    | CloseBets
    | ReadCard
    | ReaderSaw
    | SensorSaw
    | CorrectRead
    | DealCards
    | TurnCards
    | Act
    | ActForAbsent
    | Settle
    | ValidateMeter
    | ValidatePayout
    | RecordHandPay
    | GiveTime
    | ReportIrregularity
    | EndRound
)
OfTable = (
    ActivateSubmission
    | OpenTable
    | CountTray
    | ReceiveFill
    | SendCredit
    | CloseTable
    | CountInventory
    | TakeSeat
    | LeaveSeat
    | BuyIn
    | BringChips
    | ColorUp
    | CashOut
    | Tip
    | Fill
    | Credit
    | Correct
    | EnrollReader
    | RetireReader
    | SwitchKeyboard
    | EnrollSensor
    | RetireSensor
    | CallFloor
    | AnswerCall
    | ChangeLimits
    | ReserveSeat
    | EndReservation
    | NoteShift
    | ReportDispute
    | ResolveDispute
    | Confirm
    | Decline
)
OfCards = table_commands.DeckCommand | table_commands.DeviceCommand | RackStub | CountStub | FindMisdeal
Command = OfPlay | OfTable | OfCards | leases.Command

NOBODY = Person("", "")  # a placeholder in commands that name a person, until the live table fills in person and time
OF_CARDS: dict[str, type] = {kind.__name__: kind for kind in get_args(OfCards)}
_BY_SOMEBODY = OF_CARDS | {kind.__name__: kind for kind in get_args(leases.Command)}
KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(OfPlay | OfTable)} | _BY_SOMEBODY


def command_of(data: Mapping[str, Any]) -> Command:
    """Return the command in wire data, or raise Malformed."""
    kind = _BY_SOMEBODY.get(str(data.get(KIND))) if isinstance(data, Mapping) else None
    if kind is None:
        stated: Command = of_kind(KINDS, data)
        return stated
    rest = {name: value for name, value in data.items() if name != KIND}
    command: Command = made(kind, rest, by=NOBODY, at=0)
    return command


def data_of(command: Command) -> dict[str, Any]:
    """Return a command as wire data."""
    data = with_kind(command)
    return {name: data[name] for name in data if name not in ("by", "at")}
