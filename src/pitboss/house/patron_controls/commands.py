"""Commands of the back office about patrons: the exclusion list, and what players set for themselves."""

from dataclasses import dataclass

from pitboss.house.controls.play_limits import PlayLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class AddExclusion:
    """Put a person on the exclusion list, by account, by name and identifier, or both."""

    person: str = ""
    full_name: str = ""
    identifier: str = ""  # of a document, such as a driver's license number
    reason: str
    until: int | None = None  # in UTC milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveExclusion:
    """Take a person off the exclusion list; a self-exclusion stays until it ends."""

    exclusion: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludeSelf:
    """Exclude yourself from real-money play for a number of days, at once."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOwnLimits:
    """Set your own limits; a stricter limit takes effect at once, a looser limit after the house's waiting time."""

    limits: PlayLimits


Command = AddExclusion | RemoveExclusion | ExcludeSelf | SetOwnLimits
