"""A connection that the database ends, as with a paused process: nothing is lost or written twice."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Committed, Repeated, StoreBusy
from record.batches import TABLE, fill, note, numbers


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    opened = SqlStore(postgres_url)
    fill(opened, 3)
    yield opened
    opened.close()


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


def test_a_session_that_ends_while_leases_are_renewed_leaves_them_to_the_next_try(
    store: SqlStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = store.acquire("table/one", "ada", now_ms=0, until_ms=10_000)
    assert lease is not None
    with monkeypatch.context() as patch:
        execute = sa.Connection.execute

        def broken(connection: sa.Connection, *rest: Any, **more: Any) -> Any:
            ended(connection, postgres_url)
            patch.undo()
            return execute(connection, *rest, **more)

        patch.setattr(sa.Connection, "execute", broken)
        with pytest.raises(StoreBusy):
            store.renew(lease, until_ms=20_000)
    assert not store.is_broken
    assert store.renew(lease, until_ms=20_000) is not None


def test_a_session_that_ends_while_it_is_read_is_asked_again(
    store: SqlStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute, cuts = sa.Connection.execute, [0]

    def broken(connection: sa.Connection, *rest: Any, **more: Any) -> Any:
        if cuts[0] < 2:
            cuts[0] += 1
            with psycopg.connect(postgres_url, autocommit=True) as other:
                pid = connection.connection.dbapi_connection.info.backend_pid  # type: ignore[union-attr]
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

    def written(connection: sa.Connection, weighing: Any) -> None:
        write(connection, weighing)
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
    assert first.entries == again.entries  # type: ignore[union-attr]
    assert numbers(store) == [0, 1, 2, 3, 4]
    assert not store.is_broken


def test_a_connection_that_is_lost_again_and_again_is_said_to_be(
    store: SqlStore, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = store._rows.write

    def paused(connection: sa.Connection, weighing: Any) -> None:
        ended(connection, postgres_url)
        write(connection, weighing)

    with monkeypatch.context() as patch:
        patch.setattr(store._rows, "write", paused)
        with pytest.raises(StoreBusy):
            store.commit([note("c1", 3)])
    assert numbers(store) == [0, 1, 2]
    assert isinstance(store.commit([note("c1", 3)])[0], Committed)
