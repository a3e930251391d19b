"""A floor that is open: the record, the keys, the house, its people and every table that deals by itself."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitboss.cards import TableShuffle
from pitboss.house import transfers
from pitboss.house.desk import commands
from pitboss.house.desk.purses import by_stream
from pitboss.house.desk.state import MONEY, Desk
from pitboss.house.desk.terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.group_commit import GroupCommit
from pitboss.house.heads import HeadsExport
from pitboss.house.keys import Keyring, KeysUnusable, fresh_key, read_keys, write_keys
from pitboss.house.people.argon import ArgonHasher
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.kept_in_sql import CredentialsInSql, SessionsInSql, make_tables
from pitboss.house.people.office import Office, PeopleStream
from pitboss.house.people.sessions import Sessions
from pitboss.house.people.sign_in import FrontDoor
from pitboss.house.progressive import commands as of_meters
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.progressive import drafts_of, link_of
from pitboss.house.progressive import evolve as evolve_meters
from pitboss.house.real import AppendedFile, DiskSpace, SystemClock, SystemRandomness, ThreadRunner
from pitboss.house.record import Draft, Entry, head_of
from pitboss.house.running import Answer, Asked, Done, House, Outside
from pitboss.house.sql_engine import make_engine
from pitboss.house.sql_store import SqlStore
from pitboss.rules.refusal import Refusal
from pitboss.server.terms import meters_of, read_terms

RESERVE_BYTES = 64 * 2**20  # below this much free space wagering stops
MINUTE_S = 60
SUPERVISOR = "automatic supervisor"


@dataclass(frozen=True, slots=True)
class FloorSettings:
    """Where a floor keeps what it keeps."""

    data: Path
    database: str | None = None  # a URL; SQLite in the data folder where none is given
    rules: SignInRules = field(default_factory=SignInRules)

    @property
    def url(self) -> str:
        """Return the database's URL."""
        return self.database or f"sqlite:///{self.data / 'record.db'}"


class FloorUnusable(Exception):
    """The floor cannot be opened; the message says what to do."""


class OpenFloor:
    """Everything that one process of a floor holds open."""

    def __init__(self, settings: FloorSettings) -> None:
        _make_folder(settings.data)
        self.settings = settings
        self.clock, self.randomness = SystemClock(), SystemRandomness()
        self.keyring = _keys(settings.data / "keys" / "master.keys", self.randomness)
        self.store = SqlStore(settings.url)
        self._runner, self._hashing = ThreadRunner("record"), ThreadRunner("passwords")
        space = DiskSpace(settings.data)
        self.writer = GroupCommit(self.store, self._runner, space=space, reserve_bytes=RESERVE_BYTES)
        outside = Outside(self.clock, self.randomness, TableShuffle().order)
        self.house = House(self.store, self.writer, outside, self.keyring, read_terms)
        self.office = self._make_office(settings)
        heads = AppendedFile(settings.data / "heads" / "heads.jsonl")
        self.heads = HeadsExport(self.store.heads(), self.keyring.current.signer(), heads, self.clock)
        self.house.listeners.append(self._follow)
        self._tasks: list[asyncio.Task[None]] = []

    def _make_office(self, settings: FloorSettings) -> Office:
        engine = make_engine(settings.url)
        make_tables(engine)
        sessions = SessionsInSql(engine)
        stream = PeopleStream()
        stream.restore(self.house.snapshots)
        door = FrontDoor(
            hasher=ArgonHasher(self.randomness),
            credentials=CredentialsInSql(engine),
            sessions=sessions,
            clock=self.clock,
            randomness=self.randomness,
            rules=settings.rules,
        )
        self._engine = engine
        return Office(
            store=self.store,
            writer=self.writer,
            stream=stream,
            door=door,
            sessions=Sessions(sessions, self.clock, settings.rules),
            clock=self.clock,
            randomness=self.randomness,
            runner=self._hashing,
            rules=settings.rules,
            snapshots=self.house.snapshots,
        )

    def fresh(self) -> str:
        """Return an id that no other command has."""
        return self.randomness.token(12).hex()

    async def start(self) -> None:
        """Run every table of the record again, and export heads each minute."""
        for stream in self.store.heads():
            if stream.startswith("table/"):
                self.house.open(stream.partition("/")[2])
        self._tasks.append(asyncio.create_task(self._each_minute()))

    async def stop(self) -> None:
        """End all tasks, commit what waits, and let go of the storage."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.writer.close()
        self.heads.export()
        self.store.close()
        self._engine.dispose()
        self._runner.close()
        self._hashing.close()

    def spawn(self, work: Any) -> None:
        """Run something beside until the floor closes."""
        self._tasks.append(asyncio.create_task(work))

    async def automatic(self, table: str, command: commands.Command) -> Answer:
        """Give a command at a free-play table in the name of its supervisor."""
        token = self.house.desk(table).lease.token
        asked = Asked(self.fresh(), HOUSE_DEALER, (AUTOMATON,), commands.data_of(command), token=token)
        return await self.house.do(table, asked)

    async def open_free_play(self, table: str, document: Mapping[str, Any], tray_cents: int) -> Desk:
        """Open a table that deals by itself, where it is not open yet."""
        desk = self.house.open(table)
        if desk.terms is None:
            _must(await self.automatic(table, commands.ActivateSubmission(document=document)))
        await self._link(table, document)
        if not self.house.desk(table).is_open:
            _must(await self.automatic(table, commands.OpenTable(tray_cents=tray_cents)))
        return self.house.desk(table)

    async def issue(self, person: str, cents: int) -> None:
        """Give a person play money."""
        moved = dict(by_stream(transfers.issue(person, cents).postings)[MONEY])
        body = {"person": person, "cents": cents, "postings": moved}
        asked = Asked(self.fresh(), SUPERVISOR, (AUTOMATON,), {"kind": "IssueMoney", "person": person, "cents": cents})
        issued = (Draft(MONEY, "money.MoneyIssued", body),)
        _must(await self.house.at_shared(self.house.money, lambda state, at: issued, asked))

    async def _link(self, table: str, document: Mapping[str, Any]) -> None:
        terms = read_terms(document)
        link = link_of(table, terms.settings.rules)
        if link is None or terms.progressive is None:
            return
        shared = self.house.progressive(terms.progressive)
        asked = Asked(self.fresh(), SUPERVISOR, (AUTOMATON,), {"kind": "LinkTable", "table": table})
        if table in shared.state.links:
            return

        def decided(state: Any, at: int) -> Any:
            drafts: tuple[Draft, ...] = ()
            opened = of_meters.OpenMeters(at=at, meters=meters_of(document), by=HOUSE_DEALER, second=SUPERVISOR)
            for command in (*(() if state.meters else (opened,)), of_meters.LinkTable(at=at, link=link)):
                answer = decide_meters(state, command)
                if isinstance(answer, Refusal):
                    return answer
                drafts = (*drafts, *drafts_of(state, answer))
                for event in answer:
                    state = evolve_meters(state, event)
            return drafts

        _must(await self.house.at_shared(shared, decided, asked))

    def _follow(self, desk: Desk, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            self.heads.follow(entry.stream, head_of(entry))
        if any(entry.kind == "house.RoundEnded" for entry in entries):
            self.heads.export()

    async def _each_minute(self) -> None:
        while True:
            await asyncio.sleep(MINUTE_S)
            self.heads.export()
            await self.office.sweep()


def chance_of(randomness: SystemRandomness) -> random.Random:
    """Return chance for bots, which no card hangs on."""
    return random.Random(randomness.token(16))


def _must(answer: Answer) -> Done:
    if isinstance(answer, Refusal):
        raise FloorUnusable(f"The floor could not be prepared: {answer}.")
    return answer


def _make_folder(data: Path) -> None:
    try:
        for folder in (data, data / "keys", data / "heads"):
            folder.mkdir(parents=True, exist_ok=True)
        (data / "keys").chmod(0o700)
    except OSError as fault:
        reason = fault.strerror or fault
        raise FloorUnusable(f"{data} cannot be written to: {reason}; name another folder with --data.") from None


def _keys(path: Path, randomness: SystemRandomness) -> Keyring:
    if not path.exists():
        write_keys(path, Keyring((fresh_key(randomness),)))
    try:
        return read_keys(path)
    except KeysUnusable as fault:
        raise FloorUnusable(str(fault)) from None
