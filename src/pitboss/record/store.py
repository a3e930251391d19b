"""The event store's interface: batches committed completely and durably, at most once, in one hash chain per stream."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, Protocol, TextIO

from pitboss.record.entries import Circumstances, Draft, Entry, Head, chained_line, digest, entry_of, head_of


class StoreFault(Exception):
    """The storage failed to do what was requested."""


class StoreFull(StoreFault):
    """The storage is full: nothing in this request was recorded, and wagering must stop."""


class StoreBroken(StoreFault):
    """The storage failed and can't be trusted again: the process must stop without a retry."""


class StoreBusy(StoreFault):
    """Another process held the storage too long: nothing was recorded, and a retry is allowed."""


class StoreUnreachable(StoreFault):
    """There is no storage at this location, or it isn't writable."""


class NewerDatabase(StoreFault):
    """The database was written by a newer version of this program."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A hold on something until a time; each new holder's token is greater than all earlier ones."""

    name: str
    owner: str
    token: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What one command writes: recorded completely or not at all."""

    drafts: tuple[Draft, ...]
    expected: Mapping[str, Head | None]  # of every stream written, and of any that was only read; None: any head
    by: Circumstances
    digest: str  # identifies the command's body, see body_digest
    lease: Lease | None = None  # its token must still be the latest

    def __post_init__(self) -> None:
        unnamed = {draft.stream for draft in self.drafts} - self.expected.keys()
        assert not unnamed, f"a batch writes {', '.join(sorted(unnamed))} but gives no expected head"


@dataclass(frozen=True, slots=True)
class Committed:
    """The batch is on disk."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Repeated:
    """The same command was already recorded, with these entries."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A stream doesn't end where the batch expected it to."""

    stream: str
    head: Head


@dataclass(frozen=True, slots=True)
class AnotherBody:
    """A command with this id was recorded with a different body."""

    command: str


@dataclass(frozen=True, slots=True)
class LeaseLost:
    """Someone else has taken the lease since."""

    name: str


@dataclass(frozen=True, slots=True)
class Unwritable:
    """The batch contains something no record can hold: a float, an invalid character, a key that isn't text."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Something this batch depends on was altered in the database; the sentence says what."""

    says: str


Outcome = Committed | Repeated | Conflict | AnotherBody | LeaseLost | Unwritable | Stopped


@dataclass(frozen=True, slots=True)
class KeptCommand:
    """An accepted command: the digest of its body and where its entries are."""

    id: str
    digest: str
    places: tuple[tuple[str, int, int], ...]  # stream, first and last sequence, in the order written


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """A stream's state after an entry, sealed; the store doesn't look inside."""

    stream: str
    sequence: int
    hash: str  # of the entry it was taken after
    fold: str  # which version of which fold made it
    state: bytes


class Store(Protocol):
    """Stores the record; every method that writes returns when the data is on disk."""

    @property
    def is_shared(self) -> bool:
        """Say whether several processes may run the tables of this record."""
        ...

    def commit(self, batches: Sequence[Batch], snapshots: Sequence[StoredSnapshot] = ()) -> list[Outcome]:
        """Record batches in one transaction with their snapshots, and return the outcome of each batch."""
        ...

    def read(self, stream: str, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """Yield a stream's entries after a sequence, of some kinds or of all, up to the first that was altered."""
        ...

    def lines(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[str]:
        """Yield a stream's lines, after one sequence and up to another, up to the first that was altered."""
        ...

    def unchecked_lines(self, stream: str, until: int | None = None) -> Iterator[str]:
        """Yield a stream's lines as the database has them, no matter who wrote them, for a verifier to judge."""
        ...

    def heads(self, streams: Collection[str] | None = None) -> dict[str, Head]:
        """Return where every stream ends, or these of them."""
        ...

    def standing(self, heads: Mapping[str, Head]) -> set[str]:
        """Return those of the streams whose entry at this sequence is the one that the head names."""
        ...

    def command(self, command: str) -> KeptCommand | None:
        """Return what is stored about a command, if it was accepted."""
        ...

    def snapshots(self, stream: str) -> tuple[StoredSnapshot, ...]:
        """Return a stream's last two snapshots, newest first."""
        ...

    def acquire(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> Lease | None:
        """Take a lease that is free, expired or already this owner's under a new token, or return None."""
        ...

    def renew(self, lease: Lease, *, until_ms: int) -> Lease | None:
        """Extend a lease whose token is still the latest, or return None."""
        ...

    def release(self, lease: Lease) -> None:
        """Release a lease if it is still held."""
        ...

    def close(self) -> None:
        """Release the storage."""
        ...


class Writer(Protocol):
    """Commits batches, many at once, and answers when they are on disk."""

    async def commit(self, batch: Batch) -> Outcome:
        """Return the outcome of a batch."""
        ...

    def keep(self, snapshot: StoredSnapshot) -> None:
        """Save a snapshot with the next commit."""
        ...


def body_digest(actor: str, body: Any) -> str:
    """Return the digest of a command's body; the same body from another person has another digest."""
    return digest([actor, body])


def is_name(text: str) -> bool:
    """Say whether every store can keep a sender's text in a column."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def has_names(batch: Batch) -> bool:
    """Say whether every store can keep those texts of a batch that have columns."""
    kinds = (draft.kind for draft in batch.drafts)
    return is_name("".join((batch.by.command, batch.by.actor, *batch.expected, *kinds)))


def streams(store: Store) -> tuple[str, ...]:
    """Return the names of all streams, in log order."""
    return tuple(sorted(store.heads()))


def entries_of(store: Store, kept: KeptCommand) -> tuple[Entry, ...]:
    """Return the entries that a command wrote."""
    places = ((stream, first - 1, last) for stream, first, last in kept.places)
    entries = tuple(entry_of(line) for place in places for line in store.lines(*place))
    if len(entries) < sum(last - first + 1 for _, first, last in kept.places):
        raise StoreFault(f"The record was altered: entries of command {kept.id} are missing.")
    return entries


def known(store: Store, command_id: str, digest: str) -> Repeated | AnotherBody | None:
    """Return the outcome of sending a recorded command id again with this body, or None if the id is new."""
    kept = store.command(command_id)
    if kept is None:
        return None
    return Repeated(entries_of(store, kept)) if kept.digest == digest else AnotherBody(command_id)


def export(store: Store, out: TextIO) -> int:
    """Write the whole record as JSON Lines in canonical order and return how many entries there are."""
    count = 0
    heads = store.heads()  # entries appended from here on belong to the next export
    for stream in sorted(heads):
        for line in store.unchecked_lines(stream, heads[stream].sequence):
            out.write(f"{line}\n")
            count += 1
    return count


@dataclass(slots=True)
class Weighing:
    """Checks batches against the store's contents: what to write, and the outcome of each batch."""

    heads: dict[str, Head]  # of the streams the batches name; the same goes for the fields below
    commands: dict[str, KeptCommand]
    tokens: dict[str, tuple[str, int]]  # by lease: owner and token
    stopped: Mapping[str, str] = field(default_factory=dict)  # by stream: what was altered there
    refused: Mapping[str, str] = field(default_factory=dict)  # by command: what was altered about it
    written: list[Entry] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # of the entries written
    kept: list[KeptCommand] = field(default_factory=list)
    outcomes: list[Outcome | KeptCommand] = field(default_factory=list)  # a kept command still has to be read

    def weigh(self, batch: Batch) -> None:
        """Check one batch after those before it."""
        self.outcomes.append(self._against(batch) or self._written(batch))

    def _against(self, batch: Batch) -> Outcome | KeptCommand | None:
        if not has_names(batch):
            return Unwritable("a name must be text without NUL or invalid characters")
        if batch.by.command in self.refused:
            return Stopped(self.refused[batch.by.command])
        known = self.commands.get(batch.by.command)
        if known is not None:
            return known if known.digest == batch.digest else AnotherBody(batch.by.command)
        lease = batch.lease
        if lease is not None and self.tokens.get(lease.name) != (lease.owner, lease.token):
            return LeaseLost(lease.name)
        for stream, expected in batch.expected.items():
            if stream in self.stopped:
                return Stopped(self.stopped[stream])
            head = self.heads.get(stream, Head())
            if expected is not None and expected != head:
                return Conflict(stream, head)
        return None

    def _written(self, batch: Batch) -> Committed | Unwritable:
        entries: list[Entry] = []
        lines: list[str] = []
        heads: dict[str, Head] = {}
        try:
            for draft in batch.drafts:
                head = heads.get(draft.stream) or self.heads.get(draft.stream, Head())
                entry, line = chained_line(head, draft, batch.by)
                entries.append(entry)
                lines.append(line)
                heads[draft.stream] = head_of(entry)
        except (ValueError, RecursionError) as fault:
            return Unwritable(str(fault))
        kept = KeptCommand(batch.by.command, batch.digest, _places(entries))
        self.heads |= heads
        self.written.extend(entries)
        self.lines.extend(lines)
        self.kept.append(kept)
        self.commands[kept.id] = kept
        return Committed(tuple(entries))


def _places(entries: Sequence[Entry]) -> tuple[tuple[str, int, int], ...]:
    places: list[tuple[str, int, int]] = []
    for stream, run in groupby(entries, attrgetter("stream")):
        numbers = [entry.sequence for entry in run]
        places.append((stream, numbers[0], numbers[-1]))
    return tuple(places)
