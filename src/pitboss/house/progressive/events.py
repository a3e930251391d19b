"""What has happened to a progressive; amounts are exact, down to the fraction of a cent."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.house.progressive.meter_terms import Link, MeterTerms, Stake


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveEvent:
    """What every event carries."""

    at: int
    clause: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterOpened(ProgressiveEvent):
    terms: MeterTerms
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsChanged(ProgressiveEvent):
    terms: MeterTerms
    reason: str
    by: str
    second: str
    before: MeterTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyMoved(ProgressiveEvent):
    """A meter's money moved to another meter in whole cents, all of it if the meter retires."""

    meter: str
    cents: int
    from_reserve_cents: int
    from_overflow_cents: int
    to_progressive: str
    to_meter: str
    is_retired: bool
    shown_cents: int  # after it
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyReceived(ProgressiveEvent):
    """A meter received another meter's money."""

    meter: str
    cents: int
    to_overflow: Fraction
    from_progressive: str
    from_meter: str
    shown_cents: int  # after it
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLinked(ProgressiveEvent):
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUnlinked(ProgressiveEvent):
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOpened(ProgressiveEvent):
    table: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedOut(ProgressiveEvent):
    table: str
    round: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersCounted(ProgressiveEvent):
    """The chips match the accepted wagers."""

    table: str
    round: str
    stakes: tuple[Stake, ...]
    chips_counted: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionTaken(ProgressiveEvent):
    """Part of the stakes went to a meter, some of it to the reserve and some above the limit."""

    table: str
    round: str
    meter: str
    stake_cents: int
    amount: Fraction
    to_reserve: Fraction
    to_overflow: Fraction
    from_tray_cents: int  # the whole cents that the table's tray pays for it
    shown_cents: int  # after it


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerTakenOff(ProgressiveEvent):
    table: str
    round: str
    seat: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterHit(ProgressiveEvent):
    table: str
    round: str
    seat: int
    player: str
    meter: str
    percent: int
    hand: str
    shown_cents: int  # at this player's turn, before the payment
    paid_cents: int
    claimed_by: str
    validated_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterReset(ProgressiveEvent):
    """A meter was brought back within its bounds, from the reserve, the house and the overflow."""

    meter: str
    from_reserve_cents: int
    from_house_cents: int
    from_overflow: Fraction  # negative if a lower limit set money aside
    shown_cents: int  # after it
    table: str | None = None  # of the hit that made it necessary, if there was one
    round: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyRecorded(ProgressiveEvent):
    table: str
    round: str
    seat: int
    from_seat: int
    hand: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HitReversed(ProgressiveEvent):
    """A payment was reversed, and the meter is as if it had never been made."""

    table: str
    round: str
    seat: int
    meter: str
    paid_cents: int
    to_reserve_cents: int
    to_house_cents: int
    to_overflow: Fraction
    shown_cents: int  # after it
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionReversed(ProgressiveEvent):
    """Stakes were returned, so what they fed a meter is taken out of it again."""

    table: str
    round: str
    meter: str
    amount: Fraction
    of_reserve: Fraction  # the part of the amount that had gone to the reserve
    from_reserve: Fraction  # the part of it that is still there
    from_overflow: Fraction
    from_house_cents: int  # if the meter has been paid out since, so that it doesn't fall below its reset
    to_tray_cents: int  # the whole cents that the table's tray had paid
    shown_cents: int  # after it
    by: str
    second: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyReversed(ProgressiveEvent):
    table: str
    round: str
    cents: int
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayClosed(ProgressiveEvent):
    table: str
    round: str


Event = (
    MeterOpened
    | TermsChanged
    | MoneyMoved
    | MoneyReceived
    | TableLinked
    | TableUnlinked
    | PlayOpened
    | LockedOut
    | WagersCounted
    | ContributionTaken
    | WagerTakenOff
    | MeterHit
    | MeterReset
    | EnvyRecorded
    | HitReversed
    | ContributionReversed
    | EnvyReversed
    | PlayClosed
)
