"""The open sockets of this process, by table."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Generic, TypeVar

Socket = TypeVar("Socket")


class OpenSockets(Generic[Socket]):
    """Who is watching each table."""

    def __init__(self) -> None:
        self._by_table: defaultdict[str, set[Socket]] = defaultdict(set)

    def __iter__(self) -> Iterator[Socket]:
        return (socket for sockets in self._by_table.values() for socket in sockets)

    def __len__(self) -> int:
        return sum(map(len, self._by_table.values()))

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

    def is_watched(self, table: str) -> bool:
        """Return whether anyone has a socket open to a table."""
        return table in self._by_table

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the tables that someone is watching."""
        return tuple(self._by_table)
