"""Live views over WebSocket: a frame for every change, as much as the viewer may see, resumable by sequence."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from pitboss.house.desk.state import Desk
from pitboss.house.record import Entry
from pitboss.house.running import NotHere
from pitboss.rules.refusal import Refusal
from pitboss.server import schemas
from pitboss.server.api import ask
from pitboss.server.floor import OpenFloor
from pitboss.server.guests import Guest
from pitboss.server.limits import FRAME_BYTES_MOST, Bucket
from pitboss.server.views import table_view

router = APIRouter()
VERSION = 1
FRAMES_WAITING_MOST = 64
HEARTBEAT_S = 20.0
FRAMES_PER_SECOND, FRAMES_AT_ONCE = 20.0, 60.0

TOO_SLOW, NO_TICKET, TOO_MUCH, SESSION_OVER, GOING_AWAY = 4001, 4003, 4008, 4010, 1001


class Hub:
    """The sockets of this process, by table."""

    def __init__(self, floor: OpenFloor) -> None:
        self._floor = floor
        self._sockets: dict[str, set[Seat]] = {}
        floor.house.listeners.append(self._changed)

    def add(self, seat: "Seat") -> None:
        """Tell a socket of what happens at its table from now on."""
        self._sockets.setdefault(seat.table, set()).add(seat)

    def remove(self, seat: "Seat") -> None:
        """Tell a socket no more."""
        self._sockets.get(seat.table, set()).discard(seat)

    @property
    def count(self) -> int:
        """Return how many sockets are open."""
        return sum(map(len, self._sockets.values()))

    def _changed(self, desk: Desk, entries: tuple[Entry, ...]) -> None:
        seats = self._sockets.get(desk.table)
        if not seats:
            return
        frames: dict[str | None, str] = {}  # whoever holds no seat sees what every spectator sees
        for seat in tuple(seats):
            viewer = seat.guest.name if desk.seats_of(seat.guest.name) else None
            if viewer not in frames:
                frames[viewer] = frame_of(self._floor, desk, viewer)
            seat.send(frames[viewer])


class Seat:
    """One socket: whose it is, and the frames that wait to go out."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest, self.table = guest, table
        self.waiting: asyncio.Queue[str | int] = asyncio.Queue(FRAMES_WAITING_MOST)

    def send(self, frame: str) -> None:
        """Put a frame in line, or close the socket of a reader who is too slow."""
        try:
            self.waiting.put_nowait(frame)
        except asyncio.QueueFull:
            self.close(TOO_SLOW)

    def close(self, code: int) -> None:
        """Close the socket, whatever waits."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.waiting.put_nowait(code)


def frame_of(floor: OpenFloor, desk: Desk, viewer: str | None) -> str:
    """Return what a viewer is told of a table."""
    view = table_view(floor, desk, viewer)
    return json.dumps({"v": VERSION, "sequence": desk.head.sequence, "view": view}, separators=(",", ":"))


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str, ticket: str = "", seen: int = 0) -> None:
    """Follow a table; commands may be given on the socket too."""
    floor: OpenFloor = socket.app.state.floor
    guest = socket.app.state.tickets.use(ticket, table)
    if guest is None or table not in floor.house.tables:
        await socket.close(NO_TICKET)
        return
    await socket.accept()
    seat = Seat(guest, table)
    stop = floor.office.sessions.listen(guest.session, lambda reason: seat.close(SESSION_OVER))
    hub: Hub = socket.app.state.hub
    hub.add(seat)
    desk = floor.house.desk(table)
    if desk.head.sequence != seen:
        seat.send(frame_of(floor, desk, guest.name))
    sending = asyncio.create_task(_send(socket, seat))
    try:
        await _receive(socket, floor, seat)
    except WebSocketDisconnect:
        pass
    finally:
        stop()
        hub.remove(seat)
        sending.cancel()


async def _send(socket: WebSocket, seat: Seat) -> None:
    while True:
        try:
            frame = await asyncio.wait_for(seat.waiting.get(), HEARTBEAT_S)
        except TimeoutError:
            frame = json.dumps({"v": VERSION, "heartbeat": True})
        if isinstance(frame, int):
            await socket.close(frame)
            return
        await socket.send_text(frame)


async def _receive(socket: WebSocket, floor: OpenFloor, seat: Seat) -> None:
    bucket = Bucket(FRAMES_PER_SECOND, FRAMES_AT_ONCE, floor.clock)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if not bucket.take() or text is None or len(text) > FRAME_BYTES_MOST:
            seat.close(TOO_MUCH)
            return
        seat.send(json.dumps({"v": VERSION, **await _answered(floor, seat, text)}, separators=(",", ":")))


async def _answered(floor: OpenFloor, seat: Seat, text: str) -> dict[str, Any]:
    try:
        asked = schemas.Command.model_validate_json(text)
    except (ValidationError, ValueError, RecursionError):
        return _refused(None, Refusal("This is no command; it has an id and a body with its kind"))
    try:
        answer = await ask(floor, seat.guest, seat.table, asked)
    except NotHere:
        return _refused(asked.id, Refusal("The table is not run here any more; connect again"))
    if isinstance(answer, Refusal):
        return _refused(asked.id, answer)
    return {"done": {"id": asked.id, "sequence": floor.house.desk(seat.table).head.sequence, "again": answer.again}}


def _refused(command: str | None, refusal: Refusal) -> dict[str, Any]:
    said = {"reason": refusal.reason, "clause": refusal.clause, "field": refusal.field}
    return {"refused": {"id": command, **said}}
