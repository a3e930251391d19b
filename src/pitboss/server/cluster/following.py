"""Follows what other processes write, using PostgreSQL notifications, so that every process shows the same state."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from pitboss.house.compliance.facility import FACILITY
from pitboss.house.compliance.filings import RULES_SUBMITTED
from pitboss.house.live_table.state import MONEY, progressive_stream, stream_of
from pitboss.house.people import commands as asked
from pitboss.house.people.people_entries import STREAM as PEOPLE
from pitboss.house.people.people_office import Events, Office
from pitboss.house.running_tables import FLOOR
from pitboss.record.entries import Entry
from pitboss.record.keys import KeysUnusable
from pitboss.record.sql_engine import ALIVE, listening_address
from pitboss.record.sql_store import CHANNEL, LEASES_MOVED
from pitboss.record.store import StoreBusy, StoreFault
from pitboss.record.system_interface import Runner
from pitboss.rules.refusal import Refusal

if TYPE_CHECKING:
    from pitboss.server.open_floor import OpenFloor

log = logging.getLogger("pitboss.following")
RECONNECT_S = 1.0
LOOK_S = 5.0  # how often to check for missed notifications
_TABLES, _PROGRESSIVES = stream_of(""), progressive_stream("")


class FreshOffice(Office):
    """The people office when several processes share a floor: it reads what the others recorded before it decides."""

    async def put(self, command: asked.Command, command_id: str | None = None) -> Events | Refusal:
        """Carry out a command and return the recorded events or a refusal; a command id makes it count once."""
        after = self.stream.head.sequence
        self.stream.apply(await self._runner.run(lambda: list(self._store.read(PEOPLE, after))))
        return await super().put(command, command_id)


class Following:
    """How far this process has read each stream, and the notifications that streams have grown."""

    def __init__(self, floor: "OpenFloor", runner: Runner) -> None:
        self._floor, self._runner = floor, runner
        self._address = listening_address(floor.settings.url)
        self._due: set[str] = set()
        self._is_due = asyncio.Event()
        self._floor_read = 0  # of the floor's own stream, which announces tables
        self.on_leases: Callable[[], None] = lambda: None
        self.on_table: Callable[[str], None] = lambda table: None  # called for a table that this process didn't know

    async def listen(self) -> None:
        """Listen for notifications while the floor is open, and reconnect when the connection is lost."""
        import psycopg

        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, **ALIVE)
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await self.look()  # there were no notifications for what came before
                    self.on_leases()
                    async for notice in connection.notifies():
                        self._told(notice.payload)
            except (psycopg.Error, StoreFault) as fault:
                log.warning("notices lost", exc_info=fault)
            await asyncio.sleep(RECONNECT_S)

    async def keep_up(self) -> None:
        """Background loop: read the streams that have grown, while the floor is open."""
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            due, self._due = sorted(self._due), set()
            for stream in due:  # sorted by name: the streams that tables share come before the tables that show them
                try:
                    await self.take_in(stream)
                except (StoreFault, KeysUnusable) as fault:  # the others go on; this one is retried at the next check
                    log.error("stream not followed", exc_info=fault)

    async def look_now_and_then(self) -> None:
        """Background loop: find growth that no notification reported, while the floor is open."""
        while True:
            await asyncio.sleep(LOOK_S)
            with suppress(StoreBusy):
                await self.look()

    async def look(self) -> None:
        """Compare the ends of the streams with how far this process has read."""
        heads = await self._runner.run(self._floor.store.heads)
        self._grown((stream, head.sequence) for stream, head in heads.items())

    async def catch_up(self) -> bool:
        """Read what other processes wrote to the streams that tables share, and return whether there was anything."""
        heads = await self._runner.run(self._floor.store.heads)
        shared = [name for name in sorted(heads) if name in (MONEY, PEOPLE) or name.startswith(_PROGRESSIVES)]
        behind = [name for name in shared if heads[name].sequence > self._known(name)]
        for stream in behind:
            await self.take_in(stream)
        return bool(behind)

    async def look_round(self) -> None:
        """Read every table that another process runs to the end of its stream."""
        heads = await self._runner.run(self._floor.store.heads)
        for stream in sorted(heads):
            if stream.startswith(_TABLES) and heads[stream].sequence > self._known(stream):
                await self.take_in(stream)

    async def take_in(self, stream: str) -> None:
        """Read a stream on from the last known entry and apply the new entries."""
        house, table = self._floor.house, stream.removeprefix(_TABLES)
        if stream.startswith(_TABLES) and table not in house.tables:
            self.on_table(table)
            return
        if house.runs(table) and stream.startswith(_TABLES):
            return
        after = self._known(stream)
        entries = await self._runner.run(lambda: list(self._floor.store.read(stream, after)))
        self._apply(stream, entries)

    def _apply(self, stream: str, entries: Iterable[Entry]) -> None:
        house = self._floor.house
        if stream == MONEY:
            house.money.apply(entries)
        elif stream == FACILITY:
            house.facility.apply(entries)
        elif stream == PEOPLE:
            self._floor.office.stream.apply(entries)
        elif stream.startswith(_PROGRESSIVES):
            house.progressive(stream.removeprefix(_PROGRESSIVES)).apply(entries)
        elif stream.startswith(_TABLES):
            house.take_in(stream.removeprefix(_TABLES), entries)
        elif stream == FLOOR:
            for entry in entries:
                self._floor_read = max(self._floor_read, entry.sequence)
                if entry.kind == RULES_SUBMITTED and entry.body["table"] not in house.tables:
                    self.on_table(entry.body["table"])

    def _told(self, payload: str) -> None:
        stream, sequence = json.loads(payload)
        if stream == LEASES_MOVED:
            self.on_leases()
        else:
            self._grown([(stream, sequence)])

    def _grown(self, ends: Iterable[tuple[str, int]]) -> None:
        self._due |= {stream for stream, sequence in ends if sequence > self._known(stream)}
        if self._due:
            self._is_due.set()

    def _known(self, stream: str) -> int:
        house = self._floor.house
        if stream == MONEY:
            return house.money.head.sequence
        if stream == FACILITY:
            return house.facility.head.sequence
        if stream == PEOPLE:
            return self._floor.office.stream.head.sequence
        if stream.startswith(_PROGRESSIVES):
            return house.progressive(stream.removeprefix(_PROGRESSIVES)).head.sequence
        if stream.startswith(_TABLES):
            running = house.tables.get(stream.removeprefix(_TABLES))
            return running.live.head.sequence if running else 0
        return self._floor_read
