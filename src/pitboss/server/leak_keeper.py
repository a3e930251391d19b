"""Keeps a floor's leak test up to date with the record in a separate process, and tells the floor of alarms."""

import asyncio
import json
import logging
import subprocess
import sys
from contextlib import suppress
from functools import partial
from typing import Any

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

log = logging.getLogger("pitboss.leaks")
STREAM, VERSION = "leaks", "leaks-1"  # under which the evidence is saved among the snapshots; no stream has this name
WORKER = "pitboss.server.lab.leak_tests"
EVERY_S = 300  # starting the process costs a second of a processor, so a floor that opens doesn't wait for it
NOTHING = LeakReport(rounds=0, decisions=0, bound=0.01, count=0, tests=[], shuffles=[])


class LeakWatch:
    """The leak test of a floor: its evidence so far, and the process that works on it."""

    def __init__(self, floor: OpenFloor, reports: Reports) -> None:
        self._floor, self._reports = floor, reports
        self._runner = ThreadRunner("leaks")
        self._child: subprocess.Popen[bytes] | None = None
        self._kept: dict[str, Any] | None = None
        self._heads: dict[str, Head] = {}  # where the streams ended when the record was last read
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._is_closed = False
        self.report = NOTHING

    def begin(self) -> None:
        """Load the saved evidence, and follow the record from now on."""
        self._task = asyncio.create_task(self._keep_up())

    async def end(self) -> None:
        """End the work in progress; what it would have found is found again."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._runner.close()

    def look(self) -> LeakReport:
        """Return the report as of the last reading, and have the rounds that ended since tested."""
        self._wanted.set()
        return self.report

    async def _keep_up(self) -> None:
        with suppress(StoreFault):
            await self._runner.run(self._restore)
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), EVERY_S)
            self._wanted.clear()
            try:
                found = await self._runner.run(self._work_on)
                if found is not None:
                    self.report = LeakReport(**found["report"])
                    await self._reports.ask(partial(_tell, alerts=found["alerts"]))
            except StoreFault:
                pass  # the sender of a command gets the error
            except Exception:
                log.exception("leak test failed")

    def _work_on(self) -> dict[str, Any] | None:
        heads = dict(self._floor.store.heads())
        if heads == self._heads or self._is_closed:
            return None
        asked = {"database": self._floor.settings.url, "kept": self._kept}
        command, pipe = [sys.executable, "-m", WORKER], subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as child:
            self._child = child
            out, _ = child.communicate(json.dumps(asked).encode())
        self._child = None
        if child.returncode:
            if not self._is_closed:
                log.error("leak test not computed", extra={"kind": f"status {child.returncode}"})
            return None
        found: dict[str, Any] = json.loads(out)
        self._heads, self._kept = heads, found["kept"]
        self._keep(found)
        return found

    def _restore(self) -> None:
        for stored in self._floor.store.snapshots(STREAM):
            kept = self._floor.house.snapshots.opened(stored, VERSION)
            if kept is not None:
                self._kept = json.loads(kept["kept"])
                if "report" in kept:
                    self.report = LeakReport(**json.loads(kept["report"]))
                return

    def _keep(self, found: dict[str, Any]) -> None:
        if self._floor.writer.health is not Health.OPEN:
            return
        head = Head(sum(head.sequence for head in self._heads.values()), set_digest(self._heads))
        with suppress(StoreFault):  # the entries contain it all
            sealed = self._floor.house.snapshots.sealed(STREAM, head, _FOLD, found)
            self._floor.store.commit([], [sealed])


def _tell(kept: AllReports, alerts: list[dict[str, Any]]) -> None:
    for alert in alerts:
        kept.alerts.learn_of(**alert)


def _to_data(found: dict[str, Any]) -> dict[str, str]:
    return {name: json.dumps(found[name]) for name in ("kept", "report")}


def _no_state(*_: Any) -> dict[str, Any]:
    raise AssertionError("the leak test is not folded from a stream")


_FOLD: Fold[dict[str, Any]] = Fold(VERSION, _no_state, _no_state, _to_data, _no_state)
