"""Streams that several tables write to, each with its state in this process and a lock for the current writer."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from pitboss.record.entries import Draft, Entry, Head, head_of
from pitboss.record.store import Store

State = TypeVar("State")


class SharedStream(Generic[State]):
    """A stream's state as far as this process has read it."""

    def __init__(self, stream: str, state: State, fold: Callable[[State, Entry], State]) -> None:
        self.stream = stream
        self.state = state
        self.head = Head()
        self.at = 0  # of its last entry
        self.lock = asyncio.Lock()
        self._fold = fold

    def apply(self, entries: Iterable[Entry]) -> None:
        """Apply entries of this stream that are on disk."""
        for entry in entries:
            if entry.stream == self.stream and entry.sequence > self.head.sequence:
                assert entry.sequence == self.head.sequence + 1, "entries are out of order"
                self.state = self._fold(self.state, entry)
                self.head, self.at = head_of(entry), entry.at

    def catch_up(self, store: Store) -> None:
        """Read and apply what other processes have written since."""
        self.apply(store.read(self.stream, self.head.sequence))


def expected_heads(streams: Iterable[SharedStream[Any]], drafts: Iterable[Draft]) -> dict[str, Head | None]:
    """Return the heads that a batch expects: those known here of these streams, and any head of other streams."""
    any_head: dict[str, Head | None] = {draft.stream: None for draft in drafts}
    return any_head | {shared.stream: shared.head for shared in streams}
