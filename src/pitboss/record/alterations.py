"""What was found altered in the database: sentences to record, and the streams that stop because of it."""

import threading
from collections.abc import Mapping


class Alterations:
    """Collects what any part of a process finds; each finding is reported once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped: dict[str, str] = {}
        self._told: dict[str, None] = {}  # in the order found
        self._new: list[str] = []

    def tell(self, says: str) -> None:
        """Note a finding that stops nothing else, because the row was refused and nothing depends on it."""
        with self._lock:
            if says not in self._told:
                self._told[says] = None
                self._new.append(says)

    def stop(self, stream: str, says: str) -> None:
        """Note a finding about a stream, which takes no more entries."""
        self._stopped.setdefault(stream, says)
        self.tell(says)

    @property
    def stopped(self) -> Mapping[str, str]:
        """Return the streams that take no more entries, each with what was found first."""
        return self._stopped

    def all(self) -> tuple[str, ...]:
        """Return everything found so far, in order."""
        return tuple(self._told)

    def news(self) -> tuple[str, ...]:
        """Return what was found since the last call."""
        with self._lock:
            found, self._new = tuple(self._new), []
        return found

    def retell(self, says: tuple[str, ...]) -> None:
        """Take findings back that couldn't be recorded yet."""
        with self._lock:
            self._new = [*says, *self._new]
