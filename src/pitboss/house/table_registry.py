"""Table registry: the tables this process runs and the ones it follows, and the streams that all tables share."""

import asyncio
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.compliance.facility import FACILITY
from pitboss.house.controls.evolve import CONTROLS_FOLD
from pitboss.house.controls.state import Controls
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import fold_of
from pitboss.house.money.money_balances import Accounts
from pitboss.house.patron_controls.evolve import PATRONS_FOLD
from pitboss.house.patron_controls.state import PatronRules
from pitboss.house.people.people_entries import STREAM as PEOPLE
from pitboss.house.people.people_office import PeopleStream
from pitboss.house.progressive import ProgressiveState, fold_of_meters
from pitboss.house.stream_names import (
    ACCOUNTS,
    CONTROLS,
    FLOOR,
    MONEY,
    PATRONS,
    PROGRESSIVES,
    TABLES,
    progressive_stream,
    stream_of,
)
from pitboss.record.entries import Entry
from pitboss.record.shared_streams import SharedStream
from pitboss.record.snapshots import EVERY, Fold, Snapshots
from pitboss.record.store import Lease, Store
from pitboss.record.system_interface import Runner
from pitboss.round.state import OVER

_NOTHING: Fold[None] = Fold("nothing 1", lambda: None, lambda state, entry: None, lambda state: None, lambda data: None)


@dataclass(frozen=True, slots=True)
class TableEvents:
    """Who hears that a table runs here from now on, that it changed, and that it no longer runs here."""

    opened: list[Callable[[str], None]] = field(default_factory=list)
    changed: list[Callable[[LiveTable, tuple[Entry, ...]], None]] = field(default_factory=list)
    left: list[Callable[[str], None]] = field(default_factory=list)


class NotHere(LookupError):
    """This process doesn't run the table."""


class Glance(NamedTuple):
    """Summary of a table for other tables, sessions and the lab."""

    free_play: bool
    automatic: bool
    has_rules: bool  # in force
    dealer: str | None  # who holds the dealer's lease
    dealer_until: int
    playing: tuple[str, ...]  # who has wagers in a round that isn't over
    stacks: Mapping[str, int]  # of the seated players, in cents


def glance_of(live: LiveTable) -> Glance:
    """Return a table's summary."""
    play = live.play if live.in_round else None
    playing = () if play is None or play.phase == OVER else tuple(play.players.values())
    stacks = {person: live.stack_cents(person) for person in set(live.seats.values())}
    return Glance(
        free_play=live.free_play,
        automatic=live.terms is not None and live.terms.automatic,
        has_rules=live.terms is not None,
        dealer=live.lease.holder,
        dealer_until=live.lease.until,
        playing=playing,
        stacks=stacks,
    )


class RunningTable:
    """One table: its state, whether it runs here, and the lock that lets it handle one command at a time.

    The state of a table that runs elsewhere is read when somebody asks for it, from its last snapshot if it is far
    behind; only a table that somebody watches here without help from its owner is followed entry by entry.
    """

    def __init__(
        self,
        live: LiveTable | None,
        lease: Lease | None,
        *,
        is_here: bool = True,
        read: Callable[[LiveTable | None, int], LiveTable] | None = None,
    ) -> None:
        assert live is not None or read is not None, "a table has a state, or can be read"
        self._live, self._read = live, read
        self.lease = lease
        self.is_here = is_here
        self.is_followed = False  # entry by entry
        self.grown = 0  # the last entry that is known to exist
        self.lock = asyncio.Lock()

    @property
    def live(self) -> LiveTable:
        """Return the table's state, read as far as it is known to reach."""
        live = self._live
        if live is None or (self.grown > live.head.sequence and self._read and not self.is_followed):
            assert self._read is not None
            live = self._live = self._read(live, self.grown)
        return live

    @live.setter
    def live(self, live: LiveTable) -> None:
        self._live = live

    def read_so_far(self) -> LiveTable:
        """Return the state as it was last read, without reading on."""
        return self._live if self._live is not None else self.live

    @property
    def has_read(self) -> int:
        """Return the last entry in the state that is in memory."""
        return self._live.head.sequence if self._live is not None else 0

    @property
    def reaches(self) -> int:
        """Return the last entry that is known to exist."""
        return max(self.has_read, self.grown)


class TableRegistry:
    """The floor's tables by name, the money, meters and people they share, and who hears of changes."""

    def __init__(
        self, store: Store, snapshots: Snapshots, reading: Reading, people: PeopleStream, reader: Runner
    ) -> None:
        self.store, self.snapshots, self.reading, self._reader = store, snapshots, reading, reader
        self.tables: dict[str, RunningTable] = {}
        self.glances: dict[str, Glance] = {}  # of tables elsewhere, as their processes last described them
        self.events = TableEvents()
        self.people = people
        self.money = Accounts(store, snapshots)
        self.facility: SharedStream[None] = SharedStream(FACILITY, _NOTHING)
        self.controls: SharedStream[Controls] = SharedStream(CONTROLS, CONTROLS_FOLD)
        self.patrons: SharedStream[PatronRules] = SharedStream(PATRONS, PATRONS_FOLD)
        self.progressives: dict[str, SharedStream[ProgressiveState]] = {}
        self.facility.restore(snapshots)
        self.controls.restore(snapshots)
        self.patrons.restore(snapshots)
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

    def follow(self, table: str) -> None:
        """Note a table that another process runs; it is read when somebody asks for it."""
        self.tables[table] = self._elsewhere(table, None)

    def take_over(self, table: str, lease: Lease) -> None:
        """Run a table here that was followed to the end of its record."""
        self._run(table, RunningTable(self.tables[table].live, lease))

    def leave(self, table: str) -> None:
        """Stop running a table and follow it from here."""
        running = self.tables[table]
        if running.is_here:
            self.tables[table] = left = self._elsewhere(table, running.live)
            left.grown = running.grown  # its next owner may have written already
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

    async def has_progressive(self, name: str) -> bool:
        """Say whether a progressive is known or recorded; nothing is kept about one that isn't."""
        stream = progressive_stream(name)
        return name in self.progressives or stream in await self._reader.run(lambda: self.store.heads((stream,)))

    async def catch_up(self, accounts: Collection[str] = ()) -> bool:
        """Read what other processes wrote to people, meters and these accounts; return whether there was anything."""
        shared = sorted({PEOPLE, CONTROLS, PATRONS, *map(progressive_stream, self.progressives), *accounts})
        heads = await self._reader.run(lambda: self.store.heads(shared))
        behind = [name for name in sorted(heads) if heads[name].sequence > self.last_read(name)]
        for stream in behind:
            await self.read_on(stream)
            self.shared(stream)  # reads an account on
        return bool(behind)

    async def read_other_tables(self) -> None:
        """Read every table that another process runs to the end of its stream."""
        heads = await self._reader.run(self.store.heads)
        for stream in sorted(heads):
            if stream.startswith(TABLES) and heads[stream].sequence > self._has_read(stream):
                await self.read_on(stream)

    async def bring_up(self, table: str) -> None:
        """Read a table that runs elsewhere as far as it is known to reach, off the event loop."""
        running = self.running(table)
        if not running.is_here and running.reaches > running.has_read:
            await self.read_on(stream_of(table))

    def follow_entries(self, table: str, *, is_followed: bool) -> None:
        """Follow a table entry by entry from now on because somebody watches it here, or no longer."""
        running = self.tables[table]
        if running.is_followed != is_followed:
            running.live  # noqa: B018 -- read before it is followed from here
            running.is_followed = is_followed

    def note_grown(self, stream: str, sequence: int) -> bool:
        """Note that another process wrote to a stream, and return whether it should be read now."""
        if stream.startswith(ACCOUNTS):
            self.money.note_grown(stream)
            return False
        if not stream.startswith(TABLES):
            return True
        running = self.tables.get(stream.removeprefix(TABLES))
        if running is None:
            return True
        running.grown = max(running.grown, sequence)
        return running.is_followed and not running.is_here

    async def read_on(self, stream: str) -> None:
        """Apply what another process has written to a stream since this one last read it; accounts when needed."""
        if stream.startswith(ACCOUNTS):
            self.money.note_grown(stream)
            return
        table = stream.removeprefix(TABLES)
        if stream.startswith(TABLES) and table not in self.tables:
            self.follow(table)
        elif not (stream.startswith(TABLES) and self.runs(table)):
            if stream.startswith(TABLES):
                await self._read_table_on(table)
            else:
                after = self.last_read(stream)
                entries = await self._reader.run(lambda: list(self.store.read(stream, after)))
                self.shared(stream).apply(entries)

    async def _read_table_on(self, table: str) -> None:
        running = self.tables[table]
        after = running.has_read
        if not running.is_followed and (after == 0 or running.grown - after > EVERY):
            self.tables[table].live = self._restored(table)
            after = self.tables[table].has_read
        stream = stream_of(table)
        entries = await self._reader.run(lambda: list(self.store.read(stream, after)))
        if entries and self.tables[table] is running:
            running.grown = max(running.grown, entries[-1].sequence)
            self.take_in(table, entries)

    def last_read(self, stream: str) -> int:
        """Return the last entry of a stream that is known here; all of an account that nothing here needs."""
        if stream.startswith(ACCOUNTS):
            known = self.money.last_read(stream)
            return sys.maxsize if known is None else known
        if not stream.startswith(TABLES):
            return self.shared(stream).head.sequence
        running = self.tables.get(stream.removeprefix(TABLES))
        return running.reaches if running else 0

    def _has_read(self, stream: str) -> int:
        running = self.tables.get(stream.removeprefix(TABLES))
        return running.has_read if running else 0

    def glance(self, table: str) -> Glance:
        """Return what is known of a table without reading it, or read it if nothing is known."""
        running = self.tables[table]
        if not running.is_here and not running.is_followed and table in self.glances:
            return self.glances[table]
        return glance_of(running.live)

    def all_glances(self) -> list[Glance]:
        """Return what is known of every table of the floor."""
        return [self.glance(table) for table in tuple(self.tables)]

    def take_in(self, table: str, entries: Iterable[Entry]) -> None:
        """Bring a followed table up to date with the record, a command at a time, as the process that runs it did."""
        running = self.tables[table]
        for _, brought in groupby(entries, attrgetter("command")):
            new = tuple(entry for entry in brought if entry.sequence > running.has_read)
            if running.is_here or not new:
                continue
            live = running.read_so_far()
            for entry in new:
                live = evolve(live, entry, self.reading)
            running.live = live
            self._publish(live, new)

    def shared(self, stream: str) -> SharedStream[Any]:
        """Return the state of a stream that tables share."""
        known: dict[str, SharedStream[Any]] = {
            MONEY: self.money.before,
            CONTROLS: self.controls,
            PATRONS: self.patrons,
            FACILITY: self.facility,
            PEOPLE: self.people,
        }
        if stream in known:
            return known[stream]
        if stream.startswith(ACCOUNTS):
            return self.money.of(stream.removeprefix(ACCOUNTS))
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

    def _elsewhere(self, table: str, live: LiveTable | None) -> RunningTable:
        return RunningTable(live, None, is_here=False, read=lambda known, end: self._caught_up(table, known, end))

    def _caught_up(self, table: str, live: LiveTable | None, end: int) -> LiveTable:
        if live is None or end - live.head.sequence > EVERY:
            return self._restored(table)
        for entry in self.store.read(live.stream, live.head.sequence):
            live = evolve(live, entry, self.reading)
        return live

    def _restored(self, table: str) -> LiveTable:
        return self.snapshots.restore(stream_of(table), fold_of(table, self.reading)).state
