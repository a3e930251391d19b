"""A disk that forgets what was not synced, and fails when a simulator says so."""

from collections.abc import Callable
from typing import Literal

Boundary = Literal["before append", "half appended", "appended", "synced"]


class DiskFull(Exception):
    """The disk takes no more bytes."""


class SyncFailed(Exception):
    """The disk did not confirm that it kept what was written."""


def _nothing_happens(boundary: Boundary) -> None:
    pass


class SimulatedDisk:
    """One file's bytes: those that survive a crash, and those that may not."""

    def __init__(self, content: bytes = b"", capacity_bytes: int | None = None) -> None:
        self._bytes = bytearray(content)
        self._synced = len(content)
        self.capacity_bytes = capacity_bytes
        self.fails_sync = False
        self.at_boundary: Callable[[Boundary], None] = _nothing_happens  # may raise what stands for a crash

    @property
    def unsynced(self) -> int:
        """Return how many bytes a crash may lose."""
        return len(self._bytes) - self._synced

    @property
    def length(self) -> int:
        """Return how many bytes were written, synced or not."""
        return len(self._bytes)

    def read(self, start: int = 0) -> bytes:
        """Return what was written from a place on, synced or not."""
        return bytes(self._bytes[start:])

    def append(self, data: bytes) -> None:
        """Write bytes at the end; they are not safe yet."""
        self.at_boundary("before append")
        if self.free_bytes() < len(data):
            self._bytes += data[: self.free_bytes()]  # a full disk takes what still fits
            raise DiskFull
        half = len(data) // 2
        self._bytes += data[:half]
        self.at_boundary("half appended")
        self._bytes += data[half:]
        self.at_boundary("appended")

    def sync(self) -> None:
        """Make everything written so far survive a crash."""
        if self.fails_sync:
            raise SyncFailed
        self._synced = len(self._bytes)
        self.at_boundary("synced")

    def truncate(self, length: int) -> None:
        """Cut the file to a length."""
        del self._bytes[length:]
        self._synced = min(self._synced, length)

    def free_bytes(self) -> int:
        """Return how many bytes can still be written."""
        if self.capacity_bytes is None:
            return 1 << 60
        return max(0, self.capacity_bytes - len(self._bytes))

    def crash(self, surviving: int = 0) -> "SimulatedDisk":
        """Return the disk as it is found after a power cut: of the unsynced bytes only so many first ones are left."""
        assert 0 <= surviving <= self.unsynced
        return SimulatedDisk(bytes(self._bytes[: self._synced + surviving]), self.capacity_bytes)

    def flip(self, bit: int) -> None:
        """Change one bit that was written, as a failing disk does."""
        self._bytes[bit // 8] ^= 1 << bit % 8
