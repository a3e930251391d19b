"""The system behind the house's interfaces: the real clock, random generator, disk and threads."""

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from pitboss.record.steady_clock import SteadyClock

Answer = TypeVar("Answer")
SPACE_KNOWN_S = 0.25  # every wager asks, and the reserve is many times what is written in this time


class SystemClock(SteadyClock):
    """The system's clock, which keeps running forward if it is set back."""

    def __init__(self) -> None:
        super().__init__(lambda: time.time_ns() // 1_000_000, lambda: time.monotonic_ns() // 1_000_000)


class SystemRandomness:
    """The operating system's cryptographic generator."""

    def token(self, count: int) -> bytes:
        """Return this many random bytes."""
        return secrets.token_bytes(count)


class DiskSpace:
    """The free space on the disk that holds a folder, looked up a few times a second at most."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._free, self._until = 0, 0.0

    def free_bytes(self) -> int:
        """Return how many bytes can still be written."""
        now = time.monotonic()
        if now >= self._until:
            self._free, self._until = shutil.disk_usage(self._folder).free, now + SPACE_KNOWN_S
        return self._free


class AppendedFile:
    """A file that is reopened for each append, so that it can be moved away and started again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def is_empty(self) -> bool:
        """Say whether the current file is empty or missing."""
        try:
            return self._path.stat().st_size == 0
        except FileNotFoundError:
            return True

    def append(self, text: str) -> None:
        """Append text and return when it is on disk."""
        is_new = not self._path.exists()
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            left = memoryview(text.encode())
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if is_new:
            sync_folder(self._path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    if os.name == "nt":  # Windows can't open a folder, and keeps names durable by itself
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class ThreadRunner:
    """A dedicated thread for slow work, or a few, so that the event loop never waits for a disk."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Return the result of the work, run in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Stop the thread when its work is done."""
        self._pool.shutdown(wait=True)
