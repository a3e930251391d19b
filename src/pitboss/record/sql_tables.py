"""The record's tables as the newest migration leaves them, with only the columns that queries use."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.record.entries import Entry, Head
from pitboss.record.row_tags import COMMAND, RowTags
from pitboss.record.store import KeptCommand

METADATA = sa.MetaData()
ENTRIES = sa.Table(
    "entries",
    METADATA,
    sa.Column("position", sa.Integer, primary_key=True),
    *(sa.Column(name, sa.Text) for name in ("stream", "kind", "actor", "command", "line", "tag")),
    *(sa.Column(name, sa.BigInteger) for name in ("sequence", "at")),
)
HEADS = sa.Table(
    "heads",
    METADATA,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("hash", sa.Text),
    sa.Column("tag", sa.Text),
)
COMMANDS = sa.Table(
    "commands",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text),
    sa.Column("places", sa.Text),
    sa.Column("tag", sa.Text),
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


class FoundRows(NamedTuple):
    """What a commit reads before it writes."""

    leases: list[Row]  # name, owner and token
    heads: list[Row]  # stream, sequence, hash and tag
    commands: list[Row]  # id, digest, places and tag


def sorted_out(rows: Iterable[Any]) -> FoundRows:
    """Return rows of all three tables by their table, which the first column numbers."""
    found = FoundRows([], [], [])
    for table, name, second, third, tag in rows:
        if table == 0:
            found.leases.append((name, second, int(third)))
        elif table == 1:
            found.heads.append((name, int(second), third, tag))
        else:
            found.commands.append((name, second, third, tag))
    return found


def row_of(entry: Entry, line: str, tags: RowTags | None) -> dict[str, str | int]:
    """Return an entry's row; its other columns repeat what its line contains."""
    return {
        "stream": entry.stream,
        "sequence": entry.sequence,
        "kind": entry.kind,
        "at": entry.at,
        "actor": entry.actor,
        "command": entry.command,
        "line": line,
        "tag": tags.entry(line) if tags else "",
    }


def head_row(stream: str, head: Head, tags: RowTags | None) -> dict[str, str | int]:
    """Return the row that says where a stream ends."""
    tag = tags.head(stream, head) if tags else ""
    return {"stream": stream, "sequence": head.sequence, "hash": head.hash, "tag": tag}


def command_row(command: KeptCommand, tags: RowTags | None) -> dict[str, str | int]:
    """Return the row of an accepted command."""
    places = json.dumps(command.places)
    tag = tags.row(COMMAND, command.id, command.digest, places) if tags else ""
    return {"id": command.id, "digest": command.digest, "places": places, "tag": tag}


def insert_into(connection: sa.Connection, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert statement that can say what to do about a row with the same key."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def put(connection: sa.Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows; a row with the same key gets the new values."""
    insert = insert_into(connection, table)
    key = [column.name for column in table.primary_key]
    changed = {name: insert.excluded[name] for name in rows[0] if name not in key}
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changed), rows)
