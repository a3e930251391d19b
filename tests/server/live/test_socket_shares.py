"""One person with many sockets, or with sockets that they never read, leaves room for everybody else."""

import contextlib
import json
import socket
from base64 import b64encode
from typing import Any
from urllib.parse import urlsplit

import pytest

from patience import WAIT_S
from pitboss.server import connections
from pitboss.server.demonstration import demo_documents
from pitboss.server.live import sockets as sockets_of_server
from pitboss.server.live.sockets import TOO_MUCH
from server.beside import until
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")
TABLE = next(iter(demo_documents()))
MOST = 4


def test_a_persons_oldest_socket_makes_room_for_one_too_many(
    running: Running, people: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets_of_server, "SOCKETS_MOST", MOST)
    floor = running.floor
    assert floor is not None
    with contextlib.ExitStack() as opened:
        others = opened.enter_context(people["bob"].live(TABLE))
        held = [opened.enter_context(people["alice"].live(TABLE)) for _ in range(MOST + 3)]
        until(lambda: sum(live.guest.name == "alice" for live in floor.sockets) == MOST)
        for number, own in enumerate(held):
            with contextlib.suppress(Exception):
                while number < 3:
                    own.recv(timeout=WAIT_S)
        assert [own.close_code for own in held[:3]] == [TOO_MUCH] * 3
        assert "view" in json.loads(held[-1].recv(timeout=WAIT_S))
        assert "view" in json.loads(others.recv(timeout=WAIT_S))


def test_a_socket_that_nobody_reads_is_cut_off(
    running: Running, people: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STALLED_S", 0.5)
    floor, loop, server = running.floor, running.loop, running.server
    assert floor is not None
    assert loop is not None
    ticket = people["alice"].http.post(f"/api/tables/{TABLE}/ticket").json()["ticket"]
    address = urlsplit(running.address)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((address.hostname, address.port))
        own = deaf.getsockname()
        asked = (
            f"GET /api/tables/{TABLE}/live?ticket={ticket}&seen=0 HTTP/1.1",
            f"Host: {address.netloc}",
            f"Origin: {running.address}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {b64encode(bytes(16)).decode()}",
        )
        deaf.sendall("\r\n".join((*asked, "", "")).encode())

        def is_open() -> bool:
            return any(getattr(known, "client", None) == own for known in tuple(server.server_state.connections))

        def is_watching() -> list[Any]:
            return [live for live in floor.sockets.at(TABLE) if live._socket.client.port == own[1]]

        until(is_watching)
        [live] = is_watching()
        for _ in range(200):  # more than the buffers of both sides hold
            loop.call_soon_threadsafe(live.send, json.dumps({"text": "." * 60_000}))
        until(lambda: not is_open())
        until(lambda: not is_watching())
