"""A floor in its own process on a real database that plays until it is killed and reports the answers it got."""

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from typing import Any

import sqlalchemy as sa
from psycopg.pq import TransactionStatus
from sqlalchemy.engine import Engine

from house.floors import AnythingFiled, Chance, Clock, Everyone, Floor, read_terms
from pitboss.cards import SeededShuffle
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.money.postings import FillNeeded
from pitboss.house.running_tables import Answer, Asked, Done, House, Outside
from pitboss.record.entries import Entry, canonical
from pitboss.record.group_commit import GroupCommit
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, Outcome
from pitboss.record.system import ThreadRunner

BOUNDARIES = (
    "received",
    "validated",
    "half-written",
    "written unsynced",
    "synced unapplied",
    "applied unacknowledged",
    "acknowledged unsent",
    "during recovery",
)
ENTRIES_WRITTEN = "INSERT INTO entries"
PLAYERS = {"alice": 1, "bob": 2}
LEAST_CENTS = 1_000_00
BUY_IN_CENTS = 5_000_00
KEYRING = Keyring((MasterKey(random.Random(1).randbytes(32)),))


class Doom:
    """Where this process ends: at the n-th passing of a boundary, or wherever its parent strikes."""

    def __init__(self, boundary: str | None, passings: int) -> None:
        self._boundary, self._left = boundary, passings
        if boundary == "half-written":
            sa.event.listen(Engine, "before_cursor_execute", self._executes)
            sa.event.listen(Engine, "after_cursor_execute", self._executed)
        if boundary == "written unsynced":
            sa.event.listen(Engine, "commit", lambda connection: self.passes("written unsynced"))

    def passes(self, boundary: str) -> None:
        """Die here, without another word, where that is what was meant."""
        if boundary == self._boundary:
            self._left -= 1
            if self._left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
                time.sleep(60)

    def _executes(self, connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        # PostgreSQL writes everything in one statement: the process dies while the database is carrying it out.
        if ENTRIES_WRITTEN in statement and connection.dialect.name == "postgresql" and self._left <= 1:
            threading.Thread(target=self._dies_while_active, args=(cursor.connection.pgconn,), daemon=True).start()

    def _dies_while_active(self, session: Any) -> None:
        while session.transaction_status != TransactionStatus.ACTIVE:
            pass
        self.passes("half-written")

    def _executed(self, connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if ENTRIES_WRITTEN in statement:
            self.passes("half-written")


class _Writer(GroupCommit):
    doom: Doom

    async def commit(self, batch: Batch) -> Outcome:
        self.doom.passes("validated")
        outcome = await super().commit(batch)
        self.doom.passes("synced unapplied")
        return outcome


class KilledFloor(Floor):
    """The floor of the tests, on a database that stays."""

    def __init__(self, url: str, seed: int, doom: Doom, say: Callable[[Any], None]) -> None:
        self.seed, self._doom, self._say = seed, doom, say
        self.clock = Clock(time.time_ns() // 1_000_000)
        self.chance = random.Random(seed)
        self.store: Any = SqlStore(url)
        self.runner = ThreadRunner("record")
        writer = _Writer(self.store, self.runner)
        writer.doom = doom
        outside = Outside(self.clock, Chance(seed + 1), SeededShuffle(seed + 2).order)
        filings = AnythingFiled(self.store)
        self.house = House(self.store, writer, outside, KEYRING, read_terms, people=Everyone(), filings=filings)
        self.house.events.changed.append(self._applied)
        self.number = 0

    def command_id(self) -> str:
        """Return an id that no command of any process has had."""
        self.number += 1
        return f"{self.seed}-{self.number}"

    def _applied(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        self._doom.passes("applied unacknowledged")

    async def ask(self, table: str, person: str, role: str, body: Any, **rest: Any) -> Answer:
        """Give a command, and say before and after what it was and what came of it."""
        self.clock.now = max(self.clock.now + 1, time.time_ns() // 1_000_000)
        data = body if isinstance(body, dict) else commands.data_of(body)
        return await self.give(table, Asked(self.command_id(), person, (role,), data, rest.get("token")))

    async def give(self, table: str, asked: Asked) -> Answer:
        """Send a command unchanged, for the first time or again."""
        self._say({"asked": [table, *astuple(asked)]})
        self._doom.passes("received")
        answer = await self.house.do(table, asked)
        if isinstance(answer, Done):
            self._doom.passes("acknowledged unsent")
            told = [[entry.stream, entry.sequence, entry.hash] for entry in answer.entries]
            self._say({"told": asked.id, "entries": told})
        else:
            self._say({"refused": asked.id, "reason": str(answer)})
        return answer

    def recover(self, tables: Sequence[str]) -> None:
        """Run tables again from where their record ends."""
        for table in tables:
            self.house.open(table)
            self._doom.passes("during recovery")

    async def prepare(self) -> None:
        """Open every game's table and seat people, once."""
        for name in game_names():
            await self.open(name, name)
            for person, seat in PLAYERS.items():
                await self.sit(name, f"{person} at {name}", seat)

    async def play_on(self, table: str, rounds: int) -> None:
        """Play a table until this many more rounds are over."""
        end = self.house.live(table).rounds + rounds
        while self.house.live(table).rounds < end or self.house.live(table).in_round:
            await self._refresh(table)
            if await self.act(table):
                continue
            answer = await self.step(table)
            if isinstance(answer, FillNeeded):
                await self.must(table, HOUSE_DEALER, AUTOMATON, commands.Fill(cents=answer.fill_cents + 100_000_00))
            else:
                assert answer is None or isinstance(answer, Done), answer

    async def _refresh(self, table: str) -> None:
        live = self.house.live(table)
        for person in live.seats.values():
            if live.stack_cents(person) < LEAST_CENTS:
                if self.house.money.state.get(f"purse:{person}", 0) < BUY_IN_CENTS:
                    await self.issue(person)
                await self.must(table, person, "player", commands.BuyIn(cents=BUY_IN_CENTS))


def live(
    url: str,
    seed: int,
    pipe: int,
    doom: tuple[str | None, int],
    pending: list[Any],
    rounds: int | None,
    tables: Sequence[str],
) -> None:
    """Be the process: prepare or recover, give again what was not answered, and play these tables."""

    def say(what: Any) -> None:
        os.write(pipe, f"{canonical(what)}\n".encode())

    async def lived() -> None:
        floor = KilledFloor(url, seed, Doom(*doom), say)
        if "table/" + game_names()[0] not in floor.store.heads():
            await floor.prepare()
            return
        floor.recover(tables)
        for table, *said in pending:
            asked = Asked(*said)
            await floor.give(table, replace(asked, roles=tuple(asked.roles)))
        await asyncio.gather(*(floor.play_on(table, 10**9 if rounds is None else rounds) for table in tables))

    asyncio.run(lived())
