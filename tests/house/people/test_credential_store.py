"""Credentials and session tables keep their contents, in memory and in a database alike."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from house.people.in_memory import CredentialsInMemory, SessionsInMemory
from pitboss.house.people.credential_store import TABLES, CredentialsInSql, SessionsInSql
from pitboss.house.people.passwords import Credentials
from pitboss.house.people.sessions import KeptSession, SessionTable
from pitboss.record.sql_engine import make_engine
from pitboss.record.store import StoreFault

ONE = KeptSession("digest-1", "session-1", "bo", 10, 10)
TWO = KeptSession("digest-2", "session-2", "cy", 20, 20)


@pytest.fixture
def engine(database_url: str) -> Iterator[sa.Engine]:
    engine = make_engine(database_url)
    TABLES.create_all(engine)
    yield engine
    engine.dispose()


KEPT = ["memory", "sqlite_url", pytest.param("postgres_url", marks=pytest.mark.xdist_group("postgres"))]


@pytest.fixture(params=KEPT)
def either(request: pytest.FixtureRequest) -> Iterator[sa.Engine | None]:
    if request.param == "memory":
        yield None
        return
    engine = make_engine(request.getfixturevalue(request.param))
    TABLES.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def credentials(either: sa.Engine | None) -> Credentials:
    return CredentialsInMemory() if either is None else CredentialsInSql(either)


@pytest.fixture
def table(either: sa.Engine | None) -> SessionTable:
    return SessionsInMemory() if either is None else SessionsInSql(either)


def test_a_verifier_is_kept_replaced_and_forgotten(credentials: Credentials) -> None:
    assert credentials.verifier("c1") is None
    credentials.keep("c1", "first")
    credentials.keep("c2", "other")
    credentials.keep("c1", "second")
    assert (credentials.verifier("c1"), credentials.verifier("c2")) == ("second", "other")
    credentials.forget("c1")
    credentials.forget("c1")
    assert (credentials.verifier("c1"), credentials.verifier("c2")) == (None, "other")


def test_a_session_is_found_only_by_the_digest_of_its_token(table: SessionTable) -> None:
    table.add(ONE)
    table.add(TWO)
    assert table.find("digest-2") == TWO
    assert table.find("session-2") is None
    assert sorted(table.all(), key=lambda kept: kept.session) == [ONE, TWO]


def test_a_session_remembers_its_last_use(table: SessionTable) -> None:
    table.add(ONE)
    table.add(TWO)
    table.note_uses({"session-1": 99})
    table.note_uses({"session-1": 50, "nobody's": 99})
    found = table.find("digest-1")
    assert found is not None
    assert (found.begun, found.seen) == (10, 99)
    assert table.find("digest-2") == TWO


def test_a_removed_session_is_gone(table: SessionTable) -> None:
    table.add(ONE)
    table.add(TWO)
    table.remove("session-1")
    table.remove("session-1")
    assert table.find("digest-1") is None
    assert tuple(table.all()) == (TWO,)


def test_another_process_sees_the_same(database_url: str, engine: sa.Engine) -> None:
    SessionsInSql(engine).add(ONE)
    CredentialsInSql(engine).keep("c", "v")
    other = make_engine(database_url)
    assert SessionsInSql(other).find("digest-1") == ONE
    assert CredentialsInSql(other).verifier("c") == "v"
    other.dispose()


def test_a_database_that_fails_is_a_named_fault(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        connection.execute(sa.text("drop table sessions"))
    with pytest.raises(StoreFault):
        SessionsInSql(engine).find("digest-1")
    with pytest.raises(StoreFault):
        SessionsInSql(engine).add(ONE)
