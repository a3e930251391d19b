"""The event store in a database: SQLite by default, PostgreSQL by URL."""

import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, replace
from operator import attrgetter
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from pitboss.record import postgres_rows, sqlite_rows
from pitboss.record.alterations import Alterations
from pitboss.record.entries import Entry, Head, entry_of, head_of
from pitboss.record.row_tags import COMMAND, RowTags, place_of
from pitboss.record.sql_engine import (
    TRIES_MAX,
    WRITES,
    Found,
    fault_of,
    is_worth_another_try,
    make_engine,
    prepare,
    read_whole,
)
from pitboss.record.sql_tables import ENTRIES, HEADS, LEASES, SNAPSHOTS, FoundRows, Row, insert_into, put, row_of
from pitboss.record.store import (
    Batch,
    Committed,
    Conflict,
    KeptCommand,
    Lease,
    LeaseLost,
    Outcome,
    Repeated,
    StoreBroken,
    StoredSnapshot,
    Weighing,
    entries_of,
    has_names,
    is_name,
)

PAGE_ROWS = 5_000
PLACES_AT_ONCE = 250
LEASES_AT_ONCE = 500
LAST = 2**63 - 1
# Made once: for a few lines, composing the statement takes longer than running it.
_PAGE = (
    sa.select(ENTRIES.c.sequence, ENTRIES.c.line, ENTRIES.c.tag)
    .where(ENTRIES.c.stream == sa.bindparam("stream"))
    .where(ENTRIES.c.sequence > sa.bindparam("after"), ENTRIES.c.sequence <= sa.bindparam("until"))
    .order_by(ENTRIES.c.sequence)
    .limit(PAGE_ROWS)
)
_PAGE_OF_KINDS = _PAGE.where(ENTRIES.c.kind.in_(sa.bindparam("kinds", expanding=True)))
_NOW_MS = {
    "postgresql": sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"),
    "sqlite": sa.text("SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"),
}


class Rows(Protocol):
    """How one kind of database finds and writes the rows of a commit."""

    def find(
        self, connection: sa.Connection, leases: Sequence[str], streams: Sequence[str], commands: Sequence[str]
    ) -> FoundRows:
        """Return what is stored about these; nobody takes the leases until the transaction ends."""
        ...

    def find_commands(self, connection: sa.Connection, commands: Sequence[str]) -> Iterable[Row]:
        """Return what is stored about these commands."""
        ...

    def write(self, connection: sa.Connection, weighing: Weighing, tags: RowTags | None) -> None:
        """Add the commands and entries of sound batches, and move the heads."""
        ...


class SqlStore:
    """The event store in a database, which is upgraded to this version when it is opened.

    With tags it writes rows that carry them, and refuses rows that someone without the house's keys wrote or altered.
    """

    def __init__(
        self,
        url: str,
        tags: RowTags | None = None,
        alterations: Alterations | None = None,
        gives_up: threading.Event | None = None,
    ) -> None:
        self._tags = tags
        self.alterations = alterations or Alterations()
        self._known: dict[str, Head] = {}  # how far this process has seen each stream reach; none goes back
        # No pings: lost sessions are noticed, and what they did is done again.
        self._engine = make_engine(url, pings=False, gives_up=gives_up)
        self._writer = self._engine.execution_options(**{WRITES: True})
        self._rows: Rows = postgres_rows if self.is_shared else sqlite_rows
        self._writing = threading.Lock()
        self._broken: StoreBroken | None = None
        try:
            with self._faults():
                prepare(self._engine)
        except BaseException:
            self.close()
            raise

    def commit(self, batches: Sequence[Batch], snapshots: Sequence[StoredSnapshot] = ()) -> list[Outcome]:
        """Record batches in one transaction with their snapshots, and return the outcome of each batch."""
        unsure: dict[str, tuple[Entry, ...]] = {}  # from an attempt that lost its connection: it may be on disk anyway

        def recorded(connection: sa.Connection) -> Weighing:
            weighing = self._weighed(connection, batches)
            self._rows.write(connection, weighing, self._tags)
            for snapshot in snapshots:
                self._keep(connection, snapshot)
            unsure.update(_own(batches, weighing))
            return weighing

        weighing = self._written(recorded)
        if self._tags is not None:
            self._known |= {entry.stream: head_of(entry) for entry in weighing.written}
        earlier = {command: unsure[command] for command in unsure.keys() - _own(batches, weighing).keys()}
        return [
            self._found(outcome, earlier) if isinstance(outcome, KeptCommand) else outcome
            for outcome in weighing.outcomes
        ]

    def _found(self, kept: KeptCommand, earlier: dict[str, tuple[Entry, ...]]) -> Committed | Repeated:
        entries = entries_of(self, kept)
        return Committed(entries) if earlier.pop(kept.id, None) == entries else Repeated(entries)

    def read(self, stream: str, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """Yield a stream's entries after a sequence, of some kinds or of all, up to the first that was altered."""
        for line in self._checked(stream, after, None, kinds):
            entry = entry_of(line)
            if kinds and entry.kind not in kinds:
                self.alterations.stop(stream, f"Entry {entry.sequence} of {stream} is filed under another kind.")
                return
            yield entry

    def lines(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[str]:
        """Yield a stream's lines, after one sequence and up to another, up to the first that was altered."""
        return self._checked(stream, after, until, ())

    def unchecked_lines(self, stream: str, until: int | None = None) -> Iterator[str]:
        """Yield a stream's lines as the database has them, no matter who wrote them, for a verifier to judge."""
        return (line for _, line, _ in self._pages(stream, 0, until, ()))

    def heads(self, streams: Collection[str] | None = None) -> dict[str, Head]:
        """Return where every stream ends, or these of them; one whose end the house didn't write is left out."""
        wanted = sa.select(HEADS.c.stream, HEADS.c.sequence, HEADS.c.hash, HEADS.c.tag)
        known = dict(self._known)  # before the look: another thread may write in the meantime
        if streams is not None:
            wanted = wanted.where(HEADS.c.stream.in_(streams))
            known = {stream: known[stream] for stream in streams if stream in known}
        rows = self._read(lambda connection: connection.execute(wanted).all())
        return self._checked_heads(rows, known, known)

    def standing(self, heads: Mapping[str, Head]) -> set[str]:
        """Return those of the streams whose entry at this sequence is the one that the head names."""
        columns = sa.column("stream", sa.Text), sa.column("sequence", sa.BigInteger)
        wanted = sa.select(ENTRIES.c.stream, ENTRIES.c.sequence, ENTRIES.c.line, ENTRIES.c.tag)
        places = [(stream, head.sequence) for stream, head in heads.items()]
        found: set[str] = set()
        for at in range(0, len(places), PLACES_AT_ONCE):
            named = sa.values(*columns, name="places").data(places[at : at + PLACES_AT_ONCE]).cte("places")
            is_there = sa.and_(ENTRIES.c.stream == named.c.stream, ENTRIES.c.sequence == named.c.sequence)
            part = wanted.join(named, is_there)
            rows = self._read(lambda connection, part=part: connection.execute(part).all())  # type: ignore[misc]
            found |= {row.stream for row in rows if self._is_own_line(*row) and _names(heads[row.stream], row.line)}
        return found

    def _is_own_line(self, stream: str, sequence: int, line: str, tag: str) -> bool:
        # A line that the house wrote for another place is as foreign here as one that it never wrote.
        return self._tags is None or (self._tags.is_entry(line, tag) and line.endswith(place_of(stream, sequence)))

    def check_rows(self, after: int, count: int) -> int | None:
        """Check the next rows of all entries, with the columns queries use; return the last, or None at the end."""
        wanted = sa.select(ENTRIES).where(ENTRIES.c.position > after).order_by(ENTRIES.c.position).limit(count)

        def read(connection: sa.Connection) -> tuple[Sequence[sa.RowMapping], dict[str, KeptCommand], dict[str, str]]:
            rows = connection.execute(wanted).mappings().all()
            commands = self._rows.find_commands(connection, sorted({row["command"] for row in rows}))
            return rows, *self._kept(commands)

        rows, kept, refused = self._read(read)
        if self._tags is not None:
            self._tell_of_deleted_commands([row for row in rows if row["command"] not in refused], kept)
        for row in rows:
            if self._tags is not None and not _is_own(dict(row), self._tags):
                says = f"Entry {row['sequence']} of {row['stream']} was altered, or wasn't written by the house."
                self.alterations.stop(row["stream"], says)
        return rows[-1]["position"] if rows else None

    def _tell_of_deleted_commands(self, rows: Iterable[sa.RowMapping], kept: Mapping[str, KeptCommand]) -> None:
        # An id whose row is gone could be accepted again; then its new row doesn't name its first entries.
        deleted: dict[str, str] = {}
        for row in rows:
            places = kept[row["command"]].places if row["command"] in kept else ()
            if not any(row["stream"] == stream and first <= row["sequence"] <= last for stream, first, last in places):
                deleted.setdefault(row["command"], f"entry {row['sequence']} of {row['stream']}")
        for command, where in deleted.items():
            self.alterations.tell(f"The row of command {command}, which wrote {where}, was deleted from the database.")

    def command(self, command: str) -> KeptCommand | None:
        """Return what is stored about a command, if it was accepted."""
        asked = [command] if is_name(command) else []
        return self._read(lambda connection: self._kept(self._rows.find_commands(connection, asked))[0].get(command))

    def snapshots(self, stream: str) -> tuple[StoredSnapshot, ...]:
        """Return a stream's last two snapshots, newest first."""
        wanted = sa.select(SNAPSHOTS).where(SNAPSHOTS.c.stream == stream).order_by(SNAPSHOTS.c.sequence.desc())
        rows = self._read(lambda connection: connection.execute(wanted).mappings().all())
        return tuple(StoredSnapshot(**row) for row in rows)

    def acquire(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> Lease | None:
        """Take a lease that is free, expired or already this owner's under a new token, or return None."""
        return next(iter(self.acquire_all([name], owner, now_ms=now_ms, until_ms=until_ms)), None)

    def renew(self, lease: Lease, *, until_ms: int) -> Lease | None:
        """Extend a lease whose token is still the latest, or return None."""
        return next(iter(self.renew_all([lease], until_ms=until_ms)), None)

    def release(self, lease: Lease) -> None:
        """Release a lease if it is still held."""
        self.release_all([lease])

    def acquire_all(self, names: Collection[str], owner: str, *, now_ms: int, until_ms: int) -> tuple[Lease, ...]:
        """Take those of the leases that are free, expired or already this owner's, each under a new token."""
        fresh = sa.or_(LEASES.c.owner.in_(["", owner]), LEASES.c.until_ms <= now_ms)

        def acquired(connection: sa.Connection) -> tuple[Lease, ...]:
            taken: list[Lease] = []
            for name in sorted(names):  # in the same order in which a commit locks them
                # A lease that was never held starts at token 0, which is never issued.
                first = {"name": name, "owner": "", "token": 0, "until_ms": 0}
                connection.execute(insert_into(connection, LEASES).on_conflict_do_nothing(), [first])
                change = sa.update(LEASES).where(LEASES.c.name == name, fresh)
                change = change.values(owner=owner, token=LEASES.c.token + 1, until_ms=until_ms)
                token = connection.scalar(change.returning(LEASES.c.token))
                if token is not None:
                    taken.append(Lease(name, owner, token, until_ms))
            self._tell_of_leases(connection, is_changed=bool(taken))
            return tuple(taken)

        return self._written(acquired)

    def renew_all(self, leases: Collection[Lease], *, until_ms: int) -> tuple[Lease, ...]:
        """Extend those of the leases whose token is still the latest, and return them."""
        in_order = sorted(leases, key=attrgetter("name"))

        def renewed(connection: sa.Connection) -> set[str]:
            found: set[str] = set()
            for at in range(0, len(in_order), LEASES_AT_ONCE):
                part = {(lease.name, lease.owner, lease.token) for lease in in_order[at : at + LEASES_AT_ONCE]}
                # Locked by name first, in the same order in which a commit locks them.
                named = sa.select(LEASES).where(LEASES.c.name.in_(sorted(name for name, _, _ in part)))
                rows = connection.execute(named.order_by(LEASES.c.name).with_for_update()).all()
                held = [row.name for row in rows if (row.name, row.owner, row.token) in part]
                if held:
                    connection.execute(sa.update(LEASES).where(LEASES.c.name.in_(held)).values(until_ms=until_ms))
                found.update(held)
            return found

        still = self._written(renewed)
        return tuple(replace(lease, until_ms=until_ms) for lease in in_order if lease.name in still)

    def release_all(self, leases: Collection[Lease]) -> None:
        """Release those of the leases that are still held."""
        in_order = sorted(leases, key=attrgetter("name"))

        def released(connection: sa.Connection) -> None:
            changed = [connection.execute(_held(lease).values(owner="", until_ms=0)).rowcount for lease in in_order]
            self._tell_of_leases(connection, is_changed=any(changed))

        self._written(released)

    def leases(self) -> tuple[int, tuple[Lease, ...]]:
        """Return the time by the database's clock, which all processes share, and every held lease."""
        wanted = sa.select(LEASES).where(LEASES.c.owner != "").order_by(LEASES.c.name)

        def held(connection: sa.Connection) -> tuple[int, tuple[Lease, ...]]:
            found = tuple(Lease(**row) for row in connection.execute(wanted).mappings())
            now_ms: int = connection.scalar(_NOW_MS[self._engine.dialect.name])
            return now_ms, found

        return self._read(held)

    def announce(self, topic: str, said: Any) -> None:
        """Tell every process of this record something that isn't recorded."""
        assert self.is_shared, "only a shared record has other processes"
        self._written(lambda connection: postgres_rows.tell(connection, [(topic, said)]))

    def _tell_of_leases(self, connection: sa.Connection, *, is_changed: bool) -> None:
        if is_changed and self.is_shared:
            postgres_rows.tell(connection, [(postgres_rows.LEASES_MOVED, 0)])

    @property
    def is_broken(self) -> bool:
        """Say whether the storage failed and cannot be trusted again."""
        return self._broken is not None

    @property
    def is_shared(self) -> bool:
        """Say whether several processes may run the tables of this record."""
        return self._engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Release the storage."""
        self._engine.dispose()

    def _weighed(self, connection: sa.Connection, batches: Sequence[Batch]) -> Weighing:
        askable = [batch for batch in batches if has_names(batch)]
        # Locks are taken in one order, leases before heads and each by name, so that two writers can't deadlock.
        leases = sorted({batch.lease.name for batch in askable if batch.lease})
        names = sorted({stream for batch in askable for stream in batch.expected})
        known = {name: self._known[name] for name in names if name in self._known}
        found = self._rows.find(connection, leases, names, [batch.by.command for batch in askable])
        tokens = {name: (owner, token) for name, owner, token in found.leases}
        heads = self._checked_heads(found.heads, known, known)
        kept, refused = self._kept(found.commands)
        weighing = Weighing(heads, kept, tokens, self.alterations.stopped, refused)
        refused_commands: list[str] = []
        for batch in batches:
            weighing.weigh(batch)
            if isinstance(weighing.outcomes[-1], Conflict | LeaseLost):
                refused_commands.append(batch.by.command)
        # A command that was committed while its stream's lock was awaited is on disk, and not in conflict with itself.
        if (
            refused_commands
            and self.is_shared
            and any(True for _ in self._rows.find_commands(connection, refused_commands))
        ):
            raise _Raced
        return weighing

    def _checked_heads(
        self, rows: Iterable[Row], known: Mapping[str, Head], awaited: Collection[str]
    ) -> dict[str, Head]:
        heads: dict[str, Head] = {}
        missing = set(awaited)
        for stream, sequence, hash_, tag in rows:
            head = Head(sequence, hash_)
            missing.discard(stream)
            if self._is_sound_end(stream, head, tag, known.get(stream, Head())):
                heads[stream] = head
        for stream in sorted(missing):
            self.alterations.stop(stream, f"Stream {stream} is missing; it had reached entry {known[stream].sequence}.")
        return heads

    def _is_sound_end(self, stream: str, head: Head, tag: str, known: Head) -> bool:
        if self._tags is None or head == known:
            return True
        if head.sequence <= known.sequence:
            says = f"Stream {stream} ends at entry {head.sequence}, but entry {known.sequence} had been written to it."
        elif not self._tags.is_head(stream, head, tag):
            says = f"Stream {stream} was altered: its end, entry {head.sequence} of {stream}, isn't the house's."
        else:
            self._known[stream] = head
            return True
        self.alterations.stop(stream, says)
        return False

    def _kept(self, rows: Iterable[Row]) -> tuple[dict[str, KeptCommand], dict[str, str]]:
        found: dict[str, KeptCommand] = {}
        refused: dict[str, str] = {}
        for id_, digest, written, tag in rows:
            if self._tags is not None and not self._tags.is_row(tag, COMMAND, id_, digest, written):
                refused[id_] = f"What the database says about command {id_} was altered."
                self.alterations.tell(refused[id_])
                continue
            places = tuple((stream, first, last) for stream, first, last in json.loads(written))
            found[id_] = KeptCommand(id_, digest, places)
        return found, refused

    def _keep(self, connection: sa.Connection, snapshot: StoredSnapshot) -> None:
        put(connection, SNAPSHOTS, [asdict(snapshot)])
        of_stream = SNAPSHOTS.c.stream == snapshot.stream
        newest = sa.select(SNAPSHOTS.c.sequence).where(of_stream).order_by(SNAPSHOTS.c.sequence.desc()).limit(2)
        oldest = connection.scalars(newest).all()[-1]
        connection.execute(sa.delete(SNAPSHOTS).where(of_stream, SNAPSHOTS.c.sequence < oldest))

    def _checked(self, stream: str, after: int, until: int | None, kinds: Collection[str]) -> Iterator[str]:
        tags = self._tags
        for sequence, line, tag in self._pages(stream, after, until, kinds):
            if tags is not None:
                if not kinds and sequence != after + 1:
                    self.alterations.stop(stream, f"Entry {after + 1} of {stream} is missing.")
                    return
                after = sequence
                if not self._is_own_line(stream, sequence, line, tag):
                    says = f"Entry {sequence} of {stream} was altered, or wasn't written by the house."
                    self.alterations.stop(stream, says)
                    return
            yield line

    def _pages(
        self, stream: str, after: int, until: int | None, kinds: Collection[str]
    ) -> Iterator[tuple[int, str, str]]:
        asked: dict[str, Any] = {"stream": stream, "until": LAST if until is None else until}
        if kinds:
            asked["kinds"] = sorted(kinds)
        while True:
            asked["after"] = after
            rows = self._read(lambda connection: connection.execute(_PAGE_OF_KINDS if kinds else _PAGE, asked).all())
            yield from map(tuple, rows)
            if len(rows) < PAGE_ROWS:
                return
            after = rows[-1][0]

    def _read(self, work: Callable[[sa.Connection], Found]) -> Found:
        with self._faults():
            return read_whole(self._engine, work)

    def _written(self, work: Callable[[sa.Connection], Found]) -> Found:
        for tried in range(1, TRIES_MAX + 1):
            with suppress(_Raced), self._transaction(is_last_try=tried == TRIES_MAX) as connection:
                return work(connection)
        raise AssertionError("the last try returns or raises")

    @contextmanager
    def _transaction(self, *, is_last_try: bool) -> Iterator[sa.Connection]:
        with self._writing, self._faults():
            try:
                with self._writer.begin() as connection:
                    yield connection
            except DBAPIError as fault:
                # A process that was paused finds its session ended by the database. A retry is safe: it waits for
                # anything the lost session is still doing, and a command already on disk is found by its id.
                is_lost = fault.connection_invalidated
                # Nothing was written: another process got to a stream or a command first. Read again what it wrote.
                is_raced = isinstance(fault, IntegrityError) or is_worth_another_try(fault)
                if (is_lost or is_raced) and not is_last_try:
                    raise _Raced from None
                raise

    @contextmanager
    def _faults(self) -> Iterator[None]:
        if self._broken:
            raise self._broken
        try:
            yield
        except SQLAlchemyError as fault:
            named = fault_of(fault)
            if isinstance(named, StoreBroken):
                self._broken = named
            raise named from None


def _names(head: Head, line: str) -> bool:
    return head_of(entry_of(line)) == head


def _is_own(row: Mapping[str, Any], tags: RowTags) -> bool:
    line, tag = row["line"], row["tag"]
    if not tags.is_entry(line, tag) or not line.endswith(place_of(row["stream"], row["sequence"])):
        return False
    return {**row_of(entry_of(line), line, None), "tag": tag, "position": row["position"]} == dict(row)


def _own(batches: Sequence[Batch], weighing: Weighing) -> dict[str, tuple[Entry, ...]]:
    outcomes = zip(batches, weighing.outcomes, strict=True)
    return {batch.by.command: outcome.entries for batch, outcome in outcomes if isinstance(outcome, Committed)}


class _Raced(Exception):
    pass


def _held(lease: Lease) -> sa.Update:
    name, owner, token, _ = astuple(lease)
    return sa.update(LEASES).where(LEASES.c.name == name, LEASES.c.owner == owner, LEASES.c.token == token)
