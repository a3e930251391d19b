"""Counts what a PlaceWagers command runs through from the player's socket to every screen.

Run it with `PYTHONPATH=tests python -m architecture.trace`. It follows the second wager of a round on a real floor
without a network, and counts modules, functions, and calls from one room to another, each once. A lambda or a
comprehension belongs to the function around it.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from pitboss.games.catalogue import game_names
from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Asked
from pitboss.round.stakes import opening_stakes
from pitboss.round.state import WAGERING
from pitboss.server.app import make_floor, make_web
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.routes.callers import guest_of

PACKAGE = str(Path(sys.modules["pitboss"].__file__ or "").parent) + "/"
HERE = "http://floor"
NEVER_MS = 3_600_000
PACE = {"wagers_ms": NEVER_MS, "decision_ms": NEVER_MS, "step_ms": 0, "between_rounds_ms": 0}
SEATED = {"ann": 1, "ben": 2}
Place = tuple[str, str]  # a module and a function in it
# What a floor does by the clock: it may go on between two steps of a command, and isn't part of its path.
BY_THE_CLOCK = frozenset(
    {
        *("OpenFloor._each_minute", "OpenFloor._each_second", "OpenFloor._hash_daily", "OpenFloor._check_rows_daily"),
        *("OpenFloor._index_rounds", "Hub.beat", "Laboratory.warm_up_later"),
    }
)


class Counts(NamedTuple):
    """How far a command travels."""

    modules: int
    functions: int
    crossings: int


class Trace:
    """The functions that were called, and from where."""

    def __init__(self) -> None:
        self.functions: set[Place] = set()
        self.crossings: set[tuple[Place, Place]] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Note a call, as `sys.setprofile` reports it."""
        place = _place(frame.f_code) if event == "call" else None
        if place is None:
            return
        callers = [found for code in _callers(frame) if (found := _place(code))]
        if [place, *callers][-1][1] in BY_THE_CLOCK:
            return
        self.functions.add(place)
        caller = callers[0] if callers else None
        if caller is not None and _room(caller) != _room(place):
            self.crossings.add((caller, place))

    @property
    def counts(self) -> Counts:
        """Return the counts."""
        return Counts(len({module for module, _ in self.functions}), len(self.functions), len(self.crossings))


class Socket:
    """A table's WebSocket, without a network."""

    def __init__(self, app: Any, floor: OpenFloor, table: str, cookie: str) -> None:
        guest = guest_of(floor, cookie)
        assert guest is not None
        ticket = app.state.tickets.issue(guest, table)
        path = f"/api/tables/{table}/live"
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": f"ticket={ticket}".encode(),
            "headers": [(b"origin", HERE.encode())],
            "client": ("somebody", 1),
            "subprotocols": [],
            "state": {},
            "app": app,
        }
        self.frames: list[dict[str, Any]] = []
        self._given: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._given.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(app(scope, self._given.get, self._send))

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.frames.append(json.loads(message["text"]))

    def give(self, text: str) -> None:
        """Send a frame."""
        self._given.put_nowait({"type": "websocket.receive", "text": text})

    async def until(self, field: str) -> None:
        """Wait for a frame with a field, and forget the ones up to it."""
        async with asyncio.timeout(300):
            while not any(field in frame for frame in self.frames):
                await asyncio.sleep(0.001)
        self.frames.clear()

    async def close(self) -> None:
        """Hang up."""
        self._given.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


async def traced(folder: Path) -> Trace:
    """Return what the second wager of a round ran through."""
    table, trace = game_names()[0], Trace()
    async with _open(folder, table) as (app, floor, cookies):
        sockets = {name: Socket(app, floor, table, cookie) for name, cookie in cookies.items()}
        for socket in sockets.values():
            await socket.until("view")
        live = floor.house.live(table)
        assert live.terms is not None
        stakes = opening_stakes(live.terms.settings.rules)
        for name, seat in SEATED.items():
            body = commands.data_of(commands.PlaceWagers(seat=seat, stakes=stakes))
            # The first player's wager makes what is made once, so only the second one's is traced.
            await _profile(floor, trace if name == "ben" else None)
            sockets[name].give(json.dumps({"id": f"wager-{name}", "body": body}))
            for other in sockets.values():
                await other.until("done" if other is sockets[name] else "view")
        await _profile(floor, None)
        for socket in sockets.values():
            await socket.close()
    return trace


async def _profile(floor: OpenFloor, trace: Trace | None) -> None:
    await floor.writer._runner.run(lambda: sys.setprofile(trace))  # in the thread that writes, too
    sys.setprofile(trace)


@asynccontextmanager
async def _open(folder: Path, table: str) -> Any:
    floor = make_floor(FloorSettings(folder))
    app = make_web(floor, frozenset({HERE}))
    async with app.router.lifespan_context(app):
        await floor.open_free_play(table, {**demo_documents()[table], "pace": PACE}, 500_000_00)
        cookies: dict[str, str] = {}
        for name in (*SEATED, "watcher"):
            admitted: Any = await floor.office.follow_link(await link_for(floor, name, "player"), "")
            cookies[name] = admitted.token
        for name, seat in SEATED.items():
            for command in (commands.TakeSeat(seat=seat), commands.BuyIn(cents=1_000_00)):
                await floor.do(table, Asked(floor.fresh(), name, ("player",), commands.data_of(command)))
        while (play := floor.house.live(table).play) is None or play.phase != WAGERING:
            step = next_step(floor.house.live(table), floor.clock.now_ms())
            assert step is not None
            await floor.automatic(table, step.command)
        yield app, floor, cookies


def _callers(frame: FrameType) -> Iterator[CodeType]:
    caller = frame.f_back
    while caller is not None:
        yield caller.f_code
        caller = caller.f_back


def _place(code: CodeType) -> Place | None:
    # A named tuple's own methods aren't steps of the path, whoever made them.
    if not code.co_filename.startswith(PACKAGE) or code.co_filename.endswith("/rules/quick_replace.py"):
        return None
    name = code.co_qualname.split(".<locals>")[0]
    return None if name.startswith("<") else (code.co_filename.removeprefix(PACKAGE), name)


def _room(place: Place) -> str:
    return place[0].partition("/")[0]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        found = asyncio.run(traced(Path(name)))
    for module, function in sorted(found.functions):
        print(f"{module:<45} {function}")
    print(found.counts)
