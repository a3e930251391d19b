"""The names of the record's streams: one for each table and each progressive, and those that all of them share."""

from pitboss.record.evidence import TABLES

__all__ = ["FLOOR", "INTEGRITY", "MONEY", "PROGRESSIVES", "TABLES", "progressive_stream", "stream_of"]

PROGRESSIVES = "progressive/"
MONEY = "money"
FLOOR = "floor"
INTEGRITY = "integrity"  # what concerns the record itself, while the floor's own stream is stopped


def stream_of(table: str) -> str:
    """Return the stream of a table's entries."""
    return f"{TABLES}{table}"


def progressive_stream(progressive: str) -> str:
    """Return the stream of a progressive's entries."""
    return f"{PROGRESSIVES}{progressive}"
