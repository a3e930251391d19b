"""Shortcuts to build batches for a store in tests."""

from typing import Any

from pitboss.record.entries import Circumstances, Draft, Head
from pitboss.record.store import Batch, Committed, Lease, Store, body_digest

TABLE = "table/one"


def batch(
    command: str,
    *drafts: tuple[str, dict[str, Any]],
    expected: dict[str, Head | None] | None = None,
    body: Any = None,
    lease: Lease | None = None,
    at: int = 1_000,
) -> Batch:
    """Return a batch that writes bodies to streams, wherever those end unless it is said where."""
    written = tuple(Draft(stream, "house.Noted", data, "Ch. 1 §A") for stream, data in drafts)
    anywhere: dict[str, Head | None] = {draft.stream: None for draft in written}
    by = Circumstances("ada", "dealer", command, at, "v1")
    return Batch(written, anywhere | (expected or {}), by, body_digest("ada", body), lease)


def note(command: str, number: int = 0, stream: str = TABLE, **more: Any) -> Batch:
    """Return a batch of one small entry."""
    return batch(command, (stream, {"number": number}), **more)


def fill(store: Store, count: int, stream: str = TABLE) -> None:
    """Write this many entries to a stream, in one transaction."""
    outcomes = store.commit([note(f"{stream} {number}", number, stream) for number in range(count)])
    assert all(isinstance(outcome, Committed) for outcome in outcomes)


def numbers(store: Store, stream: str = TABLE, after: int = 0) -> list[int]:
    """Return the numbers a stream's entries carry."""
    return [entry.body["number"] for entry in store.read(stream, after)]
