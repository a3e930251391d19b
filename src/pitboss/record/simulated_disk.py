"""A simulated disk that loses unsynced data in a crash and fails when the simulator says so."""

from collections.abc import Callable
from typing import Literal

Boundary = Literal["before append", "half appended", "appended", "synced"]


class DiskFull(Exception):
    """The disk accepts no more bytes."""


class SyncFailed(Exception):
    """The disk didn't confirm that it stored what was written."""


def _nothing_happens(boundary: Boundary) -> None:
    pass


class SimulatedDisk:
    """One file's bytes: those that survive a crash, and those that may not."""

    def __init__(self, content: bytes = b"", capacity_bytes: int | None = None) -> None:
        self._bytes = bytearray(content)
        self._synced = len(content)
        self.capacity_bytes = capacity_bytes
        self.fails_sync = False
        self.at_boundary: Callable[[Boundary], None] = _nothing_happens  # may raise an exception to simulate a crash

    @property
    def unsynced(self) -> int:
        """Return how many bytes a crash may lose."""
        return len(self._bytes) - self._synced

    @property
    def length(self) -> int:
        """Return how many bytes were written, synced or not."""
        return len(self._bytes)

    def read(self, start: int = 0) -> bytes:
        """Return what was written from an offset on, synced or not."""
        return bytes(self._bytes[start:])

    def append(self, data: bytes) -> None:
        """Write bytes at the end; they aren't durable yet."""
        self.at_boundary("before append")
        if self.free_bytes() < len(data):
            self._bytes += data[: self.free_bytes()]  # a full disk accepts what still fits
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
        """Truncate the file to a length."""
        del self._bytes[length:]
        self._synced = min(self._synced, length)

    def free_bytes(self) -> int:
        """Return how many bytes can still be written."""
        if self.capacity_bytes is None:
            return 1 << 60
        return max(0, self.capacity_bytes - len(self._bytes))

    def crash(self, surviving: int = 0) -> "SimulatedDisk":
        """Return the disk as found after a power cut: only this many of the unsynced bytes are left."""
        assert 0 <= surviving <= self.unsynced
        return SimulatedDisk(bytes(self._bytes[: self._synced + surviving]), self.capacity_bytes)

    def flip(self, bit: int) -> None:
        """Flip one written bit, as a failing disk does."""
        self._bytes[bit // 8] ^= 1 << bit % 8
