"""Table registry: the tables this process runs and the ones it follows, and the streams that all tables share."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.compliance.facility import FACILITY
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import fold_of
from pitboss.house.money.money_balances import MONEY_FOLD, Held
from pitboss.house.people.people_entries import STREAM as PEOPLE
from pitboss.house.people.people_office import PeopleStream
from pitboss.house.progressive import ProgressiveState, fold_of_meters
from pitboss.house.stream_names import FLOOR, MONEY, PROGRESSIVES, TABLES, progressive_stream, stream_of
from pitboss.record.entries import Entry
from pitboss.record.shared_streams import SharedStream
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.store import Lease, Store
from pitboss.record.system_interface import Runner

_NOTHING: Fold[None] = Fold("nothing 1", lambda: None, lambda state, entry: None, lambda state: None, lambda data: None)


@dataclass(frozen=True, slots=True)
class TableEvents:
    """Who hears that a table runs here from now on, that it changed, and that it no longer runs here."""

    opened: list[Callable[[str], None]] = field(default_factory=list)
    changed: list[Callable[[LiveTable, tuple[Entry, ...]], None]] = field(default_factory=list)
    left: list[Callable[[str], None]] = field(default_factory=list)


class NotHere(LookupError):
    """This process doesn't run the table."""


class RunningTable:
    """One table: its state, whether it runs here, and the lock that lets it handle one command at a time."""

    def __init__(self, live: LiveTable, lease: Lease | None, *, is_here: bool = True) -> None:
        self.live = live
        self.lease = lease
        self.is_here = is_here
        self.lock = asyncio.Lock()


class TableRegistry:
    """The floor's tables by name, the money, meters and people they share, and who hears of changes."""

    def __init__(
        self, store: Store, snapshots: Snapshots, reading: Reading, people: PeopleStream, reader: Runner
    ) -> None:
        self.store, self.snapshots, self.reading, self._reader = store, snapshots, reading, reader
        self.tables: dict[str, RunningTable] = {}
        self.events = TableEvents()
        self.people = people
        self.money: SharedStream[Held] = SharedStream(MONEY, MONEY_FOLD, size=len)
        self.facility: SharedStream[None] = SharedStream(FACILITY, _NOTHING)
        self.progressives: dict[str, SharedStream[ProgressiveState]] = {}
        self.money.restore(snapshots)
        self.facility.restore(snapshots)
        for stream in store.heads():
            if stream.startswith(PROGRESSIVES):
                self.progressive(stream.removeprefix(PROGRESSIVES))

    def recorded(self) -> list[str]:
        """Return the tables in the record."""
        submitted = {str(entry.body["table"]) for entry in self.store.read(FLOOR, kinds=(entry_kinds.RULES_SUBMITTED,))}
        begun = {stream.removeprefix(TABLES) for stream in self.store.heads() if stream.startswith(TABLES)}
        return sorted(submitted | begun)

    def open(self, table: str, lease: Lease | None = None) -> LiveTable:
        """Run a table here, from the end of its record."""
        return self._run(table, RunningTable(self._restored(table), lease))

    def follow(self, table: str) -> LiveTable:
        """Follow a table that another process runs, from the current end of its record."""
        live = self._restored(table)
        self.tables[table] = RunningTable(live, None, is_here=False)
        return live

    def take_over(self, table: str, lease: Lease) -> None:
        """Run a table here that was followed to the end of its record."""
        self._run(table, RunningTable(self.tables[table].live, lease))

    def leave(self, table: str) -> None:
        """Stop running a table and follow it from here."""
        running = self.tables[table]
        if running.is_here:
            self.tables[table] = RunningTable(running.live, None, is_here=False)
            for listener in self.events.left:
                listener(table)

    def runs(self, table: str) -> bool:
        """Say whether this process runs a table."""
        return table in self.tables and self.tables[table].is_here

    def live(self, table: str) -> LiveTable:
        """Return a table's state, as far as it is known here."""
        return self.running(table).live

    def progressive(self, name: str) -> SharedStream[ProgressiveState]:
        """Return a progressive, as far as this process has read it."""
        if name not in self.progressives:
            stream = SharedStream(progressive_stream(name), fold_of_meters(name), size=lambda state: len(state.plays))
            stream.restore(self.snapshots)
            self.progressives[name] = stream
        return self.progressives[name]

    async def catch_up(self) -> bool:
        """Read what other processes wrote to the streams that tables share, and return whether there was anything."""
        heads = await self._reader.run(self.store.heads)
        shared = [name for name in sorted(heads) if name in (MONEY, PEOPLE) or name.startswith(PROGRESSIVES)]
        behind = [name for name in shared if heads[name].sequence > self.last_read(name)]
        for stream in behind:
            await self.read_on(stream)
        return bool(behind)

    async def read_other_tables(self) -> None:
        """Read every table that another process runs to the end of its stream."""
        heads = await self._reader.run(self.store.heads)
        for stream in sorted(heads):
            if stream.startswith(TABLES) and heads[stream].sequence > self.last_read(stream):
                await self.read_on(stream)

    async def read_on(self, stream: str) -> None:
        """Apply what another process has written to a stream since this one last read it."""
        table = stream.removeprefix(TABLES)
        if stream.startswith(TABLES) and table not in self.tables:
            self.follow(table)
        elif not (stream.startswith(TABLES) and self.runs(table)):
            after = self.last_read(stream)
            entries = await self._reader.run(lambda: list(self.store.read(stream, after)))
            if stream.startswith(TABLES):
                self.take_in(table, entries)
            else:
                self.shared(stream).apply(entries)

    def last_read(self, stream: str) -> int:
        """Return the sequence of the last entry of a stream that is known here."""
        if not stream.startswith(TABLES):
            return self.shared(stream).head.sequence
        running = self.tables.get(stream.removeprefix(TABLES))
        return running.live.head.sequence if running else 0

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
            self._publish(live, new)

    def shared(self, stream: str) -> SharedStream[Any]:
        """Return the state of a stream that tables share."""
        known: dict[str, SharedStream[Any]] = {MONEY: self.money, FACILITY: self.facility, PEOPLE: self.people}
        if stream in known:
            return known[stream]
        assert stream.startswith(PROGRESSIVES), f"tables do not share {stream}"
        return self.progressive(stream.removeprefix(PROGRESSIVES))

    def _run(self, table: str, running: RunningTable) -> LiveTable:
        # The process that ran the table before may have registered its round with the meters.
        terms = running.live.terms
        if terms is not None and terms.progressive is not None:
            self.progressive(terms.progressive).catch_up(self.store)
        self.tables[table] = running
        for listener in self.events.opened:
            listener(table)
        return running.live

    def _publish(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        for listener in self.events.changed:
            listener(live, entries)

    def running(self, table: str) -> RunningTable:
        """Return a table with its lock, whether it runs here or not."""
        if table not in self.tables:
            raise NotHere(f"There is no table {table}.")
        return self.tables[table]

    def _restored(self, table: str) -> LiveTable:
        return self.snapshots.restore(stream_of(table), fold_of(table, self.reading)).state
