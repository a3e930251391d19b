"""Kills processes of a floor on a real database and checks after each that nothing is lost or counted twice."""

import io
import json
import os
import random
import select
import signal
import time
from collections import Counter
from collections.abc import Callable
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
        self._live((None, 0), strikes_after_s=None, rounds=0)

    def kill(self, boundary: str) -> None:
        """Let a process live until it is killed at a boundary, and check what it left."""
        passings = self.chance.randint(1, 4 if boundary == "during recovery" else 30)
        doom = (None, 0) if boundary == ANY_MOMENT else (boundary, passings)
        strikes = self.chance.uniform(0, 0.12) if boundary == ANY_MOMENT else None
        status = self._live(doom, strikes_after_s=strikes, rounds=None)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            self._tell(f"a process ended by itself at {boundary}: {status}")
        self.kills[boundary] += 1
        self.check()

    def finish(self) -> None:
        """Let a last process finish every round and play another, and check all."""
        before = {name: live.rounds for name, live in self.checker.live_tables.items()}
        if self._live((None, 0), strikes_after_s=None, rounds=1):
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

    def _live(self, doom: tuple[str | None, int], *, strikes_after_s: float | None, rounds: int | None) -> int:
        self._lives += 1
        reading, writing = os.pipe()
        pending = list(self.pending.values())
        process = os.fork()
        if process == 0:
            os.close(reading)
            try:
                live(self.url, self.seed * 1_000_000 + self._lives, writing, doom, pending, rounds)
            except BaseException as fault:
                os.write(writing, json.dumps({"fell": repr(fault)}).encode() + b"\n")
                os._exit(3)
            os._exit(0)
        os.close(writing)
        said = self._listen(reading, process, strikes_after_s)
        status = os.waitpid(process, 0)[1]
        os.close(reading)
        again = {item[1] for item in pending}
        for line in said.split(b"\n")[:-1]:  # what has no end was never said
            self._heard(json.loads(line), again)
        return status

    def _listen(self, reading: int, process: int, strikes_after_s: float | None) -> bytes:
        said, ends_at, strikes_at = b"", time.monotonic() + PATIENCE_S, None
        while True:
            wait = (strikes_at or ends_at) - time.monotonic()
            if wait <= 0:
                os.kill(process, signal.SIGKILL)
                if strikes_at is None:
                    self._tell("a process said nothing for too long")
                wait, strikes_at, ends_at = PATIENCE_S, None, time.monotonic() + PATIENCE_S
            if not select.select([reading], [], [], max(wait, 0))[0]:
                continue
            chunk = os.read(reading, 1 << 16)
            if not chunk:
                return said
            said += chunk
            if strikes_after_s is not None and strikes_at is None and b'"told"' in said:
                strikes_at, strikes_after_s = time.monotonic() + strikes_after_s, None

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


def kill_many(
    folder: Path,
    count: int,
    database: str | None = None,
    *,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> str:
    """Kill this many processes, at every boundary in turn and at random moments, and report the result."""
    killing = Killing(folder, database or f"sqlite:///{folder / 'record.db'}", seed)
    killing.prepare()
    where = (*BOUNDARIES, ANY_MOMENT)
    for number in range(count):
        killing.kill(where[number % len(where)])
        if (number + 1) % VERIFY_EVERY == 0:
            killing.verify()
            tell(f"{number + 1:,} of {count:,} kills, {killing.checker.entries:,} entries")
    killing.finish()
    rounds = sum(live.rounds for live in killing.checker.live_tables.values())
    counted = ", ".join(f"{name} {times}" for name, times in sorted(killing.kills.items()))
    return (
        f"{count} kills ({counted}): {killing.checker.entries:,} entries, {rounds:,} rounds, "
        f"{len(killing.told):,} commands acknowledged, {killing.given_again} given again of which "
        f"{killing.already_there} were there already; nothing lost, nothing twice."
    )
