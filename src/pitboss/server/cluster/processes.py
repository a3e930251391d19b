"""The processes that share a floor: which are alive, which one runs each table, and how tables move between them."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere
from pitboss.house.stream_names import stream_of
from pitboss.record.keys import KeysUnusable
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Lease, StoreFault
from pitboss.record.system import ThreadRunner
from pitboss.record.system_interface import Runner
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.following import Following
from pitboss.server.cluster.glances import Glances
from pitboss.server.cluster.peers import Link, NotReached, Peers
from pitboss.server.data_folder import FloorUnusable

log = logging.getLogger("pitboss.processes")
RENEW_S = 1.5
LIFE_MS = 4_500
AGAIN_S = 1.0  # before the owner of a table is looked up again, unless a notification comes first
PATIENCE_S = 15.0  # for a command whose table is moving: longer than the lease of a dead process lasts
SOONEST_S = 0.05
TAKE_AT_ONCE = 16  # tables, so that reading them doesn't outlast the leases that are already held
ONCE_MS = 60_000
NAME_BYTES = 12
# These depend on who deals at the other tables, wherever those run.
ASKS_ABOUT_OTHER_TABLES = ("TakeLease", "WithdrawLease")
_KEYS, _PROCESS, _TABLE, _ONCE = "keys", "process/", "table/", "once/"
_FOREVER_MS = 2**62
CHANGES_HANDS = Refusal("The table is moving to another server. Try again")
NOT_ANSWERING = Refusal("The server that runs this table isn't answering. Try again")
NOT_RUN = Refusal("No server runs this table at the moment. Try again")


class Moves(NamedTuple):
    """The tables a process should take because no process runs them, and the ones it should hand over."""

    take: tuple[str, ...]
    give: tuple[str, ...]


def moves(own: str, holders: Mapping[str, str | None], living: Collection[str]) -> Moves:
    """Return the moves that get every table run and keep the processes within one table of each other."""
    processes = sorted({own, *living})
    held = Counter(holder for holder in holders.values() if holder in processes)
    least, over = divmod(len(holders), len(processes))
    most = least + bool(over)
    free = sorted(table for table, holder in holders.items() if holder not in processes)
    # Each process starts at a different place among the free tables, so that two rarely reach for the same one.
    first = free[processes.index(own) :: len(processes)]
    wanted = [*first, *(table for table in free if table not in first)]
    spare = held[own] - most
    if spare <= 0 and held[own] > least and not free and any(held[process] < least for process in processes):
        spare = 1
    mine = [table for table, holder in holders.items() if holder == own]
    return Moves(tuple(wanted[: max(0, most - held[own])]), tuple(mine[: max(0, spare)]))


class Processes:
    """This process among those that share a record in PostgreSQL."""

    def __init__(
        self, house: House, store: SqlStore, peers: Peers, reader: Runner, *, database: str, address: str
    ) -> None:
        self._house, self._store, self.peers = house, store, peers
        # The same address may come back as a different process.
        self.name = f"{address}#{house.outside.randomness.token(NAME_BYTES).hex()}"
        self._leasing = ThreadRunner("leases")
        self._beat_due = asyncio.Event()
        self.following = Following(house, database, reader, self._beat_due)
        self._own: Lease | None = None
        self._owners: dict[str, str] = {}  # by table, as of the last look at the leases
        self.glances = Glances(house, peers, self.owner_of)
        self._ended: set[str] = set()  # processes that were seen to end, whose leases don't have to expire first
        peers.events.ended.append(self._note_ended)
        self._given_out: dict[asyncio.Timeout, tuple[str, str]] = {}  # commands elsewhere: their tables and owners
        self._moved = asyncio.Event()  # set and replaced whenever the owners change
        self.moved: list[Callable[[], None]] = []  # called when the owners change
        self._taking = asyncio.Lock()
        self._next_s = RENEW_S

    async def join(self) -> None:
        """Register this process and run its share of the tables."""
        await self._leasing.run(self._check_keys)
        for table in self._house.recorded():
            self._house.follow(table)
        await self._beat()

    def tasks(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """Return the background loops that run while the floor is open."""
        return (
            self.following.listen(),
            self.following.keep_up(),
            self.following.look_now_and_then(),
            self.glances.refresh_now_and_then(),
            self._beat_on(),
        )

    async def is_first_to(self, act: str, life_ms: int = ONCE_MS) -> bool:
        """Return whether no other process does a shared task, or has done it within the last minute."""
        return await self._leasing.run(lambda: self._taken_for(f"{_ONCE}{act}", life_ms)) is not None

    async def leave(self) -> None:
        """Release every table so that others can run them at once, and sign this process off."""
        house = self._house
        leases = [running.lease for running in house.tables.values() if running.lease is not None]
        for table in [name for name in house.tables if house.runs(name)]:
            house.leave(table)
        given = [*leases, *([self._own] if self._own else [])]
        await self._leasing.run(lambda: self._store.release_all(given))

    async def close(self) -> None:
        """Close connections and threads."""
        await self.peers.close()
        self._leasing.close()

    async def admit(self, table: str) -> None:
        """Run a new table here, or follow it if another process took it first."""
        if table not in self._house.tables:
            self._house.follow(table)
        await self._take([table])

    def owner_of(self, table: str) -> str | None:
        """Return the process that runs a table, as of the last look at the leases."""
        return self._owners.get(table)

    def link_to(self, table: str) -> Link | None:
        """Return the link to the process that runs a table elsewhere, if it can be asked now."""
        return None if self._house.runs(table) else self.peers.open_to(self._owners.get(table))

    async def do_here(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table that this process runs, or raise NotHere."""
        if self._house.runs(table) and asked.body.get("kind") in ASKS_ABOUT_OTHER_TABLES:
            await self.glances.refresh()
        return await self._house.do(table, asked)

    async def do(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table, in whichever process runs it."""
        try:
            if self._house.runs(table):
                return await self.do_here(table, asked)
        except NotHere:
            pass  # it was lost meanwhile
        if table not in self._house.tables:
            raise NotHere(f"There is no table {table}.")
        return self._house.refuses(asked) or await self._do_elsewhere(table, asked)

    async def _do_elsewhere(self, table: str, asked: Asked) -> Answer:
        end = asyncio.get_running_loop().time() + PATIENCE_S
        why = NOT_RUN
        while (left_s := end - asyncio.get_running_loop().time()) > 0:
            moved, owner = self._moved, self._owners.get(table)
            try:
                if self._house.runs(table):
                    return await self.do_here(table, asked)
                if owner:
                    return await self._given(owner, table, asked, left_s)
                why = NOT_RUN
            except (NotHere, NotReached) as reason:
                why = CHANGES_HANDS if isinstance(reason, NotHere) else NOT_ANSWERING
                log.info("table not reached", extra={"table": table, "kind": type(reason).__name__})
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    await moved.wait()
        # Its owner may have recorded it, and only the answer was lost.
        return await self._house.answer_before(replace(asked, table=table)) or why

    async def _given(self, owner: str, table: str, asked: Asked, left_s: float) -> Answer:
        # A busy owner is waited for; one that has lost the table is not, because another process answers sooner.
        timeout = asyncio.timeout(left_s)
        self._given_out[timeout] = table, owner
        try:
            async with timeout:
                answer = await self.peers.give(owner, table, asked)
        except TimeoutError:
            raise NotReached(f"{owner} hasn't answered in time, or has lost the table {table}.") from None
        finally:
            del self._given_out[timeout]
        if isinstance(answer, Done):
            # The sender sees here what was done there before the answer says that it was done.
            ends = {entry.stream: entry.sequence for entry in answer.entries}
            for stream in sorted(ends):
                if self._house.note_grown(stream, ends[stream]):
                    await self.following.take_in(stream)
        return answer

    async def _beat_on(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._next_s):
                    await self._beat_due.wait()
            self._beat_due.clear()
            try:
                await self._beat()
            except StoreFault as fault:  # if the record failed for good, the floor ends the process
                log.warning("leases not renewed", exc_info=fault)
            await asyncio.sleep(SOONEST_S)

    async def _beat(self) -> None:
        house = self._house
        held = {
            name: running.lease
            for name, running in house.tables.items()
            if running.is_here and running.lease is not None
        }
        ended, self._ended = self._ended, set()
        now, renewed, leases = await self._leasing.run(lambda: self._renewed(tuple(held.values()), ended))
        for table, lease in held.items():
            if lease.name not in renewed and house.tables[table].lease == lease:
                log.warning("table lost", extra={"table": table})
                house.leave(table)
        living = {known.owner for known in leases if known.name.startswith(_PROCESS) and known.until_ms > now}
        owners = {known.name.removeprefix(_TABLE): known for known in leases if known.name.startswith(_TABLE)}
        self._note_owners({table: known.owner for table, known in owners.items() if known.until_ms > now})
        self.peers.keep(sorted(living - {self.name}))
        ends = [known.until_ms - now for known in owners.values() if known.owner != self.name and known.until_ms > now]
        self._next_s = max(SOONEST_S, min([RENEW_S, *(left / 1000 + SOONEST_S for left in ends)]))
        # Tables in a round come last: moving a table between rounds goes unnoticed.
        tables = sorted(house.tables, key=lambda name: (house.runs(name) and house.live(name).in_round, name))
        to_do = moves(self.name, {table: self._owners.get(table) for table in tables}, living)
        await self._give_up(to_do.give)
        await self._take(to_do.take[:TAKE_AT_ONCE])
        if len(to_do.take) > TAKE_AT_ONCE:
            self._beat_due.set()  # the leases are renewed in between

    def _note_owners(self, owners: dict[str, str]) -> None:
        if owners != self._owners:
            self._owners = owners
            self._moved.set()
            self._moved = asyncio.Event()
            now = asyncio.get_running_loop().time()
            for timeout, (table, owner) in self._given_out.items():
                if owners.get(table) != owner:
                    timeout.reschedule(now)
            for listener in self.moved:
                listener()

    def _note_ended(self, process: str) -> None:
        log.warning("process ended", extra={"kind": process})
        self._ended.add(process)
        self._beat_due.set()

    def _renewed(self, held: tuple[Lease, ...], ended: Collection[str]) -> tuple[int, set[str], tuple[Lease, ...]]:
        store = self._store
        now, leases = store.leases()
        until = now + LIFE_MS
        if ended:
            # The process that takes a table gets a new token, so this is safe even if the old owner still runs.
            store.release_all([lease for lease in leases if lease.owner in ended])
            leases = store.leases()[1]
        mine = self._own and store.renew(self._own, until_ms=until)
        if self._own and self._own.until_ms < now:
            log.warning("process was silent for too long; rejoining", extra={"kind": self.name})
        # A process that was silent so long that it was forgotten registers again under its own name.
        if mine is None:
            mine = store.acquire(f"{_PROCESS}{self.name}", self.name, now_ms=now, until_ms=until)
            leases = store.leases()[1]
        self._own = mine
        renewed = {lease.name: lease for lease in store.renew_all(held, until_ms=until)} if held else {}
        return now, set(renewed), tuple(renewed.get(lease.name, lease) for lease in leases)

    async def _give_up(self, tables: Collection[str]) -> None:
        given: list[Lease] = []
        for table in tables:
            running = self._house.tables[table]
            async with running.lock:  # commands in progress there finish first
                if running.lease is not None and self._house.runs(table):
                    given.append(running.lease)
                    self._house.leave(table)
        if given:
            await self._leasing.run(lambda: self._store.release_all(given))

    async def _take(self, tables: Collection[str]) -> None:
        async with self._taking:
            wanted = [f"{_TABLE}{table}" for table in tables if not self._house.runs(table)]
            for lease in await self._leasing.run(lambda: self._acquired(wanted)) if wanted else ():
                # The previous owner can't write to the table any more, so this reads to the very end.
                table = lease.name.removeprefix(_TABLE)
                await self.following.take_in(stream_of(table))
                self._house.take_over(table, lease)
                self._note_owners({**self._owners, table: self.name})
                log.info("table taken", extra={"table": table})

    def _acquired(self, wanted: Collection[str]) -> tuple[Lease, ...]:
        store = self._store
        now, _ = store.leases()
        return store.acquire_all(wanted, self.name, now_ms=now, until_ms=now + LIFE_MS)

    def _taken_for(self, name: str, life_ms: int) -> Lease | None:
        now, _ = self._store.leases()
        return self._store.acquire(name, self.name, now_ms=now, until_ms=now + life_ms)

    def _check_keys(self) -> None:
        store, keyring = self._store, self._house.keyring
        store.acquire(_KEYS, keyring.keys[0].id, now_ms=0, until_ms=_FOREVER_MS)
        sealed_with = next(lease.owner for lease in store.leases()[1] if lease.name == _KEYS)
        try:
            keyring.by_id(sealed_with)
        except KeysUnusable:
            raise FloorUnusable(
                f"The record is sealed with key {sealed_with}, which isn't in the key file. Give every process "
                "of the floor the same key file with --keys."
            ) from None
