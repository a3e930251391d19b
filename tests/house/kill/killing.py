"""Kills processes of a floor on a real database and checks after each that nothing is lost or counted twice."""

import io
import json
import os
import random
import select
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from house.floors import read_terms
from house.kill.child import BOUNDARIES, KEYRING, live
from pitboss.games.catalogue import game_names
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import export
from pitboss_verify import verify
from simulation.checks import Checker

ANY_MOMENT = "at any moment"
PATIENCE_S = 240
VERIFY_EVERY = 100


class KillsFailed(AssertionError):
    """Something did not hold after a kill."""


@dataclass
class Life:
    """A process of the floor, from its birth to its end."""

    process: int
    reading: int
    again: set[str]  # the commands that it was given once more
    said: bytes = b""
    status: int | None = None
    strikes_at: float | None = None

    @property
    def has_told(self) -> bool:
        """Say whether it has acknowledged a command."""
        return b'"told"' in self.said


class Killing:
    """A database, and the answers its processes got."""

    def __init__(self, folder: Path, url: str, seed: int) -> None:
        self.folder, self.url, self.seed = folder, url, seed
        self.chance = random.Random(seed)
        self.checker = Checker(KEYRING, read_terms, self._tell)
        self.told: dict[str, list[Any]] = {}
        self.pending: dict[str, Any] = {}
        self.given_again = self.already_there = 0
        self.kills: Counter[str] = Counter()
        self._lives = 0

    def _tell(self, violation: str) -> None:
        raise KillsFailed(f"after {sum(self.kills.values())} kills of seed {self.seed}: {violation}")

    def prepare(self) -> None:
        """Let a process open the tables in peace."""
        self._alone(rounds=0)

    def kill(self, boundary: str) -> None:
        """Let a process live until it is killed at a boundary, and check what it left."""
        life = self._born(self._doom(boundary, len(game_names())), tables=game_names())
        self._until_dead([life], boundary, strikes_after_s=self._strikes(boundary))
        self._counted(life, boundary)
        self.check()

    def kill_two(self, boundary: str) -> None:
        """Let two processes share the tables; kill one at a boundary, soon after it the other, and check."""
        names = list(game_names())
        self.chance.shuffle(names)
        half = len(names) // 2
        doomed = self._born(self._doom(boundary, half), tables=names[:half])
        other = self._born((None, 0), tables=names[half:])
        self._until_dead([doomed, other], boundary, strikes_after_s=self._strikes(boundary))
        self._counted(doomed, boundary)
        self._counted(other, ANY_MOMENT)
        self.check()

    def _doom(self, boundary: str, tables: int) -> tuple[str | None, int]:
        passings = self.chance.randint(1, tables if boundary == "during recovery" else 30)
        return (None, 0) if boundary == ANY_MOMENT else (boundary, passings)

    def _strikes(self, boundary: str) -> float | None:
        return self.chance.uniform(0, 0.12) if boundary == ANY_MOMENT else None

    def _counted(self, life: Life, boundary: str) -> None:
        if life.status is None or not os.WIFSIGNALED(life.status) or os.WTERMSIG(life.status) != signal.SIGKILL:
            self._tell(f"a process ended by itself at {boundary}: {life.status}")
        self.kills[boundary] += 1

    def finish(self) -> None:
        """Let a last process finish every round and play another, and check all."""
        before = {name: live.rounds for name, live in self.checker.live_tables.items()}
        if self._alone(rounds=1):
            self._tell("the last process did not end well")
        self.check()
        for name in game_names():
            live = self.checker.live_tables[name]
            if live.in_round or live.rounds <= before[name]:
                self._tell(f"{name} cannot go on")
        self.verify()

    def check(self) -> None:
        """Read the record and compare it with every answer that was given."""
        store = SqlStore(self.url)
        try:
            self.checker.follow(store)
            for command, entries in self.told.items():
                self.checker.acknowledged([(item, two, three) for item, two, three in entries], command)
                if command in self.pending:
                    self._tell(f"{command} is told and pending")
        finally:
            store.close()

    def verify(self) -> None:
        """Let the independent verifier read the whole record."""
        store, out = SqlStore(self.url), io.StringIO()
        export(store, out)
        store.close()
        log = self.folder / "record.jsonl"
        log.write_text(out.getvalue())
        fault = verify(log).fault
        if fault:
            self._tell(f"the verifier says: {fault}")

    def _alone(self, rounds: int) -> int | None:
        life = self._born((None, 0), tables=game_names(), rounds=rounds)
        self._until_dead([life], "its own end", strikes_after_s=None)
        return life.status

    def _born(self, doom: tuple[str | None, int], *, tables: Sequence[str], rounds: int | None = None) -> Life:
        self._lives += 1
        reading, writing = os.pipe()
        pending = [asked for asked in self.pending.values() if asked[0] in tables]
        process = os.fork()
        if process == 0:
            os.close(reading)
            try:
                live(self.url, self.seed * 1_000_000 + self._lives, writing, doom, pending, rounds, tables)
            except BaseException as fault:
                os.write(writing, json.dumps({"fell": repr(fault)}).encode() + b"\n")
                os._exit(3)
            os._exit(0)
        os.close(writing)
        return Life(process, reading, {asked[1] for asked in pending})

    def _until_dead(self, lives: Sequence[Life], where: str, *, strikes_after_s: float | None) -> None:
        # The first is struck where it has no doom of its own; the others when it is gone.
        first = lives[0]
        open_ones = {life.reading: life for life in lives}
        gives_up_at = time.monotonic() + PATIENCE_S
        while open_ones:
            if first.status is None and strikes_after_s is not None and first.strikes_at is None and first.has_told:
                first.strikes_at = time.monotonic() + strikes_after_s
            moments = [life.strikes_at for life in open_ones.values() if life.strikes_at is not None]
            wait = min([gives_up_at, *moments]) - time.monotonic()
            for reading in select.select(list(open_ones), [], [], max(wait, 0))[0]:
                life = open_ones[reading]
                if chunk := os.read(reading, 1 << 16):
                    life.said += chunk
                    continue
                del open_ones[reading]
                os.close(reading)
                life.status = os.waitpid(life.process, 0)[1]
                for left in open_ones.values():
                    left.strikes_at = time.monotonic() + self.chance.uniform(0, 0.05)
            now = time.monotonic()
            for life in open_ones.values():
                if life.strikes_at is not None and now >= life.strikes_at:
                    os.kill(life.process, signal.SIGKILL)
                    life.strikes_at = now + PATIENCE_S
            if now >= gives_up_at:
                for life in open_ones.values():
                    os.kill(life.process, signal.SIGKILL)
                self._tell(f"a process did not reach {where} in {PATIENCE_S} s")
        for life in lives:
            for line in life.said.split(b"\n")[:-1]:  # what has no end was never said
                self._heard(json.loads(line), life.again)

    def _heard(self, line: dict[str, Any], again: set[str]) -> None:
        if "fell" in line:
            self._tell(f"a process fell over: {line['fell']}")
        elif "asked" in line:
            self.pending[line["asked"][1]] = line["asked"]
        elif "told" in line:
            known = self.told.setdefault(line["told"], line["entries"])
            if known != line["entries"]:
                self._tell(f"{line['told']} was answered in two ways")
            self.pending.pop(line["told"], None)
            if line["told"] in again:
                self.given_again += 1
                self.already_there += all(entry[2] in self.checker.hashes[entry[0]] for entry in line["entries"])
        else:
            self.pending.pop(line["refused"], None)


@dataclass(frozen=True)
class Killed:
    """What came of many kills."""

    kills: Counter[str]
    entries: int
    rounds: int
    acknowledged: int
    given_again: int
    already_there: int

    def __str__(self) -> str:
        """Say it in a sentence."""
        counted = ", ".join(f"{name} {times}" for name, times in sorted(self.kills.items()))
        return (
            f"{sum(self.kills.values())} kills ({counted}): {self.entries:,} entries, {self.rounds:,} rounds, "
            f"{self.acknowledged:,} commands acknowledged, {self.given_again} given again of which "
            f"{self.already_there} were there already; nothing lost, nothing twice."
        )


def kill_many(
    folder: Path,
    count: int,
    database: str | None = None,
    *,
    seed: int = 1,
    is_shared: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Killed:
    """Kill this many processes, at every boundary in turn and at random moments; two share the floor where asked."""
    killing = Killing(folder, database or f"sqlite:///{folder / 'record.db'}", seed)
    killing.prepare()
    where = (*BOUNDARIES, ANY_MOMENT)
    turn, told = 0, 0
    while (killed := sum(killing.kills.values())) < count:
        (killing.kill_two if is_shared else killing.kill)(where[turn % len(where)])
        turn += 1
        if killed // VERIFY_EVERY > told:
            told = killed // VERIFY_EVERY
            killing.verify()
            tell(f"{killed:,} of {count:,} kills, {killing.checker.entries:,} entries")
    killing.finish()
    rounds = sum(live.rounds for live in killing.checker.live_tables.values())
    checker = killing.checker
    return Killed(killing.kills, checker.entries, rounds, len(killing.told), killing.given_again, killing.already_there)
