"""Live views over WebSocket: a frame for every change, limited to what the viewer may see, resumable by sequence."""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Coroutine, Generator
from functools import partial
from typing import Any, Protocol
from urllib.parse import parse_qs

from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from pitboss.house.live_table.state import LiveTable
from pitboss.house.people.sessions import LOCKED
from pitboss.house.running_tables import NotHere
from pitboss.record.entries import Entry
from pitboss.record.store import StoreFault
from pitboss.rules.refusal import Refusal
from pitboss.server.absent_guests import is_guest
from pitboss.server.connections import network_of
from pitboss.server.console_locks import is_locked
from pitboss.server.live.views import Looks, meters, summaries, written
from pitboss.server.open_floor import OpenFloor
from pitboss.server.request_limits import FRAME_BYTES_MOST, Bucket
from pitboss.server.routes.callers import Guest, still_here, ticket_holder
from pitboss.server.routes.tables import acknowledgement, ask, is_kept_up
from pitboss.server.schemas import tables as schemas


class SocketsElsewhere(Protocol):
    """Serves sockets of tables that run in another process."""

    async def add(self, live: "Live", seen: int) -> None:
        """Send a socket the state of its table, unless it has seen it, and every change from now on."""
        ...

    def remove(self, live: "Live") -> None:
        """Stop sending to a socket."""
        ...


log = logging.getLogger("pitboss.sockets")
VERSION = 1
FRAMES_WAITING_MOST = 64
EVENTS_KEPT = 256  # of each table, for viewers who reconnect
HEARTBEAT_S = 20.0
FRAMES_PER_SECOND, FRAMES_AT_ONCE = 20.0, 60.0
SOCKETS_MOST = 32  # of one person: a few tables on a few screens, with some that a reload left behind
SOCKETS_OF_GUESTS_MOST = 256  # of all guests of one network

_ADDRESS = re.compile(r"/api/tables/([^/]+)/live")
TOO_SLOW, NO_TICKET, TOO_MUCH, SESSION_OVER = 4001, 4003, 4008, 4010
RENEWS = '"RenewLease"'  # which a console sends by itself


class Live:
    """One socket: its viewer, and the frames waiting to be sent."""

    __slots__ = ("_code", "_sending", "_socket", "_waiting", "guest", "is_quiet", "table")

    def __init__(self, socket: WebSocket, guest: Guest, table: str) -> None:
        self.guest, self.table = guest, table
        self.is_quiet = True  # nothing was sent since the last heartbeat
        self._socket = socket
        self._waiting: deque[str] | None = None  # created when a frame has to wait, which is rare
        self._code: int | None = None
        self._sending: asyncio.Task[None] | None = None

    def send(self, frame: str) -> None:
        """Queue a frame, or close the socket of a client that is too slow."""
        if self._code is not None:
            return
        self.is_quiet = False
        if self._waiting is not None:
            if len(self._waiting) >= FRAMES_WAITING_MOST:
                self.close(TOO_SLOW)
            else:
                self._waiting.append(frame)
            return
        # Almost every frame can be written at once; a task is only needed for a slow client.
        self._waiting = deque((frame,))
        self._start()

    def close(self, code: int) -> None:
        """Close the socket and drop its queue."""
        if self._code is None:
            self._code = code
            is_sending = self._waiting is not None
            self._waiting = deque()
            log.info("socket closed", extra={"table": self.table, "person": self.guest.name, "code": code})
            if not is_sending:
                self._start()

    def stop(self) -> None:
        """Stop sending."""
        if self._sending is not None:
            self._sending.cancel()

    def _start(self) -> None:
        rest = begun(self._send())
        if rest is not None:
            self._sending = asyncio.ensure_future(rest)

    async def _send(self) -> None:
        try:
            while self._waiting:
                await self._socket.send_text(self._waiting.popleft())
            if self._code is not None:
                await self._socket.close(self._code)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the other side is gone; the receiving side notices
        except Exception:
            log.exception("frame not sent")  # and the change it reported still counts
        finally:
            self._sending = self._waiting = None


class Hub:
    """Sends what happens at tables to their sockets, and keeps recent events for those that come back."""

    def __init__(self, floor: OpenFloor) -> None:
        self._floor = floor
        self.relays = floor.sockets.relays
        self.served_elsewhere: set[str] = set()  # tables whose frames another process sends to the sockets here
        self._lately: dict[str, deque[dict[str, Any]]] = {}
        self._meters: dict[str, dict[str, int]] = {}  # by table, as last sent to everyone

    def add(self, live: Live, seen: int) -> None:
        """Send a socket the state of its table, unless it has seen it, and every change from now on."""
        frame = self.first_frame(live.table, live.guest.name, seen)
        if frame is not None:
            live.send(frame)
        self._floor.sockets.add(live.table, live)

    def first_frame(self, table: str, name: str, seen: int) -> str | None:
        """Return a table as a person sees it who has seen it up to an entry, or None if that was the last."""
        live_table = self._floor.house.live(table)
        self._meters.setdefault(table, meters(self._floor, live_table))
        if live_table.head.sequence == seen:
            return None
        viewer = name if live_table.seats_of(name) else None
        return frame_of(self._floor, live_table, viewer, self._since(table, seen, live_table.head.sequence))

    def remove(self, live: Live) -> None:
        """Stop sending to a socket."""
        self._floor.sockets.remove(live.table, live)

    async def beat(self) -> None:
        """Background loop: send a heartbeat to quiet sockets, and meters that other tables have fed."""
        heartbeat, locked = (written({"v": VERSION, told: True}) for told in ("heartbeat", "locked"))
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            house, sockets = self._floor.house, self._floor.sockets
            watched = {*sockets.tables, *self.relays.watching} - self.served_elsewhere
            for live_table in [house.live(table) for table in sorted(watched) if table in house.tables]:
                if meters(self._floor, live_table) != self._meters.get(live_table.table):
                    self._tell(live_table, [])
            for live in tuple(sockets):
                if is_locked(self._floor, live.guest.kept):
                    live.send(locked)
                elif live.is_quiet:
                    live.send(heartbeat)
                live.is_quiet = True

    def changed(self, live_table: LiveTable, entries: tuple[Entry, ...]) -> None:
        """Send a change to every socket of its table."""
        if live_table.table in self.served_elsewhere:
            return
        events = summaries(live_table.stream, entries)
        self._lately.setdefault(live_table.table, deque(maxlen=EVENTS_KEPT)).extend(events)
        self._tell(live_table, events)

    def reacted(self, table: str, seat: int, reaction: str) -> None:
        """Send a player's reaction to every socket of the table."""
        frame = written({"v": VERSION, "reacted": {"seat": seat, "reaction": reaction}})
        for live in self._floor.sockets.at(table):
            if not is_locked(self._floor, live.guest.kept):
                live.send(frame)

    def _tell(self, live_table: LiveTable, events: list[dict[str, Any]]) -> None:
        sockets = self._floor.sockets.at(live_table.table)
        if not sockets and live_table.table not in self.relays.watching:
            return
        self._meters[live_table.table] = meters(self._floor, live_table)
        frames, seated = Frames(self._floor, live_table, events), set(live_table.seats.values())
        for live in sockets:
            if is_locked(self._floor, live.guest.kept):
                continue  # a locked console shows nothing; it reconnects when its person is back
            # A viewer without a seat sees what every spectator sees.
            live.send(frames.to(live.guest.name if live.guest.name in seated else None))
        if live_table.table in self.relays.watching:
            self.relays.send(live_table.table, live_table.head.sequence, seated, frames.to)

    def _since(self, table: str, seen: int, head: int) -> list[dict[str, Any]] | None:
        kept = self._lately.get(table, ())
        missed = [event for event in kept if event["sequence"] > seen]
        return missed if seen and len(missed) == head - seen else None


class Frames:
    """The frames of one change, one for each kind of viewer, made on first use."""

    def __init__(self, floor: OpenFloor, live_table: LiveTable, events: list[dict[str, Any]] | None) -> None:
        told = {"v": VERSION, "sequence": live_table.head.sequence, "now": floor.clock.now_ms(), "events": events}
        self._told = written(told)[:-1]
        self._looks = Looks(floor, live_table)
        self._made: dict[str | None, str] = {}

    def to(self, viewer: str | None) -> str:
        """Return the frame for a viewer; None means a viewer without a seat."""
        frame = self._made.get(viewer)
        if frame is None:
            frame = self._made[viewer] = f'{self._told},"view":{self._looks.text(viewer)}}}'
        return frame


def begun(work: Coroutine[Any, Any, None]) -> Awaitable[None] | None:
    """Run a coroutine up to its first wait, and return the rest, or None if it finished."""
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None
    return _Rest(work, waits_for)


class _Rest:
    def __init__(self, work: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self._work, self._waits_for = work, waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._waits_for
        while True:
            try:
                answer = yield waits_for
            except BaseException as fault:
                step = partial(self._work.throw, fault)
            else:
                step = partial(self._work.send, answer)
            try:
                waits_for = step()
            except StopIteration:
                return


def frame_of(floor: OpenFloor, live_table: LiveTable, viewer: str | None, events: list[dict[str, Any]] | None) -> str:
    """Return a viewer's frame; `events` is None if they are too many or too old to send."""
    return Frames(floor, live_table, events).to(viewer)


class LiveDoor:
    """ASGI middleware that takes sockets before the router, whose layers would stay in memory for each open one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Handle a table's socket, or pass the request on to the application."""
        if scope["type"] != "websocket":
            return self._app(scope, receive, send)
        socket, found = WebSocket(scope, receive, send), _ADDRESS.fullmatch(scope["path"])
        if found is None:
            return socket.close(NO_TICKET)
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        return follow(socket, found[1], asked.get("ticket", [""])[-1], asked.get("seen", ["0"])[-1], "sits" in asked)


async def follow(socket: WebSocket, table: str, ticket: str, seen: str, sits: bool) -> None:
    """Serve a table's socket, which also accepts commands; `sits` says that its viewer came to take a seat."""
    floor: OpenFloor = socket.app.state.floor
    kept = socket.app.state.tickets.use(ticket, table)
    guest = ticket_holder(floor, kept) if kept is not None else None
    if guest is None or table not in floor.house.tables:
        await socket.close(NO_TICKET)
        return
    await socket.accept()
    hub: Hub = socket.app.state.hub
    remote: SocketsElsewhere | None = socket.app.state.sockets_elsewhere
    followed = Live(socket, guest, table)
    of_guest = is_guest(guest.name)
    viewer = f"visitor {network_of(socket.client.host)}" if of_guest and socket.client else guest.name
    too_many = floor.sockets.hold(viewer, followed, SOCKETS_OF_GUESTS_MOST if of_guest else SOCKETS_MOST)
    if too_many is not None:
        floor.sockets.release(viewer, too_many)
        too_many.close(TOO_MUCH)
    if sits:  # before the socket counts as someone watching
        floor.sockets.arrive(table, floor.clock.now_ms())
    stop = floor.office.sessions.listen(guest.session, lambda reason: followed.close(SESSION_OVER))
    last_seen = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 17 else 0
    try:
        if remote is None or floor.house.runs(table):
            hub.add(followed, last_seen)
        else:
            await remote.add(followed, last_seen)
        await _receive(socket, floor, followed)
    except WebSocketDisconnect:
        pass
    finally:
        stop()
        floor.sockets.release(viewer, followed)
        hub.remove(followed)
        if remote is not None:
            remote.remove(followed)
        followed.stop()


async def _receive(socket: WebSocket, floor: OpenFloor, followed: Live) -> None:
    bucket = Bucket(FRAMES_PER_SECOND, FRAMES_AT_ONCE, floor.clock)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if not bucket.take() or text is None or len(text) > FRAME_BYTES_MOST:
            followed.close(TOO_MUCH)
        elif (guest := still_here(floor, followed.guest, is_idle=RENEWS in text)) is None:
            followed.close(SESSION_OVER)
        else:
            followed.guest = guest
            answer = {"v": VERSION, **await answered(floor, guest, followed.table, text)}
            followed.send(written(answer))


async def answered(floor: OpenFloor, guest: Guest, table: str, text: str) -> dict[str, Any]:
    """Return the answer to a received frame; anything that isn't a command is refused and changes nothing."""
    try:
        asked = schemas.Command.model_validate_json(text)
    except (ValidationError, ValueError, RecursionError):
        return _refused(None, Refusal("This isn't a valid command. Send an id and a body with a kind"))
    if is_locked(floor, guest.kept) and not is_kept_up(asked):
        return _refused(asked.id, LOCKED)
    try:
        answer = await ask(floor, guest, table, asked)
    except NotHere:
        return _refused(asked.id, Refusal("This server no longer runs the table. Reconnect and try again"))
    except StoreFault:
        return _refused(asked.id, Refusal("Storage is unavailable. Your last action may not have been saved"))
    if isinstance(answer, Refusal):
        return _refused(asked.id, answer)
    return {"done": acknowledgement(floor, table, asked.id, answer)}


def _refused(command: str | None, refusal: Refusal) -> dict[str, Any]:
    return {"refused": {"id": command, **refusal.as_dict()}}
