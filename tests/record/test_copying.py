"""A record copied into another database: the same entries, commands, snapshots, accounts and sessions, or nothing."""

from pathlib import Path

import pytest

from pitboss.house.people.credential_store import TABLES, CredentialsInSql, SessionsInSql
from pitboss.house.people.sessions import KeptSession
from pitboss.record.copying import NotMoved, move
from pitboss.record.sql_engine import make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import AnotherBody, Repeated, StoredSnapshot, StoreFault
from record.batches import TABLE, fill, note, numbers

ENTRIES = 5_001  # more than two pages
SESSION = KeptSession("digest", "session", "bo", 10, 20)


@pytest.fixture
def source(sqlite_url: str) -> str:
    store = SqlStore(sqlite_url)
    fill(store, ENTRIES)
    fill(store, 3, "money")
    head = store.heads()[TABLE]
    store.commit([note("äöü ✓", 7, "people")], [StoredSnapshot(TABLE, head.sequence, head.hash, "fold", b"\0sealed")])
    store.close()
    engine = make_engine(sqlite_url)
    CredentialsInSql(engine).keep("credential", "verifier")
    SessionsInSql(engine).add(SESSION)
    engine.dispose()
    return sqlite_url


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres_url", marks=pytest.mark.xdist_group("postgres"))])
def test_the_whole_record_is_the_same_at_the_other_place(
    source: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    target = f"sqlite:///{tmp_path / 'other.db'}" if kind == "sqlite" else request.getfixturevalue(kind)
    passed: list[int] = []
    moved = move(source, target, TABLES.sorted_tables, passed.append)
    assert moved.entries == passed[-1] == ENTRIES + 4
    assert passed == sorted(passed)
    assert len(passed) > 2
    before, after = SqlStore(source), SqlStore(target)
    assert after.heads() == before.heads() == moved.heads
    for stream in moved.heads:
        assert list(after.lines(stream)) == list(before.lines(stream))
    assert after.snapshots(TABLE) == before.snapshots(TABLE) != ()
    for stored in (before, after):
        engine = make_engine(source if stored is before else target)
        assert CredentialsInSql(engine).verifier("credential") == "verifier"
        assert SessionsInSql(engine).find("digest") == SESSION
        engine.dispose()
        again, other = stored.commit([note("äöü ✓", 7, "people"), note("äöü ✓", 7, "people", body="another")])
        assert isinstance(again, Repeated)
        assert isinstance(other, AnotherBody)
    fill(after, 2, "floor")
    assert numbers(after, "floor") == [0, 1]
    before.close()
    after.close()


def test_a_database_that_holds_a_record_is_left_as_it_is(source: str, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'other.db'}"
    held = SqlStore(target)
    fill(held, 1)
    with pytest.raises(NotMoved, match="already"):
        move(source, target)
    assert numbers(held) == [0]
    held.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET line = replace(line, '\"number\":40', '\"number\":41') WHERE sequence = 41",
        "DELETE FROM entries WHERE sequence = 4000",
        "DELETE FROM entries WHERE stream = 'table/one' AND sequence = 5001",
        "UPDATE heads SET hash = 'other' WHERE stream = 'money'",
    ],
)
def test_a_damaged_record_is_not_copied(source: str, damage: str, tmp_path: Path) -> None:
    engine = make_engine(source)
    with engine.begin() as connection:
        assert connection.exec_driver_sql(damage).rowcount
    engine.dispose()
    target = f"sqlite:///{tmp_path / 'other.db'}"
    with pytest.raises(NotMoved, match="damaged"):
        move(source, target)
    store = SqlStore(target)
    assert store.heads() == {}
    store.close()


def test_a_record_that_goes_on_meanwhile_is_not_copied(source: str, tmp_path: Path) -> None:
    server = SqlStore(source)
    target = f"sqlite:///{tmp_path / 'other.db'}"
    with pytest.raises(NotMoved, match="Stop the server"):
        move(source, target, seen=lambda count: fill(server, 1, f"progressive/{count}"))
    server.close()
    store = SqlStore(target)
    assert store.heads() == {}
    store.close()


def test_a_database_that_cannot_be_reached_is_reported(source: str) -> None:
    with pytest.raises(StoreFault):
        move(source, "postgresql://nobody@127.0.0.1:1/nothing")
