"""Money the house holds for players: deposits, chips away from tables, chips and wagers at them, and meters."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.house.money.ledger import outstanding
from pitboss.house.progressive.state import ProgressiveState
from pitboss.house.reports.progressives import Meters
from pitboss.house.reports.table_facts import HOUR_MS, Followed, follow_table, hour_of, is_hour_in
from pitboss.house.stream_names import PROGRESSIVES
from pitboss.record.entries import Entry

_AWAY = {"deposit": "deposits", outstanding(free_play=False): "chips outstanding"}  # by account, or its kind
_AT_TABLES = {"stack": "chips at tables", "felt": "wagers in play"}  # by the kind of account
_PROGRESSIVE = "progressive "


class HeldRow(NamedTuple):
    """What is held at the end of an interval, and how that came from what was held at its start."""

    held_for_players: str
    at_start_cents: int
    change_cents: int
    cents: int


class HeldForPlayers:
    """Follows real money wherever the house holds it for players."""

    def __init__(self, meters: Meters) -> None:
        self._meters = meters  # which has read an entry before this has
        self._tables: dict[str, Followed] = {}
        self._changes: dict[str, dict[int, int]] = {}  # cents by what is held and hour
        self._shown: dict[str, int] = {}  # cents, by progressive

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        facts = follow_table(self._tables, entry)
        for account, cents in (entry.body.get("postings") or {}).items():
            kind = account.partition(":")[0]
            name = _AWAY.get(account) or _AWAY.get(kind)
            if facts is not None and not facts.free_play:
                name = name or _AT_TABLES.get(kind)
            if name is not None:
                self._change(name, entry.at, cents)
        if entry.stream.startswith(PROGRESSIVES):
            progressive = entry.stream[len(PROGRESSIVES) :]
            figures = self._meters.states[progressive].meters.values()
            shown = sum(meter.shown_cents for meter in figures)
            self._change(_PROGRESSIVE + progressive, entry.at, shown - self._shown.get(progressive, 0))
            self._shown[progressive] = shown

    def rows(self, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[HeldRow, ...]:
        """Return a line for each kind of real money that was held at an end of some hours or moved in them."""
        free = {table: facts.free_play for table, facts in self._tables.items()}
        meters = [
            _PROGRESSIVE + name
            for name, state in sorted(self._meters.states.items())
            if not is_for_play_money(state, free)
        ]
        rows = []
        for name in (*_AWAY.values(), *_AT_TABLES.values(), *meters):
            changes = self._changes.get(name, {})
            before = sum(cents for hour, cents in changes.items() if hour + HOUR_MS <= since_ms)
            inside = sum(cents for hour, cents in changes.items() if is_hour_in(hour, since_ms, until_ms))
            rows.append(HeldRow(name, before, inside, before + inside))
        return tuple(row for row in rows if any(row[1:]))

    def to_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "tables": [followed.to_data() for followed in self._tables.values()],
            "changes": {name: [list(change) for change in found.items()] for name, found in self._changes.items()},
            "shown": dict(self._shown),
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the sums from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self._changes = {name: dict(found) for name, found in data["changes"].items()}
        self._shown = dict(data["shown"])

    def _change(self, name: str, at: int, cents: int) -> None:
        changes = self._changes.setdefault(name, {})
        changes[hour_of(at)] = changes.get(hour_of(at), 0) + cents


def is_for_play_money(state: ProgressiveState, free_play: Mapping[str, bool]) -> bool:
    """Say whether only tables of play money are linked to a progressive, by which tables are."""
    linked = [free_play[table] for table in state.links if table in free_play]
    return bool(linked) and all(linked)
