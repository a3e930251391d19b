"""The record's rows in SQLite, read and written with one prepared statement for all rows of a table."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

# SQLite accepts 32,766 values in one statement since 3.32, and 999 before.
VALUES_MAX = 900
_HEADS = "SELECT stream, sequence, hash FROM heads WHERE stream IN (SELECT value FROM json_each(?))"
_COMMANDS = "SELECT id, digest, places FROM commands WHERE id IN (SELECT value FROM json_each(?))"
_REPLACED = " ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash"

Row = tuple[Any, ...]


def find_heads(connection: sa.Connection, streams: Sequence[str]) -> Iterable[Row]:
    """Return where these streams end."""
    return connection.exec_driver_sql(_HEADS, (json.dumps(streams),)).all()


def find_commands(connection: sa.Connection, commands: Sequence[str]) -> Iterable[Row]:
    """Return what is stored about these commands."""
    return connection.exec_driver_sql(_COMMANDS, (json.dumps(commands),)).all()


def add_entries(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Add entries: stream, sequence, kind, time, actor, command and line."""
    _add(connection, ("entries", "stream, sequence, kind, at, actor, command, line", ""), rows)


def add_commands(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Add accepted commands: id, digest and places."""
    _add(connection, ("commands", "id, digest, places", ""), rows)


def put_heads(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Insert or replace heads: stream, sequence and hash."""
    _add(connection, ("heads", "stream, sequence, hash", _REPLACED), rows)


def _add(connection: sa.Connection, where: tuple[str, str, str], rows: Sequence[Row]) -> None:
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
