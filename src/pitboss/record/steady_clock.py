"""Time that only goes on: a wall clock that is set back, or behind the record, makes nobody wait for it."""

import threading
from collections.abc import Callable


class SteadyClock:
    """The wall's time as long as it is ahead, and what has passed since where it is not."""

    def __init__(self, wall_ms: Callable[[], int], passed_ms: Callable[[], int]) -> None:
        self._wall_ms, self._passed_ms = wall_ms, passed_ms
        self._lock = threading.Lock()
        self._now, self._passed = wall_ms(), passed_ms()

    def now_ms(self) -> int:
        """Return UTC milliseconds, never fewer than before."""
        with self._lock:
            passed = self._passed_ms()
            self._now = max(self._wall_ms(), self._now + passed - self._passed)
            self._passed = passed
            return self._now

    def at_least(self, ms: int) -> None:
        """Go on from a later time, which the record has come to."""
        self.now_ms()
        with self._lock:
            self._now = max(self._now, ms)
