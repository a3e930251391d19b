"""The single writer: many batches per sync, answers only after it, and its behavior when the disk fails."""

import asyncio
import threading
from collections.abc import Sequence
from itertools import pairwise

import pytest

from pitboss.record.entries import Head
from pitboss.record.group_commit import GroupCommit, Health, InlineRunner
from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import Boundary, SimulatedDisk
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, Committed, Conflict, Outcome, Repeated, StoreBroken, StoredSnapshot, StoreFull
from pitboss.record.system import ThreadRunner
from record.batches import TABLE, note, numbers
from simulation.virtual_loop import run_virtually


class Counting(MemoryStore):
    def __init__(self, disk: SimulatedDisk) -> None:
        super().__init__(disk)
        self.groups: list[int] = []

    def commit(self, batches: Sequence[Batch], snapshots: Sequence[StoredSnapshot] = ()) -> list[Outcome]:
        self.groups.append(len(batches))
        return super().commit(batches, snapshots)


class HeldRunner:
    """Holds work back until it is let go."""

    def __init__(self) -> None:
        self.free = asyncio.Event()

    async def run(self, work):  # type: ignore[no-untyped-def]
        await self.free.wait()
        return work()


def test_what_gathers_is_committed_together_and_in_order() -> None:
    async def scenario() -> None:
        store, runner = Counting(SimulatedDisk()), HeldRunner()
        writer = GroupCommit(store, runner, batches_max=50)
        waiting = [asyncio.create_task(writer.commit(note(f"c{number}", number))) for number in range(120)]
        await asyncio.sleep(0)
        assert store.groups == []
        runner.free.set()
        outcomes = await asyncio.gather(*waiting)
        assert all(isinstance(outcome, Committed) for outcome in outcomes)
        assert store.groups == [50, 50, 20]
        assert numbers(store) == list(range(120))

    asyncio.run(scenario())


def test_an_answer_comes_only_after_the_sync() -> None:
    async def scenario() -> None:
        disk = SimulatedDisk()
        writer = GroupCommit(MemoryStore(disk), InlineRunner())
        for number in range(5):
            await writer.commit(note(f"c{number}", number))
            assert numbers(MemoryStore(disk.crash())) == list(range(number + 1))

    asyncio.run(scenario())


def test_each_batch_gets_its_own_outcome() -> None:
    async def scenario() -> None:
        writer = GroupCommit(MemoryStore(SimulatedDisk()), InlineRunner())
        outcomes = await asyncio.gather(
            writer.commit(note("a", expected={TABLE: Head()})),
            writer.commit(note("b", expected={TABLE: Head()})),
            writer.commit(note("a", expected={TABLE: Head()})),
        )
        assert [type(outcome) for outcome in outcomes] == [Committed, Conflict, Repeated]

    asyncio.run(scenario())


def test_a_caller_who_stops_waiting_does_not_stop_the_others() -> None:
    async def scenario() -> None:
        store, runner = Counting(SimulatedDisk()), HeldRunner()
        writer = GroupCommit(store, runner)
        gone = asyncio.create_task(writer.commit(note("gone", 1)))
        stays = asyncio.create_task(writer.commit(note("stays", 2)))
        await asyncio.sleep(0)
        gone.cancel()
        runner.free.set()
        assert isinstance(await stays, Committed)
        assert numbers(store) == [1, 2]

    asyncio.run(scenario())


def test_after_a_failed_sync_everyone_gets_the_error_and_the_writer_stays_stopped() -> None:
    async def scenario() -> None:
        disk, runner = SimulatedDisk(), HeldRunner()
        writer = GroupCommit(MemoryStore(disk), runner, batches_max=1)
        disk.fails_sync = True
        waiting = [asyncio.create_task(writer.commit(note(f"c{number}"))) for number in range(3)]
        await asyncio.sleep(0)
        runner.free.set()
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreBroken] * 3
        assert writer.health is Health.BROKEN
        disk.fails_sync = False
        with pytest.raises(StoreBroken):
            await writer.commit(note("later"))
        assert MemoryStore(disk.crash()).heads() == {}

    asyncio.run(scenario())


def test_a_failure_nobody_foresaw_stops_the_writer_too() -> None:
    async def scenario() -> None:
        disk = SimulatedDisk()
        writer = GroupCommit(MemoryStore(disk), InlineRunner())

        def cut(boundary: Boundary) -> None:
            raise ZeroDivisionError

        disk.at_boundary = cut
        with pytest.raises(StoreBroken) as told:
            await writer.commit(note("a"))
        assert isinstance(told.value.__cause__, ZeroDivisionError)
        assert writer.health is Health.BROKEN

    asyncio.run(scenario())


def test_a_full_disk_refuses_and_recovers() -> None:
    async def scenario() -> None:
        disk = SimulatedDisk(capacity_bytes=100)
        store = MemoryStore(disk)
        writer = GroupCommit(store, InlineRunner(), space=disk, reserve_bytes=0)
        with pytest.raises(StoreFull):
            await writer.commit(note("a", 1))
        assert writer.health is Health.FULL
        disk.capacity_bytes = None
        assert isinstance(await writer.commit(note("a", 1)), Committed)
        assert writer.health is Health.OPEN
        assert numbers(store) == [1]

    asyncio.run(scenario())


def test_wagering_stops_while_there_is_still_room_to_finish_rounds() -> None:
    async def scenario() -> None:
        disk = SimulatedDisk(capacity_bytes=20_000)
        writer = GroupCommit(MemoryStore(disk), InlineRunner(), space=disk, reserve_bytes=10_000)
        number = 0
        while writer.health is Health.OPEN:
            await writer.commit(note(f"wager {number}"))
            number += 1
        assert number > 3
        assert writer.health is Health.NEARLY_FULL
        for other in range(5):
            assert isinstance(await writer.commit(note(f"settle {other}")), Committed)

    asyncio.run(scenario())


def test_a_snapshot_is_kept_with_the_next_group_and_the_newest_counts() -> None:
    async def scenario() -> None:
        store, runner = Counting(SimulatedDisk()), HeldRunner()
        writer = GroupCommit(store, runner)
        waiting = asyncio.create_task(writer.commit(note("a")))
        await asyncio.sleep(0)
        for number in (1, 2):
            writer.keep(StoredSnapshot(TABLE, number, "f" * 64, "fold", b""))
        runner.free.set()
        await waiting
        await writer.close()
        assert [snapshot.sequence for snapshot in store.snapshots(TABLE)] == [2]
        assert store.groups == [1]
        writer.keep(StoredSnapshot(TABLE, 3, "f" * 64, "fold", b""))
        await writer.close()
        assert store.groups == [1]

    asyncio.run(scenario())


def test_a_snapshot_needs_nobody_else_to_be_kept() -> None:
    async def scenario() -> None:
        store = MemoryStore(SimulatedDisk())
        writer = GroupCommit(store, InlineRunner())
        writer.keep(StoredSnapshot(TABLE, 1, "f" * 64, "fold", b""))
        await writer.close()
        assert len(store.snapshots(TABLE)) == 1

    asyncio.run(scenario())


def test_closing_commits_what_waits() -> None:
    async def scenario() -> None:
        store, runner = Counting(SimulatedDisk()), HeldRunner()
        writer = GroupCommit(store, runner)
        waiting = asyncio.create_task(writer.commit(note("a", 1)))
        await asyncio.sleep(0)
        closing = asyncio.create_task(writer.close())
        await asyncio.sleep(0)
        runner.free.set()
        await closing
        assert isinstance(await waiting, Committed)
        with pytest.raises(AssertionError):
            await writer.commit(note("late"))

    asyncio.run(scenario())


def test_a_real_disk_is_waited_for_in_a_thread_of_its_own(sqlite_url: str) -> None:
    async def scenario() -> None:
        store, runner = SqlStore(sqlite_url), ThreadRunner("record")
        writer = GroupCommit(store, runner)
        assert await runner.run(lambda: threading.current_thread().name) != threading.current_thread().name
        outcomes = await asyncio.gather(*(writer.commit(note(f"c{number}", number)) for number in range(200)))
        assert all(isinstance(outcome, Committed) for outcome in outcomes)
        assert numbers(store) == list(range(200))
        await writer.close()
        runner.close()
        store.close()

    asyncio.run(scenario())


class SlowRunner:
    """Takes a moment for each group, and remembers when it began."""

    def __init__(self) -> None:
        self.began: list[float] = []

    async def run(self, work):  # type: ignore[no-untyped-def]
        self.began.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.002)
        return work()


def test_on_a_busy_floor_commits_begin_apart_so_that_more_share_each() -> None:
    async def scenario() -> tuple[list[float], list[int]]:
        store, runner = Counting(SimulatedDisk()), SlowRunner()
        writer = GroupCommit(store, runner, gather_s=0.03)
        sent = []
        for number in range(300):
            sent.append(asyncio.create_task(writer.commit(note(f"c{number}", number))))
            await asyncio.sleep(0.0015)
        outcomes = await asyncio.gather(*sent)
        assert all(isinstance(outcome, Committed) for outcome in outcomes)
        assert numbers(store) == list(range(300))
        return runner.began, store.groups

    began, groups = run_virtually(scenario())
    gaps = [later - earlier for earlier, later in pairwise(began[5:])]
    assert len(gaps) > 10
    assert min(gaps) > 0.0299
    assert min(groups[6:-1]) == 20, "those who came in the meantime"


def test_a_sender_who_waits_for_each_answer_is_never_held_up() -> None:
    async def scenario() -> None:
        store, runner = Counting(SimulatedDisk()), SlowRunner()
        writer = GroupCommit(store, runner, gather_s=3_600.0)
        for number in range(40):
            assert isinstance(await writer.commit(note(f"c{number}", number)), Committed)
        assert store.groups == [1] * 40
        assert asyncio.get_running_loop().time() < 1

    run_virtually(scenario())
