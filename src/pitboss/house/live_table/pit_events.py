"""What the pit did at a live table apart from play: sensors, the call for the floor, limits, reservations, notes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pitboss.house.people import house_rules as rule


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorEnrolled:
    clause: ClassVar[str] = rule.BET_SENSORS
    sensor: str
    key: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorRetired:
    clause: ClassVar[str] = rule.BET_SENSORS
    sensor: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorHeard:
    """A sensor's message was authentic and its number is used up; its chips became wagers, or weren't taken."""

    clause: ClassVar[str] = rule.BET_SENSORS
    sensor: str
    sequence: int
    seat: int
    is_taken: bool
    by_clause: str = ""  # why it wasn't taken


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorCalled:
    clause: ClassVar[str] = rule.ALERTS
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered:
    clause: ClassVar[str] = rule.ALERTS
    called_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsChanged:
    """Stakes are taken within these limits from now on, which lie within the submitted ones."""

    clause: ClassVar[str] = rule.TABLE_LIMITS
    limits: Mapping[str, tuple[int, int]]  # by wager: the minimum and the maximum, in cents
    before: Mapping[str, tuple[int, int]]
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReserved:
    clause: ClassVar[str] = rule.RESERVATIONS
    seat: int
    player: str  # an account; empty for a player the house doesn't know
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationEnded:
    clause: ClassVar[str] = rule.RESERVATIONS
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftNoted:
    clause: ClassVar[str] = rule.RECALL
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormTakenDown:
    """The form of a hand pay is on record, so that the payout may be verified; its data is in the patrons' stream."""

    clause: ClassVar[str] = rule.HAND_PAYS
    seat: int
    player: str
    wager: str
    form: str
    held: str = ""  # the deposit account that the player's chips go to, because they are excluded


PitEvent = (
    SensorEnrolled
    | SensorRetired
    | SensorHeard
    | FloorCalled
    | CallAnswered
    | LimitsChanged
    | SeatReserved
    | ReservationEnded
    | ShiftNoted
    | FormTakenDown
)
