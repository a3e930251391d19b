"""What every store guarantees, tested on each: the simulated disk, SQLite and PostgreSQL."""

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from pitboss.record import sql_store
from pitboss.record.entries import Head, entry_of, head_of, line_of
from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import (
    AnotherBody,
    Committed,
    Conflict,
    Lease,
    LeaseLost,
    Repeated,
    Store,
    StoredSnapshot,
    Unwritable,
    body_digest,
    entries_of,
    export,
    streams,
)
from record.batches import TABLE, batch, fill, note, numbers
from record.databases import POSTGRES

Reopen = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def reopen(request: pytest.FixtureRequest) -> Iterator[Reopen]:
    opened: list[Store] = []
    disk = SimulatedDisk()
    url = "" if request.param == "memory" else request.getfixturevalue(f"{request.param.removesuffix('ql')}_url")

    def make() -> Store:
        opened.append(MemoryStore(disk) if request.param == "memory" else SqlStore(url))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Reopen) -> Store:
    return reopen()


def test_a_batch_is_recorded_in_one_chain_a_stream(store: Store) -> None:
    first, second = store.commit([note("a", 1), note("b", 2)])
    assert isinstance(first, Committed)
    assert isinstance(second, Committed)
    assert second.entries[0].previous == first.entries[0].hash
    assert [entry.sequence for entry in store.read(TABLE)] == [1, 2]
    assert list(store.read(TABLE)) == [*first.entries, *second.entries]
    assert store.heads() == {TABLE: head_of(second.entries[0])}


def test_what_was_committed_is_there_after_opening_again(store: Store, reopen: Reopen) -> None:
    fill(store, 5)
    store.commit([note("elsewhere", 9, "money")])
    again = reopen()
    assert numbers(again) == [0, 1, 2, 3, 4]
    assert again.heads() == store.heads()
    assert isinstance(again.commit([note("elsewhere", 9, "money")])[0], Repeated)
    assert numbers(again, "money") == [9]


def test_a_batch_may_write_several_streams_and_is_answered_again_in_its_order(store: Store) -> None:
    both = batch("a", (TABLE, {"n": 1}), ("money", {"n": 2}), (TABLE, {"n": 3}), (TABLE, {"n": 4}))
    (committed,) = store.commit([both])
    assert isinstance(committed, Committed)
    assert [entry.body["n"] for entry in committed.entries] == [1, 2, 3, 4]
    assert store.commit([both]) == [Repeated(committed.entries)]
    kept = store.command("a")
    assert kept is not None
    assert entries_of(store, kept) == committed.entries


def test_a_batch_decided_elsewhere_conflicts_and_writes_nothing(store: Store) -> None:
    (committed,) = store.commit([note("a", expected={TABLE: Head()})])
    assert isinstance(committed, Committed)
    head = head_of(committed.entries[0])
    late = batch("b", (TABLE, {"n": 2}), ("money", {"n": 2}), expected={TABLE: Head(), "money": Head()})
    assert store.commit([late]) == [Conflict(TABLE, head)]
    assert store.heads() == {TABLE: head}
    assert store.command("b") is None
    (right,) = store.commit([note("b", expected={TABLE: head})])
    assert isinstance(right, Committed)


def test_a_head_with_another_hash_conflicts(store: Store) -> None:
    fill(store, 1)
    assert isinstance(store.commit([note("b", expected={TABLE: Head(1, "f" * 64)})])[0], Conflict)


def test_a_stream_that_is_only_read_is_guarded_too(store: Store) -> None:
    fill(store, 1, "people")
    assert isinstance(store.commit([note("a", expected={"people": Head()})])[0], Conflict)
    assert isinstance(store.commit([note("a", expected=dict(store.heads()))])[0], Committed)


def test_of_two_batches_in_one_transaction_the_second_sees_the_first(store: Store) -> None:
    outcomes = store.commit([note("a", 1, expected={TABLE: Head()}), note("b", 2, expected={TABLE: Head()})])
    assert [type(outcome) for outcome in outcomes] == [Committed, Conflict]
    assert numbers(store) == [1]


def test_one_that_fails_does_not_hold_back_the_others(store: Store) -> None:
    fill(store, 1, "money")
    outcomes = store.commit([note("a", 1), note("b", 2, "money", expected={"money": Head()}), note("c", 3)])
    assert [type(outcome) for outcome in outcomes] == [Committed, Conflict, Committed]
    assert numbers(store) == [1, 3]


def test_the_same_command_is_applied_once(store: Store) -> None:
    first, again = store.commit([note("a", body={"stake": 5}), note("a", body={"stake": 5})])
    assert isinstance(first, Committed)
    assert again == Repeated(first.entries)
    assert store.commit([note("a", body={"stake": 5})]) == [again]
    assert len(list(store.read(TABLE))) == 1


def test_the_same_id_with_another_body_is_reported(store: Store) -> None:
    store.commit([note("a", body={"stake": 5})])
    assert store.commit([note("a", body={"stake": 6})]) == [AnotherBody("a")]
    assert len(list(store.read(TABLE))) == 1


def test_another_persons_command_of_the_same_body_is_another() -> None:
    assert body_digest("ada", {"stake": 5}) != body_digest("ben", {"stake": 5})


def test_a_command_may_bring_nothing_and_is_still_kept(store: Store) -> None:
    assert store.commit([batch("quiet")]) == [Committed(())]
    assert store.commit([batch("quiet")]) == [Repeated(())]
    assert store.heads() == {}


def test_a_batch_must_name_the_head_of_what_it_writes() -> None:
    named = batch("a", (TABLE, {}))
    with pytest.raises(AssertionError, match="gives no expected head"):
        replace(named, expected={})


@pytest.mark.parametrize(
    "body", [{"odds": 0.5}, {"name": "\ud800"}, {"stakes": {1: 5}}, {"cards": ("As",)}, {"when": object()}]
)
def test_what_no_record_can_hold_is_refused_by_itself(body: dict[str, object], store: Store) -> None:
    outcomes = store.commit([batch("a", (TABLE, {"number": 0}), (TABLE, body)), note("b", 1)])
    assert [type(outcome) for outcome in outcomes] == [Unwritable, Committed]
    assert numbers(store) == [1]
    assert store.command("a") is None


@pytest.mark.parametrize("command", ["a\0b", "\udfff"])
def test_a_sender_cannot_choose_an_id_that_breaks_the_store(command: str, store: Store) -> None:
    assert isinstance(store.commit([note(command)])[0], Unwritable)
    assert isinstance(store.commit([note("a")])[0], Committed)


@pytest.mark.parametrize("text", ["é 牌 🂡", "a'b\"c\\d", "line\nfeed", "%s :x ?", "\u2028"])
def test_any_text_comes_back_as_it_was(text: str, store: Store) -> None:
    (committed,) = store.commit([batch(text, (f"table/{text}", {text: [text, None, True, -1, 10**20]}))])
    assert isinstance(committed, Committed)
    assert list(store.read(f"table/{text}")) == list(committed.entries)
    assert [line_of(entry) for entry in committed.entries] == list(store.lines(f"table/{text}"))


def test_an_empty_character_in_a_body_comes_back(store: Store) -> None:
    store.commit([batch("a", (TABLE, {"text": "a\0b"}))])
    assert [entry.body for entry in store.read(TABLE)] == [{"text": "a\0b"}]


def test_streams_are_read_from_anywhere_and_by_kind(store: Store) -> None:
    fill(store, 6)
    assert numbers(store, after=4) == [4, 5]
    assert list(store.read(TABLE, after=6)) == []
    assert list(store.read("nowhere")) == []
    assert len(list(store.lines(TABLE, after=1, until=3))) == 2
    assert len(list(store.read(TABLE, kinds={"house.Noted"}))) == 6
    assert list(store.read(TABLE, kinds={"house.Other"})) == []


@pytest.mark.parametrize("count", [9, 10, 11, 25])
def test_a_long_stream_comes_in_pages_without_a_gap(count: int, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_store, "PAGE_ROWS", 10)
    fill(store, count)
    assert [entry.sequence for entry in store.read(TABLE)] == list(range(1, count + 1))
    assert len(list(store.lines(TABLE, until=count - 1))) == count - 1


def test_an_export_is_in_canonical_order(store: Store) -> None:
    for number, stream in enumerate(("table/b", "money", "table/a", "Table/c", "table/é", "table/a")):
        store.commit([note(f"c{number}", number, stream)])
    out = io.StringIO()
    assert export(store, out) == 6
    exported = [entry_of(line) for line in out.getvalue().splitlines()]
    assert [(entry.stream, entry.sequence) for entry in exported] == sorted(
        (entry.stream, entry.sequence) for entry in exported
    )
    assert streams(store) == ("Table/c", "money", "table/a", "table/b", "table/é")
    assert out.getvalue().endswith("\n")


def test_the_newest_snapshots_are_kept(store: Store, reopen: Reopen) -> None:
    kept = [StoredSnapshot(TABLE, number, "f" * 64, "fold", bytes([0, number, 255])) for number in (1, 2, 3)]
    assert store.commit([], kept[:2]) == []
    (outcome,) = store.commit([note("with a snapshot", 1)], kept[2:])
    assert isinstance(outcome, Committed)
    replaced = StoredSnapshot(TABLE, 3, "e" * 64, "other fold", b"")
    store.commit([], [replaced])
    assert store.snapshots(TABLE) == (replaced, kept[1])
    assert reopen().snapshots(TABLE) == (replaced, kept[1])
    assert store.snapshots("elsewhere") == ()


def test_a_lease_has_one_holder_and_each_holder_a_greater_token(store: Store) -> None:
    ours = store.acquire("table one", "us", now_ms=0, until_ms=10)
    assert ours == Lease("table one", "us", 1, 10)
    assert store.acquire("table one", "them", now_ms=9, until_ms=19) is None
    theirs = store.acquire("table one", "them", now_ms=10, until_ms=20)
    assert theirs == Lease("table one", "them", 2, 20)
    assert store.renew(ours, until_ms=99) is None
    store.release(ours)
    assert store.acquire("table one", "us", now_ms=11, until_ms=21) is None
    renewed = store.renew(theirs, until_ms=30)
    assert renewed == Lease("table one", "them", 2, 30)
    store.release(theirs)
    assert store.acquire("table one", "us", now_ms=11, until_ms=21) == Lease("table one", "us", 3, 21)


def test_an_owner_that_comes_back_gets_a_new_token(store: Store, reopen: Reopen) -> None:
    before = store.acquire("table one", "us", now_ms=0, until_ms=10)
    after = reopen().acquire("table one", "us", now_ms=1, until_ms=11)
    assert before is not None
    assert after == Lease("table one", "us", 2, 11)
    assert store.renew(before, until_ms=12) is None


def test_a_batch_under_a_lost_lease_is_not_recorded(store: Store) -> None:
    stale = store.acquire("table one", "us", now_ms=0, until_ms=10)
    assert stale is not None
    assert isinstance(store.commit([note("a", lease=stale)])[0], Committed)
    fresh = store.acquire("table one", "them", now_ms=10, until_ms=20)
    assert store.commit([note("b", lease=stale)]) == [LeaseLost("table one")]
    assert isinstance(store.commit([note("b", lease=fresh)])[0], Committed)
    assert store.commit([note("c", lease=Lease("never taken", "us", 1, 99))]) == [LeaseLost("never taken")]


def test_a_repeated_command_is_answered_even_when_the_lease_is_lost(store: Store) -> None:
    lease = store.acquire("table one", "us", now_ms=0, until_ms=10)
    (committed,) = store.commit([note("a", lease=lease)])
    store.acquire("table one", "them", now_ms=10, until_ms=20)
    assert isinstance(committed, Committed)
    assert store.commit([note("a", lease=lease)]) == [Repeated(committed.entries)]


def test_any_history_leaves_the_same_record_in_every_store(store: Store) -> None:
    draw = random.Random(11)
    model = MemoryStore(SimulatedDisk())
    names = ("table/a", "table/b", "money")
    lease: dict[str, Lease | None] = {}
    for step in range(60):
        owner = draw.choice(("us", "them"))
        if draw.random() < 0.3:
            terms = {"now_ms": step, "until_ms": step + draw.randrange(4)}
            taken = store.acquire("floor", owner, **terms)
            assert taken == model.acquire("floor", owner, **terms)
            lease[owner] = taken or lease.get(owner)
        batches = []
        for _ in range(draw.randrange(1, 5)):
            streams_of = draw.sample(names, draw.randrange(1, 4))
            known = model.heads()
            heads = {name: draw.choice((None, known.get(name, Head()), Head())) for name in streams_of}
            bodies = [(draw.choice(streams_of), {"number": step}) for _ in range(draw.randrange(4))]
            held = draw.choice((None, lease.get(owner)))
            draft = batch(f"c{draw.randrange(80)}", *bodies, expected=heads, body=draw.randrange(2), lease=held)
            batches.append(draft)
        assert store.commit(batches) == model.commit(batches)
    ours, theirs = io.StringIO(), io.StringIO()
    assert export(store, ours) == export(model, theirs) > 50
    assert ours.getvalue() == theirs.getvalue()
