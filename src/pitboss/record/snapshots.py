"""Snapshots: a stream's state kept now and then, sealed, so that a restart folds only what came after."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from pitboss.record.entries import Entry, Head, canonical, digest, head_of
from pitboss.record.store import Store, StoreBroken, StoredSnapshot

State = TypeVar("State")
EVERY = 200
_NONCE_BYTES = 12


class Fold(NamedTuple, Generic[State]):
    """How a stream's state follows from its entries, and how it is written down."""

    name: str  # changes whenever another state follows from the same entries: older snapshots are then left aside
    empty: Callable[[], State]
    evolve: Callable[[State, Entry], State]
    to_data: Callable[[State], Any]
    from_data: Callable[[Any], State]


class Restored(NamedTuple, Generic[State]):
    """A stream's state, where the stream ends, and how many entries were folded to get there."""

    state: State
    head: Head
    folded: int


class Snapshots:
    """Keeps and finds snapshots; they hold hidden cards, so they are sealed like them."""

    def __init__(self, store: Store, key: bytes, every: int = EVERY) -> None:
        self._store = store
        self._cipher = AESGCMSIV(key)
        self._every = every

    def is_due(self, before: Head, after: Head) -> bool:
        """Say whether a commit took a stream past a place where a snapshot is kept."""
        return before.sequence // self._every != after.sequence // self._every

    def keep(self, stream: str, head: Head, fold: Fold[State], state: State) -> None:
        """Keep a state as it stands after a stream's head, at once."""
        self._store.commit([], [self.sealed(stream, head, fold, state)])

    def sealed(self, stream: str, head: Head, fold: Fold[State], state: State) -> StoredSnapshot:
        """Return a state as it is kept; a writer can keep it together with its next batches."""
        plain = canonical(fold.to_data(state)).encode()
        sealed = self._cipher.encrypt(_nonce(head), plain, _place(stream, head, fold.name))
        return StoredSnapshot(stream, head.sequence, head.hash, fold.name, sealed)

    def restore(self, stream: str, fold: Fold[State]) -> Restored[State]:
        """Return a stream's state from its newest sound snapshot and the entries after it, each link checked."""
        for stored in self._store.snapshots(stream):
            head = Head(stored.sequence, stored.hash)
            plain = self._opened(stored, head) if stored.fold == fold.name else None
            entries = self._store.read(stream, head.sequence - 1)
            stands_after = next(entries, None) if plain is not None else None
            if plain is not None and stands_after is not None and head_of(stands_after) == head:
                return _folded(entries, fold, fold.from_data(json.loads(plain)), head)
        return _folded(self._store.read(stream), fold, fold.empty(), Head())

    def opened(self, stored: StoredSnapshot, fold: str) -> Any:
        """Return what a snapshot holds as plain data, or None where it is unsound or of another fold."""
        plain = self._opened(stored, Head(stored.sequence, stored.hash)) if stored.fold == fold else None
        return None if plain is None else json.loads(plain)

    def _opened(self, stored: StoredSnapshot, head: Head) -> bytes | None:
        try:
            return self._cipher.decrypt(_nonce(head), stored.state, _place(stored.stream, head, stored.fold))
        except (InvalidTag, ValueError):
            return None  # changed, or sealed under a key that is no longer in use: the entries say it all again


def _folded(entries: Iterator[Entry], fold: Fold[State], state: State, head: Head) -> Restored[State]:
    start = head.sequence
    for entry in entries:
        if not _follows(entry, head):
            raise StoreBroken(f"The record is damaged: {entry.stream} has no sound entry {head.sequence + 1}.")
        state = fold.evolve(state, entry)
        head = head_of(entry)
    return Restored(state, head, head.sequence - start)


def _follows(entry: Entry, head: Head) -> bool:
    if (entry.sequence, entry.previous) != (head.sequence + 1, head.hash):
        return False
    fields = entry._asdict()
    return bool(digest({name: fields[name] for name in fields if name != "hash"}) == entry.hash)


def _nonce(head: Head) -> bytes:
    return head.sequence.to_bytes(_NONCE_BYTES, "big")


def _place(stream: str, head: Head, fold: str) -> bytes:
    return canonical([stream, *head, fold]).encode()
