"""Backups of a SQLite record: taken while the record grows, inspected, and restored."""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pitboss.record.entries import Head
from pitboss.record.system import sync_folder

BESIDE = ("-wal", "-shm")  # files SQLite keeps next to a database


class CopyFault(Exception):
    """A copy could not be taken, read or put back; the message says why."""


class Copied(NamedTuple):
    """What a copy contains."""

    entries: int
    heads: Mapping[str, Head]


def take_copy(record: Path, copy: Path) -> Copied:
    """Copy a record as of one moment into a separate file, completely or not at all."""
    beside = copy.with_name(f"{copy.name}.part")
    try:
        beside.unlink(missing_ok=True)
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with _opened(record) as source, closing(sqlite3.connect(beside)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE").close()  # a single file, with nothing next to it
        copied = look_at(beside)
        put_in_place(beside, copy)
    except (OSError, sqlite3.Error) as fault:
        beside.unlink(missing_ok=True)
        raise CopyFault(f"{copy} cannot be written: {getattr(fault, 'strerror', None) or fault}.") from None
    return copied


def look_at(record: Path) -> Copied:
    """Return how much a record contains and where its streams end."""
    with _opened(record) as database:
        heads = {stream: Head(*end) for stream, *end in database.execute("SELECT stream, sequence, hash FROM heads")}
    return Copied(sum(head.sequence for head in heads.values()), heads)


def keys_used(record: Path) -> frozenset[str]:
    """Return the ids of the master keys that sealed the rounds of a record."""
    with _opened(record) as database:
        lines = database.execute("SELECT line FROM entries WHERE kind = 'house.RoundBegun'")
        return frozenset(json.loads(line)["body"]["key"] for (line,) in lines)


def put_in_place(file: Path, place: Path) -> None:
    """Rename a file; the new name is on disk when this returns."""
    with file.open("rb") as written:
        os.fsync(written.fileno())
    file.replace(place)
    sync_folder(place.parent)


def put_aside(record: Path, mark: str) -> Path | None:
    """Move a record about to be replaced to another name, as one file, and return that name; None if there is none."""
    if not record.exists():
        return None
    with suppress(sqlite3.Error), closing(sqlite3.connect(record)) as database:  # a damaged record is left as it is
        database.execute("PRAGMA journal_mode=DELETE").close()
    aside = record.with_name(f"{record.name}.{mark}")
    for ending in ("", *BESIDE):
        file = record.with_name(f"{record.name}{ending}")
        if file.exists():
            file.rename(aside.with_name(f"{aside.name}{ending}"))
    sync_folder(record.parent)
    return aside


@contextmanager
def _opened(record: Path) -> Iterator[sqlite3.Connection]:
    if not record.is_file():
        raise CopyFault(f"There is no record at {record}.")
    try:
        with closing(sqlite3.connect(f"{record.absolute().as_uri()}?mode=ro", uri=True)) as database:
            database.execute("SELECT 1 FROM entries LIMIT 1").close()
            yield database
    except sqlite3.DatabaseError as fault:
        raise CopyFault(f"{record} isn't a readable record: {fault}.") from None
