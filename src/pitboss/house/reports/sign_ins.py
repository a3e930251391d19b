"""When people last signed in, and how."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
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
        """Process the next entry of any stream."""
        if entry.kind == entry_kinds.SIGNED_IN:
            self.last[entry.body["person"]] = Arrival(entry.at, entry.body["way"])

    def to_data(self) -> dict[str, Any]:
        """Return the state as plain data."""
        return {person: plain(arrival) for person, arrival in self.last.items()}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the state from plain data."""
        self.last = {person: Arrival(**arrival) for person, arrival in data.items()}
