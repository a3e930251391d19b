"""Events about patrons, as the record keeps them; a tax form's data is sealed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, get_args

from pitboss.house.controls.play_limits import PlayLimits
from pitboss.house.people import house_rules as rule


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionAdded:
    clause: ClassVar[str] = rule.EXCLUSIONS
    exclusion: str
    person: str
    full_name: str
    identifier: str
    is_self: bool
    reason: str
    until: int | None
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionRemoved:
    clause: ClassVar[str] = rule.EXCLUSIONS
    exclusion: str
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSet:
    """A player's limits from now on, and those that follow later if some of them were loosened."""

    clause: ClassVar[str] = rule.PLAYER_LIMITS
    person: str
    limits: PlayLimits
    later: PlayLimits | None = None
    later_from: int = 0
    before: PlayLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPayRecorded:
    """Someone recorded the identity and the tax form's data of the player for whom a payout waits."""

    clause: ClassVar[str] = rule.HAND_PAYS
    form: str
    table: str
    round: str
    seat: int
    player: str
    wager: str
    stake_cents: int
    cents: int  # to be paid when the form was written; a meter may grow after that
    sealed: str
    exclusion: str = ""  # the identity is on the exclusion list
    held: str = ""  # the deposit account that the player's chips then go to
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPaid:
    clause: ClassVar[str] = rule.HAND_PAYS
    form: str
    cents: int
    by: str
    second: str


Event = ExclusionAdded | ExclusionRemoved | LimitsSet | HandPayRecorded | HandPaid
KINDS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}
