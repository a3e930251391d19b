"""A record from before rows carried tags: checked once, tagged, and never adopted again."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from pitboss.record.entries import Head, MalformedEntry, entry_of, follows, head_of
from pitboss.record.row_tags import COMMAND, RowTags
from pitboss.record.sql_engine import make_engine, prepare, write_whole
from pitboss.record.sql_tables import COMMANDS, ENTRIES, HEADS
from pitboss.record.system import sync_folder

MARK = ".rows"  # the suffix of the file next to the keys that says that the record's rows carry tags
PAGE_ROWS = 2_000
_LOCK = 0x70697463  # any number, the same in every process of this program


class TaggedTable(NamedTuple):
    """A table beside the record whose rows carry tags: for each column of tags, the kind and the columns it covers."""

    table: sa.Table
    tags: Mapping[str, tuple[str, tuple[str, ...]]]


class Adopted(NamedTuple):
    """How much of an older record was tagged."""

    entries: int
    heads: Mapping[str, Head]


def mark_of(key_file: Path) -> Path:
    """Return the path of the mark that belongs to a key file."""
    return key_file.with_name(f"{key_file.name}{MARK}")


def adopt_once(url: str, tags: RowTags, others: Sequence[TaggedTable], mark: Path) -> Adopted | None:
    """Tag the rows of a record that has no tags, unless that was done before; return how much was tagged."""
    if mark.exists():
        return None  # rows without tags aren't the house's: otherwise wiping the tags would make any row the house's
    adopted = adopt(url, tags, others)
    said = {"entries": adopted.entries, "streams": len(adopted.heads)}
    beside = mark.with_name(f"{mark.name}.new")
    beside.write_text(json.dumps(said) + "\n")
    os.replace(beside, mark)
    sync_folder(mark.parent)
    return adopted if adopted.entries else None


def adopt(url: str, tags: RowTags, others: Sequence[TaggedTable]) -> Adopted:
    """Tag a record if none of its entries has a tag; a stream gets tags as far as its chain is sound."""
    engine = make_engine(url)
    try:
        prepare(engine)
        return write_whole(engine, lambda connection: _adopt(connection, tags, others))
    finally:
        engine.dispose()


def _adopt(connection: sa.Connection, tags: RowTags, others: Sequence[TaggedTable]) -> Adopted:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    if connection.execute(sa.select(ENTRIES.c.position).where(ENTRIES.c.tag != "").limit(1)).first():
        return Adopted(0, {})
    count, heads = _tag_entries(connection, tags)
    for stream, head in heads.items():
        is_end = sa.and_(HEADS.c.stream == stream, HEADS.c.sequence == head.sequence, HEADS.c.hash == head.hash)
        connection.execute(sa.update(HEADS).where(is_end).values(tag=tags.head(stream, head)))
    commands = TaggedTable(COMMANDS, {"tag": (COMMAND, ("id", "digest", "places"))})
    for table in (commands, *others):
        _tag_rows(connection, table, tags)
    return Adopted(count, heads)


def _tag_entries(connection: sa.Connection, tags: RowTags) -> tuple[int, dict[str, Head]]:
    heads: dict[str, Head] = {}
    broken: set[str] = set()
    count, after = 0, ("", 0)
    tagged = sa.update(ENTRIES).where(ENTRIES.c.position == sa.bindparam("row")).values(tag=sa.bindparam("by"))
    while True:
        wanted = sa.select(ENTRIES.c.stream, ENTRIES.c.sequence, ENTRIES.c.position, ENTRIES.c.line)
        wanted = wanted.where(sa.tuple_(ENTRIES.c.stream, ENTRIES.c.sequence) > sa.tuple_(*map(sa.literal, after)))
        rows = connection.execute(wanted.order_by(ENTRIES.c.stream, ENTRIES.c.sequence).limit(PAGE_ROWS)).all()
        changes = []
        for stream, sequence, position, line in rows:
            if stream not in broken and _is_next(stream, line, heads):
                changes.append({"row": position, "by": tags.entry(line)})
            else:
                broken.add(stream)
            after = (stream, sequence)
        if changes:
            connection.execute(tagged, changes)
        count += len(changes)
        if len(rows) < PAGE_ROWS:
            return count, heads


def _is_next(stream: str, line: str, heads: dict[str, Head]) -> bool:
    try:
        entry = entry_of(line)
    except MalformedEntry:
        return False
    if entry.stream != stream or not follows(entry, heads.get(stream, Head())):
        return False
    heads[stream] = head_of(entry)
    return True


def _tag_rows(connection: sa.Connection, tagged: TaggedTable, tags: RowTags) -> None:
    table = tagged.table
    key = list(table.primary_key)
    for row in connection.execute(sa.select(table)).mappings().all():
        made = {
            column: tags.row(kind, *(row[name] for name in covered)) for column, (kind, covered) in tagged.tags.items()
        }
        connection.execute(sa.update(table).where(*(column == row[column.name] for column in key)).values(**made))
