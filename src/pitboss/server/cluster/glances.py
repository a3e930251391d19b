"""What this process knows of tables that run elsewhere without reading them: a glance and a lobby row for each."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pitboss.house.running_tables import House
from pitboss.house.table_registry import Glance
from pitboss.server.cluster.channels import Message
from pitboss.server.cluster.peers import Link, NotReached, Peers

KIND = "glances"
REFRESH_S = 5.0


class Glances:
    """Asks the other processes for the tables of theirs that have changed, all of them in one question."""

    def __init__(self, house: House, peers: Peers, owner_of: Callable[[str], str | None]) -> None:
        self._house, self._peers, self._owner_of = house, peers, owner_of
        self._versions: dict[str, int] = {}  # of the last answer, by process
        self._asked_at: dict[str, float] = {}
        self._rows: dict[str, tuple[int, dict[str, Any]]] = {}  # a table's last entry and lobby row, by table
        self._refreshing = asyncio.Lock()
        peers.events.closed.append(self._forget)

    def row(self, table: str) -> dict[str, Any] | None:
        """Return a table's lobby row, as the process that runs it last described it."""
        found = self._rows.get(table) if not self._house.runs(table) else None
        return found[1] if found else None

    async def refresh_now_and_then(self) -> None:
        """Background loop: ask again, while the floor is open."""
        while True:
            await asyncio.sleep(REFRESH_S)
            await self.refresh()

    async def refresh(self, age_s: float = 0.0) -> None:
        """Ask every process that was last asked longer ago than this; what no process describes is read when needed."""
        async with self._refreshing:
            now = asyncio.get_running_loop().time()
            due = [link for link in self._peers.all_open() if now - self._asked_at.get(link.process, -1e9) >= age_s]
            await asyncio.gather(*(self._ask(link, now) for link in due))
        for table in set(self._rows):
            if self._house.runs(table) or self._peers.open_to(self._owner_of(table)) is None:
                self._drop(table)

    async def _ask(self, link: Link, now: float) -> None:
        since = self._versions.get(link.process, 0)
        try:
            said, body = await link.answer({"kind": KIND, "since": since})
        except NotReached:
            said, body = {}, b""
        if "version" in said:
            self._asked_at[link.process] = now
            self._take(link.process, said, body)
        else:
            self._forget(link)  # nothing is decided by what it said before: its tables are read instead

    def _take(self, process: str, said: Message, body: bytes) -> None:
        self._versions[process] = said["version"]
        for table, sequence, glance, row in json.loads(body):
            known = self._rows.get(table)
            if known is None or known[0] <= sequence:  # a process that has lost the table may know less
                self._rows[table] = sequence, row
                self._house.glances[table] = Glance(**{**glance, "playing": tuple(glance["playing"])})

    def _forget(self, link: Link) -> None:
        self._versions.pop(link.process, None)
        self._asked_at.pop(link.process, None)
        for table in [table for table in self._rows if self._owner_of(table) == link.process]:
            self._drop(table)

    def _drop(self, table: str) -> None:
        self._rows.pop(table, None)
        self._house.glances.pop(table, None)
