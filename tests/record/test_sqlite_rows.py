"""Rows of the record in SQLite: many at once, unchanged, whatever their number and characters."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from pitboss.record import sqlite_rows
from pitboss.record.sql_store import SqlStore

ODD = ("quote \" and apostrophe '", "\u00e9\u4e2d\U0001f0a1", "[1, 2]", "line\nbreak", "%s ? :name")


@pytest.fixture
def connection(sqlite_url: str) -> Iterator[sa.Connection]:
    store = SqlStore(sqlite_url)
    with store._engine.begin() as found:
        yield found
    store.close()


@pytest.mark.parametrize("count", [1, 2, 127, 128, 129, 300, 301, 1_000])
def test_rows_are_kept_as_they_were_given_however_many(connection: sa.Connection, count: int) -> None:
    entries = [
        ("s", number, "k", number, "a", "c", f"{number} {ODD[number % len(ODD)]}", "t") for number in range(count)
    ]
    sqlite_rows.add(connection, sqlite_rows.INTO_ENTRIES, entries)
    columns = "stream, sequence, kind, at, actor, command, line, tag"
    assert [tuple(row) for row in connection.exec_driver_sql(f"SELECT {columns} FROM entries")] == entries
    commands = [(f"{ODD[number % len(ODD)]} {number}", "digest", "[]", "t") for number in range(count)]
    sqlite_rows.add(connection, sqlite_rows.INTO_COMMANDS, commands)
    asked = [name for name, *_ in commands] + ["another"]
    assert sorted(map(tuple, sqlite_rows.find_commands(connection, asked))) == sorted(commands)


def test_heads_take_the_place_of_those_before(connection: sa.Connection) -> None:
    sqlite_rows.add(connection, sqlite_rows.INTO_HEADS, [(name, 1, "first", "t") for name in ODD])
    sqlite_rows.add(connection, sqlite_rows.INTO_HEADS, [(ODD[0], 2, "second", "u"), ("new", 1, "only", "t")])
    found = {stream: tuple(end) for stream, *end in sqlite_rows.find(connection, (), (*ODD, "new"), ()).heads}
    assert found == {**dict.fromkeys(ODD, (1, "first", "t")), ODD[0]: (2, "second", "u"), "new": (1, "only", "t")}
    assert sqlite_rows.find(connection, ["unknown"], ["unknown"], ["unknown"]) == ([], [], [])


def test_leases_streams_and_commands_are_found_together_and_apart(connection: sa.Connection) -> None:
    name = ODD[0]
    connection.exec_driver_sql("INSERT INTO leases (name, owner, token, until_ms) VALUES (?, 'one', 7, 0)", (name,))
    sqlite_rows.add(connection, sqlite_rows.INTO_HEADS, [(name, 1, "hash", "t")])
    sqlite_rows.add(connection, sqlite_rows.INTO_COMMANDS, [(name, "digest", "[]", "u")])
    found = sqlite_rows.find(connection, [name], [name], [name])
    assert found == ([(name, "one", 7)], [(name, 1, "hash", "t")], [(name, "digest", "[]", "u")])
