"""The names of the record's streams: one for each table and each progressive, and those that all of them share."""

from pitboss.record.evidence import TABLES

__all__ = [
    "ACCOUNTS",
    "CONTROLS",
    "FLOOR",
    "INTEGRITY",
    "MONEY",
    "PATRONS",
    "PROGRESSIVES",
    "TABLES",
    "account_stream",
    "progressive_stream",
    "stream_of",
]

PROGRESSIVES = "progressive/"
MONEY = "money"  # of records from before each account had a stream of its own
ACCOUNTS = "money/"
CONTROLS = "controls"  # settings, cage and vault, slips, counted trays, drop boxes
PATRONS = "patrons"  # exclusions, players' own limits, hand pays
FLOOR = "floor"
INTEGRITY = "integrity"  # what concerns the record itself, while the floor's own stream is stopped


def stream_of(table: str) -> str:
    """Return the stream of a table's entries."""
    return f"{TABLES}{table}"


def account_stream(account: str) -> str:
    """Return the stream of the entries that move a person's money, a drop box or the outstanding chips."""
    return f"{ACCOUNTS}{account}"


def progressive_stream(progressive: str) -> str:
    """Return the stream of a progressive's entries."""
    return f"{PROGRESSIVES}{progressive}"
