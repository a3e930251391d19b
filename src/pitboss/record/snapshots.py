"""Snapshots: a stream's state, saved from time to time and sealed, so that a restart replays only later entries."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from pitboss.record.alterations import Alterations
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
    """A stream's state, where and when the stream ends, and how many entries were replayed to get there."""

    state: State
    head: Head
    folded: int
    at: int


class Snapshots:
    """Saves and finds snapshots; they contain hidden cards, so they are sealed as cards are."""

    def __init__(
        self,
        store: Store,
        key: bytes,
        every: int = EVERY,
        *,
        older_keys: Sequence[bytes] = (),
        alterations: Alterations | None = None,
    ) -> None:
        self._store = store
        self._cipher = AESGCMSIV(key)
        self._older = tuple(map(AESGCMSIV, older_keys))
        self._every = every
        self._alterations = alterations

    def is_due(self, before: Head, after: Head, size: int = 0) -> bool:
        """Say whether a commit took a stream past a point where a snapshot is saved; large states are saved rarely."""
        every = self._every
        while every < size:  # so that saving costs no more for each entry, however large the state has become
            every *= 2
        return before.sequence // every != after.sequence // every

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
                restored = Restored(fold.from_data(json.loads(plain)), head, 0, stands_after.at)
                return self._folded(stream, entries, fold, restored)
        return self._folded(stream, self._store.read(stream), fold, Restored(fold.empty(), Head(), 0, 0))

    def opened(self, stored: StoredSnapshot, fold: str) -> Any:
        """Return a snapshot's contents as plain data, or None if it is invalid or from another fold."""
        plain = self._opened(stored, Head(stored.sequence, stored.hash)) if stored.fold == fold else None
        return None if plain is None else json.loads(plain)

    def _opened(self, stored: StoredSnapshot, head: Head) -> bytes | None:
        for cipher in (self._cipher, *self._older):
            with suppress(InvalidTag, ValueError):
                return cipher.decrypt(_nonce(head), stored.state, _place(stored.stream, head, stored.fold))
        if self._alterations is not None:  # the entries contain everything anyway
            after = f"the snapshot of {stored.stream} after entry {stored.sequence}"
            self._alterations.tell(f"In the database, {after} was altered. It was ignored.")
        return None

    def _folded(
        self, stream: str, entries: Iterator[Entry], fold: Fold[State], restored: Restored[State]
    ) -> Restored[State]:
        state, head, _, at = restored
        for entry in entries:
            if not follows(entry, head):
                says = f"Entry {head.sequence + 1} of {stream} is missing or invalid."
                if self._alterations is None:
                    raise StoreBroken(f"The record is damaged: {says[0].lower()}{says[1:]}")
                self._alterations.stop(stream, says)
                break
            state = fold.evolve(state, entry)
            head, at = head_of(entry), entry.at
        return Restored(state, head, head.sequence - restored.head.sequence, at)


def _nonce(head: Head) -> bytes:
    return head.sequence.to_bytes(_NONCE_BYTES, "big")


def _place(stream: str, head: Head, fold: str) -> bytes:
    return canonical([stream, *head, fold]).encode()
