"""Follows what other processes write, using PostgreSQL notifications, so that every process shows the same state."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pitboss.house import entry_kinds
from pitboss.house.people import commands as asked
from pitboss.house.people.people_entries import STREAM as PEOPLE
from pitboss.house.people.people_office import Events, Office
from pitboss.house.running_tables import House
from pitboss.house.stream_names import FLOOR, TABLES
from pitboss.record.keys import KeysUnusable
from pitboss.record.postgres_rows import CHANNEL, LEASES_MOVED
from pitboss.record.sql_engine import ALIVE, listening_address
from pitboss.record.store import StoreBusy, StoreFault
from pitboss.record.system_interface import Runner
from pitboss.rules.refusal import Refusal

if TYPE_CHECKING:
    from psycopg.pq.abc import PGconn

log = logging.getLogger("pitboss.following")
RECONNECT_S = 1.0
GATHER_S = 0.02  # notifications that follow another are taken in together
LOOK_S = 5.0  # how often to check for missed notifications


class FreshOffice(Office):
    """The people office when several processes share a floor: it reads what the others recorded before it decides."""

    async def put(self, command: asked.Command, command_id: str | None = None) -> Events | Refusal:
        """Carry out a command and return the recorded events or a refusal; a command id makes it count once."""
        after = self.stream.head.sequence
        self.stream.apply(await self._runner.run(lambda: list(self._store.read(PEOPLE, after))))
        return await super().put(command, command_id)


class Following:
    """The notifications that streams have grown, and the streams that are read on because of them."""

    def __init__(self, house: House, database: str, reader: Runner, leases_due: asyncio.Event) -> None:
        self._house, self._reader = house, reader
        self._address = listening_address(database)
        self._leases_due = leases_due  # set when the leases have moved, or a table is new here
        self._due: set[str] = set()
        self._is_due = asyncio.Event()
        self.topics: dict[str, Callable[[Any], None]] = {}  # who hears what isn't recorded, by its name
        self._floor_read = 0  # of the floor's own stream, which announces tables

    async def listen(self) -> None:
        """Listen for notifications while the floor is open, and reconnect when the connection is lost."""
        import psycopg

        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, **ALIVE)
                async with connection:
                    connection.add_notify_handler(lambda notice: self._told(notice.payload))
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await self.look()  # there were no notifications for what came before
                    self._leases_due.set()
                    await self._hear(connection.pgconn)
            except (psycopg.Error, StoreFault) as fault:
                log.warning("notifications lost", exc_info=fault)
            await asyncio.sleep(RECONNECT_S)

    async def _hear(self, connection: "PGconn") -> None:
        # Every commit of the floor notifies every process, and the driver's own wait takes a fifth of a millisecond.
        loop = asyncio.get_running_loop()
        while True:
            has_arrived = loop.create_future()
            loop.add_reader(connection.socket, _settle, has_arrived)
            try:
                await has_arrived
            finally:
                loop.remove_reader(connection.socket)
            connection.consume_input()
            while notice := connection.notifies():
                self._told(notice.extra.decode())
            await asyncio.sleep(GATHER_S)

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
        heads = await self._reader.run(self._house.store.heads)
        self._grown((stream, head.sequence) for stream, head in heads.items())

    async def take_in(self, stream: str) -> None:
        """Read a stream on from the last known entry; a table that is new here is followed from now on."""
        if stream == FLOOR:
            await self._take_in_floor()
        elif stream.startswith(TABLES) and stream.removeprefix(TABLES) not in self._house.tables:
            self._follow(stream.removeprefix(TABLES))
        else:
            await self._house.read_on(stream)

    async def _take_in_floor(self) -> None:
        store, after = self._house.store, self._floor_read
        for entry in await self._reader.run(lambda: list(store.read(FLOOR, after))):
            self._floor_read = max(self._floor_read, entry.sequence)
            if entry.kind == entry_kinds.RULES_SUBMITTED and entry.body["table"] not in self._house.tables:
                self._follow(entry.body["table"])

    def _follow(self, table: str) -> None:
        self._house.follow(table)
        self._leases_due.set()

    def _told(self, payload: str) -> None:
        grown: list[tuple[str, int]] = []
        for stream, sequence in json.loads(payload):
            if stream in self.topics:
                self.topics[stream](sequence)
            elif stream == LEASES_MOVED:
                self._leases_due.set()
            else:
                grown.append((stream, sequence))
        self._grown(grown)

    def _grown(self, ends: Iterable[tuple[str, int]]) -> None:
        for stream, sequence in ends:
            if sequence <= self._last_read(stream):
                continue
            if stream == FLOOR or self._house.note_grown(stream, sequence):
                self._due.add(stream)
        if self._due:
            self._is_due.set()

    def _last_read(self, stream: str) -> int:
        return self._floor_read if stream == FLOOR else self._house.last_read(stream)


def _settle(has_arrived: asyncio.Future[None]) -> None:
    if not has_arrived.done():
        has_arrived.set_result(None)
