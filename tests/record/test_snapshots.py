"""Snapshots: the same state as folding everything, sealed, and ignored if they can't be trusted."""

from dataclasses import replace

import pytest

from pitboss.record.entries import Entry, Head
from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.store import Committed, StoreBroken
from record.batches import TABLE, note

KEY = bytes(32)


def evolve(state: tuple[int, ...], entry: Entry) -> tuple[int, ...]:
    return (*state, entry.body["number"])


FOLD: Fold[tuple[int, ...]] = Fold("numbers 1", tuple, evolve, list, tuple)


class Table:
    """A stream that grows, and keeps a snapshot when one is due."""

    def __init__(self, every: int = 5) -> None:
        self.store = MemoryStore(SimulatedDisk())
        self.snapshots = Snapshots(self.store, KEY, every)
        self.state: tuple[int, ...] = ()
        self.head = Head()

    def grow(self, count: int) -> None:
        for _ in range(count):
            number = len(self.state)
            (outcome,) = self.store.commit([note(f"c{number}", number)])
            assert isinstance(outcome, Committed)
            before = self.head
            for entry in outcome.entries:
                self.state = evolve(self.state, entry)
                self.head = Head(entry.sequence, entry.hash)
            if self.snapshots.is_due(before, self.head):
                self.snapshots.keep(TABLE, self.head, FOLD, self.state)


def test_a_restart_folds_only_what_came_after_the_last_snapshot() -> None:
    table = Table()
    for count in range(1, 18):
        table.grow(1)
        restored = Snapshots(table.store, KEY).restore(TABLE, FOLD)
        assert (restored.state, restored.head) == (table.state, table.head)
        assert restored.folded == count % 5


def test_a_stream_that_is_not_there_is_empty() -> None:
    assert Snapshots(MemoryStore(SimulatedDisk()), KEY).restore(TABLE, FOLD) == ((), Head(), 0, 0)


def test_a_commit_of_many_entries_is_due_when_it_passes_the_place() -> None:
    snapshots = Snapshots(MemoryStore(SimulatedDisk()), KEY, 10)
    assert snapshots.is_due(Head(8), Head(13))
    assert not snapshots.is_due(Head(11), Head(19))
    assert snapshots.is_due(Head(19), Head(20))


def test_a_state_is_not_readable_at_rest() -> None:
    table = Table()
    fold = FOLD._replace(to_data=lambda state: ["As Kd hidden", *state])
    table.snapshots.keep(TABLE, table.head, fold, ())
    (stored,) = table.store.snapshots(TABLE)
    assert b"hidden" not in stored.state


def test_a_changed_snapshot_is_ignored() -> None:
    table = Table()
    table.grow(12)
    newest, older = table.store.snapshots(TABLE)
    for changed in (
        replace(newest, state=bytes([newest.state[0] ^ 1]) + newest.state[1:]),
        replace(newest, state=b""),
        replace(newest, hash="f" * 64),
    ):
        table.store.commit([], [changed])
        restored = table.snapshots.restore(TABLE, FOLD)
        assert restored.state == table.state
        assert restored.folded == 12 - older.sequence


def test_a_snapshot_of_another_fold_key_or_stream_is_ignored() -> None:
    table = Table()
    table.grow(12)
    assert table.snapshots.restore(TABLE, FOLD._replace(name="numbers 2")).folded == 12
    assert Snapshots(table.store, bytes(31) + b"\1").restore(TABLE, FOLD).folded == 12
    for moved in table.store.snapshots(TABLE):
        table.store.commit([], [replace(moved, stream="money")])
    assert table.snapshots.restore("money", FOLD).folded == 0


def test_a_snapshot_beyond_the_end_of_a_restored_backup_is_ignored() -> None:
    table = Table()
    table.grow(12)
    shorter = Table()
    shorter.grow(3)
    for snapshot in table.store.snapshots(TABLE):
        shorter.store.commit([], [snapshot])
    assert shorter.snapshots.restore(TABLE, FOLD).state == shorter.state


def test_a_damaged_entry_after_the_snapshot_stops_the_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.grow(12)
    lines = table.store._lines[TABLE]
    lines[11] = lines[11].replace('"number":11', '"number":12')
    with pytest.raises(StoreBroken, match=f"entry 12 of {TABLE} is missing or invalid"):
        table.snapshots.restore(TABLE, FOLD)
    del lines[10]
    with pytest.raises(StoreBroken, match=f"entry 11 of {TABLE} is missing or invalid"):
        table.snapshots.restore(TABLE, FOLD)
