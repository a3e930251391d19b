"""The record's rows in PostgreSQL, where streams are locked while they are read and other processes hear of changes."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from pitboss.record.entries import canonical, head_of
from pitboss.record.row_tags import RowTags
from pitboss.record.sql_tables import COMMANDS, ENTRIES, HEADS, Row, command_row, head_row, put, row_of
from pitboss.record.store import Weighing

CHANNEL = "pitboss"  # PostgreSQL notifies other processes here of streams that have grown: [stream, sequence] as JSON
LEASES_MOVED = "leases"  # sent instead of a stream's name when a lease was taken or released
NAMES_MAX = 500  # PostgreSQL accepts more values than this in one statement
_TOLD = sa.text("SELECT pg_notify(:channel, told) FROM unnest(CAST(:told AS text[])) AS told")


def find_heads(connection: sa.Connection, streams: Sequence[str]) -> Iterator[Row]:
    """Yield where these streams end, and lock them until the transaction ends."""
    ends = sa.select(HEADS.c.stream, HEADS.c.sequence, HEADS.c.hash, HEADS.c.tag)
    wanted = ends.order_by(HEADS.c.stream).with_for_update()
    for part in _parts(streams):
        yield from map(tuple, connection.execute(wanted.where(HEADS.c.stream.in_(part))))


def find_commands(connection: sa.Connection, commands: Sequence[str]) -> Iterator[Row]:
    """Yield what is stored about these commands."""
    wanted = sa.select(COMMANDS.c.id, COMMANDS.c.digest, COMMANDS.c.places, COMMANDS.c.tag)
    for part in _parts(commands):
        yield from map(tuple, connection.execute(wanted.where(COMMANDS.c.id.in_(part))))


def write(connection: sa.Connection, weighing: Weighing, tags: RowTags | None) -> None:
    """Add the commands and entries of sound batches, move the heads, and notify the other processes."""
    if weighing.kept:
        connection.execute(sa.insert(COMMANDS), [command_row(command, tags) for command in weighing.kept])
    if weighing.written:
        both = zip(weighing.written, weighing.lines, strict=True)
        connection.execute(sa.insert(ENTRIES), [row_of(entry, line, tags) for entry, line in both])
        ends = {entry.stream: head_of(entry) for entry in weighing.written}
        put(connection, HEADS, [head_row(name, ends[name], tags) for name in sorted(ends)])
        tell(connection, [(name, ends[name].sequence) for name in sorted(ends)])


def tell(connection: sa.Connection, moved: Sequence[tuple[str, int]]) -> None:
    """Notify the other processes when this transaction is committed."""
    connection.execute(_TOLD, {"channel": CHANNEL, "told": [canonical(said) for said in moved]})


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[at : at + NAMES_MAX] for at in range(0, len(names), NAMES_MAX))
