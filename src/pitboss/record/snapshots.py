"""Snapshots: a stream's state, saved from time to time and sealed, so that a restart replays only later entries."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from pitboss.record.entries import Entry, Head, canonical, follows, head_of
from pitboss.record.store import Store, StoreBroken, StoredSnapshot

State = TypeVar("State")
EVERY = 200
_NONCE_BYTES = 12


class Fold(NamedTuple, Generic[State]):
    """How a stream's state is computed from its entries, and how it is serialized."""

    name: str  # change this whenever the same entries give a different state: older snapshots are then ignored
    empty: Callable[[], State]
    evolve: Callable[[State, Entry], State]
    to_data: Callable[[State], Any]
    from_data: Callable[[Any], State]


class Restored(NamedTuple, Generic[State]):
    """A stream's state, where the stream ends, and how many entries were replayed to get there."""

    state: State
    head: Head
    folded: int


class Snapshots:
    """Saves and finds snapshots; they contain hidden cards, so they are sealed as cards are."""

    def __init__(self, store: Store, key: bytes, every: int = EVERY) -> None:
        self._store = store
        self._cipher = AESGCMSIV(key)
        self._every = every

    def is_due(self, before: Head, after: Head) -> bool:
        """Say whether a commit took a stream past a point where a snapshot is saved."""
        return before.sequence // self._every != after.sequence // self._every

    def keep(self, stream: str, head: Head, fold: Fold[State], state: State) -> None:
        """Save the state after a stream's head immediately."""
        self._store.commit([], [self.sealed(stream, head, fold, state)])

    def sealed(self, stream: str, head: Head, fold: Fold[State], state: State) -> StoredSnapshot:
        """Return a sealed snapshot of a state; a writer can save it with its next batches."""
        plain = canonical(fold.to_data(state)).encode()
        sealed = self._cipher.encrypt(_nonce(head), plain, _place(stream, head, fold.name))
        return StoredSnapshot(stream, head.sequence, head.hash, fold.name, sealed)

    def restore(self, stream: str, fold: Fold[State]) -> Restored[State]:
        """Return a stream's state from its newest valid snapshot and the entries after it, checking each link."""
        for stored in self._store.snapshots(stream):
            head = Head(stored.sequence, stored.hash)
            plain = self._opened(stored, head) if stored.fold == fold.name else None
            entries = self._store.read(stream, head.sequence - 1)
            stands_after = next(entries, None) if plain is not None else None
            if plain is not None and stands_after is not None and head_of(stands_after) == head:
                return _folded(entries, fold, fold.from_data(json.loads(plain)), head)
        return _folded(self._store.read(stream), fold, fold.empty(), Head())

    def opened(self, stored: StoredSnapshot, fold: str) -> Any:
        """Return a snapshot's contents as plain data, or None if it is invalid or from another fold."""
        plain = self._opened(stored, Head(stored.sequence, stored.hash)) if stored.fold == fold else None
        return None if plain is None else json.loads(plain)

    def _opened(self, stored: StoredSnapshot, head: Head) -> bytes | None:
        try:
            return self._cipher.decrypt(_nonce(head), stored.state, _place(stored.stream, head, stored.fold))
        except (InvalidTag, ValueError):
            return None  # altered, or sealed under a key no longer in use: the entries contain everything anyway


def _folded(entries: Iterator[Entry], fold: Fold[State], state: State, head: Head) -> Restored[State]:
    start = head.sequence
    for entry in entries:
        if not follows(entry, head):
            place = f"entry {head.sequence + 1} of {entry.stream}"
            raise StoreBroken(f"The record is damaged: {place} is missing or invalid.")
        state = fold.evolve(state, entry)
        head = head_of(entry)
    return Restored(state, head, head.sequence - start)


def _nonce(head: Head) -> bytes:
    return head.sequence.to_bytes(_NONCE_BYTES, "big")


def _place(stream: str, head: Head, fold: str) -> bytes:
    return canonical([stream, *head, fold]).encode()
