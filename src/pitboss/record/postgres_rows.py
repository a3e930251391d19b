"""The record's rows in PostgreSQL, where streams are locked while they are read and other processes hear of changes."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from pitboss.record.entries import canonical, head_of
from pitboss.record.row_tags import RowTags
from pitboss.record.sql_tables import FoundRows, Row, command_row, head_row, row_of, sorted_out
from pitboss.record.store import Weighing

# PostgreSQL notifies other processes here of streams that have grown: [[stream, sequence], ...] as JSON.
CHANNEL = "pitboss"
LEASES_MOVED = "leases"  # sent instead of a stream's name when a lease was taken or released
TOLD_BYTES_MOST = 7_000  # a notification holds less than 8,000

# A commit is a few statements of the driver's own, with whole columns as arrays: building them costs more than running.
# Everything is found in one round trip, in the order in which every writer locks it: leases, then heads, each by name.
# A command that is committed elsewhere while this waits for a lock is missed. Then its key is there twice, or its
# stream has moved and the command is looked for again; either way the whole transaction is tried again.
_ALL = """
WITH held AS (
    SELECT name, owner, token FROM leases WHERE name = ANY(%s) ORDER BY name FOR SHARE
), ends AS (
    SELECT stream, sequence, hash, tag FROM heads WHERE stream = ANY(%s) ORDER BY stream FOR UPDATE
)
SELECT 0, name, owner, token::text, NULL FROM held
UNION ALL SELECT 1, stream, sequence::text, hash, tag FROM ends
UNION ALL SELECT 2, id, digest, places, tag FROM commands WHERE id = ANY(%s)
"""
_COMMANDS = "SELECT id, digest, places, tag FROM commands WHERE id = ANY(%s)"
_TELL = "SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told"
_WRITE = f"""
WITH kept AS (
    INSERT INTO commands (id, digest, places, tag)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[])
), written AS (
    INSERT INTO entries (stream, sequence, kind, at, actor, command, line, tag)
    SELECT stream, sequence, kind, at, actor, command, line, tag
    FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[])
    WITH ORDINALITY AS row (stream, sequence, kind, at, actor, command, line, tag, number) ORDER BY number
), begun AS (
    INSERT INTO heads (stream, sequence, hash, tag)
    SELECT stream, sequence, hash, tag
    FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::text[])
    WITH ORDINALITY AS row (stream, sequence, hash, tag, number) ORDER BY number
), moved AS (
    UPDATE heads SET sequence = row.sequence, hash = row.hash, tag = row.tag
    FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::text[]) AS row (stream, sequence, hash, tag)
    WHERE heads.stream = row.stream
)
{_TELL}
"""


def find(
    connection: sa.Connection, leases: Sequence[str], streams: Sequence[str], commands: Sequence[str]
) -> FoundRows:
    """Return what is stored about these; nobody takes the leases or moves the streams until the transaction ends."""
    return sorted_out(connection.exec_driver_sql(_ALL, (list(leases), list(streams), list(commands))))


def find_commands(connection: sa.Connection, commands: Sequence[str]) -> Iterator[Row]:
    """Yield what is stored about these commands."""
    if commands:
        yield from map(tuple, connection.exec_driver_sql(_COMMANDS, (list(commands),)))


def write(connection: sa.Connection, weighing: Weighing, tags: RowTags | None) -> None:
    """Add the commands and entries of sound batches, move the heads, and notify the other processes."""
    if not weighing.kept and not weighing.written:
        return
    both = zip(weighing.written, weighing.lines, strict=True)
    ends = {entry.stream: head_of(entry) for entry in weighing.written}
    moved = sorted(ends)
    # Nobody could lock the head of a stream that didn't exist. Of two writers that begin it, one finds its key there
    # and tries again, also where the entries are in partitions and their own key can't find it.
    new = {entry.stream for entry in weighing.written if entry.sequence == 1}
    rows = {name: head_row(name, ends[name], tags) for name in moved}
    columns = (
        *_columns([command_row(command, tags) for command in weighing.kept], 4),
        *_columns([row_of(entry, line, tags) for entry, line in both], 8),
        *_columns([rows[name] for name in moved if name in new], 4),
        *_columns([rows[name] for name in moved if name not in new], 4),
    )
    told = list(_told([(name, ends[name].sequence) for name in moved]))
    connection.exec_driver_sql(_WRITE, (*columns, CHANNEL, told))


def tell(connection: sa.Connection, moved: Sequence[tuple[str, Any]]) -> None:
    """Notify the other processes when this transaction is committed."""
    connection.exec_driver_sql(_TELL, (CHANNEL, list(_told(moved))))


def _columns(rows: Sequence[dict[str, Any]], count: int) -> list[list[Any]]:
    return [list(column) for column in zip(*(row.values() for row in rows), strict=True)] or [[] for _ in range(count)]


def _told(moved: Sequence[tuple[str, Any]]) -> Iterator[str]:
    # One notification for a whole transaction: every process reads each of them.
    part: list[str] = []
    length = 0
    for said in map(canonical, moved):
        length += len(said.encode()) + 1
        if part and length > TOLD_BYTES_MOST:
            yield f"[{','.join(part)}]"
            part, length = [], len(said.encode()) + 1
        part.append(said)
    if part:
        yield f"[{','.join(part)}]"
