"""Keeps a floor's leak test up to date with the record off the event loop, and tells the floor of alarms."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from pitboss.api.recorded_leaks import VERSION, RaisedAlarm, RecordedLeaks
from pitboss.house.reports.alerts import LEAK, SHUFFLE_OFF
from pitboss.house.reports.all_reports import AllReports
from pitboss.lab.leaks import DEALER_AND_PLAYER, SHUFFLE, TWO_PLAYERS, title_of
from pitboss.lab.suspicions import STAKES
from pitboss.record.entries import Head
from pitboss.record.group_commit import Health
from pitboss.record.heads import set_digest
from pitboss.record.snapshots import Fold
from pitboss.record.store import StoreFault
from pitboss.record.system import ThreadRunner
from pitboss.server.open_floor import OpenFloor
from pitboss.server.report_keeper import Reports
from pitboss.server.table_documents import read_terms

log = logging.getLogger("pitboss.leaks")
STREAM = "leaks"  # the name under which the evidence is saved among the snapshots; no stream has it
SLICE = 2_000  # entries read at a time; commands get the processor for a moment in between
PAUSE_S = 0.02
MINUTE_S = 60
KEEP_EVERY, KEEP_AT_END = 1_000, 50  # rounds
Found = TypeVar("Found")


class LeakWatch:
    """The leak test of a floor, which runs in its own thread; nothing else touches it."""

    def __init__(self, floor: OpenFloor, reports: Reports) -> None:
        self._floor, self._reports = floor, reports
        self._runner = ThreadRunner("leaks")
        self._leaks = RecordedLeaks(read_terms)
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._kept = 0  # rounds tested at the last save
        self._told = 0  # alarms that the floor has heard of

    def begin(self) -> None:
        """Load the saved evidence, and follow the record from now on."""
        self._task = asyncio.create_task(self._keep_up())

    async def end(self) -> None:
        """Save the evidence and end the thread."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._runner.run(lambda: self._keep(KEEP_AT_END))
        self._runner.close()

    async def ask(self, question: Callable[[RecordedLeaks], Found]) -> Found:
        """Return the result of a query as of the last round that was tested, and test those that ended since."""
        self._wanted.set()
        return await self._runner.run(lambda: question(self._leaks))

    async def _keep_up(self) -> None:
        try:
            await self._runner.run(self._restore)
        except StoreFault:
            log.warning("saved leak test not read")
        while True:
            try:
                await self.catch_up()
                await self._runner.run(lambda: self._keep(KEEP_EVERY))
            except StoreFault:
                pass  # the sender of a command gets the error
            except Exception:
                log.exception("leak test failed")
                self._leaks, self._told = RecordedLeaks(read_terms), 0
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), MINUTE_S)
            self._wanted.clear()

    async def catch_up(self) -> None:
        """Read and test every round that has ended, a little at a time."""
        while await self._runner.run(lambda: self._leaks.read(self._floor.store, SLICE)) == SLICE:
            await asyncio.sleep(PAUSE_S)
        while await self._runner.run(self._work_on):
            await asyncio.sleep(PAUSE_S)
        alarms = await self._runner.run(lambda: tuple(self._leaks.alarms))
        if len(alarms) > self._told:
            await self._reports.ask(lambda kept: _tell(kept, alarms))
            self._told = len(alarms)

    def _work_on(self) -> int:
        self._leaks.work(1)
        return self._leaks.waiting

    def _restore(self) -> None:
        store = self._floor.store
        for stored in store.snapshots(STREAM):
            kept = self._floor.house.snapshots.opened(stored, VERSION)
            restored = RecordedLeaks(read_terms)
            if kept is not None and restored.restore({name: json.loads(text) for name, text in kept.items()}, store):
                self._leaks, self._kept = restored, restored.leaks.rounds
                return

    def _keep(self, least: int) -> None:
        rounds = self._leaks.leaks.rounds
        if rounds - self._kept < least or self._leaks.waiting or self._floor.writer.health is not Health.OPEN:
            return
        head = Head(rounds, set_digest(self._leaks.heads))
        with suppress(StoreFault):  # the entries contain it all
            sealed = self._floor.house.snapshots.sealed(STREAM, head, _FOLD, self._leaks)
            self._floor.store.commit([], [sealed])
            self._kept = rounds


def alarm_text(raised: RaisedAlarm) -> str:
    """Return an alarm in a sentence without the final period."""
    alarm, about = raised.alarm, title_of(raised.alarm.suspicion)
    by_chance = f"by chance at most once in {alarm.threshold:,.0f} such tests"
    if alarm.kind == SHUFFLE:
        return f"the shuffle at {alarm.subject[0]} isn't even ({about}); {by_chance}"
    if alarm.kind == TWO_PLAYERS:
        player, other = alarm.subject
        return f"{player} plays as if they saw {other}'s cards; {by_chance}"
    dealt = f" when {alarm.subject[0]} deals" if alarm.kind == DEALER_AND_PLAYER else ""
    what = "bets" if alarm.suspicion == STAKES else "plays"
    who = f"{alarm.subject[-1]} {what} as if they saw hidden cards{dealt}"
    return f"{who} ({about}); {by_chance}"


def _tell(kept: AllReports, alarms: tuple[RaisedAlarm, ...]) -> None:
    for raised in alarms:
        kind = SHUFFLE_OFF if raised.alarm.kind == SHUFFLE else LEAK
        about = ":".join((raised.alarm.kind, *raised.alarm.subject))
        kept.alerts.learn_of(kind, raised.table, about, raised.at, alarm_text(raised))


def _to_data(kept: RecordedLeaks) -> dict[str, str]:
    return {name: json.dumps(part) for name, part in kept.to_data().items()}


def _no_state(*_: Any) -> RecordedLeaks:
    raise AssertionError("the leak test is not folded from a stream")


_FOLD: Fold[RecordedLeaks] = Fold(VERSION, _no_state, _no_state, _to_data, _no_state)
