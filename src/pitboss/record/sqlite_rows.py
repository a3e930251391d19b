"""The record's rows in SQLite, read and written with one prepared statement for all rows of a table."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache

import sqlalchemy as sa

from pitboss.record.entries import head_of
from pitboss.record.row_tags import RowTags
from pitboss.record.sql_tables import FoundRows, Row, command_row, head_row, row_of, sorted_out
from pitboss.record.store import Weighing

# SQLite accepts 32,766 values in one statement since 3.32, and 999 before.
VALUES_MAX = 900
_COMMANDS = "SELECT id, digest, places, tag FROM commands WHERE id IN (SELECT value FROM json_each(?))"
_ALL = (
    "SELECT 0, name, owner, token, NULL FROM leases WHERE name IN (SELECT value FROM json_each(?)) UNION ALL "
    "SELECT 1, stream, sequence, hash, tag FROM heads WHERE stream IN (SELECT value FROM json_each(?)) UNION ALL "
    "SELECT 2, id, digest, places, tag FROM commands WHERE id IN (SELECT value FROM json_each(?))"
)
# A table, its columns in the order of a row, and what to do about a row with the same key.
INTO_ENTRIES = ("entries", "stream, sequence, kind, at, actor, command, line, tag", "")
INTO_COMMANDS = ("commands", "id, digest, places, tag", "")
INTO_HEADS = (
    "heads",
    "stream, sequence, hash, tag",
    " ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, tag = excluded.tag",
)


def find(
    connection: sa.Connection, leases: Sequence[str], streams: Sequence[str], commands: Sequence[str]
) -> FoundRows:
    """Return what is stored about these leases, streams and commands."""
    asked = (json.dumps(leases), json.dumps(streams), json.dumps(commands))
    return sorted_out(connection.exec_driver_sql(_ALL, asked))


def find_commands(connection: sa.Connection, commands: Sequence[str]) -> Iterable[Row]:
    """Return what is stored about these commands."""
    return connection.exec_driver_sql(_COMMANDS, (json.dumps(commands),)).all()


def write(connection: sa.Connection, weighing: Weighing, tags: RowTags | None) -> None:
    """Add the commands and entries of sound batches, and move the heads."""
    if weighing.kept:
        add(connection, INTO_COMMANDS, [tuple(command_row(command, tags).values()) for command in weighing.kept])
    if weighing.written:
        both = zip(weighing.written, weighing.lines, strict=True)
        add(connection, INTO_ENTRIES, [tuple(row_of(entry, line, tags).values()) for entry, line in both])
        ends = {entry.stream: head_of(entry) for entry in weighing.written}
        add(connection, INTO_HEADS, [tuple(head_row(name, ends[name], tags).values()) for name in sorted(ends)])


def add(connection: sa.Connection, where: tuple[str, str, str], rows: Sequence[Row]) -> None:
    """Add rows of a table."""
    # One call for many rows: between calls the thread releases the interpreter lock and has to wait for it again.
    each = VALUES_MAX // len(rows[0])
    for at in range(0, len(rows), each):
        part = rows[at : at + each]
        values = tuple(value for row in part for value in row)
        connection.exec_driver_sql(_statement(*where, len(part[0]), len(part)), values)


@lru_cache(maxsize=1024)
def _statement(table: str, columns: str, ending: str, width: int, count: int) -> str:
    row = f"({', '.join('?' * width)})"
    return f"INSERT INTO {table} ({columns}) VALUES {', '.join([row] * count)}{ending}"
