"""What the house needs from the system: the time, random bytes, disk space and an append-only file."""

from collections.abc import Callable
from typing import Protocol, TypeVar

Answer = TypeVar("Answer")


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Return UTC milliseconds."""
        ...


class Randomness(Protocol):
    """Generates unpredictable bytes."""

    def token(self, count: int) -> bytes:
        """Return this many random bytes."""
        ...


class Space(Protocol):
    """Reports the free space on the record's disk."""

    def free_bytes(self) -> int:
        """Return how many bytes can still be written."""
        ...


class AppendOnly(Protocol):
    """A file outside the server's reach that is appended to and never read back."""

    def is_empty(self) -> bool:
        """Say whether the current file is empty or missing."""
        ...

    def append(self, text: str) -> None:
        """Append text and return when it is on disk."""
        ...


class Runner(Protocol):
    """Runs slow work off the event loop, or inline when a simulator needs one order."""

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Return the result of the work."""
        ...
