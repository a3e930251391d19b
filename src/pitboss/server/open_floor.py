"""An open floor: the record, the keys, the house, its people and its tables, in one process."""

import asyncio
import logging
import random
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pitboss.house import entry_kinds
from pitboss.house.access_desk import AccessDesk
from pitboss.house.back_office import BackOffice
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.office_commands import LinkTable, OpenMeters, SubmitRules
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.people_office import Office
from pitboss.house.progressive import link_of
from pitboss.house.round_index import RoundIndex
from pitboss.house.running_tables import Answer, Asked, Done, House
from pitboss.house.stream_names import FLOOR, INTEGRITY, stream_of
from pitboss.record.adoption import Adopted
from pitboss.record.entries import Circumstances, Draft, Entry, head_of
from pitboss.record.group_commit import GroupCommit, Health
from pitboss.record.heads import HeadsExport, set_digest
from pitboss.record.keys import KeysUnusable
from pitboss.record.signing_keys import SigningKeys
from pitboss.record.sql_store import SqlStore
from pitboss.record.steady_clock import SteadyClock
from pitboss.record.store import Batch, StoreFault, body_digest
from pitboss.record.system_interface import Randomness, Runner
from pitboss.record.tree_log import TreeLog
from pitboss.rules.plain import with_kind
from pitboss.rules.refusal import Refusal
from pitboss.server import file_integrity
from pitboss.server.cluster.processes import ONCE_MS, Processes
from pitboss.server.console_locks import goes_on
from pitboss.server.data_folder import FloorUnusable, key_file, signing_file
from pitboss.server.lab.worker_pool import chosen_warm_up
from pitboss.server.live.open_sockets import OpenSockets
from pitboss.server.slow_reads import Questions
from pitboss.server.table_documents import meters_of, read_terms
from pitboss.server.witnesses import Witnesses

__all__ = ["FloorSettings", "FloorUnusable", "OpenFloor", "chance_of"]

log = logging.getLogger("pitboss.floor")
RESERVE_BYTES = 64 * 2**20  # wagering stops below this much free space
CHECKPOINT_EVERY_S, RANGES_PER_S = 1.0, 60
ROWS_AT_ONCE, ROWS_PAUSE_S = 250, 0.05  # a million entries in some minutes, and no command waits
INDEX_EVERY_S, INDEXED_AT_ONCE = 20, 5_000  # a search reads on by itself
GLANCES_S = 0.5  # how old what is known of tables elsewhere may be when the office decides
RETRY_S, MINUTE_S, DAY_S = 1, 60, 24 * 60 * 60
SUPERVISOR = "automatic supervisor"
Answered = TypeVar("Answered")


@dataclass(frozen=True, slots=True)
class FloorSettings:
    """Where a floor keeps its data, and its sign-in rules."""

    data: Path
    database: str | None = None  # a URL; by default SQLite in the data folder
    rules: SignInRules = field(default_factory=SignInRules)
    keys: Path | None = None  # the key file, which all processes of a floor share; by default in the data folder
    signing: Path | None = None  # the signing keys, which all processes share; by default next to the key file
    signer: str | None = None  # the command of a program that signs instead of a key in the file
    witnesses: Path | None = None  # the witnesses' addresses and keys; by default in the data folder
    address: str = ""  # the address at which other processes of the floor reach this one
    lab_warms_up: str = field(default_factory=chosen_warm_up)
    admits_guests: bool = False  # whether anyone may play as a guest, with play money
    shares_rounds: bool = False  # whether players may share links to finished rounds
    allows_reactions: bool = True  # whether seated players may send reactions
    requires_readers: bool = True  # card readers at real-money tables; else dealers may enter cards by keyboard
    metrics_token: str | None = field(default=None, repr=False)  # what a scraper of /metrics sends

    @property
    def url(self) -> str:
        """Return the database's URL."""
        return self.database or f"sqlite:///{self.data / 'record.db'}"

    @property
    def key_file(self) -> Path:
        """Return the path of the key file."""
        return self.keys or key_file(self.data)

    @property
    def signing_file(self) -> Path:
        """Return the path of the signing keys."""
        return self.signing or signing_file(self.key_file)

    @property
    def witnesses_file(self) -> Path:
        """Return the path of the list of witnesses."""
        return self.witnesses or self.data / "witnesses.txt"


@dataclass(eq=False, repr=False, kw_only=True)
class OpenFloor:
    """One process of a floor: its parts, which `app.py` builds, and what it does while it is open."""

    settings: FloorSettings
    clock: SteadyClock
    randomness: Randomness
    store: SqlStore
    writer: GroupCommit
    heads: HeadsExport
    signing: SigningKeys
    tree: TreeLog
    witnesses: Witnesses
    treeing: Runner  # for the tree of entries and its witnesses
    office: Office
    house: House
    back_office: BackOffice
    access: AccessDesk
    processes: Processes | None  # if other processes share the floor
    rounds: RoundIndex
    adopted: Adopted | None = None  # an older record whose rows were tagged when it was opened
    background: Runner  # for slow work that nobody waits for
    heads_thread: Runner  # for heads alone, so that no slow work delays a signature
    questions: Questions
    checking: Questions  # of a table's whole record: it may take long, and nobody's query should wait for it
    sockets: OpenSockets[Any] = field(default_factory=OpenSockets)
    closing: threading.Event  # set when the floor closes: from then on nothing waits for a lost database
    resources: ExitStack  # files, threads and connections, closed with the floor
    software: str = ""  # the digest of the program as it was at the start
    _signed_with: str = ""  # the public key that the record last named
    _heads_due: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _noting: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _checkpointing: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _tree_due: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[Any]] = field(init=False, default_factory=set)

    async def beside(self, work: Callable[[], Answered], by: str | None = None) -> Answered:
        """Run slow work off the event loop and return its result; each person's questions are limited."""
        return await self.questions.answer(work, by)

    def fresh(self) -> str:
        """Return a new command id."""
        return self.randomness.token(12).hex()

    async def start(self) -> None:
        """Run every recorded table again, hash the program, and export heads each minute."""
        if self.processes is not None:
            await self.processes.join()
            for work in self.processes.tasks():
                self.spawn(work)
        else:
            for table in self.house.recorded():
                self.run_table(table)
        self._signed_with = self.tree.signed_with()
        self.software = await self.background.run(file_integrity.software_digest)
        await self.note("SoftwareHashed", {"digest": self.software})
        if self.adopted is not None:
            ends = {"entries": self.adopted.entries, "heads": set_digest(self.adopted.heads)}
            await self.note("RecordAdopted", {**ends, "streams": len(self.adopted.heads)})
        await self.note_alterations()
        for work in (
            self._each_minute(),
            self._each_second(),
            self._export_when_due(),
            self._checkpoint_when_due(),
            self._hash_daily(),
            self._check_rows_daily(),
            self._index_rounds(),
        ):
            self.spawn(work)
        self._heads_due.set()  # so that even a process killed in its first minute leaves a signed head
        log.info("floor open", extra={"count": len(self.house.tables), "digest": self.software})

    async def stop(self) -> None:
        """End all tasks, commit pending entries, and close the storage."""
        self.closing.set()
        ending = tuple(self._tasks)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        try:
            await self.writer.close()
            await self._sign_off()
        finally:
            if self.processes is not None:
                await self.processes.close()
            self.close()
        log.info("floor closed")

    async def _sign_off(self) -> None:
        works: list[Callable[[], Awaitable[object]]] = [lambda: self.background.run(self.office.sessions.store_uses)]
        if self.processes is not None:
            works.append(self.processes.leave)
        works += [self._sign_heads, self._sign_tree]
        for work in works:
            if self.is_broken:
                return
            try:
                await work()
            except (OSError, StoreFault, KeysUnusable):  # the next process does what this one couldn't
                log.exception("floor not signed off")

    async def _sign_heads(self) -> None:
        self.heads.follow_all(await self.heads_thread.run(self.store.heads))
        await self.heads_thread.run(self.heads.export)

    async def _sign_tree(self) -> None:
        heads = self.heads.all()
        async with self._checkpointing:
            await self.treeing.run(lambda: self.tree.advance(heads))

    def close(self) -> None:
        """Close files, threads and connections."""
        self.resources.close()

    def spawn(self, work: Any) -> None:
        """Run a coroutine in the background until the floor closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(_tell_of_fault)

    def run_table(self, table: str) -> LiveTable:
        """Run a table here from the end of its record, unless it is already running."""
        if table not in self.house.tables:
            self.house.open(table)
        return self.house.live(table)

    async def admit_table(self, table: str) -> LiveTable:
        """Run a new table from now on, here unless another process of the floor takes it first."""
        if self.processes is None:
            return self.run_table(table)
        await self.processes.admit(table)
        return self.house.live(table)

    async def read_other_tables(self) -> None:
        """Read the tables that other processes run to the ends of their streams, for a question about all of them."""
        if self.processes is not None:
            await self.house.read_other_tables()

    async def is_first_to(self, act: str, life_ms: int = ONCE_MS) -> bool:
        """Return whether this process is the one that does a task the floor does only once."""
        return self.processes is None or await self.processes.is_first_to(act, life_ms)

    async def do(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table, in whichever process runs it; return once it is on disk, or why not."""
        return await (self.processes or self.house).do(table, asked)

    async def at_office(self, asked: Asked) -> Answer:
        """Carry out a back office command; a table whose rules were submitted runs from then on."""
        if self.processes is not None:
            await self.processes.glances.refresh(GLANCES_S)
        answer = await self.back_office.do(asked)
        if isinstance(answer, Done) and asked.body.get("kind") == "SubmitRules":
            await self.admit_table(str(asked.body["table"]))
        return answer

    async def note(self, kind: str, body: Mapping[str, Any]) -> None:
        """Record a significant event about the floor itself."""
        by = Circumstances(SUPERVISOR, AUTOMATON, self.fresh(), self.clock.now_ms())
        # If someone altered the floor's own stream, what happens is noted in another.
        stream = INTEGRITY if FLOOR in self.store.alterations.stopped else FLOOR
        drafts = (Draft(stream, f"{FLOOR}.{kind}", dict(body)),)
        await self.writer.commit(Batch(drafts, {stream: None}, by, body_digest(SUPERVISOR, dict(body))))

    async def note_alterations(self) -> None:
        """Record what was found altered in the database, each finding once, so that it raises an alert."""
        async with self._noting:  # when this returns, everything found before is recorded
            found = self.store.alterations.news()
            for number, says in enumerate(found):
                log.error("record altered")
                try:
                    await self.note("RecordAltered", {"says": says})
                except StoreFault:
                    self.store.alterations.retell(found[number:])
                    raise

    async def automatic(self, table: str, command: commands.Command) -> Answer:
        """Give a command as the supervisor of a free-play table that runs here."""
        return await self.house.do(table, self._supervised(table, command))

    def _supervised(self, table: str, command: commands.Command) -> Asked:
        token = self.house.live(table).lease.token
        return Asked(self.fresh(), HOUSE_DEALER, (AUTOMATON,), commands.data_of(command), token=token)

    async def open_free_play(self, table: str, document: Mapping[str, Any], tray_cents: int) -> LiveTable:
        """Open a table that deals by itself, unless it is already open."""
        live = await self.admit_table(table)
        if live.terms is None:
            submit = with_kind(SubmitRules(table=table, document=document))
            _must(await self.back_office.do(Asked(self.fresh(), HOUSE_DEALER, (AUTOMATON,), submit)))
            activate = commands.ActivateSubmission(document=document)
            _must(await self.do(table, self._supervised(table, activate)))
        await self._link(table, document)
        if not self.house.live(table).is_open:
            _must(await self.do(table, self._supervised(table, commands.OpenTable(tray_cents=tray_cents))))
        return self.house.live(table)

    async def issue(self, person: str, cents: int) -> None:
        """Issue play money to a person."""
        body = {"kind": "IssueMoney", "person": person, "cents": cents, "free_play": True}
        _must(await self.back_office.do(Asked(self.fresh(), SUPERVISOR, (AUTOMATON,), body)))

    async def _link(self, table: str, document: Mapping[str, Any]) -> None:
        terms = read_terms(document)
        if terms.progressive is None or link_of(table, terms.settings.rules) is None:
            return
        state = self.house.progressive(terms.progressive).state
        todo: list[OpenMeters | LinkTable] = []
        if not state.meters:
            todo.append(OpenMeters(progressive=terms.progressive, meters=meters_of(document)))
        if table not in state.links:
            todo.append(LinkTable(progressive=terms.progressive, table=table))
        for command in todo:
            asked = Asked(self.fresh(), HOUSE_DEALER, (AUTOMATON,), with_kind(command))
            _must(await self.back_office.do(asked))

    def note_heads(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        """Note where streams end now; when a round has ended, a checkpoint is signed over all of them."""
        for entry in entries:
            self.heads.follow(entry.stream, head_of(entry))
        has_ended = any(entry.kind == entry_kinds.ROUND_ENDED for entry in entries)
        if not self.heads.has_signed:
            self._heads_due.set()
        elif has_ended and self.house.runs(live.table):
            self._tree_due.set()

    async def _export_when_due(self) -> None:
        while True:
            await self._heads_due.wait()
            self._heads_due.clear()
            try:
                await self.heads.export_beside(self.heads_thread)
                self._tree_due.set()
            except OSError:
                log.exception("heads not exported")
                await asyncio.sleep(RETRY_S)
                self._heads_due.set()

    async def _sweep(self) -> None:
        await self.office.sweep(partial(goes_on, self))  # nobody is signed out in the middle of a hand

    async def _each_minute(self) -> None:
        while True:
            await asyncio.sleep(MINUTE_S)
            for work in (self.export_heads, self._sweep):
                try:
                    await work()
                except (OSError, StoreFault):  # what failed is retried in the next minute
                    log.exception("minute tasks failed")

    async def _checkpoint_when_due(self) -> None:
        while True:
            await self._tree_due.wait()
            self._tree_due.clear()
            try:
                await self.checkpoint()
            except (OSError, StoreFault, KeysUnusable):
                log.exception("checkpoint not signed")
            # Many rounds may end in a second. A checkpoint lists the streams that moved, so a large floor waits longer.
            await asyncio.sleep(max(CHECKPOINT_EVERY_S, self.tree.added / RANGES_PER_S))

    async def checkpoint(self) -> None:
        """Sign a checkpoint over every entry so far, and have the witnesses cosign it."""
        async with self._checkpointing:  # a witness gets the checkpoints in the order of their sizes
            await self._checkpoint()

    async def _checkpoint(self) -> None:
        heads = self.heads.all()
        note = await self.treeing.run(lambda: self.tree.advance(heads))
        public = self.signing.publics()[-1]
        if public != self._signed_with:
            was, self._signed_with = self._signed_with, public
            await self.note("SigningKeyUsed", {"is": public, "was": was or None})
        if note is not None and self.witnesses:
            for kind, body in await self.treeing.run(lambda: self.witnesses.push(note)):
                log.warning("witness changed", extra={"kind": kind})
                await self.note(kind, body)

    async def _each_second(self) -> None:
        while True:
            await asyncio.sleep(RETRY_S)
            with suppress(StoreFault):
                await self.note_alterations()
                await self.background.run(self.office.sessions.store_uses)

    async def export_heads(self) -> None:
        """Sign and write the head of every stream, as the store has it now."""
        self.heads.follow_all(await self.heads_thread.run(self.store.heads))
        await self.heads.export_beside(self.heads_thread)
        self._tree_due.set()

    @property
    def is_broken(self) -> bool:
        """Return whether the record failed; it is never retried, so this process must end."""
        return self.store.is_broken or self.writer.health is Health.BROKEN

    async def _hash_daily(self) -> None:
        while True:
            await asyncio.sleep(DAY_S)
            await self.check_software()

    async def _check_rows_daily(self) -> None:
        while True:
            try:
                await self.check_rows()
            except StoreFault:
                log.exception("rows not checked")
            await asyncio.sleep(DAY_S)

    async def check_rows(self) -> None:
        """Check every row of the record, also those that nothing reads, a few at a time."""
        last: int | None = 0
        while last is not None:
            at = last
            last = await self.background.run(lambda at=at: self.store.check_rows(at, ROWS_AT_ONCE))  # type: ignore[misc]
            await asyncio.sleep(ROWS_PAUSE_S)
        steps = self.rounds.checking()
        while await self.background.run(lambda: next(steps, Ellipsis)) is not Ellipsis:
            await asyncio.sleep(ROWS_PAUSE_S)

    async def _index_rounds(self) -> None:
        while True:
            mine = {stream_of(table) for table in self.house.tables if self.house.runs(table)}
            is_done = True
            with suppress(StoreFault):  # retried at the next turn; a search reads on by itself
                is_done = await self.background.run(lambda mine=mine: self.rounds.catch_up(mine, INDEXED_AT_ONCE))  # type: ignore[misc]
            await asyncio.sleep(INDEX_EVERY_S if is_done else ROWS_PAUSE_S)

    async def check_software(self) -> None:
        """Hash the program again, and stop wagering if a byte has changed since the start."""
        digest = await self.background.run(file_integrity.software_digest)
        if digest != self.software and self.house.no_wagers is None:
            self.house.no_wagers = file_integrity.CHANGED
            log.error("software changed", extra={"digest": digest})
            await self.note("SoftwareChanged", {"was": self.software, "is": digest})


def chance_of(randomness: Randomness) -> random.Random:
    """Return a random generator for bots, which no card depends on."""
    return random.Random(randomness.token(16))


def _must(answer: Answer) -> Done:
    if isinstance(answer, Refusal):
        raise FloorUnusable(f"Couldn't set up the floor: {answer}.")
    return answer


def _tell_of_fault(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (fault := task.exception()) is not None:
        log.error("background task failed", exc_info=fault)
