"""Keeps the leak test and the luck ledger up to date with the record in separate processes, and raises their alerts."""

import asyncio
import json
import logging
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from pitboss.house.reports.all_reports import AllReports
from pitboss.record.entries import Head
from pitboss.record.group_commit import Health
from pitboss.record.heads import set_digest
from pitboss.record.snapshots import Fold
from pitboss.record.store import StoreFault
from pitboss.record.system import ThreadRunner
from pitboss.server.open_floor import OpenFloor
from pitboss.server.report_keeper import Reports
from pitboss.server.schemas.leaks import LeakReport
from pitboss.server.schemas.luck import LuckReport

log = logging.getLogger("pitboss.watch")
EVERY_S = 300  # starting the process costs a second of a processor, so a floor that opens doesn't wait for it
Report = TypeVar("Report", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Watched(Generic[Report]):
    """What is worked out from a record: by which process, and where its sums are saved among the snapshots."""

    name: str  # no stream has it
    version: str
    worker: str
    report: type[Report]
    nothing: Report


LEAKS = Watched(
    "leaks",
    "leaks-1",
    "pitboss.server.lab.leak_tests",
    LeakReport,
    LeakReport(rounds=0, decisions=0, bound=0.01, count=0, tests=[], shuffles=[]),
)
LUCK = Watched("luck", "luck-1", "pitboss.server.lab.luck_ledger", LuckReport, LuckReport())


class RecordWatch(Generic[Report]):
    """Sums over a floor's record that take long: their state so far, and the process that works on them."""

    def __init__(self, floor: OpenFloor, reports: Reports, watched: Watched[Report]) -> None:
        self._floor, self._reports, self._watched = floor, reports, watched
        self._runner = ThreadRunner(watched.name)
        self._fold: Fold[dict[str, Any]] = Fold(watched.version, _no_state, _no_state, _to_data, _no_state)
        self._child: subprocess.Popen[bytes] | None = None
        self._kept: dict[str, Any] | None = None
        self._heads: dict[str, Head] = {}  # where the streams ended when the record was last read
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._closed = threading.Event()
        self.report = watched.nothing

    def begin(self) -> None:
        """Load the saved sums, and follow the record from now on."""
        self._task = asyncio.create_task(self._keep_up())

    async def end(self) -> None:
        """End the work in progress; what it would have found is found again."""
        self._closed.set()
        if (child := self._child) is not None:
            child.kill()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._runner.close()

    def look(self) -> Report:
        """Return the report as of the last reading, and have the rounds that ended since read."""
        self._wanted.set()
        return self.report

    async def _keep_up(self) -> None:
        with suppress(StoreFault):
            await self._runner.run(self._restore)
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY_S):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                found = await self._runner.run(self._work_on)
                if found is not None:
                    await self._reports.ask(partial(_tell, alerts=found["alerts"]))
            except StoreFault:
                pass  # the sender of a command gets the error
            except Exception:
                log.exception("%s failed", self._watched.name)

    def _work_on(self) -> dict[str, Any] | None:
        heads = dict(self._floor.store.heads())
        if heads == self._heads or self._closed.is_set():
            return None
        asked = {"database": self._floor.settings.url, "kept": self._kept, "now": self._floor.clock.now_ms()}
        command, pipe = [sys.executable, "-m", self._watched.worker], subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as child:
            self._child = child
            if self._closed.is_set():  # meanwhile
                child.kill()
            out, _ = child.communicate(json.dumps(asked).encode())
        self._child = None
        if child.returncode:
            if not self._closed.is_set():
                log.error(
                    "watch not computed", extra={"watch": self._watched.name, "kind": f"status {child.returncode}"}
                )
            return None
        found: dict[str, Any] = json.loads(out)
        self._heads, self._kept = heads, found["kept"]
        self.report = self._watched.report(**found["report"])  # here, since a long one would hold up the event loop
        self._keep(found)
        return found

    def _restore(self) -> None:
        for stored in self._floor.store.snapshots(self._watched.name):
            kept = self._floor.house.snapshots.opened(stored, self._watched.version)
            if kept is not None:
                self._kept = json.loads(kept["kept"])
                if "report" in kept:
                    self.report = self._watched.report(**json.loads(kept["report"]))
                return

    def _keep(self, found: dict[str, Any]) -> None:
        if self._floor.writer.health is not Health.OPEN:
            return
        head = Head(sum(head.sequence for head in self._heads.values()), set_digest(self._heads))
        with suppress(StoreFault):  # the entries contain it all
            sealed = self._floor.house.snapshots.sealed(self._watched.name, head, self._fold, found)
            self._floor.store.commit([], [sealed])


def _tell(kept: AllReports, alerts: list[dict[str, Any]]) -> None:
    for alert in alerts:
        kept.alerts.learn_of(**alert)


def _to_data(found: dict[str, Any]) -> dict[str, str]:
    return {name: json.dumps(found[name]) for name in ("kept", "report")}


def _no_state(*_: Any) -> dict[str, Any]:
    raise AssertionError("these sums are not folded from a stream")
