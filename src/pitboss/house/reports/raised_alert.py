"""One alert: what it says, whose action it is about, and who acknowledged it."""

from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.record.entries import Entry


class Alert(NamedTuple):
    """Something to look at; its id is the same however often the record is read."""

    id: str
    kind: str
    table: str
    at: int
    says: str
    clause: str | None = None
    over_at: int | None = None  # when its cause went away; the alert stays open
    by: str = ""  # the people whose action it is about, with commas between names: somebody else has to acknowledge it


class Acknowledgement(NamedTuple):
    """Who looked at an alert, and what they found."""

    by: str
    at: int
    note: str


def counters(entry: Entry) -> tuple[str, ...]:
    """Return who made the count that an entry is about, if it is about one."""
    if entry.kind == entry_kinds.INVENTORY_SLIP_WRITTEN:
        return (entry.body["dealer"], entry.body["floorperson"])
    if entry.kind in (entry_kinds.CAGE_COUNTED, entry_kinds.BOX_COUNTED):
        return tuple(entry.body["people"])
    return (entry.body["by"],) if entry.kind == entry_kinds.METER_READ else ()
