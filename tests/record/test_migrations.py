"""An older database is migrated to this version with its contents."""

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from pitboss.house.people.credential_store import TABLES, CredentialsInSql, SessionsInSql
from pitboss.house.people.sessions import KeptSession
from pitboss.record.migrations import NEWEST
from pitboss.record.sql_engine import WRITES, make_engine
from pitboss.record.sql_store import SqlStore
from record.batches import fill, numbers

SESSION = KeptSession("digest", "session", "bo", 1, 2)


def older(url: str, revision: str) -> sa.Engine:
    """Make a database as an older version left it."""
    engine = make_engine(url)
    config = Config()
    config.set_main_option("script_location", "pitboss.record:migrations")
    config.set_main_option("path_separator", "os")
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    return engine


def shapes(engine: sa.Engine) -> dict[str, list[tuple[str, bool]]]:
    """Return the columns of the tables for people, and whether each may be empty."""
    there = sa.inspect(engine)
    return {
        name: [(column["name"], bool(column["nullable"])) for column in there.get_columns(name)]
        for name in TABLES.tables
    }


@pytest.mark.parametrize("had_people", [False, True])
def test_the_tables_for_people_are_made_where_they_are_missing_and_kept_where_not(
    database_url: str, had_people: bool
) -> None:
    engine = older(database_url, "0001")
    if had_people:  # as the first version made them, without migrations
        TABLES.create_all(engine)
        CredentialsInSql(engine).keep("credential", "verifier")
        SessionsInSql(engine).add(SESSION)
    store = SqlStore(database_url)
    fill(store, 2)
    assert numbers(store) == [0, 1]
    with engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == NEWEST
    assert CredentialsInSql(engine).verifier("credential") == ("verifier" if had_people else None)
    assert list(SessionsInSql(engine).all()) == ([SESSION] if had_people else [])
    store.close()
    engine.dispose()


def test_a_fresh_database_has_the_tables_that_people_are_kept_in(database_url: str) -> None:
    SqlStore(database_url).close()
    engine = make_engine(database_url)
    made = shapes(engine)
    TABLES.create_all(engine)  # which finds nothing left to make
    assert shapes(engine) == made
    declared = {
        name: [(column.name, bool(column.nullable)) for column in table.columns]
        for name, table in TABLES.tables.items()
    }
    assert made == declared
    engine.dispose()
