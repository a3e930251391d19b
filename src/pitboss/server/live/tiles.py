"""Lobby rows of every table of the floor: this process's own, and those that the other processes describe."""

import itertools
import json
from typing import Any

from pitboss.house.live_table.state import LiveTable
from pitboss.house.table_registry import glance_of
from pitboss.record.entries import Entry
from pitboss.server.cluster.channels import Channel, Message
from pitboss.server.cluster.glances import KIND
from pitboss.server.cluster.peer_door import PeerDoor
from pitboss.server.live.views import table_summary
from pitboss.server.open_floor import OpenFloor
from pitboss.server.schemas.tables import TableSummary

FRESH_S = 1.0  # how old the rows of other processes may be in a lobby
PROGRESSIVE = "progressive"


class Tiles:
    """Describes this process's tables to the others, only those that changed since they last asked."""

    def __init__(self, floor: OpenFloor, door: PeerDoor) -> None:
        self._floor = floor
        self._counter = itertools.count(1)
        self._version = 0
        self._changed: dict[str, int] = {}  # by table: the version at which it last changed
        door.answerers[KIND] = self._asked
        floor.house.events.changed.append(self._note)
        floor.house.events.opened.append(self._note_table)

    def _note(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        self._note_table(live.table)

    def _note_table(self, table: str) -> None:
        self._version = self._changed[table] = next(self._counter)

    def _asked(self, channel: Channel, header: Message, body: bytes) -> None:
        since, house = header["since"], self._floor.house
        rows = [
            self._row(house.live(table))
            for table, version in self._changed.items()
            if version > since and house.runs(table)
        ]
        channel.send({"re": header["n"], "version": self._version}, json.dumps(rows).encode())

    def _row(self, live: LiveTable) -> list[Any]:
        row = table_summary(self._floor, live).model_dump(mode="json")
        progressive = live.terms.progressive if live.terms is not None else None
        return [live.table, live.head.sequence, glance_of(live)._asdict(), {**row, PROGRESSIVE: progressive}]


async def all_summaries(floor: OpenFloor) -> list[TableSummary]:
    """Return every table of the floor as the lobby shows it."""
    if floor.processes is not None:
        await floor.processes.glances.refresh(FRESH_S)
    return [_summary(floor, table) for table in tuple(floor.house.tables)]


def _summary(floor: OpenFloor, table: str) -> TableSummary:
    row = floor.processes.glances.row(table) if floor.processes is not None else None
    if row is None:
        return table_summary(floor, floor.house.live(table))
    named = {name: value for name, value in row.items() if name != PROGRESSIVE}
    if named["meters"]:
        # The meters go on at other tables, so they are as this process knows them.
        shown = floor.house.progressive(row[PROGRESSIVE]).state.shown()
        named["meters"] = {meter: shown.get(meter, cents) for meter, cents in named["meters"].items()}
    return TableSummary(**named)
