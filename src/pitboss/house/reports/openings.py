"""One line for each time a table was open: opener, fills, credits, drop, closer and the win between them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import working_at
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.money.ledger import inventory
from pitboss.house.reports.table_facts import Followed, follow_table
from pitboss.record.entries import Entry


@dataclass(slots=True)
class Opening:
    """What went through a table's tray and box from its opener to its closer."""

    table: str
    game: str
    free_play: bool
    opened_at: int
    closed_at: int | None = None
    opening_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    drop_cents: int = 0
    closing_cents: int = 0
    counted_over_cents: int = 0
    tray_cents: int = 0
    dealers: list[str] = field(default_factory=list)

    @property
    def win_cents(self) -> int:
        """Return the win by counts and slips; for an open table, with the tray as booked."""
        tray = self.closing_cents if self.closed_at is not None else self.tray_cents
        return tray + self.credits_cents + self.drop_cents - self.opening_cents - self.fills_cents


class OpeningRow(NamedTuple):
    """A line of the report."""

    day: str
    shift: str
    table: str
    game: str
    opened_at: int
    closed_at: int | None
    opening_cents: int
    fills_cents: int
    credits_cents: int
    drop_cents: int
    closing_cents: int | None  # None while the table is open
    counted_over_cents: int
    win_cents: int
    dealers: str
    free_play: bool


class Openings:
    """Follows the tables' streams."""

    def __init__(self) -> None:
        self._tables: dict[str, Followed] = {}
        self.openings: list[Opening] = []
        self._open: dict[str, Opening] = {}

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        facts = follow_table(self._tables, entry)
        if facts is None:
            return
        change = entry.body.get("postings", {}).get(inventory(facts.table), 0)
        if entry.kind == entry_kinds.TABLE_OPENED:
            opened = Opening(facts.table, facts.game, facts.free_play, entry.at, opening_cents=entry.body["tray_cents"])
            self._open[facts.table] = opened
            self.openings.append(opened)
        opening = self._open.get(facts.table)
        if opening is None:
            return
        opening.tray_cents += change
        if facts.dealer not in (*opening.dealers, "nobody"):
            opening.dealers.append(facts.dealer)
        self._book(opening, entry, change)

    def _book(self, opening: Opening, entry: Entry, change: int) -> None:
        kind, body = entry.kind, entry.body
        is_closing = kind == entry_kinds.TRAY_LOCKED or (kind == entry_kinds.TRAY_CREDITED and not body["second"])
        if is_closing:
            opening.closing_cents -= change
        elif kind == entry_kinds.TRAY_CREDITED:
            opening.credits_cents -= change
        elif kind == entry_kinds.TRAY_FILLED:
            opening.fills_cents += change
        elif kind == entry_kinds.CHIPS_BOUGHT:
            opening.drop_cents += body["cents"]
        elif kind == entry_kinds.TRAY_COUNTED:
            opening.counted_over_cents += change
        elif kind == entry_kinds.CORRECTED:
            opening.drop_cents += body["drop_cents"]
            opening.fills_cents += change if body["kind"] == entry_kinds.TRAY_FILLED else 0
            opening.credits_cents -= change if body["kind"] == entry_kinds.TRAY_CREDITED else 0
        elif kind == entry_kinds.TABLE_CLOSED:
            opening.closed_at = entry.at
            del self._open[opening.table]

    def rows(
        self, settings: HouseSettings, *, since_ms: int = 0, until_ms: int | None = None
    ) -> tuple[OpeningRow, ...]:
        """Return a line for each opening that overlaps a time, in order, with the gaming day and shift it began in."""
        return tuple(
            OpeningRow(
                *working_at(settings, opening.opened_at),
                opening.table,
                opening.game,
                opening.opened_at,
                opening.closed_at,
                opening.opening_cents,
                opening.fills_cents,
                opening.credits_cents,
                opening.drop_cents,
                opening.closing_cents if opening.closed_at is not None else None,
                opening.counted_over_cents,
                opening.win_cents,
                ", ".join(opening.dealers),
                opening.free_play,
            )
            for opening in self.openings
            if (until_ms is None or opening.opened_at < until_ms)
            and (opening.closed_at is None or opening.closed_at >= since_ms)
        )

    def to_data(self) -> dict[str, Any]:
        """Return the lines as plain data."""
        return {
            "tables": [followed.to_data() for followed in self._tables.values()],
            "openings": [asdict(opening) for opening in self.openings],
            "open": {table: self.openings.index(opening) for table, opening in self._open.items()},
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the lines from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self.openings = [Opening(**opening) for opening in data["openings"]]
        self._open = {table: self.openings[place] for table, place in data["open"].items()}
