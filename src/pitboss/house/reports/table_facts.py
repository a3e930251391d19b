"""What every report tracks about a table while it follows the record: its game, dealer, round and rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.stream_names import TABLES
from pitboss.record.entries import Body, Entry
from pitboss.round.events import WagerResult

NOBODY = "nobody"
HOUR_MS = 3_600_000
_DEALER_KINDS = frozenset({entry_kinds.LEASE_TAKEN, entry_kinds.LEASE_RELEASED, entry_kinds.LEASE_WITHDRAWN})


@dataclass(slots=True)
class Followed:
    """A table's current facts, updated by each of its entries."""

    table: str
    game: str = ""
    dealer: str = NOBODY
    round: str = ""
    rules: str = ""  # the version in force
    free_play: bool = False
    given_back: set[tuple[int, str]] = field(default_factory=set)  # wagers of the round that were not decided

    def follow(self, entry: Entry) -> None:
        """Process an entry of the table."""
        kind = entry.kind
        if kind == entry_kinds.ROUND_BEGUN:
            self.round = entry.body["round"]
            self.given_back = set()
        elif kind in _DEALER_KINDS:
            self.dealer = entry.body["dealer"] if kind == entry_kinds.LEASE_TAKEN else NOBODY
        elif kind == entry_kinds.SUBMISSION_ACTIVATED:
            self.game = game_of(entry.body["document"])
            self.rules = entry.body["version"]
            self.free_play = is_free_play(entry.body["document"])

    def decided(self, entry: Entry) -> tuple[WagerResult, ...]:
        """Return the results that an entry settles or reverses, without wagers that were only returned."""
        seat, results = entry.body["seat"], tuple(WagerResult(**result) for result in entry.body["results"])
        keys = {(seat, result.wager) for result in results}
        if entry.kind == entry_kinds.WAGERS_SETTLED and entry.body.get("given_back"):
            self.given_back |= keys
            return ()
        undecided, self.given_back = self.given_back, self.given_back - keys
        return tuple(
            result
            for result in results
            if entry.kind == entry_kinds.WAGERS_SETTLED or (seat, result.wager) not in undecided
        )

    def to_data(self) -> list[Any]:
        """Return the facts as plain data."""
        plain = [self.table, self.game, self.dealer, self.round, self.rules, self.free_play]
        return [*plain, sorted(map(list, self.given_back))]

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> "Followed":
        """Return the facts from plain data."""
        table, game, dealer, round_name, rules, free_play, given_back = data
        undecided = {(seat, wager) for seat, wager in given_back}
        return cls(table, game, dealer, round_name, rules, free_play, undecided)


def follow_table(tables: dict[str, Followed], entry: Entry) -> Followed | None:
    """Return the facts of an entry's table after it, kept in `tables`; None for an entry of another stream."""
    if not entry.stream.startswith(TABLES):
        return None
    table = entry.stream[len(TABLES) :]
    facts = tables.get(table) or tables.setdefault(table, Followed(table))
    facts.follow(entry)
    return facts


def game_of(document: Body) -> str:
    """Return the name of the game in a table's document."""
    table = document.get("table")
    found: Any = table.get("game") if isinstance(table, Mapping) else document.get("game")
    return str(found or "")


def is_free_play(document: Body) -> bool:
    """Say whether a table's document is for play money."""
    table = document.get("table")
    return bool(isinstance(table, Mapping) and table.get("free-play"))


def table_of(entry: Entry) -> str:
    """Return the table an entry belongs to, or is about; empty if it is about none."""
    if entry.stream.startswith(TABLES):
        return entry.stream[len(TABLES) :]
    return str(entry.body.get("table") or "")


def hour_of(at: int) -> int:
    """Return the hour of a time, in UTC, as milliseconds."""
    return at - at % HOUR_MS


def add_up(total: Any, part: Any) -> None:
    """Add every figure of a part to the total, both of one dataclass."""
    for figure in fields(part):
        setattr(total, figure.name, getattr(total, figure.name) + getattr(part, figure.name))


def is_hour_in(hour: int, since_ms: int, until_ms: int | None) -> bool:
    """Say whether any of an hour is in an interval; reports with an interval count whole hours."""
    return since_ms < hour + HOUR_MS and (until_ms is None or hour < until_ms)
