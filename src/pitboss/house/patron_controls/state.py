"""State of patron controls: who is excluded, players' own limits, and whose money is held."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from unicodedata import normalize

from pitboss.house.controls.play_limits import NO_LIMITS, PlayLimits


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One entry of the exclusion list."""

    person: str
    full_name: str
    identifier: str
    is_self: bool
    reason: str
    since: int
    until: int | None
    by: str

    def is_in_force(self, at: int) -> bool:
        """Say whether the person is excluded at a moment."""
        return self.until is None or at < self.until


@dataclass(frozen=True, slots=True)
class OwnLimits:
    """A player's limits now, and looser limits that replace them later."""

    limits: PlayLimits
    later: PlayLimits | None = None
    later_from: int = 0

    def at(self, now: int) -> PlayLimits:
        """Return the limits in force at a moment."""
        return self.later if self.later is not None and now >= self.later_from else self.limits


@dataclass(frozen=True, slots=True)
class PatronRules:
    """Everything in force; what ended is in the record."""

    exclusions: Mapping[str, Exclusion] = field(default_factory=dict)  # by number
    limits: Mapping[str, OwnLimits] = field(default_factory=dict)  # by account
    held: tuple[str, ...] = ()  # deposit accounts of excluded people without an account, named after their form
    numbers: Mapping[str, int] = field(default_factory=dict)  # the last number of each series

    def exclusion_of(self, person: str, at: int) -> str | None:
        """Return the number of the exclusion of an account in force, or None."""
        found = (number for number, kept in self.exclusions.items() if kept.person == person and kept.is_in_force(at))
        return next(found, None)

    def exclusion_like(self, full_name: str, identifier: str, at: int) -> str | None:
        """Return the number of the exclusion that an identity matches, by identifier or full name, or None."""
        name, document = folded(full_name), folded(identifier)
        for number, kept in self.exclusions.items():
            is_same = (document and folded(kept.identifier) == document) or (name and folded(kept.full_name) == name)
            if is_same and kept.is_in_force(at):
                return number
        return None

    def own_limits(self, person: str, at: int) -> PlayLimits:
        """Return a player's own limits at a moment."""
        kept = self.limits.get(person)
        return kept.at(at) if kept is not None else NO_LIMITS

    def next_number(self, series: str) -> str:
        """Return the next number in a series."""
        return f"{series}-{self.numbers.get(series, 0) + 1:06d}"


def folded(text: str) -> str:
    """Return a name or number as it is compared: letters and digits only, in one case."""
    # A letter with an accent may be written as one character or as two.
    return "".join(letter for letter in normalize("NFKC", text).casefold() if letter.isalnum())
