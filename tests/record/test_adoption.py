"""A record from before rows carried tags is checked and tagged once; wiping the tags doesn't bring that time back."""

from pathlib import Path

import pytest

from house.floors import Chance
from pitboss.house.people.credential_store import TAGGED, CredentialsInSql, SessionsInSql
from pitboss.house.people.sessions import KeptSession
from pitboss.record.adoption import adopt, adopt_once, mark_of
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.row_tags import RowTags
from pitboss.record.sql_engine import WRITES, make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Committed, Stopped
from record.batches import TABLE, fill, note, numbers

SESSION = KeptSession("digest", "session", "bo", 1, 2)


@pytest.fixture
def tags() -> RowTags:
    return RowTags(Keyring((MasterKey(bytes(32)),)), Chance(1))


@pytest.fixture
def older(database_url: str) -> str:
    """A record whose rows have no tags."""
    store = SqlStore(database_url)
    fill(store, 5)
    fill(store, 3, "money")
    store.close()
    engine = make_engine(database_url)
    CredentialsInSql(engine).keep("credential", "verifier")
    SessionsInSql(engine).add(SESSION)
    engine.dispose()
    return database_url


def change(url: str, text: str) -> None:
    engine = make_engine(url)
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.exec_driver_sql(text)
    engine.dispose()


def test_an_older_record_goes_on_with_everything_it_has(older: str, tags: RowTags, tmp_path: Path) -> None:
    adopted = adopt_once(older, tags, TAGGED, tmp_path / "mark")
    assert adopted is not None
    assert adopted.entries == 8
    store, engine = SqlStore(older, tags), make_engine(older)
    assert adopted.heads == store.heads()
    assert (numbers(store), numbers(store, "money")) == ([0, 1, 2, 3, 4], [0, 1, 2])
    assert store.command(f"{TABLE} 1") is not None
    assert isinstance(store.commit([note("next")])[0], Committed)
    assert CredentialsInSql(engine, tags, store.alterations).verifier("credential") == "verifier"
    assert SessionsInSql(engine, tags, store.alterations).find("digest") == SESSION
    assert store.alterations.all() == ()
    store.close()
    engine.dispose()


def test_a_damaged_stream_of_an_older_record_is_adopted_up_to_the_damage(older: str, tags: RowTags) -> None:
    change(older, "UPDATE entries SET line = replace(line, '\"number\":2', '\"number\":9') WHERE stream = 'money'")
    assert adopt(older, tags, TAGGED).entries == 7
    store = SqlStore(older, tags)
    assert numbers(store, "money") == [0, 1]
    assert isinstance(store.commit([note("next", stream="money")])[0], Stopped)
    assert isinstance(store.commit([note("another")])[0], Committed)
    store.close()


def test_a_record_is_adopted_once_and_a_record_with_tags_never(older: str, tags: RowTags, tmp_path: Path) -> None:
    mark = mark_of(tmp_path / "master.keys")
    assert adopt_once(older, tags, TAGGED, mark) is not None
    change(older, "UPDATE entries SET tag = ''")
    assert adopt_once(older, tags, TAGGED, mark) is None
    store = SqlStore(older, tags)
    assert numbers(store) == []
    assert isinstance(store.commit([note("next")])[0], Stopped)
    store.close()
    change(older, "UPDATE entries SET tag = 'x' WHERE stream = 'money'")
    mark.unlink()  # without the mark, one tag is enough to know that rows without one are foreign
    assert adopt_once(older, tags, TAGGED, mark) is None
