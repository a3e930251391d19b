"""What every report knows of a table while it follows the record: its game, dealer, round and rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.house.record import Body, Entry

TABLES = "table/"
NOBODY = "nobody"
HOUR_MS = 3_600_000
_DEALER_KINDS = frozenset({"house.LeaseTaken", "house.LeaseReleased", "house.LeaseWithdrawn"})


@dataclass(slots=True)
class Followed:
    """Where a table stands; changed by each of its entries."""

    table: str
    game: str = ""
    dealer: str = NOBODY
    round: str = ""
    rules: str = ""  # the version in force

    def follow(self, entry: Entry) -> None:
        """Take in an entry of the table."""
        kind = entry.kind
        if kind == "house.RoundBegun":
            self.round = entry.body["round"]
        elif kind in _DEALER_KINDS:
            self.dealer = entry.body["dealer"] if kind == "house.LeaseTaken" else NOBODY
        elif kind == "house.SubmissionActivated":
            self.game = game_of(entry.body["document"])
            self.rules = entry.body["version"]

    def to_data(self) -> list[str]:
        """Return it as plain data."""
        return [self.table, self.game, self.dealer, self.round, self.rules]


def game_of(document: Body) -> str:
    """Return the name of the game that a table's document submits."""
    table = document.get("table")
    found: Any = table.get("game") if isinstance(table, Mapping) else document.get("game")
    return str(found or "")


def table_of(entry: Entry) -> str:
    """Return the table an entry stands with, or is about; nothing where it is about none."""
    if entry.stream.startswith(TABLES):
        return entry.stream[len(TABLES) :]
    return str(entry.body.get("table") or "")


def hour_of(at: int) -> int:
    """Return the hour of a moment, in UTC, as milliseconds."""
    return at - at % HOUR_MS
