"""When people signed in last, and how."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.record.entries import Entry
from pitboss.rules.plain import plain


class Arrival(NamedTuple):
    """A person's last sign-in."""

    at: int
    way: str  # by a password or a link


class Arrivals:
    """Follows the people's stream."""

    def __init__(self) -> None:
        self.last: dict[str, Arrival] = {}

    def add(self, entry: Entry) -> None:
        """Take in the next entry of any stream."""
        if entry.kind == "people.SignedIn":
            self.last[entry.body["person"]] = Arrival(entry.at, entry.body["way"])

    def to_data(self) -> dict[str, Any]:
        """Return what was taken in as plain data."""
        return {person: plain(one) for person, one in self.last.items()}

    def take_up(self, data: Mapping[str, Any]) -> None:
        """Go on from what was taken in before."""
        self.last = {person: Arrival(**one) for person, one in data.items()}
