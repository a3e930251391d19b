"""The log of all entries as a Merkle tree: new entries become leaves, and each new size is signed as a checkpoint."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from pitboss.record.alterations import Alterations
from pitboss.record.checkpoints import Checkpoint, MalformedNote, Note, is_signed_by, note_of
from pitboss.record.entries import Head, canonical
from pitboss.record.merkle import BLOCK_LEAVES, Hash, Tree, block_hash, leaf_hash
from pitboss.record.signing_keys import SigningKeys, verifier_for
from pitboss.record.sql_engine import fault_of, read_whole, write_whole
from pitboss.record.sql_tables import METADATA, put
from pitboss.record.start_check import backward
from pitboss.record.store import Store, StoreBusy
from pitboss.record.system_interface import AppendOnly

LATEST, WITNESSED = "latest", "witnessed"
TRIES = 20
RANGES = sa.Table(
    "tree_ranges",
    METADATA,
    sa.Column("first", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("stream", sa.Text),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("count", sa.BigInteger),
)
BLOCKS = sa.Table(
    "tree_blocks",
    METADATA,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.Text),
)
CHECKPOINTS = sa.Table(
    "checkpoints",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("size", sa.BigInteger),
    sa.Column("note", sa.Text),
)


class Range(NamedTuple):
    """Leaves that are consecutive entries of one stream."""

    first: int
    stream: str
    sequence: int
    length: int


class TreeStopped(Exception):
    """The tree in the database isn't the one that was signed, so nothing more is signed; the message says why."""


class TreeLog:
    """The tree of a record. Its rows are only a cache: what they give is compared with what was signed."""

    def __init__(
        self,
        engine: sa.Engine,
        store: Store,
        keys: SigningKeys,
        file: AppendOnly,
        alterations: Alterations,
        signed: Sequence[str] = (),  # notes of this record that were exported before, such as the file's last
    ) -> None:
        self._engine, self._store, self._keys, self._file = engine, store, keys, file
        self._alterations = alterations
        self._lock = threading.Lock()
        self._blocks: list[Hash] = []
        self._partial: list[Hash] = []  # the leaves after the last complete block
        self._ends: dict[str, int] = {}
        self.stopped: str | None = None
        self.latest: Note | None = None
        self._exported = 0  # how many leaves the file's lines cover
        self.added = 0  # streams that moved between the last two checkpoints
        self._check_ends()
        try:
            self._open([*signed, *(row.note for row in self._rows(sa.select(CHECKPOINTS)))])
        except TreeStopped as fault:
            self._stop(str(fault))

    @property
    def size(self) -> int:
        """Return how many leaves the tree has."""
        return len(self._blocks) * BLOCK_LEAVES + len(self._partial)

    def advance(self, heads: Mapping[str, Head]) -> Note | None:
        """Make every entry up to these heads a leaf, and return the signed checkpoint; None if none may be signed."""
        with self._lock:
            if self.stopped:
                return None
            try:
                for _ in range(TRIES):
                    self._catch_up()
                    if self._appended(heads):
                        return self.latest
            except TreeStopped as fault:
                self._stop(str(fault))
                return None
            raise StoreBusy("Other processes keep adding to the tree of entries. Try again.")

    def consistency(self, old: int, size: int) -> list[Hash]:
        """Return the proof that the tree of this size begins with the tree of the old size."""
        with self._lock:
            return self._tree().consistency(old, size) if old else []

    def inclusion(self, stream: str, sequence: int, size: int) -> tuple[int, list[Hash]] | None:
        """Return an entry's place in the tree and the proof that it is there, or None if it isn't yet."""
        wanted = sa.select(RANGES).where(RANGES.c.stream == stream, RANGES.c.sequence <= sequence)
        found = self._ranges(wanted.order_by(RANGES.c.sequence.desc()).limit(1))
        if not found or sequence >= found[0].sequence + found[0].length:
            return None
        index = found[0].first + sequence - found[0].sequence
        if index >= size:
            return None
        with self._lock:
            return index, self._tree().inclusion(index, size)

    def keep_witnessed(self, note: Note) -> None:
        """Store the last checkpoint that a witness cosigned."""
        row = {"name": WITNESSED, "size": note.checkpoint.size, "note": note.text()}
        write_whole(self._engine, lambda connection: put(connection, CHECKPOINTS, [row]))

    def witnessed(self) -> Note | None:
        """Return the last checkpoint that a witness cosigned."""
        rows = self._rows(sa.select(CHECKPOINTS).where(CHECKPOINTS.c.name == WITNESSED))
        return note_of(rows[0].note) if rows else None

    def _open(self, notes: Sequence[str]) -> None:
        known = [note for text in notes if (note := self._own(text)) is not None]
        rows = self._rows(sa.select(BLOCKS).order_by(BLOCKS.c.number))
        self._blocks = [bytes.fromhex(row.hash) for row in rows]
        self._load()
        for note in sorted(known, key=lambda note: note.checkpoint.size):
            self._check(note.checkpoint)
            self.latest = note
        self._exported = self.latest.checkpoint.size if self.latest else 0

    def _check_ends(self) -> None:
        # Heads are signed every minute and checkpoints every second: a stream that went back in between is found here.
        ends = sa.select(RANGES.c.stream, sa.func.max(RANGES.c.sequence + RANGES.c.count - 1)).group_by(RANGES.c.stream)
        self._ends = {row[0]: int(row[1]) for row in self._rows(ends)}
        reached = self._store.heads()
        for stream, end in sorted(self._ends.items()):
            last = reached.get(stream, Head()).sequence
            if last < end and stream not in self._alterations.stopped:
                says = f"Stream {stream} ends at entry {last}, but a signed checkpoint covers entry {end}."
                self._alterations.stop(stream, says)

    def _own(self, text: str) -> Note | None:
        try:
            note = note_of(text)
        except MalformedNote:
            return None
        signers = (verifier_for(self._keys.origin, public) for public in self._keys.publics())
        return note if any(is_signed_by(note, signer) for signer in signers) else None

    def _check(self, signed: Checkpoint) -> None:
        if signed.size > self.size:
            raise TreeStopped(
                f"The database lists {self.size:,} entries in order, but a checkpoint was signed over {signed.size:,}."
            )
        if self._tree().root(signed.size) == signed.root:
            return
        self._blocks = []  # someone may have altered only the cache of block hashes
        self._load()
        if self._tree().root(signed.size) != signed.root:
            raise TreeStopped(f"The first {signed.size:,} entries aren't those that were signed as a checkpoint.")

    def _load(self) -> None:
        # The leaves after the complete blocks are read again from the entries.
        total = self._rows(sa.select(sa.func.max(RANGES.c.first + RANGES.c.count)))[0][0] or 0
        self._partial = []
        start = len(self._blocks) * BLOCK_LEAVES
        if start > total:
            self._blocks, start = [], 0
        for hash_ in self._read_leaves(start, total):
            self._push(hash_)

    def _catch_up(self) -> None:
        added = self._ranges(sa.select(RANGES).where(RANGES.c.first >= self.size).order_by(RANGES.c.first))
        for found in added:
            if found.first != self.size:
                raise TreeStopped(f"The order of the entries was altered: leaf {self.size} is missing.")
            for hash_ in self._lines(found.stream, found.sequence, found.length):
                self._push(hash_)
            self._ends[found.stream] = found.sequence + found.length - 1

    def _appended(self, heads: Mapping[str, Head]) -> bool:
        added: list[Range] = []
        leaves: list[Hash] = []
        for stream in sorted(heads):
            after = self._ends.get(stream, 0)
            if heads[stream].sequence <= after or stream in self._alterations.stopped:
                continue
            new = [leaf_hash(line) for line in self._store.lines(stream, after, heads[stream].sequence)]
            if new:
                added.append(Range(self.size + len(leaves), stream, after + 1, len(new)))
                leaves += new
        size = self.size + len(leaves)
        is_signed = not added and self.latest is not None and self.latest.checkpoint.size == size
        if size == 0 or (is_signed and not self._is_rotated()):
            return True
        before = list(self._blocks), list(self._partial)
        for hash_ in leaves:
            self._push(hash_)
        note = self._keys.signed(Checkpoint(self._keys.origin, size, self._tree().root(size)))
        try:
            write_whole(self._engine, lambda connection: self._write(connection, added, len(before[0]), note))
        except IntegrityError:
            self._blocks, self._partial = before  # another process was first: its leaves are read, then ours
            return False
        except SQLAlchemyError as fault:
            self._blocks, self._partial = before
            raise fault_of(fault) from None
        self._ends |= {found.stream: found.sequence + found.length - 1 for found in added}
        self.added = len(added)
        self.latest = note
        self._export(note)
        return True

    def _write(self, connection: sa.Connection, added: Sequence[Range], blocks: int, note: Note) -> None:
        if added:
            rows = [dict(zip(RANGES.c.keys(), found, strict=True)) for found in added]
            connection.execute(sa.insert(RANGES), rows)
        new = [{"number": number, "hash": self._blocks[number].hex()} for number in range(blocks, len(self._blocks))]
        if new:
            put(connection, BLOCKS, new)
        put(connection, CHECKPOINTS, [{"name": LATEST, "size": note.checkpoint.size, "note": note.text()}])

    def _export(self, note: Note) -> None:
        from_ = 0 if self._file.is_empty() else self._exported  # each file can be checked on its own
        order = self._ranges(sa.select(RANGES).where(RANGES.c.first >= from_).order_by(RANGES.c.first))
        ranges = [[found.stream, found.sequence, found.length] for found in order if found.first < note.checkpoint.size]
        self._file.append(canonical({"from": from_, "ranges": ranges, "note": note.text()}) + "\n")
        self._exported = note.checkpoint.size

    def signed_with(self) -> str:
        """Return the public key that signed the last checkpoint, or that will sign the first."""
        *before, current = self._keys.publics()
        return before[-1] if before and self._is_rotated() else current

    def _is_rotated(self) -> bool:
        current = verifier_for(self._keys.origin, self._keys.publics()[-1])
        return self.latest is not None and not is_signed_by(self.latest, current)

    def _push(self, hash_: Hash) -> None:
        self._partial.append(hash_)
        if len(self._partial) == BLOCK_LEAVES:
            self._blocks.append(block_hash(self._partial))
            self._partial = []

    def _tree(self) -> Tree:
        return Tree(self._blocks, self._leaves)

    def _leaves(self, begin: int, end: int) -> Sequence[Hash]:
        start = len(self._blocks) * BLOCK_LEAVES
        if begin >= start:
            return self._partial[begin - start : end - start]
        return list(self._read_leaves(begin, end))

    def _read_leaves(self, begin: int, end: int) -> Iterator[Hash]:
        within = sa.and_(RANGES.c.first < end, RANGES.c.first + RANGES.c.count > begin)
        for found in self._ranges(sa.select(RANGES).where(within).order_by(RANGES.c.first)):
            skipped = max(0, begin - found.first)
            count = min(found.length, end - found.first) - skipped
            yield from self._lines(found.stream, found.sequence + skipped, count)

    def _lines(self, stream: str, sequence: int, count: int) -> list[Hash]:
        lines = self._store.lines(stream, sequence - 1, sequence + count - 1)
        found = [leaf_hash(line) for line in lines]
        if len(found) != count:
            raise TreeStopped(f"Entry {sequence + len(found)} of {stream}, which a checkpoint covers, is missing.")
        return found

    def _ranges(self, wanted: sa.Select[Any]) -> list[Range]:
        return [Range(row[0], row[1], row[2], row[3]) for row in self._rows(wanted)]

    def _rows(self, wanted: sa.Select[Any]) -> Sequence[Any]:
        try:
            return read_whole(self._engine, lambda connection: connection.execute(wanted).all())
        except SQLAlchemyError as fault:
            raise fault_of(fault) from None

    def _stop(self, says: str) -> None:
        self.stopped = says
        self._alterations.tell(f"{says} No more checkpoints are signed.")


def last_note(path: Path) -> str | None:
    """Return the note in the last line of exported checkpoints that is whole."""
    for line in backward(path):
        try:
            return str(json.loads(line)["note"])
        except (ValueError, KeyError, TypeError):
            continue  # a killed process left half a line
    return None
