"""The record's tables as the newest migration leaves them, with only the columns that queries use."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.record.entries import Entry, line_of

METADATA = sa.MetaData()
ENTRIES = sa.Table(
    "entries",
    METADATA,
    sa.Column("position", sa.Integer, primary_key=True),
    *(sa.Column(name, sa.Text) for name in ("stream", "kind", "actor", "command", "line")),
    *(sa.Column(name, sa.BigInteger) for name in ("sequence", "at")),
)
HEADS = sa.Table(
    "heads",
    METADATA,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("hash", sa.Text),
)
COMMANDS = sa.Table(
    "commands",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text),
    sa.Column("places", sa.Text),
)
SNAPSHOTS = sa.Table(
    "snapshots",
    METADATA,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("sequence", sa.BigInteger, primary_key=True),
    sa.Column("hash", sa.Text),
    sa.Column("fold", sa.Text),
    sa.Column("state", sa.LargeBinary),
)
LEASES = sa.Table(
    "leases",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text),
    sa.Column("token", sa.BigInteger),
    sa.Column("until_ms", sa.BigInteger),
)
Row = tuple[Any, ...]


def row_of(entry: Entry) -> dict[str, str | int]:
    """Return an entry's row; its other columns repeat what its line contains."""
    return {
        "stream": entry.stream,
        "sequence": entry.sequence,
        "kind": entry.kind,
        "at": entry.at,
        "actor": entry.actor,
        "command": entry.command,
        "line": line_of(entry),
    }


def insert_into(connection: sa.Connection, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert statement that can say what to do about a row with the same key."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def put(connection: sa.Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows; a row with the same key gets the new values."""
    insert = insert_into(connection, table)
    key = [column.name for column in table.primary_key]
    changed = {name: insert.excluded[name] for name in rows[0] if name not in key}
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changed), rows)
