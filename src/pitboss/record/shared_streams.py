"""Streams that several tables write to, each with its state in this process and a lock for the current writer."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from pitboss.record.entries import Draft, Entry, Head, head_of
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.store import Store, Writer

State = TypeVar("State")


class SharedStream(Generic[State]):
    """A stream's state as far as this process has read it."""

    def __init__(self, stream: str, fold: Fold[State], size: Callable[[State], int] = lambda state: 0) -> None:
        self.stream = stream
        self.state = fold.empty()
        self.head = Head()
        self.at = 0  # of its last entry
        self.lock = asyncio.Lock()
        self._fold, self._size = fold, size

    def restore(self, snapshots: Snapshots) -> None:
        """Read the whole stream from its last snapshot on."""
        self.state, self.head, _, self.at = snapshots.restore(self.stream, self._fold)

    def apply(self, entries: Iterable[Entry]) -> None:
        """Apply entries of this stream that are on disk."""
        for entry in entries:
            if entry.stream == self.stream and entry.sequence > self.head.sequence:
                assert entry.sequence == self.head.sequence + 1, "entries are out of order"
                self.state = self._fold.evolve(self.state, entry)
                self.head, self.at = head_of(entry), entry.at

    def apply_and_save(self, entries: Iterable[Entry], snapshots: Snapshots | None, writer: Writer) -> None:
        """Apply entries of this stream that are on disk, and save a snapshot with the next commit if one is due."""
        before = self.head
        self.apply(entries)
        if snapshots is not None and snapshots.is_due(before, self.head, self._size(self.state)):
            writer.keep(snapshots.sealed(self.stream, self.head, self._fold, self.state))

    def catch_up(self, store: Store) -> None:
        """Read and apply what other processes have written since."""
        self.apply(store.read(self.stream, self.head.sequence))


def expected_heads(streams: Iterable[SharedStream[Any]], drafts: Iterable[Draft]) -> dict[str, Head | None]:
    """Return the heads that a batch expects: those known here of these streams, and any head of other streams."""
    any_head: dict[str, Head | None] = {draft.stream: None for draft in drafts}
    return any_head | {shared.stream: shared.head for shared in streams}
