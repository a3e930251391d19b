"""An index of rounds by time, table and player in the record's database, which follows the tables' streams."""

import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from pitboss.house import entry_kinds
from pitboss.house.stream_names import TABLES
from pitboss.record.alterations import Alterations
from pitboss.record.entries import Entry
from pitboss.record.row_tags import ROUND, ROUNDS_READ, RowTags
from pitboss.record.sql_engine import named_faults, read_whole, write_whole
from pitboss.record.sql_tables import put
from pitboss.record.store import Store, is_name

EVERYONE = ""  # the player of the row that stands for the round itself
SLICE = 5_000  # entries read before the rows are written
CHECKED_AT_ONCE = 500  # rounds
_METADATA = sa.MetaData()
ROUNDS = sa.Table(
    "rounds",
    _METADATA,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("sequence", sa.BigInteger, primary_key=True),  # of the entry that begins the round
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("round", sa.Text),
    sa.Column("at", sa.BigInteger),
    sa.Column("outcome", sa.Text),  # empty until the round has ended
    sa.Column("tag", sa.Text),
)
READ = sa.Table(
    "rounds_read",
    _METADATA,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("tag", sa.Text),
)
KINDS = (entry_kinds.ROUND_BEGUN, entry_kinds.WAGERS_PLACED, entry_kinds.ROUND_ENDED)
Position = tuple[int, str]  # a round's time and name; rounds are listed newest first, then by name


class RoundRow(NamedTuple):
    """A row of the index, in the order that its tag covers."""

    stream: str
    sequence: int
    player: str
    round: str
    at: int
    outcome: str


class RoundPlace(NamedTuple):
    """Where a round is in the record."""

    stream: str
    first: int
    last: int | None  # before the next round of the stream; None if this is its last round
    round: str
    at: int


class Criteria(NamedTuple):
    """Which rounds to look up; None means any."""

    stream: str | None = None
    since: int | None = None
    until: int | None = None
    player: str | None = None
    outcome: str | None = None


@dataclass(slots=True)
class _Open:
    """The round of a stream that hasn't ended as far as it was read."""

    stream: str
    sequence: int
    round: str
    at: int
    players: set[str] = field(default_factory=lambda: {EVERYONE})
    outcome: str = ""

    def rows(self) -> list[RoundRow]:
        return [
            RoundRow(self.stream, self.sequence, player, self.round, self.at, self.outcome)
            for player in sorted(self.players)
        ]


class RoundIndex:
    """Finds where rounds are in the record. What a round says is always read from its entries.

    The rows can be made again from the entries at any time, so a row that the house didn't write is reported and
    replaced, and writing the same rows twice changes nothing.
    """

    def __init__(
        self, engine: sa.Engine, store: Store, tags: RowTags | None = None, alterations: Alterations | None = None
    ) -> None:
        self._engine, self._store, self._tags = engine, store, tags
        self._alterations = alterations or Alterations()
        self._lock = threading.Lock()
        self._read: dict[str, int] = {}  # by stream: the last entry that was looked at
        self._open: dict[str, _Open] = {}
        self._rows_due: dict[tuple[str, int, str], RoundRow] = {}
        self._read_due: dict[str, int] = {}

    def catch_up(self, streams: Collection[str] | None = None, most: int | None = None) -> bool:
        """Read tables' streams to their ends, or this many entries at most; return whether nothing is left to read."""
        with self._lock:
            heads = self._store.heads()
            wanted = sorted(name for name in heads if name.startswith(TABLES) and (streams is None or name in streams))
            behind = [name for name in wanted if heads[name].sequence > self._read.get(name, 0)]
            if not behind:
                return True
            self._follow_others({name: heads[name].sequence for name in behind})
            left = most if most is not None else sys.maxsize
            try:
                for stream in behind:
                    end, read = heads[stream].sequence, -1
                    while left > 0 and read != 0 and self._read.get(stream, 0) < end:
                        read = self._read_on(stream, end, min(left, SLICE))
                        left -= read
                        if len(self._rows_due) > SLICE:
                            self._write()
                self._write()
            except BaseException:
                self._forget(behind)  # what isn't on disk is read again
                raise
            return left > 0

    def find(self, criteria: Criteria, before: Position | None, most: int) -> list[RoundPlace]:
        """Return the newest rounds that may meet the criteria, after the last one of the previous page."""
        rows = ROUNDS.c
        if not is_name("".join((criteria.stream or "", criteria.player or "", before[1] if before else ""))):
            return []
        wanted = sa.select(*(rows[name] for name in RoundRow._fields), rows.tag, _next_round())
        wanted = wanted.where(rows.player == (criteria.player or EVERYONE))
        if criteria.stream is not None:
            wanted = wanted.where(rows.stream == criteria.stream)
        if criteria.outcome is not None:
            wanted = wanted.where(rows.outcome == criteria.outcome)
        if criteria.since is not None:
            wanted = wanted.where(rows.at >= criteria.since)
        if criteria.until is not None:
            wanted = wanted.where(rows.at <= criteria.until)
        if before is not None:
            at, name = before
            wanted = wanted.where(rows.at <= at, sa.or_(rows.at < at, rows.round > name))
        wanted = wanted.order_by(rows.at.desc(), rows.round).limit(most)
        found = self._rows(wanted)
        foreign = [row for row in found if not self._is_own(row.tag, ROUND, *row[: len(RoundRow._fields)])]
        if foreign:
            self._doubt(foreign)
            self.catch_up()
            found = [row for row in self._rows(wanted) if self._is_own(row.tag, ROUND, *row[: len(RoundRow._fields)])]
        return [_place(row) for row in found]

    def checking(self) -> Iterator[None]:
        """Compare the whole index with the record, some hundred rounds at each step, and restore what differs."""
        for stream, read in self._progress().items():
            expected: list[RoundRow] = []
            after = 0
            for count, round_ in enumerate(_rounds(self._store.read(stream, kinds=KINDS), read), 1):
                expected += round_.rows()
                if count % CHECKED_AT_ONCE == 0:
                    self._compare(stream, after, round_.sequence, expected)
                    after, expected = round_.sequence, []
                    yield
            self._compare(stream, after, read, expected)
            yield

    def _read_on(self, stream: str, end: int, most: int) -> int:
        after, open_ = self._read.get(stream, 0), self._open.get(stream)
        entries = list(islice(self._store.read(stream, after, kinds=KINDS), most))
        for entry in entries:
            if entry.sequence <= end:
                open_ = _after(open_, entry)
                if open_ is not None:
                    self._rows_due |= {(row.stream, row.sequence, row.player): row for row in open_.rows()}
                after = entry.sequence
        if len(entries) < most and stream not in self._alterations.stopped:
            after = end
        # A process that starts here later needs the open round from its beginning.
        self._read_due[stream] = after if open_ is None or open_.outcome else open_.sequence - 1
        self._read[stream] = after
        if open_ is not None:
            self._open[stream] = open_
        return len(entries)

    def _write(self) -> None:
        # In one order, so that two processes that write the same rows can't deadlock.
        rows = self._tagged([row for _, row in sorted(self._rows_due.items())])
        read = [
            {"stream": stream, "sequence": sequence, "tag": self._tag(ROUNDS_READ, stream, sequence)}
            for stream, sequence in sorted(self._read_due.items())
        ]

        def written(connection: sa.Connection) -> None:
            for table, due in ((ROUNDS, rows), (READ, read)):
                if due:
                    put(connection, table, due)

        with named_faults():
            write_whole(self._engine, written)
        self._rows_due, self._read_due = {}, {}

    def _forget(self, streams: Collection[str]) -> None:
        self._rows_due, self._read_due = {}, {}
        for stream in streams:
            self._read.pop(stream, None)
            self._open.pop(stream, None)

    def _tagged(self, rows: Sequence[RoundRow]) -> list[dict[str, str | int]]:
        return [{**row._asdict(), "tag": self._tag(ROUND, *row)} for row in rows]

    def _follow_others(self, ends: Mapping[str, int]) -> None:
        # Another process, or an earlier one, may have read further; not beyond the end, unless an older record was
        # put back, and then its rounds are read again.
        for stream, sequence in self._progress().items():
            if self._read.get(stream, 0) < sequence <= ends.get(stream, 0):
                self._read[stream] = sequence
                self._open.pop(stream, None)

    def _progress(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for stream, sequence, tag in self._rows(sa.select(READ.c.stream, READ.c.sequence, READ.c.tag)):
            if self._is_own(tag, ROUNDS_READ, stream, sequence):
                found[stream] = sequence
            else:
                self._tell(stream)  # its rows are made again from the first entry on
        return found

    def _compare(self, stream: str, after: int, until: int, expected: Sequence[RoundRow]) -> None:
        rows = ROUNDS.c
        between = sa.and_(rows.stream == stream, rows.sequence > after, rows.sequence <= until)
        stored = self._rows(sa.select(*(rows[name] for name in RoundRow._fields), rows.tag).where(between))
        own = {RoundRow(*row[:-1]) for row in stored if self._is_own(row[-1], ROUND, *row[:-1])}
        if len(own) == len(stored) and own == set(expected):
            return
        self._tell(stream)
        tagged = self._tagged(expected)

        def restored(connection: sa.Connection) -> None:
            connection.execute(sa.delete(ROUNDS).where(between))
            if tagged:
                put(connection, ROUNDS, tagged)

        with named_faults():
            write_whole(self._engine, restored)

    def _doubt(self, foreign: Sequence[Any]) -> None:
        # The rows of these streams are made again from the entries, from the first on.
        streams = {row.stream for row in foreign}
        with self._lock:
            self._forget(streams)
        for stream in sorted(streams):
            self._tell(stream)

        def forgotten(connection: sa.Connection) -> None:
            for row in foreign:
                here = sa.and_(ROUNDS.c.stream == row.stream, ROUNDS.c.sequence == row.sequence)
                connection.execute(sa.delete(ROUNDS).where(here, ROUNDS.c.player == row.player))
            connection.execute(sa.delete(READ).where(READ.c.stream.in_(streams)))

        with named_faults():
            write_whole(self._engine, forgotten)

    def _tell(self, stream: str) -> None:
        self._alterations.tell(
            f"In the database, the index of rounds of {stream} was altered. It is made again from the entries."
        )

    def _tag(self, kind: str, *values: str | int) -> str:
        return self._tags.row(kind, *values) if self._tags else ""

    def _is_own(self, tag: str, kind: str, *values: str | int) -> bool:
        return self._tags is None or self._tags.is_row(tag, kind, *values)

    def _rows(self, wanted: sa.Select[Any]) -> Sequence[Any]:
        with named_faults():
            found: Sequence[Any] = read_whole(self._engine, lambda connection: connection.execute(wanted).all())
            return found


def _place(row: Any) -> RoundPlace:
    following = row[-1]
    return RoundPlace(row.stream, row.sequence, None if following is None else following - 1, row.round, row.at)


def _after(open_: _Open | None, entry: Entry) -> _Open | None:
    if entry.kind == entry_kinds.ROUND_BEGUN:
        return _Open(entry.stream, entry.sequence, entry.body["round"], entry.at)
    if open_ is not None and entry.kind == entry_kinds.WAGERS_PLACED:
        open_.players.add(entry.body["player"])
    elif open_ is not None and entry.kind == entry_kinds.ROUND_ENDED:
        open_.outcome = entry.body["outcome"]
    return open_


def _rounds(entries: Iterable[Entry], until: int) -> Iterator[_Open]:
    open_: _Open | None = None
    for entry in entries:
        if entry.sequence > until:
            break
        if entry.kind == entry_kinds.ROUND_BEGUN and open_ is not None:
            yield open_
        open_ = _after(open_, entry)
    if open_ is not None:
        yield open_


def _next_round() -> sa.ScalarSelect[int]:
    later = ROUNDS.alias("later")
    same = sa.and_(later.c.stream == ROUNDS.c.stream, later.c.player == EVERYONE)
    return sa.select(sa.func.min(later.c.sequence)).where(same, later.c.sequence > ROUNDS.c.sequence).scalar_subquery()
