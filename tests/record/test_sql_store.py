"""What only a database has: durable settings, two processes at once, upgrades, and its own failures."""

import json
import sqlite3
import threading
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from patience import WAIT_S
from pitboss.record.entries import Head
from pitboss.record.migrations import NEWEST, REVISIONS
from pitboss.record.postgres_rows import CHANNEL
from pitboss.record.sql_engine import fault_of
from pitboss.record.sql_store import SqlStore
from pitboss.record.sql_tables import METADATA
from pitboss.record.store import (
    Committed,
    Conflict,
    NewerDatabase,
    Repeated,
    StoreBroken,
    StoreBusy,
    StoreFault,
    StoreFull,
    StoreUnreachable,
)
from record.batches import TABLE, fill, note, numbers


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def asked(store: SqlStore, pragma: str) -> object:
    with store._engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()


def test_sqlite_commits_are_on_disk_when_they_return(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    assert asked(store, "journal_mode") == "wal"
    assert asked(store, "synchronous") == 2
    store.close()


def test_two_processes_at_one_stream_keep_one_chain(database_url: str) -> None:
    stores = [SqlStore(database_url), SqlStore(database_url)]
    rounds = 12

    def write(name: int) -> None:
        for number in range(rounds):
            while True:
                head = stores[name].heads().get(TABLE, Head())
                (outcome,) = stores[name].commit([note(f"{name} {number}", number, expected={TABLE: head})])
                if isinstance(outcome, Committed):
                    break
                assert isinstance(outcome, Conflict)

    threads = [threading.Thread(target=write, args=(name,)) for name in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = list(stores[0].read(TABLE))
    assert [entry.sequence for entry in entries] == list(range(1, 2 * rounds + 1))
    assert all(after.previous == before.hash for before, after in pairwise(entries))
    for name in (0, 1):
        mine = [entry.body["number"] for entry in entries if entry.command.startswith(f"{name} ")]
        assert mine == list(range(rounds))
        stores[name].close()


def test_one_command_sent_to_two_processes_is_applied_once(database_url: str) -> None:
    stores = [SqlStore(database_url), SqlStore(database_url)]
    outcomes: list[type] = []

    def send(store: SqlStore, stream: str) -> None:
        for number in range(10):
            outcomes.extend(type(outcome) for outcome in store.commit([note(f"c{number}", number, stream)]))

    threads = [threading.Thread(target=send, args=(store, TABLE)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers(stores[0])) == list(range(10))
    assert outcomes.count(Committed) == outcomes.count(Repeated) == 10
    for store in stores:
        store.close()


@pytest.mark.xdist_group("postgres")
def test_postgresql_tells_others_which_streams_have_grown(postgres_url: str) -> None:
    import psycopg

    store = SqlStore(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        store.commit([note("a"), note("b"), note("c", stream="money")])
        told = [notify.payload for notify in listener.notifies(timeout=WAIT_S, stop_after=1)]
        assert told == ['[["money",1],["table/one",2]]'], "one notification for the whole transaction"
        many = [f"{'long ' * 20}{number:03}" for number in range(200)]
        store.commit([note(f"in {stream}", stream=stream) for stream in many])
        parts = [json.loads(notify.payload) for notify in listener.notifies(timeout=5, stop_after=4)]
    assert [stream for part in parts for stream, _ in part] == many, "or as few as hold it"
    assert 2 <= len(parts) < 5
    store.close()


@pytest.mark.xdist_group("postgres")
def test_a_connection_that_was_cut_while_idle_is_made_again(postgres_url: str) -> None:
    import psycopg

    store = SqlStore(postgres_url)
    fill(store, 1)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert isinstance(store.commit([note("a", 1)])[0], Committed)
    assert numbers(store) == [0, 1]
    store.close()


@pytest.mark.xdist_group("postgres")
def test_a_connection_that_was_cut_in_a_commit_is_made_again_and_the_commit_counts_once(postgres_url: str) -> None:
    store = SqlStore(postgres_url)
    fill(store, 1)

    def cut(connection: sa.Connection) -> None:
        import psycopg

        pid = connection.connection.dbapi_connection.info.backend_pid
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

    sa.event.listen(store._engine, "commit", cut, once=True)
    assert isinstance(store.commit([note("a", 1)])[0], Committed)
    assert isinstance(store.commit([note("a", 1)])[0], Repeated)
    assert numbers(store) == [0, 1]
    store.close()


def test_two_processes_may_open_an_empty_database_at_once(database_url: str) -> None:
    opened: list[SqlStore] = []
    threads = [threading.Thread(target=lambda: opened.append(SqlStore(database_url))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 3
    fill(opened[0], 1)
    assert numbers(opened[2]) == [0]
    for store in opened:
        store.close()


def test_the_revisions_are_those_of_the_migrations() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "pitboss.record:migrations")
    config.set_main_option("path_separator", "os")
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS


def test_an_older_database_is_upgraded_and_a_newer_one_refused(database_url: str) -> None:
    store = SqlStore(database_url)
    fill(store, 2)
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(NewerDatabase, match="newer version of pitboss"):
        SqlStore(database_url)
    engine = sa.create_engine(sa.make_url(database_url).set(drivername=store._engine.url.drivername))
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :newest"), {"newest": NEWEST})
    engine.dispose()
    again = SqlStore(database_url)
    assert numbers(again) == [0, 1]
    again.close()


def test_the_tables_that_queries_use_are_those_that_migrations_make(database_url: str) -> None:
    store = SqlStore(database_url)
    with store._engine.connect() as connection:
        inspector = sa.inspect(connection)
        for table in METADATA.tables.values():
            made = {column["name"] for column in inspector.get_columns(table.name)}
            assert made == {column.name for column in table.columns}
    store.close()


def test_a_full_database_records_nothing_and_goes_on_when_there_is_room(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    fill(store, 1)
    pages = asked(store, "page_count")

    @sa.event.listens_for(store._engine, "begin")
    def _little_room(connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={limit}")

    limit = pages
    large = note("large", 1)
    large.drafts[0].body["much"] = "x" * 1_000_000  # type: ignore[index]
    with pytest.raises(StoreFull, match="Storage is full"):
        store.commit([note("small", 7, "money"), large])
    assert numbers(store) == [0]
    assert store.command("small") is None
    limit = 1_000_000
    assert [type(outcome) for outcome in store.commit([note("small", 7, "money"), large])] == [Committed, Committed]
    store.close()


def test_a_database_that_somebody_holds_is_busy_and_nothing_is_written(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.record.sql_engine.BUSY_TIMEOUT_MS", 50)
    store = SqlStore(sqlite_url)
    other = sqlite3.connect(file_of(sqlite_url), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="database is busy"):
        store.commit([note("a")])
    other.execute("ROLLBACK")
    other.close()
    assert isinstance(store.commit([note("a")])[0], Committed)
    store.close()


def test_a_damaged_file_is_reported_when_it_is_opened(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    fill(store, 200)
    store.close()
    path = file_of(sqlite_url)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreBroken, match="failed"):
        SqlStore(sqlite_url)


def test_after_a_failed_sync_the_store_is_dead(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    fill(store, 1)

    def fail(_connection: sa.Connection) -> None:
        said = sqlite3.OperationalError("disk I/O error")
        said.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
        raise OperationalError("COMMIT", {}, said)

    sa.event.listen(store._engine, "commit", fail)
    with pytest.raises(StoreBroken, match="disk I/O error"):
        store.commit([note("a", 1)])
    sa.event.remove(store._engine, "commit", fail)
    with pytest.raises(StoreBroken):
        store.commit([note("a", 1)])
    with pytest.raises(StoreBroken):
        store.heads()
    store.close()
    again = SqlStore(sqlite_url)
    assert numbers(again) == [0]
    again.close()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite:////no/such/folder/record.db", "cannot be opened"),
        ("nonsense", "Enter the database as a URL"),
        ("mysql://somewhere/record", "SQLite or PostgreSQL"),
        ("postgresql://localhost:1/none", "Can't connect"),
    ],
)
def test_a_missing_database_is_reported_in_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(StoreFault, match=sentence) as told:
        SqlStore(url)
    assert "\n" not in str(told.value)
    assert str(told.value)


def test_a_file_that_is_not_a_database_is_reported(sqlite_url: str) -> None:
    file_of(sqlite_url).write_text("this is a letter, not a database\n" * 100)
    with pytest.raises(StoreUnreachable, match="cannot be opened"):
        SqlStore(sqlite_url)


class FromDatabase(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("it is said so")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "kind"),
    [("53100", StoreFull), ("40P01", StoreBusy), ("23505", StoreBusy), ("57P01", StoreBroken), (None, StoreBroken)],
)
def test_what_postgresql_says_is_understood(state: str | None, kind: type[StoreFault]) -> None:
    assert type(fault_of(OperationalError("INSERT", {}, FromDatabase(state)))) is kind


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, StoreBroken),
        (sqlite3.SQLITE_IOERR_WRITE, StoreBroken),
        (sqlite3.SQLITE_CORRUPT, StoreBroken),
        (sqlite3.SQLITE_FULL, StoreFull),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusy),
        (sqlite3.SQLITE_CANTOPEN, StoreUnreachable),
    ],
)
def test_what_sqlite_says_is_understood(code: int, kind: type[StoreFault]) -> None:
    said = sqlite3.OperationalError("disk I/O error")
    said.sqlite_errorcode = code
    assert type(fault_of(OperationalError("INSERT", {}, said))) is kind
