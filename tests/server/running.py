"""A real server on a free port, in a thread, with the demonstration's tables at a quick pace."""

import asyncio
import contextlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from patience import WAIT_S
from pitboss.cli.serve import without_delay
from pitboss.house.people.commands import KEY_HOLDER
from pitboss.house.people.decide import SignInRules
from pitboss.house.running_tables import Asked
from pitboss.rules.refusal import Refusal
from pitboss.server import record_watch
from pitboss.server.app import make_app
from pitboss.server.connections import ConnectionLimits
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.lab.worker_pool import WHEN_ASKED
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.request_limits import CLIENT, Rates
from pitboss.server.web_server import WebServer
from server.quick_client import QuickClient

PEOPLE = {
    "alice": "player",
    "bob": "player",
    "dea": "dealer",
    "flo": "floorperson",
    "pit": "pit-manager",
    "cay": "cage",
    "olga": "operator",
    "aud": "auditor",
    "adam": "administrator",  # last: once there is one, no program adds people
}
# Nobody is signed out or locked while other tests run, or when a scenario moves the clock.
AWAKE = SignInRules(idle_minutes=10**6, session_hours=10**5, locks_consoles=False, reusable_links=True)
QUICK = {"wagers_ms": 200, "decision_ms": 20_000, "step_ms": 1, "between_rounds_ms": 50}

METRICS_TOKEN = "a token that the tests scrape with"
OPEN = Rates(1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9)
# What is worked out from the record in processes of its own is worked out where a test asks for it, and not every five
# minutes at each floor that a worker keeps open for many tests.
record_watch.EVERY_S = 24 * 60 * 60
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # made once: reading the machine's certificates takes 25 ms a client


class Running:
    """A server that runs, and how to reach it."""

    ADMITS_GUESTS = False
    SHARES_ROUNDS = False
    ALLOWS_REACTIONS = True

    def __init__(
        self,
        data: Path,
        pace: dict[str, int] | None = None,
        rates: Rates = OPEN,
        rules: SignInRules = AWAKE,
        limits: ConnectionLimits | None = None,
        proxies: frozenset[str] = frozenset(),
        *,
        requires_readers: bool = False,
        metrics_token: str | None = None,
    ) -> None:
        self.listening = without_delay(socket.create_server(("127.0.0.1", 0)))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.pace = pace or QUICK
        self.links: dict[str, str] = {}
        self.clients: list[httpx.Client] = []
        self.floor: OpenFloor | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.app = make_app(
            FloorSettings(
                data,
                rules=rules,
                lab_warms_up=WHEN_ASKED,
                requires_readers=requires_readers,
                metrics_token=metrics_token,
                admits_guests=self.ADMITS_GUESTS,
                shares_rounds=self.SHARES_ROUNDS,
                allows_reactions=self.ALLOWS_REACTIONS,
            ),
            frozenset({self.address, self.address.replace("127.0.0.1", "localhost")}),
            self._opening,
            rates,
        )
        self.server = WebServer(self.app, proxies=proxies, limits=limits, timeout_graceful_shutdown=1, lifespan="on")
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        end = time.monotonic() + 300
        while not self.server.started:
            assert time.monotonic() < end, "the server did not start"
            assert self.thread.is_alive(), "the server ended while it started"
            time.sleep(0.02)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=self.server.config.get_loop_factory()) as runner:
            runner.run(self.server.serve(sockets=[self.listening]))

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor, self.loop = floor, asyncio.get_running_loop()
        for table, document in demo_documents().items():
            await floor.open_free_play(table, {**document, "pace": self.pace}, 500_000_00)
        for name, role in PEOPLE.items():
            self.links[name] = await link_for(floor, name, role)

    def clear_tables(self) -> None:
        """Free every seat that is still held where the house deals, whatever its player was doing."""
        if self.loop is not None and not self.loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._clear_tables(), self.loop).result(240)

    async def _clear_tables(self) -> None:
        assert self.floor is not None
        house = self.floor.house
        for table in tuple(house.tables):
            while (live := house.live(table)).seats and live.terms is not None and live.terms.automatic:
                seat, player = min(live.seats.items())
                for body in ({"kind": "WithdrawWagers"}, {"kind": "LeaveSeat", "give_up": True}):
                    asked = Asked(self.floor.fresh(), player, ("player",), {**body, "seat": seat})
                    await house.do(table, asked)
                await asyncio.sleep(0.01)  # a hand that was given up is played out before its seat is free

    def key_holders_link(self, name: str) -> str:
        """Return the path of a sign-in link made on the machine that holds the keys."""
        assert self.floor is not None
        assert self.loop is not None
        link = asyncio.run_coroutine_threadsafe(self.floor.office.issue_link(KEY_HOLDER, name), self.loop).result(240)
        assert not isinstance(link, Refusal), link
        return f"/links/{link.token}"

    def stop(self) -> None:
        """Close the server as Ctrl-C would."""
        for client in self.clients:
            client.close()
        self.server.should_exit = True
        self.thread.join(240)
        assert not self.thread.is_alive(), "the server did not stop"


class Client:
    """A signed-in person."""

    def __init__(self, running: Running, name: str | None) -> None:
        self.address = running.address
        self.http = QuickClient(base_url=self.address, timeout=240, headers={CLIENT: "tests"}, verify=NO_TLS)
        running.clients.append(self.http)
        self.number = 0
        self.name = name
        if name is not None:
            answer = self.http.post("/api/links", json={"token": running.links[name]})
            assert answer.status_code == 200, answer.text

    def command(self, table: str, body: dict[str, Any], command_id: str | None = None, **rest: Any) -> httpx.Response:
        """Give a command."""
        self.number += 1
        asked = {"id": command_id or f"{self.name}-{self.number}-{time.monotonic_ns()}", "body": body, **rest}
        return self.http.post(f"/api/tables/{table}/commands", json=asked)

    def must(self, table: str, body: dict[str, Any], **rest: Any) -> dict[str, Any]:
        """Give a command that has to be carried out."""
        answer = self.command(table, body, **rest)
        assert answer.status_code == 200, f"{body}: {answer.text}"
        done: dict[str, Any] = answer.json()
        return done

    def view(self, table: str) -> dict[str, Any]:
        """Look at a table."""
        seen: dict[str, Any] = self.http.get(f"/api/tables/{table}").raise_for_status().json()
        return seen

    @contextlib.contextmanager
    def live(self, table: str, seen: int = 0, *, sits: bool = False) -> Iterator[ClientConnection]:
        """Follow a table."""
        ticket = self.http.post(f"/api/tables/{table}/ticket").raise_for_status().json()["ticket"]
        address = f"{self.address.replace('http', 'ws')}/api/tables/{table}/live?ticket={ticket}&seen={seen}"
        address += "&sits=1" if sits else ""
        with connect(address, origin=Origin(self.address)) as socket_:
            yield socket_


def frames_until(socket_: ClientConnection, wanted: Any, seconds: float = WAIT_S) -> list[dict[str, Any]]:
    """Return the frames up to the first one that is wanted."""
    found: list[dict[str, Any]] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        frame = json.loads(socket_.recv(timeout=seconds))
        found.append(frame)
        if wanted(frame):
            return found
    raise AssertionError("the frame did not come")
