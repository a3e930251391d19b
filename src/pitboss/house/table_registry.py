"""Table registry: the tables this process runs and the ones it follows, each a fold of its stream."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter

from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import LiveTable, stream_of
from pitboss.house.live_table.table_snapshot import fold_of
from pitboss.record.entries import Entry
from pitboss.record.snapshots import Snapshots
from pitboss.record.store import Lease

Listener = Callable[[LiveTable, tuple[Entry, ...]], None]


class NotHere(LookupError):
    """This process doesn't run the table."""


class RunningTable:
    """One table: its state, whether it runs here, and the lock that lets it handle one command at a time."""

    def __init__(self, live: LiveTable, lease: Lease | None, *, is_here: bool = True) -> None:
        self.live = live
        self.lease = lease
        self.is_here = is_here
        self.lock = asyncio.Lock()


class KnownTables:
    """The floor's tables by name, and the listeners for what happens at them."""

    def __init__(self, snapshots: Snapshots, reading: Reading) -> None:
        self.snapshots, self.reading = snapshots, reading
        self.tables: dict[str, RunningTable] = {}
        self.listeners: list[Listener] = []
        self.on_left: Callable[[str], None] = lambda table: None  # notified when a table no longer runs here

    def open(self, table: str, lease: Lease | None = None) -> LiveTable:
        """Run a table here, from the end of its record."""
        live = self._restored(table)
        self.tables[table] = RunningTable(live, lease)
        return live

    def follow(self, table: str) -> LiveTable:
        """Follow a table that another process runs, from the current end of its record."""
        live = self._restored(table)
        self.tables[table] = RunningTable(live, None, is_here=False)
        return live

    def take_in(self, table: str, entries: Iterable[Entry]) -> None:
        """Bring a followed table up to date with the record, a command at a time, as the process that runs it did."""
        running = self.tables[table]
        for _, brought in groupby(entries, attrgetter("command")):
            live = running.live
            new = tuple(entry for entry in brought if entry.sequence > live.head.sequence)
            if running.is_here or not new:
                continue
            for entry in new:
                live = evolve(live, entry, self.reading)
            running.live = live
            for listener in self.listeners:
                listener(live, new)

    def take_over(self, table: str, lease: Lease) -> None:
        """Run a table here that was followed to the end of its record."""
        self.tables[table] = RunningTable(self.tables[table].live, lease)

    def leave(self, table: str) -> None:
        """Stop running a table and follow it from here."""
        running = self.tables[table]
        if running.is_here:
            self.tables[table] = RunningTable(running.live, None, is_here=False)
            self.on_left(table)

    def runs(self, table: str) -> bool:
        """Say whether this process runs a table."""
        return table in self.tables and self.tables[table].is_here

    def live(self, table: str) -> LiveTable:
        """Return a table's state, as far as it is known here."""
        return self._table(table).live

    def _table(self, table: str) -> RunningTable:
        if table not in self.tables:
            raise NotHere(f"There is no table {table} here.")
        return self.tables[table]

    def _restored(self, table: str) -> LiveTable:
        return self.snapshots.restore(stream_of(table), fold_of(table, self.reading)).state
