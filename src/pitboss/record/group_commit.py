"""One writer for many commands: batches that queue up while the disk is busy are committed together, then answered."""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, TypeVar

from pitboss.record.store import Batch, Outcome, Store, StoreBroken, StoredSnapshot, StoreFault, StoreFull
from pitboss.record.system_interface import Runner, Space

Answer = TypeVar("Answer")
BATCHES_MAX = 512
GATHER_S = 0.01  # a commit for several senders costs little more than one for each of them
COMPANY_LEAST, COMPANY_WEIGHT = 0.1, 0.05


class Health(Enum):
    """Whether the record accepts new entries from tables."""

    OPEN = "open"
    NEARLY_FULL = "nearly full"  # rounds may finish, but no wager may be placed
    FULL = "full"  # nothing can be recorded until space is freed
    BROKEN = "broken"  # the process must stop


class _Waiting(NamedTuple):
    batch: Batch
    answer: asyncio.Future[Outcome]


class InlineRunner:
    """Runs slow work immediately in the caller, so that a simulator has one deterministic order."""

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Return the result of the work."""
        return work()


class GroupCommit:
    """Commits batches in arrival order, all queued ones together."""

    def __init__(
        self,
        store: Store,
        runner: Runner,
        *,
        space: Space | None = None,
        reserve_bytes: int = 0,
        batches_max: int = BATCHES_MAX,
        gather_s: float = 0.0,
    ) -> None:
        self._store = store
        self._runner = runner
        self._space = space
        self._reserve_bytes = reserve_bytes
        self._batches_max = batches_max
        self._gather_s = gather_s  # with many senders, commits begin at least this far apart
        self._began_at = float("-inf")
        self._company = 0.0  # how often somebody sent a batch while another was written, lately
        self._waiting: deque[_Waiting] = deque()
        self._snapshots: dict[str, StoredSnapshot] = {}
        self._writing: asyncio.Task[None] | None = None
        self._broken: StoreBroken | None = None
        self._is_full = False
        self._is_closed = False

    @property
    def health(self) -> Health:
        """Return whether the record accepts new entries; wagers are accepted only while it is open."""
        if self._broken:
            return Health.BROKEN
        if self._is_full:
            return Health.FULL
        if self._space is not None and self._space.free_bytes() < self._reserve_bytes:
            return Health.NEARLY_FULL
        return Health.OPEN

    async def commit(self, batch: Batch) -> Outcome:
        """Return the outcome of a batch once it is on disk."""
        if self._broken:
            raise self._broken
        assert not self._is_closed, "the writer is closed"
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(batch, answer))
        self._start()
        return await answer

    def keep(self, snapshot: StoredSnapshot) -> None:
        """Save a snapshot with the next group without waiting; a newer snapshot of the same stream replaces it."""
        if self._broken is None and not self._is_closed:
            self._snapshots[snapshot.stream] = snapshot
            self._start()

    async def close(self) -> None:
        """Commit the queue and accept nothing more; the store stays open."""
        self._is_closed = True
        if self._writing is not None:
            await self._writing

    def _start(self) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        clock = asyncio.get_running_loop()
        try:
            while self._waiting or self._snapshots:
                # A sender who waits for each answer before the next batch is never held up: nobody sends meanwhile.
                left_s = self._began_at + self._gather_s - clock.time()
                if left_s > 0 and self._company > COMPANY_LEAST and not self._is_closed:
                    await asyncio.sleep(left_s)
                self._began_at = clock.time()
                count = min(len(self._waiting), self._batches_max)
                snapshots = tuple(self._snapshots.values())
                self._snapshots.clear()
                await self._commit([self._waiting.popleft() for _ in range(count)], snapshots)
                self._company += (bool(self._waiting) - self._company) * COMPANY_WEIGHT
        finally:
            self._writing = None

    async def _commit(self, group: list[_Waiting], snapshots: tuple[StoredSnapshot, ...]) -> None:
        batches = [waiting.batch for waiting in group]
        try:
            outcomes = await self._runner.run(lambda: self._store.commit(batches, snapshots))
        except BaseException as fault:
            self._failed(group, fault)
            if not isinstance(fault, Exception):
                raise
            return
        self._is_full = False
        for waiting, outcome in zip(group, outcomes, strict=True):
            if not waiting.answer.done():  # the caller may have been cancelled
                waiting.answer.set_result(outcome)

    def _failed(self, group: list[_Waiting], fault: BaseException) -> None:
        self._is_full = isinstance(fault, StoreFull)
        if not isinstance(fault, StoreFault) or isinstance(fault, StoreBroken):
            # It is unknown how much of the group is on disk; the next process reads the disk and finds out.
            self._broken = fault if isinstance(fault, StoreBroken) else StoreBroken("The record's writer failed.")
            self._broken.__cause__ = None if fault is self._broken else fault
            fault = self._broken
            group = [*group, *self._waiting]
            self._waiting.clear()
        for waiting in group:
            if not waiting.answer.done():
                waiting.answer.set_exception(fault)
