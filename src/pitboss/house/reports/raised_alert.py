"""One alert: what it says, whose doing it is about, and who acknowledged it."""

from typing import NamedTuple


class Alert(NamedTuple):
    """Something to look at; its id is the same however often the record is read."""

    id: str
    kind: str
    table: str
    at: int
    says: str
    clause: str | None = None
    over_at: int | None = None  # when its cause went away; the alert stays open
    by: str = ""  # whose doing it is about, with commas between names: somebody else has to acknowledge it


class Acknowledgement(NamedTuple):
    """Who looked at an alert, and what they found."""

    by: str
    at: int
    note: str
