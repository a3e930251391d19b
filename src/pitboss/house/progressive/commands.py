"""Commands to a progressive; each states when it was given, in UTC milliseconds."""

from dataclasses import dataclass

from pitboss.house.progressive.meter_terms import Link, MeterTerms, Stake


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMeters:
    """Open a progressive with these meters, each at its initial amount."""

    at: int
    meters: tuple[MeterTerms, ...]
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTerms:
    """Run a meter by different terms from now on."""

    at: int
    terms: MeterTerms
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveMoney:
    """Move what a meter has grown by to another meter, or all it holds if it retires."""

    at: int
    meter: str
    to_progressive: str
    to_meter: str
    retires: bool
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveMoney:
    """Receive money from another meter."""

    at: int
    meter: str
    cents: int
    from_progressive: str
    from_meter: str
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTable:
    """Let a table's progressive wagers feed the meters."""

    at: int
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkTable:
    """Unlink a table from the progressive."""

    at: int
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPlay:
    """Let a linked table take progressive wagers for a round."""

    at: int
    table: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LockOut:
    """Accept no further progressive wager at a table: no more bets was called."""

    at: int
    table: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeContributions:
    """Feed the meters from the accepted wagers, once the chip count matches them."""

    at: int
    table: str
    round: str
    stakes: tuple[Stake, ...]  # as accepted
    chips_counted: int | None = None  # None if a device takes no chips and does the counting


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnWager:
    """Take a seat's wager off the progressive after all: its chip wasn't there, and the wager is returned."""

    at: int
    table: str
    round: str
    seat: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PayHit:
    """Pay a seat its share of a meter at its turn; one person claims it, another validates."""

    at: int
    table: str
    round: str
    seat: int
    player: str
    meter: str
    percent: int
    hand: str
    claimed_by: str
    validated_by: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEnvy:
    """Record a bonus that another player's hand brought a seat; the tray pays it."""

    at: int
    table: str
    round: str
    seat: int
    from_seat: int
    hand: str
    cents: int
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """Undo what a round, or these seats of it, did to the meters, because the progressive wagers are returned."""

    at: int
    table: str
    round: str
    by: str
    second: str
    clause: str
    seats: tuple[int, ...] = ()  # all of them if none is named


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosePlay:
    """End a round at a linked table."""

    at: int
    table: str
    round: str


Command = (
    OpenMeters
    | ChangeTerms
    | MoveMoney
    | ReceiveMoney
    | LinkTable
    | UnlinkTable
    | OpenPlay
    | LockOut
    | TakeContributions
    | ReturnWager
    | PayHit
    | RecordEnvy
    | TakeBack
    | ClosePlay
)
