"""A process of a simulated house: its store, its writer, its tables by lease, and the points where it can be killed."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from house.floors import AnythingFiled, Everyone
from pitboss.cards import SeededShuffle
from pitboss.house.back_office import BackOffice
from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.money.postings import FillNeeded
from pitboss.house.people.people_office import Office
from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere, Outside
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Entry, head_of
from pitboss.record.group_commit import GroupCommit, Health
from pitboss.record.heads import HeadsExport
from pitboss.record.memory_store import MemoryStore
from pitboss.record.steady_clock import SteadyClock
from pitboss.record.store import Batch, Lease, Outcome, StoreBroken, StoredSnapshot, StoreFull
from pitboss.rules.refusal import Refusal
from simulation.counted_people import Desk, Known, is_counted, is_of_office
from simulation.documents import read_terms
from simulation.virtual_loop import Killable

if TYPE_CHECKING:
    from simulation.world import World

LEASE_MS = 5_000
RENEW_S = 1.5
DISK_S = 0.004
FILL_CENTS = 50_000_00


class Killed(BaseException):
    """The process ends here, without another word."""


class Request(NamedTuple):
    """A command on its way, and where its answer goes."""

    table: str
    asked: Asked
    reply: Callable[[Any], None]


class _Writer:
    # The commit, with the two places around it at which a process may be killed.
    def __init__(self, process: "Process", inner: GroupCommit) -> None:
        self._process, self._inner = process, inner

    @property
    def health(self) -> Health:
        return self._inner.health

    async def commit(self, batch: Batch) -> Outcome:
        self._process.may_die("validated")
        outcome = await self._inner.commit(batch)
        self._process.may_die("synced unapplied")
        return outcome

    def keep(self, snapshot: StoredSnapshot) -> None:
        self._inner.keep(snapshot)


class Process(Killable):
    """One process: what it holds in memory is lost with it."""

    def __init__(self, world: "World", name: str) -> None:
        super().__init__()
        self.world, self.name = world, name
        self.is_dead = False
        self.awake = asyncio.Event()
        self.awake.set()
        self.recovered_tables = 0
        self.store = MemoryStore(world.disk)
        self._group = GroupCommit(self.store, self, space=world.disk, reserve_bytes=world.reserve_bytes)
        # What has passed is known for sure; what the wall shows is not, and a new process has nothing else to go by.
        self.clock = SteadyClock(world.clock.now_ms, lambda: round(asyncio.get_running_loop().time() * 1000))
        outside = Outside(self.clock, world.randomness, SeededShuffle(world.fresh_seed()).order)
        writer, filings = _Writer(self, self._group), AnythingFiled(self.store)
        self.people = Known(self.store) if is_counted(world.seed) else Everyone()
        self.house = House(self.store, writer, outside, world.keyring, read_terms, people=self.people, filings=filings)
        self.office = BackOffice(self.house, cast(Office, Desk(self.people)))
        self.house.events.changed.append(self._applied)
        signer = world.keyring.current.signer()
        self.heads = HeadsExport(self.store.heads(), signer, world.archive_of(name), world.clock)

    async def run(self, work: Callable[[], Any]) -> Any:
        """Do the disk's work after some waiting, during which more of it gathers."""
        await asyncio.sleep(DISK_S)
        await self.awake.wait()
        self.world.writing = self
        try:
            return work()
        finally:
            self.world.writing = None

    def may_die(self, boundary: str) -> None:
        """Be killed here, where that was planned."""
        if self.world.is_planned(boundary, self):
            self.world.kill(self, boundary)
            raise Killed

    async def serve(self) -> None:
        """Take the tables that are free, keep them, and deal where nobody else does."""
        while True:
            await self.awake.wait()
            self._take_tables()
            await asyncio.sleep(RENEW_S)

    def _take_tables(self) -> None:
        now = self.world.clock.now_ms()
        for table in self.world.tables:
            running = self.house.tables.get(table)
            if running is not None and running.lease is not None:
                renewed = self._held(partial(self.store.renew, running.lease, until_ms=now + LEASE_MS))
                if renewed is None:
                    self.house.tables.pop(table, None)
                continue
            name = stream_of(table)
            lease = self._held(partial(self.store.acquire, name, self.name, now_ms=now, until_ms=now + LEASE_MS))
            if lease is not None:
                self.house.open(table, lease)
                self.recovered_tables += 1
                self.may_die("during recovery")
                self.world.checker.follow(self.store)
                self.world.checker.compare(self.house.live(table))
                if self.world.tables[table]["automatic"]:
                    self.spawn(self._deal(table))

    def _held(self, ask: Callable[[], Lease | None]) -> Lease | None:
        self.world.writing = self
        try:
            return ask()
        except StoreFull:
            return None
        except StoreBroken:
            self.world.kill(self, "sync failed")
            raise Killed from None
        finally:
            self.world.writing = None

    def deliver(self, request: Request) -> None:
        """Take a command from the network."""
        if not self.is_dead:
            self.spawn(self._answer(request))

    async def _answer(self, request: Request) -> None:
        self.may_die("received")
        await self.awake.wait()
        answer = await self.do(request.table, request.asked)
        if isinstance(answer, Done):
            self.may_die("acknowledged unsent")
        if not self.is_dead:
            self.world.network.send(request.reply, answer)

    async def do(self, table: str, asked: Asked) -> Answer | None:
        """Carry out a command, None where the table is not here; a failed disk ends the process."""
        try:
            if is_of_office(asked.body):
                answer = await self.office.do(asked)
            else:
                answer = await self.house.do(table, asked)
        except NotHere:
            return None
        except StoreBroken:
            if not self.is_dead:
                self.world.kill(self, "sync failed")
            raise Killed from None
        return answer

    def _applied(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        self.may_die("applied unacknowledged")
        for entry in entries:
            self.heads.follow(entry.stream, head_of(entry))
        if any(entry.kind == "house.RoundEnded" for entry in entries):
            self.heads.export()
        self.world.watch(live, entries)

    async def _deal(self, table: str) -> None:
        while table in self.house.tables:
            await self.awake.wait()
            if table not in self.house.tables or table in self.world.done:
                return
            live = self.house.live(table)
            self.clock.at_least(live.at)
            now = self.clock.now_ms()
            step = next_step(live, now)
            if step is None or step.at > now:
                await asyncio.sleep(0.25)
                continue
            answer = await self._as_house(table, live, step.command)
            if isinstance(answer, FillNeeded):
                await self._as_house(table, live, commands.Fill(cents=answer.fill_cents + FILL_CENTS))
            elif isinstance(answer, Refusal):
                await asyncio.sleep(1)

    async def _as_house(self, table: str, live: LiveTable, command: commands.Command) -> Answer | None:
        body = commands.data_of(command)
        asked = Asked(self.world.command_id(HOUSE_DEALER), HOUSE_DEALER, (AUTOMATON,), body, token=live.lease.token)
        answer = await self.do(table, asked)
        if isinstance(answer, Done):
            self.world.acknowledged(asked, answer)
        return answer
