"""Streams that several writers share: what a batch expects of each, and what a command id sent again means."""

from pitboss.record.entries import Draft, Entry, Head
from pitboss.record.memory_store import MemoryStore
from pitboss.record.shared_streams import SharedStream, expected_heads
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.store import AnotherBody, Batch, Committed, Conflict, Outcome, Repeated, StoredSnapshot, known
from record.batches import batch, fill


def counted(count: int, entry: Entry) -> int:
    return count + 1


COUNT: Fold[int] = Fold("count 1", int, counted, int, int)


def test_a_batch_expects_the_heads_known_here_and_any_head_of_other_streams() -> None:
    store = MemoryStore(SimulatedDisk())
    fill(store, 3, "money")
    money = SharedStream("money", COUNT)
    drafts = (Draft("money", "money.MoneyIssued", {}), Draft("floor", "floor.Noted", {}))
    assert expected_heads([money], drafts) == {"floor": None, "money": Head()}
    money.catch_up(store)
    assert money.state == 3
    assert expected_heads([money], drafts) == {"floor": None, "money": store.heads()["money"]}


def test_a_stream_that_was_only_read_is_expected_to_be_unchanged() -> None:
    store = MemoryStore(SimulatedDisk())
    money = SharedStream("money", COUNT)
    fill(store, 1, "money")
    written = batch("one", ("floor", {}), expected=expected_heads([money], [Draft("floor", "floor.Noted", {})]))
    (outcome,) = store.commit([written])
    assert isinstance(outcome, Conflict)
    assert outcome.stream == "money"


def test_a_command_id_is_known_by_its_body() -> None:
    store = MemoryStore(SimulatedDisk())
    first = batch("one", ("money", {"cents": 1}))
    (done,) = store.commit([first])
    assert isinstance(done, Committed)
    assert known(store, "never sent", first.digest) is None
    assert known(store, first.by.command, first.digest) == Repeated(done.entries)
    assert known(store, first.by.command, "another digest") == AnotherBody(first.by.command)


class Saving:
    """Saves each snapshot at once, and notes after which entry it was taken."""

    def __init__(self, store: MemoryStore) -> None:
        self.saved: list[int] = []
        self._store = store

    async def commit(self, batch: Batch) -> Outcome:
        return self._store.commit([batch])[0]

    def keep(self, snapshot: StoredSnapshot) -> None:
        self.saved.append(snapshot.sequence)
        self._store.commit([], [snapshot])


def test_a_stream_is_restored_from_its_snapshot_and_a_larger_state_is_saved_less_often() -> None:
    store = MemoryStore(SimulatedDisk())
    snapshots = Snapshots(store, bytes(32), every=4)
    money = SharedStream("money", COUNT, size=lambda count: count)
    writer = Saving(store)
    for number in range(40):
        store.commit([batch(f"c{number}", ("money", {}), at=1_000 + number)])
        money.apply_and_save(store.read("money", money.head.sequence), snapshots, writer)
    assert writer.saved == [4, 8, 16, 32]
    restored = SharedStream("money", COUNT)
    restored.restore(snapshots)
    assert (restored.state, restored.head, restored.at) == (40, money.head, 1_039)
    assert snapshots.restore("money", COUNT).folded == 8
