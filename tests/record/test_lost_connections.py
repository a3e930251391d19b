"""A connection that the database ends, as with a paused process: nothing is lost or written twice."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any, cast

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import TimeoutError as PoolTimeout

from patience import WAIT_S
from pitboss.house.people.credential_store import TABLES, CredentialsInSql, SessionsInSql
from pitboss.house.people.sessions import KeptSession
from pitboss.record import postgres_rows, sql_engine
from pitboss.record.sql_engine import fault_of, make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Committed, Lease, Repeated, StoreBroken, StoreBusy
from record.batches import TABLE, fill, note, numbers

WAITS_FOR_A_LOCK = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    opened = SqlStore(postgres_url)
    fill(opened, 3)
    yield opened
    opened.close()


@pytest.fixture
def engine(postgres_url: str) -> Iterator[sa.Engine]:
    opened = make_engine(postgres_url)
    TABLES.create_all(opened)
    yield opened
    opened.dispose()


def ended(connection: sa.Connection, url: str) -> None:
    """End a session from outside, as PostgreSQL does when it has idled in a transaction."""
    session = connection.scalar(sa.text("SELECT pg_backend_pid()"))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (session,))


def ended_once(of: Any, method: str, url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Have the session of a store end just before a step of its next transaction; return its tries."""
    step, tried = getattr(of, method), [0]

    def paused(connection: sa.Connection, *rest: Any) -> Any:
        tried[0] += 1
        if tried[0] == 1:
            ended(connection, url)
        return step(connection, *rest)

    monkeypatch.setattr(of, method, paused)
    return lambda: tried[0]


@pytest.mark.parametrize("step", ["_weighed", "write"])
def test_a_session_that_ends_before_the_commit_is_begun_again(
    store: SqlStore, postgres_url: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = ended_once(store if step == "_weighed" else store._rows, step, postgres_url, monkeypatch)
    outcomes = store.commit([note("c1", 3), note("c2", 4)])
    assert tried() == 2
    assert all(isinstance(outcome, Committed) for outcome in outcomes)
    assert numbers(store) == [0, 1, 2, 3, 4]
    assert not store.is_broken


MOMENTS = ("before a statement", "after a statement", "in the commit", "after the commit")


@contextmanager
def session_ended_once(url: str, moment: str) -> Iterator[list[str]]:
    """Have the next session of any engine end at a moment of its transaction; the list says that it did."""
    ended_at: list[str] = []

    def end(driver: Any) -> None:
        if not ended_at:
            ended_at.append(moment)
            with psycopg.connect(url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (driver.info.backend_pid,))

    running: dict[str, Callable[..., Any]] = {
        "execute": sa.Connection.execute,
        "exec_driver_sql": sa.Connection.exec_driver_sql,
    }
    closing: dict[str, Callable[..., Any]] = {
        "do_commit": PGDialect_psycopg.do_commit,
        "do_rollback": PGDialect_psycopg.do_rollback,
    }

    def executed_by(name: str) -> Callable[..., Any]:
        def executed(connection: sa.Connection, *rest: Any, **more: Any) -> Any:
            if name == "exec_driver_sql" and rest[0] not in vars(postgres_rows).values():
                return running[name](connection, *rest, **more)  # what the engine asks about a new connection
            driver = connection.connection.driver_connection
            if moment == "before a statement":
                end(driver)
            result = running[name](connection, *rest, **more)
            if moment == "after a statement":
                end(driver)
            return result

        return executed

    def closed_by(name: str) -> Callable[[Any, Any], None]:
        def close(dialect: Any, connection: Any) -> None:
            if moment == "after the commit" and not ended_at:
                closing[name](dialect, connection)
                end(connection.driver_connection)
                connection.execute("SELECT 1")  # the answer to the commit is lost
            elif moment == "in the commit":
                end(connection.driver_connection)
            closing[name](dialect, connection)

        return close

    with pytest.MonkeyPatch.context() as patch:
        for name in running:
            patch.setattr(sa.Connection, name, executed_by(name))
        for name in closing:
            patch.setattr(PGDialect_psycopg, name, closed_by(name))
        yield ended_at


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_session_that_ends_while_leases_move_is_begun_again(store: SqlStore, postgres_url: str, moment: str) -> None:
    with session_ended_once(postgres_url, moment) as ended_at:
        lease = store.acquire("table/one", "ada", now_ms=0, until_ms=10_000)
    assert ended_at == [moment]
    assert lease is not None
    with session_ended_once(postgres_url, moment):
        renewed = store.renew(lease, until_ms=20_000)
    assert renewed == replace(lease, until_ms=20_000)
    assert store.leases()[1] == (renewed,)
    with session_ended_once(postgres_url, moment):
        store.release(renewed)
    assert store.leases()[1] == ()
    assert not store.is_broken


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_session_that_ends_during_a_read_or_when_it_is_over_is_begun_again(
    store: SqlStore, postgres_url: str, moment: str
) -> None:
    reads: tuple[Callable[[], Any], ...] = (
        store.heads,
        store.leases,
        lambda: store.command("table/one 0"),
        lambda: numbers(store),
        lambda: store.snapshots(TABLE),
    )
    for read in reads:
        with session_ended_once(postgres_url, moment) as ended_at:
            read()
        assert ended_at == [moment]
    assert not store.is_broken


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signed_in_person_does_not_notice_that_a_session_of_the_database_ended(
    postgres_url: str, engine: sa.Engine, moment: str
) -> None:
    sessions, credentials = SessionsInSql(engine), CredentialsInSql(engine)
    kept = KeptSession("digest", "s1", "ada", 0, 0)

    def at_the_moment(work: Callable[[], Any]) -> Any:
        with session_ended_once(postgres_url, moment) as ended_at:
            result = work()
        assert ended_at == [moment]
        return result

    at_the_moment(lambda: sessions.add(kept))
    assert at_the_moment(lambda: sessions.find("digest")) == kept
    at_the_moment(lambda: sessions.note_uses({"s1": 5}))
    assert at_the_moment(sessions.all) == (replace(kept, seen=5),)
    at_the_moment(lambda: sessions.remove("s1"))
    assert sessions.find("digest") is None
    for verifier in ("old", "new"):
        at_the_moment(partial(credentials.keep, "ada", verifier))
        assert credentials.verifier("ada") == verifier
    at_the_moment(lambda: credentials.forget("ada"))
    assert credentials.verifier("ada") is None


@pytest.mark.parametrize("moment", MOMENTS[:2])
def test_a_session_that_ends_while_a_database_is_made_is_begun_again(postgres_url: str, moment: str) -> None:
    with session_ended_once(postgres_url, moment) as ended_at:
        store = SqlStore(postgres_url)
    assert ended_at == [moment]
    fill(store, 3)
    assert numbers(store) == [0, 1, 2]
    store.close()


def test_a_pause_while_a_connection_is_made_ready_does_not_end_its_session(
    store: SqlStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = psycopg.Cursor.execute

    def paused(cursor: Any, query: Any, *rest: Any, **more: Any) -> Any:
        done = execute(cursor, query, *rest, **more)
        if "idle_in_transaction" in str(query):
            time.sleep(0.5)
        return done

    monkeypatch.setattr(sql_engine, "IDLE_TIMEOUT_MS", 100)
    monkeypatch.setattr(psycopg.Cursor, "execute", paused)
    store.close()  # the next work connects again
    assert isinstance(store.commit([note("c1", 3)])[0], Committed)
    assert not store.is_broken


def test_a_connection_whose_time_ran_out_in_a_pause_is_made_again(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, tried = PGDialect_psycopg.connect, [0]

    def late(dialect: Any, *rest: Any, **more: Any) -> Any:
        tried[0] += 1
        if tried[0] == 1:
            raise psycopg.errors.ConnectionTimeout("connection timeout expired")
        return connect(dialect, *rest, **more)

    store.close()
    monkeypatch.setattr(PGDialect_psycopg, "connect", late)
    assert isinstance(store.commit([note("c1", 3)])[0], Committed)
    assert tried[0] == 2
    assert not store.is_broken


def test_a_database_that_is_gone_still_breaks_the_record(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_rest: Any, **_more: Any) -> Any:
        raise psycopg.OperationalError("connection refused")

    store.close()
    monkeypatch.setattr(PGDialect_psycopg, "connect", refused)
    with pytest.raises(StoreBroken):
        store.commit([note("c1", 3)])
    assert store.is_broken


def test_a_process_that_closes_does_not_wait_for_a_database_that_is_gone(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = Event()
    store = SqlStore(postgres_url, gives_up=closing)
    store.close()
    tried = [0]

    def refused(*_rest: Any, **_more: Any) -> Any:
        tried[0] += 1
        if tried[0] == 2:
            closing.set()
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(sql_engine, "BACK_WITHIN_S", WAIT_S)
    monkeypatch.setattr(PGDialect_psycopg, "connect", refused)
    with pytest.raises(StoreBroken):
        store.heads()
    assert tried[0] == 3  # the last comes from the engine itself


def test_having_no_free_connection_is_not_a_fault_of_the_record() -> None:
    assert isinstance(fault_of(PoolTimeout("QueuePool limit of size 5 reached")), StoreBusy)


def test_a_session_that_ends_while_it_is_read_is_asked_again(
    store: SqlStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute, cuts = sa.Connection.execute, [0]

    def broken(connection: sa.Connection, *rest: Any, **more: Any) -> Any:
        if cuts[0] < 2:
            cuts[0] += 1
            with psycopg.connect(postgres_url, autocommit=True) as other:
                pid = connection.connection.dbapi_connection.info.backend_pid
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        return execute(connection, *rest, **more)

    monkeypatch.setattr(sa.Connection, "execute", broken)
    assert store.heads()[TABLE].sequence == 3
    assert cuts[0] == 2
    assert numbers(store) == [0, 1, 2]
    assert not store.is_broken


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_session_that_ends_in_the_commit_itself_counts_once(
    store: SqlStore, postgres_url: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, tried = store._rows.write, [0]

    def written(connection: sa.Connection, weighing: Any, tags: Any) -> None:
        write(connection, weighing, tags)
        tried[0] += 1
        if tried[0] > 1:
            return
        driver = connection.connection.driver_connection
        assert driver is not None
        commit = driver.commit

        def cut() -> None:
            if moment == "after":
                commit()
            ended(connection, postgres_url)
            commit()
            driver.execute("SELECT 1")

        monkeypatch.setattr(driver, "commit", cut)

    monkeypatch.setattr(store._rows, "write", written)
    # The second of the two is the first one sent again, as a client does that got no answer.
    first, again, other = store.commit([note("c1", 3), note("c1", 3), note("c2", 4)])
    assert tried[0] == 2
    assert (type(first), type(again), type(other)) == (Committed, Repeated, Committed)
    assert first.entries == again.entries
    assert numbers(store) == [0, 1, 2, 3, 4]
    assert not store.is_broken


def test_a_connection_that_keeps_failing_is_reported(
    store: SqlStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = store._rows.write

    def paused(connection: sa.Connection, weighing: Any, tags: Any) -> None:
        ended(connection, postgres_url)
        write(connection, weighing, tags)

    with monkeypatch.context() as patch:
        patch.setattr(store._rows, "write", paused)
        with pytest.raises(StoreBusy):
            store.commit([note("c1", 3)])
    assert numbers(store) == [0, 1, 2]
    assert isinstance(store.commit([note("c1", 3)])[0], Committed)


def test_a_command_whose_first_commit_is_still_on_its_way_is_repeated(postgres_url: str, store: SqlStore) -> None:
    other = SqlStore(postgres_url)
    lease = store.acquire("t", "process", now_ms=0, until_ms=10**13)
    assert isinstance(lease, Lease)
    batch = note("c1", 3, expected={TABLE: store.heads()[TABLE]}, lease=lease)
    is_written, may_commit = Event(), Event()

    class SlowRows:
        def __getattr__(self, name: str) -> Any:
            return getattr(postgres_rows, name)

        def write(self, *given: Any) -> None:
            postgres_rows.write(*given)
            is_written.set()
            assert may_commit.wait(WAIT_S)

    store._rows = cast(Any, SlowRows())
    with ThreadPoolExecutor(2) as beside:
        first = beside.submit(store.commit, [batch])
        assert is_written.wait(WAIT_S)
        again = beside.submit(other.commit, [batch])
        with psycopg.connect(postgres_url, autocommit=True) as looking:
            while not looking.execute(WAITS_FOR_A_LOCK).fetchone():
                time.sleep(0.01)
        may_commit.set()
        assert isinstance(first.result()[0], Committed)
        assert isinstance(again.result()[0], Repeated)
    other.close()
