"""Keeps a floor's reports up to date with the record off the event loop, and saves them for the next start."""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from pitboss.house.reports.all_reports import VERSION, AllReports
from pitboss.house.reports.voids import Voids, voided_round, voids_by_person
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Head, canonical
from pitboss.record.group_commit import Health
from pitboss.record.heads import set_digest
from pitboss.record.snapshots import Fold
from pitboss.record.store import StoreFault
from pitboss.record.system import ThreadRunner
from pitboss.server.lab.expected import NotWorkedOut, Reckoner, chance_of, range_of
from pitboss.server.open_floor import OpenFloor
from pitboss.server.table_documents import read_terms

log = logging.getLogger("pitboss.reports")
STREAM = "reports"  # the name under which the sums are saved among the snapshots; no stream has it
SLICE = 5_000  # entries read at a time; commands get the processor for a moment in between
PAUSE_S = 0.05
MINUTE_S = 60
KEEP_EVERY, KEEP_AT_END = 5_000, 500  # entries; fewer are quickly read again
FOLLOWS = "reports"  # what only one process of a floor does all the time
FOLLOWS_MS = 3 * MINUTE_S * 1_000
Found = TypeVar("Found")


class Reports:
    """All reports, in a thread of their own; nothing else touches them."""

    def __init__(self, floor: OpenFloor) -> None:
        self._floor = floor
        self._runner = ThreadRunner("reports")
        self._reckoner = Reckoner()
        self._reports = _nothing_read()
        self._reading = asyncio.Lock()
        self._is_begun = False
        self._read_at = 0.0
        self._kept = 0  # entries that were summed at the last save
        self._working: set[str] = set()  # versions of rules whose theory is being computed
        self._tasks: set[asyncio.Task[None]] = set()
        self._stood: dict[tuple[str, int], int | None] = {}  # by voided round, and the entry that voids it

    def begin(self) -> None:
        """Load the saved sums, and follow the record from now on."""
        self._spawn(self._keep_up())

    async def end(self) -> None:
        """Save the sums and end the threads."""
        self._reckoner.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._runner.run(lambda: self._keep(KEEP_AT_END))
        self._runner.close()

    async def ask(self, question: Callable[[AllReports], Found]) -> Found:
        """Return the result of a query to the reports, as of now."""
        await self._catch_up()
        return await self._runner.run(lambda: question(self._reports))

    async def work_out(self) -> tuple[str, ...]:
        """Compute every theory that results can be compared with, and return the versions still pending."""
        wanted = await self.ask(lambda kept: tuple({result.rules for result in kept.alerts.actual.results}))
        await self._work_out(wanted)
        return tuple(sorted(self._working))

    async def voids(self) -> tuple[Voids, ...]:
        """Return the people involved in voids, and what those rounds would have paid."""
        return await self.ask(self._voids)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("report failed", exc_info=fault)

    async def _keep_up(self) -> None:
        while True:
            with suppress(StoreFault):  # the sender of a command gets the error
                if not await self._floor.is_first_to(FOLLOWS, FOLLOWS_MS):
                    await asyncio.sleep(MINUTE_S)  # another process does; this one reads on when it is asked
                    continue
                await self._catch_up()
                await self._work_out(await self._runner.run(lambda: self._reports.alerts.awaited()))
                await self._runner.run(lambda: self._keep(KEEP_EVERY))
            await asyncio.sleep(MINUTE_S)

    async def _catch_up(self) -> None:
        async with self._reading:
            now = asyncio.get_running_loop().time()
            if not self._is_begun or (self._floor.processes is not None and now - self._read_at > MINUTE_S):
                await self._runner.run(self._restore)  # another process may have read much further meanwhile
                self._is_begun = True
            self._read_at = now
            while await self._runner.run(self._read_on) == SLICE:
                await asyncio.sleep(PAUSE_S)

    def _read_on(self) -> int:
        try:
            return self._reports.catch_up(self._floor.store, SLICE)
        except StoreFault:
            raise
        except Exception:
            # An entry that only some reports took in would be counted twice, so start over.
            self._reports = _nothing_read()
            raise

    async def _work_out(self, versions: tuple[str, ...]) -> None:
        known = await self._runner.run(lambda: set(self._reports.alerts.theories))
        for rules in versions:
            if rules not in known and rules not in self._working:
                self._working.add(rules)
                self._spawn(self._learn(rules))

    async def _learn(self, rules: str) -> None:
        try:
            document = await self._runner.run(lambda: self._reports.documents()[rules])
            theories = await self._reckoner.theories(document)
        except NotWorkedOut as reason:
            log.error("theory not computed", extra={"digest": rules, "kind": str(reason)})
            theories = ()
        await self._runner.run(lambda: self._reports.learn(rules, theories))
        self._working.discard(rules)

    def _voids(self, kept: AllReports) -> tuple[Voids, ...]:
        store, documents = self._floor.store, kept.documents()
        for begun in kept.incidents.voided:
            if (begun.round, begun.void) not in self._stood:
                entries = store.read(stream_of(begun.table), begun.sequence - 1)
                stood = voided_round(entries, begun, read_terms(documents[begun.rules]))
                if stood.is_known:
                    self._stood[begun.round, begun.void] = stood.would_have_paid_cents
        return voids_by_person(kept.incidents, self._stood)

    def _restore(self) -> None:
        store, snapshots = self._floor.store, self._floor.house.snapshots
        for stored in store.snapshots(STREAM):
            if stored.sequence <= _count(self._reports):
                return  # this process has read further than another had when it saved its sums
            kept = snapshots.opened(stored, VERSION)
            reports = _nothing_read()
            if kept is not None and reports.restore({name: json.loads(text) for name, text in kept.items()}, store):
                self._reports = reports
                self._kept = _count(self._reports)
                return

    def _keep(self, least: int) -> None:
        count = _count(self._reports)
        if count - self._kept < least or self._floor.writer.health is not Health.OPEN:
            return
        head = Head(count, set_digest(self._reports.heads))
        with suppress(StoreFault):  # the entries contain it all
            sealed = self._floor.house.snapshots.sealed(STREAM, head, _FOLD, self._reports)
            self._floor.store.commit([], [sealed])
            self._kept = count


def _nothing_read() -> AllReports:
    return AllReports(read_terms, range_of=range_of, chance_of=chance_of)


def _count(kept: AllReports) -> int:
    return sum(head.sequence for head in kept.heads.values())


def _to_data(kept: AllReports) -> dict[str, str]:
    # Serialized part by part: serializing all of it at once would block the event loop.
    return {name: canonical(part) for name, part in kept.to_data().items()}


def _no_state(*_: Any) -> AllReports:
    raise AssertionError("reports are not folded from a stream")


_FOLD: Fold[AllReports] = Fold(VERSION, _no_state, _no_state, _to_data, _no_state)
