"""Sockets of tables that run in another process: their frames come from there, or are made here while it is cut off."""

import asyncio
import logging
from collections import Counter
from typing import Any

from pitboss.house.live_table.state import LiveTable
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Entry
from pitboss.record.store import StoreFault
from pitboss.server.cluster.channels import Channel, Message
from pitboss.server.cluster.peer_door import PeerDoor
from pitboss.server.cluster.peers import Link
from pitboss.server.cluster.processes import Processes
from pitboss.server.console_locks import is_locked
from pitboss.server.live.relays import FRAMES, LEFT
from pitboss.server.live.sockets import Hub, Live
from pitboss.server.open_floor import OpenFloor

log = logging.getLogger("pitboss.sockets")
LOOK, LOOK_AWAY = "look", "look away"
RETRY_S = 1.0


class Elsewhere:
    """Asks the owners of tables for the frames of the sockets here, and sends their processes those of this one's."""

    def __init__(self, floor: OpenFloor, processes: Processes, hub: Hub, door: PeerDoor) -> None:
        self._floor, self._processes, self._hub = floor, processes, hub
        self._links: dict[str, Link] = {}  # which link a table's frames come over
        self._viewers: dict[str, set[str]] = {}  # those that the owner knows of, by table
        self._looking: Counter[tuple[str, str]] = Counter()  # new sockets that wait for the owner, by table and viewer
        self._sequences: dict[str, int] = {}  # the last entry that was sent to the sockets of a table
        self._settling: dict[str, asyncio.Task[None]] = {}
        self._unsettled: set[str] = set()  # tables that have moved again meanwhile
        self._changed = asyncio.Event()
        door.answerers[LOOK] = self._looked_at
        door.answerers[LOOK_AWAY] = self._looked_away
        door.closed.append(hub.relays.drop)
        events, peers = floor.house.events, processes.peers
        events.left.extend((hub.relays.leave, self._settle))
        events.opened.append(self._settle)
        events.changed.append(self._sent_here)
        peers.events.said.append(self._said)
        peers.events.opened.append(lambda link: self._change())
        peers.events.closed.append(self._closed)
        processes.moved.append(self._owners_moved)

    async def add(self, live: Live, seen: int) -> None:
        """Send a socket the state of its table, unless it has seen it, and every change from now on."""
        link = self._processes.link_to(live.table)
        if link is None or not await self._look(link, live, seen):
            await self._add_here(live, seen)

    def remove(self, live: Live) -> None:
        """Tell the owner when nobody of that name watches the table here."""
        table, name = live.table, live.guest.name
        others = self._floor.sockets.at(table)
        if self._looking[table, name] or any(other.guest.name == name for other in others):
            return
        if table in self._links:
            self._viewers.get(table, set()).discard(name)
            self._links[table].tell({"kind": LOOK_AWAY, "table": table, "viewer": name})
        if not others:
            self._stop_serving(table)
            self._sequences.pop(table, None)
            self._follow(table, is_followed=False)

    # Questions of this process to the owners.

    async def _look(self, link: Link, live: Live, seen: int) -> bool:
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def then(said: Message | None, frame: bytes) -> None:
            is_served = said is not None and "fault" not in said
            if is_served:
                assert said is not None
                self._serve(link, live.table, live.guest.name, said["sequence"])
                if frame:
                    self._show(live, frame.decode())
                self._floor.sockets.add(live.table, live)
            if not found.done():
                found.set_result(is_served)

        # A socket of the same name that closes meanwhile doesn't end what this one has asked for.
        looking = live.table, live.guest.name
        self._looking[looking] += 1
        try:
            link.ask({"kind": LOOK, "table": live.table, "viewer": live.guest.name, "seen": seen}, then)
            return await found
        finally:
            self._looking[looking] -= 1
            if not self._looking[looking]:
                del self._looking[looking]

    def _serve(self, link: Link, table: str, viewer: str, sequence: int) -> None:
        self._links[table] = link
        self._viewers.setdefault(table, set()).add(viewer)
        self._hub.served_elsewhere.add(table)
        self._follow(table, is_followed=False)
        self._reached(table, sequence)

    def _reached(self, table: str, sequence: int) -> None:
        self._sequences[table] = max(sequence, self._sequences.get(table, 0))
        self._floor.house.note_grown(stream_of(table), sequence)

    def _said(self, link: Link, header: Message, body: bytes) -> None:
        if FRAMES in header and self._links.get(header[FRAMES]) is link:
            self._relayed(header, body)
        elif LEFT in header and self._links.get(header[LEFT]) is link:
            self._settle(header[LEFT])

    def _relayed(self, header: Message, body: bytes) -> None:
        table, at, frames = header[FRAMES], 0, {}
        for viewer, length in header["of"]:
            frames[viewer] = body[at : at + length].decode()
            at += length
        self._reached(table, header["sequence"])
        known, public = self._viewers.get(table, set()), frames.get("")
        for live in self._floor.sockets.at(table):
            name = live.guest.name
            frame = frames.get(name, public)
            if frame is not None and name in known:  # another's first frame is on its way
                self._show(live, frame)

    def _show(self, live: Live, frame: str) -> None:
        if not is_locked(self._floor, live.guest.kept):  # it reconnects when its person is back
            live.send(frame)

    # While a table has no owner that can be asked, it is followed here.

    def _owners_moved(self) -> None:
        self._change()
        for table in self._floor.sockets.tables:
            link = self._links.get(table)
            if link is not None and link.process != self._processes.owner_of(table):
                self._settle(table)

    def _closed(self, link: Link) -> None:
        self._change()
        for table in [table for table, served_by in self._links.items() if served_by is link]:
            self._settle(table)

    def _change(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _stop_serving(self, table: str) -> None:
        self._links.pop(table, None)
        self._viewers.pop(table, None)
        self._hub.served_elsewhere.discard(table)

    def _follow(self, table: str, *, is_followed: bool) -> None:
        if table in self._floor.house.tables and not self._floor.house.runs(table):
            self._floor.house.follow_entries(table, is_followed=is_followed)

    def _settle(self, table: str) -> None:
        if not self._floor.sockets.at(table):
            return
        self._stop_serving(table)
        self._sequences.setdefault(table, self._floor.house.running(table).has_read)
        self._unsettled.add(table)
        if table not in self._settling:
            task = self._settling[table] = asyncio.create_task(self._settled(table))
            task.add_done_callback(lambda ended: self._end_settling(table, ended))

    def _end_settling(self, table: str, ended: asyncio.Task[None]) -> None:
        self._settling.pop(table, None)
        if not ended.cancelled() and ended.exception() is not None:
            log.error("sockets not served", exc_info=ended.exception(), extra={"table": table})

    async def _settled(self, table: str) -> None:
        while sockets := self._floor.sockets.at(table):
            changed = self._changed
            self._unsettled.discard(table)
            if self._floor.house.runs(table):
                self._send_here(table)
                return
            link = self._processes.link_to(table)
            if link is not None and await self._look_again(link, table, {live.guest.name for live in sockets}):
                if table in self._unsettled:
                    continue
                return
            await self._read_here(table)
            try:
                async with asyncio.timeout(RETRY_S):
                    await changed.wait()
            except TimeoutError:
                continue

    async def _look_again(self, link: Link, table: str, viewers: set[str]) -> bool:
        waiting: list[asyncio.Future[bool]] = []
        for viewer in sorted(viewers):
            found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

            def then(said: Message | None, frame: bytes, viewer: str = viewer, found: Any = found) -> None:
                is_served = said is not None and "fault" not in said
                if is_served:
                    assert said is not None
                    self._serve(link, table, viewer, said["sequence"])
                    for live in self._floor.sockets.at(table):
                        if frame and live.guest.name == viewer:
                            self._show(live, frame.decode())
                if not found.done():
                    found.set_result(is_served)

            seen = self._sequences.get(table, 0)
            link.ask({"kind": LOOK, "table": table, "viewer": viewer, "seen": seen}, then)
            waiting.append(found)
        return all(await asyncio.gather(*waiting))

    def _sent_here(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        if live.table in self._sequences and live.table not in self._links:
            self._sequences[live.table] = live.head.sequence

    def _send_here(self, table: str) -> None:
        self._stop_serving(table)
        for live in self._floor.sockets.at(table):
            frame = self._hub.first_frame(table, live.guest.name, self._sequences.get(table, 0))
            if frame is not None:
                self._show(live, frame)

    async def _read_here(self, table: str) -> None:
        try:
            await self._floor.house.bring_up(table)
            running = self._floor.house.running(table)
            if running.has_read > self._sequences.get(table, 0):
                self._send_here(table)
            self._reached(table, running.has_read)
            self._follow(table, is_followed=True)
        except StoreFault as fault:  # it is tried again
            log.warning("table not read", extra={"table": table}, exc_info=fault)

    async def _add_here(self, live: Live, seen: int) -> None:
        await self._floor.house.bring_up(live.table)
        self._hub.add(live, seen)
        self._sequences.setdefault(live.table, self._floor.house.running(live.table).has_read)
        self._settle(live.table)

    # Questions of other processes to this one.

    def _looked_at(self, channel: Channel, header: Message, body: bytes) -> None:
        table, viewer = header["table"], header["viewer"]
        if not self._floor.house.runs(table):
            channel.send({"re": header["n"], "fault": "not here"})
            return
        frame = self._hub.first_frame(table, viewer, header["seen"])
        self._hub.relays.add(table, channel, viewer)
        sequence = self._floor.house.running(table).has_read
        channel.send({"re": header["n"], "sequence": sequence}, frame.encode() if frame else b"")

    def _looked_away(self, channel: Channel, header: Message, body: bytes) -> None:
        self._hub.relays.remove(header["table"], channel, header["viewer"])
