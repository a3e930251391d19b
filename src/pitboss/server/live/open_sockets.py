"""The open sockets of this process, by table."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Generic, TypeVar

from pitboss.server.live.relays import Relays

Socket = TypeVar("Socket")
LOOK_MS = 5_000
ARRIVING_MS = 25_000  # the page renews it every 5 seconds


class OpenSockets(Generic[Socket]):
    """Who is watching each table."""

    def __init__(self) -> None:
        self.relays = Relays()  # those who watch through another process
        self._by_table: defaultdict[str, set[Socket]] = defaultdict(set)
        self._by_viewer: defaultdict[str, dict[Socket, None]] = defaultdict(dict)  # each one's oldest first
        self._looked_at: dict[str, int] = {}  # when someone without a socket last looked, by table
        self._arriving: dict[str, int] = {}  # until when someone is about to sit down, by table

    def __iter__(self) -> Iterator[Socket]:
        return (socket for sockets in self._by_table.values() for socket in sockets)

    def __len__(self) -> int:
        return sum(map(len, self._by_table.values()))

    def hold(self, viewer: str, socket: Socket, most: int) -> Socket | None:
        """Count a viewer's socket, and return their oldest one if that makes too many."""
        own = self._by_viewer[viewer]
        own[socket] = None
        return next(iter(own)) if len(own) > most else None

    def release(self, viewer: str, socket: Socket) -> None:
        """Count a viewer's socket no longer."""
        self._by_viewer[viewer].pop(socket, None)
        if not self._by_viewer[viewer]:
            del self._by_viewer[viewer]

    def add(self, table: str, socket: Socket) -> None:
        """Add a socket to a table's."""
        self._by_table[table].add(socket)

    def remove(self, table: str, socket: Socket) -> None:
        """Remove a socket from a table's."""
        self._by_table[table].discard(socket)
        if not self._by_table[table]:
            del self._by_table[table]

    def at(self, table: str) -> tuple[Socket, ...]:
        """Return the sockets of a table."""
        return tuple(self._by_table.get(table, ()))

    def look(self, table: str, now_ms: int) -> None:
        """Note that someone looks at a table without a socket, as visitors who aren't signed in do."""
        self._looked_at[table] = now_ms

    def arrive(self, table: str, now_ms: int) -> None:
        """Note that someone is choosing a seat and a buy-in."""
        self._arriving[table] = now_ms + ARRIVING_MS

    def is_watched(self, table: str, now_ms: int) -> bool:
        """Return whether anyone has a socket open to a table, or looked at it a moment ago."""
        if table in self._by_table or table in self.relays.watching:
            return True
        return now_ms - self._looked_at.get(table, -LOOK_MS) < LOOK_MS

    def is_awaited(self, table: str, now_ms: int) -> bool:
        """Return whether someone is about to sit down at a table."""
        return now_ms < self._arriving.get(table, 0)

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the tables that someone is watching."""
        return tuple(self._by_table)
