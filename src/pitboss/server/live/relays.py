"""Relays: frames of tables that run here, sent as bytes to the processes at which people watch them."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Protocol

FRAMES, LEFT = "frames", "left"


class Away(Protocol):
    """A channel to another process."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Send a message."""
        ...


class Relays:
    """Which people watch which tables of this process through another."""

    def __init__(self) -> None:
        self.watching: dict[str, dict[Away, set[str]]] = {}  # by table and channel: the viewers' names

    def viewers(self, table: str) -> set[str]:
        """Return who watches a table through another process."""
        return {viewer for viewers in self.watching.get(table, {}).values() for viewer in viewers}

    def add(self, table: str, away: Away, viewer: str) -> None:
        """Relay a table's frames for a viewer from now on."""
        self.watching.setdefault(table, {}).setdefault(away, set()).add(viewer)

    def remove(self, table: str, away: Away, viewer: str) -> None:
        """Relay a table's frames for a viewer no longer."""
        viewers = self.watching.get(table, {}).get(away, set())
        viewers.discard(viewer)
        if not viewers:
            self._drop(table, away)

    def drop(self, away: Away) -> None:
        """Relay nothing more to a process that is gone."""
        for table in tuple(self.watching):
            self._drop(table, away)

    def leave(self, table: str) -> None:
        """Tell the others that a table's frames come from somewhere else now."""
        for away in self.watching.pop(table, {}):
            away.send({LEFT: table})

    def send(self, table: str, sequence: int, seated: Collection[str], frame: Callable[[str | None], str]) -> None:
        """Send each process one message with the frames of its viewers: one for all who have no seat."""
        for away, viewers in self.watching.get(table, {}).items():
            of, frames = [], []
            for viewer in _kinds(viewers, seated):
                content = frame(viewer).encode()
                of.append((viewer or "", len(content)))
                frames.append(content)
            away.send({FRAMES: table, "sequence": sequence, "of": of}, b"".join(frames))

    def _drop(self, table: str, away: Away) -> None:
        channels = self.watching.get(table, {})
        channels.pop(away, None)
        if not channels:
            self.watching.pop(table, None)


def _kinds(viewers: Collection[str], seated: Collection[str]) -> Iterator[str | None]:
    is_public = False
    for viewer in viewers:
        if viewer in seated:
            yield viewer
        else:
            is_public = True
    if is_public:
        yield None
