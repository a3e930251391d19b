"""Reads the lines of a record from a log file or an SQLite database."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from pitboss_verify.entries import Entry, read_entry
from pitboss_verify.report import Unsound

SQLITE_MAGIC = b"SQLite format 3\0"
COLUMNS = ("stream", "sequence", "kind", "at", "actor", "command")
_FAULTY = "the database"

Place = str
Lines = Iterator[tuple[Place, str, Entry | None]]  # with the entry in the line, if it was read already


def lines_of(path: Path) -> Lines:
    """Yield every line of a record with its place, or raise Unsound or OSError."""
    with path.open("rb") as file:
        if file.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            file.seek(0)
            yield from text_lines(file)
            return
    try:
        yield from _database_lines(path)
    except sqlite3.Error as fault:
        raise Unsound(f"{_FAULTY} cannot be read: {fault}") from None


def text_lines(file: BinaryIO) -> Lines:
    """Yield every line of a log, or raise Unsound if a line is cut short or isn't text."""
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            raise Unsound(f"line {number} is cut short")
        try:
            yield f"line {number}", line[:-1].decode(), None
        except UnicodeDecodeError:
            raise Unsound(f"line {number} isn't text") from None


def _database_lines(path: Path) -> Lines:
    # Read-only, so that a missing file isn't created.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        database.execute("BEGIN")  # one consistent view, even while others write
        damage = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if damage != "ok":
            raise Unsound(f"{_FAULTY} is damaged: {damage}")
        wanted = f"SELECT line, position, {', '.join(COLUMNS)} FROM entries ORDER BY stream, sequence"
        ends: dict[str, tuple[int, str]] = {}
        for line, position, *columns in database.execute(wanted):
            place = f"row {position}"
            entry = _entry(place, line)
            if columns != [getattr(entry, name) for name in COLUMNS]:
                raise Unsound(f"{place} has columns that don't match its line")
            ends[entry.stream] = (entry.sequence, entry.hash)
            yield place, line, entry
        heads = {stream: tuple(end) for stream, *end in database.execute("SELECT stream, sequence, hash FROM heads")}
        if heads != ends:
            stream = min(name for name in heads.keys() | ends.keys() if heads.get(name) != ends.get(name))
            raise Unsound(f"{_FAULTY} has a head for {stream} that doesn't match its entries")


def _entry(place: str, line: object) -> Entry:
    if not isinstance(line, str):
        raise Unsound(f"{place} isn't text")
    try:
        return read_entry(line)
    except Unsound as fault:
        raise Unsound(f"{place} {fault}") from None
