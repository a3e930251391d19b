"""A clock that never runs backward, even if the wall clock is set back or is behind the record."""

import threading
from collections.abc import Callable


class SteadyClock:
    """The wall clock's time while it is ahead, and otherwise the last time plus what has elapsed since."""

    def __init__(self, wall_ms: Callable[[], int], passed_ms: Callable[[], int]) -> None:
        self._wall_ms, self._passed_ms = wall_ms, passed_ms
        self._lock = threading.Lock()
        self._now, self._passed = wall_ms(), passed_ms()

    def now_ms(self) -> int:
        """Return UTC milliseconds, never less than before."""
        with self._lock:
            passed = self._passed_ms()
            self._now = max(self._wall_ms(), self._now + passed - self._passed)
            self._passed = passed
            return self._now

    def at_least(self, ms: int) -> None:
        """Continue from a later time that the record has reached."""
        self.now_ms()
        with self._lock:
            self._now = max(self._now, ms)
