"""Copies a whole record from one database into an empty one and checks every hash link on the way."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from pitboss.record.entries import Entry, Head, entry_of, follows, head_of
from pitboss.record.sql_engine import WRITES, fault_of, make_engine, prepare
from pitboss.record.sql_tables import COMMANDS, ENTRIES, HEADS, SNAPSHOTS, row_of

PAGE_ROWS = 2_000
BESIDE_ENTRIES = (COMMANDS, SNAPSHOTS)


class NotMoved(Exception):
    """The record was not copied, and the target database is unchanged."""


class Moved(NamedTuple):
    """What was copied: the entries and the stream heads, the same in both databases."""

    entries: int
    heads: dict[str, Head]


def move(
    source: str, target: str, others: Sequence[sa.Table] = (), seen: Callable[[int], None] = lambda count: None
) -> Moved:
    """Copy a record and `others` between two database URLs, completely or not at all; `seen` receives the count."""
    beside = (*BESIDE_ENTRIES, *others)
    with _opened(source) as from_engine, _opened(target) as to_engine:
        with from_engine.connect() as reading, to_engine.execution_options(**{WRITES: True}).begin() as writing:
            for connection in (reading, writing):
                if connection.dialect.name == "postgresql":  # each idles while the other works, and blocks no one
                    connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            _check_empty(writing, beside)
            count, heads = _copy_entries(reading, writing, seen)
            if heads != _heads(reading):
                raise NotMoved("The record is damaged: a stream doesn't match its head. Run `pitboss verify`.")
            for table in (HEADS, *beside):  # with their tags, which say that the house wrote them
                for rows in _pages(reading, sa.select(table).order_by(*table.primary_key)):
                    writing.execute(sa.insert(table), rows)
            _check_still(from_engine, heads)
        with to_engine.connect() as reading:
            assert _heads(reading) == heads, "the target has every committed head"
    return Moved(count, heads)


def _check_empty(target: sa.Connection, beside: Sequence[sa.Table]) -> None:
    if any(target.execute(sa.select(table).limit(1)).first() for table in (ENTRIES, HEADS, *beside)):
        raise NotMoved("That database already contains a record. Choose an empty one.")


def _copy_entries(
    source: sa.Connection, target: sa.Connection, seen: Callable[[int], None]
) -> tuple[int, dict[str, Head]]:
    heads: dict[str, Head] = {}
    count = 0
    for rows in _pages(source, sa.select(ENTRIES.c.line, ENTRIES.c.tag).order_by(ENTRIES.c.position)):
        entries = [entry_of(str(row["line"])) for row in rows]
        for entry in entries:
            _check_follows(entry, heads.get(entry.stream, Head()))
            heads[entry.stream] = head_of(entry)
        both = zip(entries, rows, strict=True)
        tagged = [{**row_of(entry, str(row["line"]), None), "tag": row["tag"]} for entry, row in both]
        target.execute(sa.insert(ENTRIES), tagged)
        count += len(entries)
        seen(count)
    return count, heads


def _check_follows(entry: Entry, head: Head) -> None:
    if not follows(entry, head):
        raise NotMoved(
            f"The record is damaged: entry {head.sequence + 1} of {entry.stream} is missing or invalid. "
            "Run `pitboss verify`."
        )


def _check_still(source: sa.Engine, heads: dict[str, Head]) -> None:
    with source.connect() as reading:
        if _heads(reading) != heads:
            raise NotMoved("The record grew while it was being copied. Stop the server and copy again.")


def _heads(connection: sa.Connection) -> dict[str, Head]:
    rows = connection.execute(sa.select(HEADS.c.stream, HEADS.c.sequence, HEADS.c.hash))
    return {stream: Head(sequence, hash_) for stream, sequence, hash_ in rows}


def _pages(connection: sa.Connection, wanted: sa.Select[sa.Row[tuple[()]]]) -> Iterator[list[dict[str, object]]]:
    rows = connection.execution_options(yield_per=PAGE_ROWS).execute(wanted)
    for part in rows.mappings().partitions(PAGE_ROWS):
        yield [dict(row) for row in part]


@contextmanager
def _opened(url: str) -> Iterator[sa.Engine]:
    engine = make_engine(url)
    try:
        prepare(engine)
        yield engine
    except SQLAlchemyError as fault:
        raise fault_of(fault) from None
    finally:
        engine.dispose()
