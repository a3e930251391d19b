"""The simulated disk and the store over it: crashes at any byte, full disks, failed syncs, flipped bits."""

import pytest

from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import Boundary, SimulatedDisk
from pitboss.record.store import Committed, Repeated, StoreBroken, StoreFull
from record.batches import TABLE, fill, note, numbers


class PowerCut(Exception):
    pass


def cut_at(disk: SimulatedDisk, wanted: Boundary) -> None:
    def at(boundary: Boundary) -> None:
        if boundary == wanted:
            raise PowerCut

    disk.at_boundary = at


@pytest.mark.parametrize(
    ("boundary", "is_kept"),
    [("before append", False), ("half appended", False), ("appended", False), ("synced", True)],
)
def test_after_a_crash_a_batch_is_there_whole_or_not_at_all(boundary: Boundary, is_kept: bool) -> None:
    disk = SimulatedDisk()
    store = MemoryStore(disk)
    fill(store, 3)
    cut_at(disk, boundary)
    with pytest.raises(PowerCut):
        store.commit([note("last", 3)])
    for surviving in range(disk.unsynced + 1):
        after = MemoryStore(disk.crash(surviving))
        whole = is_kept or (boundary == "appended" and surviving == disk.unsynced)
        assert numbers(after) == [0, 1, 2, *([3] if whole else [])]
        (again,) = after.commit([note("last", 3)])
        assert isinstance(again, Repeated if whole else Committed)
        assert numbers(after) == [0, 1, 2, 3]


def test_what_was_acknowledged_survives_a_crash_that_loses_everything_unsynced() -> None:
    disk = SimulatedDisk()
    store = MemoryStore(disk)
    for number in range(20):
        store.commit([note(f"c{number}", number)])
        assert numbers(MemoryStore(disk.crash())) == list(range(number + 1))


def test_every_flipped_bit_is_found_at_opening() -> None:
    disk = SimulatedDisk()
    fill(MemoryStore(disk), 2)
    for bit in range(0, disk.length * 8, 3):
        damaged = disk.crash()
        damaged.flip(bit)
        with pytest.raises(StoreBroken, match="damaged"):
            MemoryStore(damaged)


def test_a_full_disk_takes_nothing_and_goes_on_when_there_is_room() -> None:
    disk = SimulatedDisk(capacity_bytes=2_000)
    store = MemoryStore(disk)
    fill(store, 1)
    written = disk.length
    with pytest.raises(StoreFull):
        store.commit([note(f"c{number}") for number in range(10)])
    assert disk.length == written
    assert numbers(store) == numbers(MemoryStore(disk.crash())) == [0]
    disk.capacity_bytes = None
    assert isinstance(store.commit([note("c0", 1)])[0], Committed)
    assert numbers(MemoryStore(disk.crash())) == [0, 1]


def test_after_a_failed_sync_the_store_is_dead() -> None:
    disk = SimulatedDisk()
    store = MemoryStore(disk)
    fill(store, 1)
    disk.fails_sync = True
    with pytest.raises(StoreBroken):
        store.commit([note("a")])
    disk.fails_sync = False
    for attempt in (lambda: store.commit([note("a")]), store.heads, lambda: list(store.read(TABLE))):
        with pytest.raises(StoreBroken):
            attempt()
    assert numbers(MemoryStore(disk.crash())) == [0]


def test_two_stores_on_one_disk_see_each_other() -> None:
    disk = SimulatedDisk()
    ours, theirs = MemoryStore(disk), MemoryStore(disk)
    fill(ours, 2)
    assert numbers(theirs) == [0, 1]
    cut_at(disk, "half appended")
    with pytest.raises(PowerCut):
        ours.commit([note("killed", 9)])
    cut_at(disk, "synced")
    with pytest.raises(PowerCut):
        theirs.commit([note("theirs", 2)])
    assert numbers(MemoryStore(disk)) == [0, 1, 2]


def test_a_restored_backup_is_shorter_and_sound() -> None:
    disk = SimulatedDisk()
    store = MemoryStore(disk)
    fill(store, 2)
    backup = SimulatedDisk(disk.read())
    fill(store, 3, "money")
    restored = MemoryStore(backup)
    assert restored.heads() == {TABLE: store.heads()[TABLE]}
