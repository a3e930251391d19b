"""What the house asks of the world around it: the time, random bytes, room on the disk, a file that only grows."""

from collections.abc import Callable
from typing import Protocol, TypeVar

Answer = TypeVar("Answer")


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Return UTC milliseconds."""
        ...


class Randomness(Protocol):
    """Gives bytes that nobody can guess."""

    def token(self, count: int) -> bytes:
        """Return so many fresh bytes."""
        ...


class Space(Protocol):
    """Knows how much the disk of the record still takes."""

    def free_bytes(self) -> int:
        """Return how many bytes can still be written."""
        ...


class AppendOnly(Protocol):
    """A file outside the server's reach, which is added to and never read back."""

    def is_empty(self) -> bool:
        """Say whether nothing was ever added to the file that stands there now."""
        ...

    def append(self, text: str) -> None:
        """Add text and return when it is on disk."""
        ...


class Runner(Protocol):
    """Runs slow work beside the event loop, or in its place where a simulator needs one order of things."""

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Return what the work returns."""
        ...
