"""Attacks that try to stop a server for everybody else: floods of passwords, half-open connections, lab questions."""

import asyncio
import contextlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from patience import WAIT_S
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.passwords import Password
from pitboss.server.connections import ConnectionLimits, OpenConnections, connections_of, network_of
from pitboss.server.request_limits import CLIENT
from server.running import NO_TLS, Client, Running

pytestmark = pytest.mark.xdist_group("server")
PASSWORD = "tall yellow cupboard 41"
HASH_S = 0.2
SOON_S = 8  # a third of what the flood would take in one queue


@pytest.fixture(scope="module")
def slow_hashing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose passwords take as long to check as on a small machine, and whose bob has one."""
    with pytest.MonkeyPatch.context() as patch:
        made = ArgonHasher.verifier

        def slow(self: ArgonHasher, password: Password) -> str:
            time.sleep(HASH_S)
            return made(self, password)

        patch.setattr(ArgonHasher, "verifier", slow)
        running = Running(tmp_path_factory.mktemp("denial"))
        bob = Client(running, "bob")
        assert bob.http.post("/api/me/password", json={"old": "", "password": PASSWORD}).status_code == 204
        yield running
        running.stop()


def test_a_flood_of_password_changes_holds_up_no_sign_in_and_no_signature(slow_hashing: Running) -> None:
    alice = Client(slow_hashing, "alice")
    cookies = dict(alice.http.cookies)
    floor, loop = slow_hashing.floor, slow_hashing.loop
    assert floor is not None
    assert loop is not None

    async def flood() -> list[int]:
        async with httpx.AsyncClient(
            base_url=slow_hashing.address, cookies=cookies, headers={CLIENT: "tests"}, timeout=WAIT_S, verify=NO_TLS
        ) as client:
            wrong = {"old": "not the old password", "password": "another long password 7"}
            answers = await asyncio.gather(*(client.post("/api/me/password", json=wrong) for _ in range(60)))
            return [answer.status_code for answer in answers]

    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.extend(asyncio.run(flood())))
    thread.start()
    time.sleep(0.3)
    started = time.monotonic()
    signed_in = Client(slow_hashing, None).http.post("/api/sign-in", json={"name": "bob", "password": PASSWORD})
    took = time.monotonic() - started
    started = time.monotonic()
    asyncio.run_coroutine_threadsafe(floor.export_heads(), loop).result(WAIT_S)
    signed = time.monotonic() - started
    thread.join()
    assert signed_in.status_code == 200
    assert took < SOON_S, "the sign-in waited for the flood"
    assert signed < SOON_S, "the signature waited for the flood"
    assert statuses.count(429) > 40, "one person's flood is refused, not queued"


@contextlib.contextmanager
def half_open(address: str, count: int, sent: bytes = b"GET / HTTP/1.1\r\nHost: ") -> Iterator[list[socket.socket]]:
    """Open connections that never finish their headers."""
    host, port = address.removeprefix("http://").split(":")
    with contextlib.ExitStack() as opened:
        connections = []
        for _ in range(count):
            connections.append(opened.enter_context(socket.create_connection((host, int(port)), timeout=WAIT_S)))
            with contextlib.suppress(OSError):
                connections[-1].sendall(sent)
        yield connections


def is_closed(connection: socket.socket, within_s: float) -> bool:
    """Say whether the server closes a connection in time."""
    connection.settimeout(within_s)
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


@pytest.fixture(scope="module")
def few_connections(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with room for a few connections, none of which may dawdle."""
    running = Running(tmp_path_factory.mktemp("few"), limits=ConnectionLimits(most=24, each_most=20, header_s=0.6))
    yield running
    running.stop()


def test_a_connection_that_sends_no_whole_header_is_closed(few_connections: Running) -> None:
    started = time.monotonic()
    with half_open(few_connections.address, 2) as slow, half_open(few_connections.address, 1, b"") as silent:
        assert all(is_closed(connection, WAIT_S) for connection in (*slow, *silent))
    assert time.monotonic() - started > 0.5, "not before its time is up"


def test_a_body_that_drips_after_its_answer_is_cut_off(few_connections: Running) -> None:
    begun = b"POST /api/links HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"  # refused for its missing origin
    with half_open(few_connections.address, 1, begun) as (connection,):
        end = time.monotonic() + WAIT_S
        with contextlib.suppress(OSError):
            while time.monotonic() < end:
                connection.sendall(b"x")
                time.sleep(0.1)
        assert time.monotonic() < end, "the server hung up"


def test_half_open_connections_leave_room_and_an_address_gets_only_its_share(
    few_connections: Running,
) -> None:
    with half_open(few_connections.address, 60, b"") as opened:
        assert Client(few_connections, None).http.get("/health").status_code == 200
        time.sleep(0.2)
        assert sum(is_closed(connection, 0.01) for connection in opened) >= 40 - 1, "twenty at most stay open"
    assert Client(few_connections, None).http.get("/health").status_code == 200


def test_a_full_server_closes_the_connection_that_waited_longest_without_a_request() -> None:
    class Waiting:
        closed = False

        def abort(self) -> None:
            self.closed = True

    opened, waiting = OpenConnections(ConnectionLimits(most=2)), [Waiting() for _ in range(3)]
    for connection in waiting:
        opened.set_idle(connection, "192.0.2.1")
    opened.set_busy(waiting[0])
    assert opened.close_idle()
    assert [connection.closed for connection in waiting] == [False, True, False]
    assert opened.close_idle()
    assert not opened.close_idle(), "one with a request is never closed for another"


def test_an_ipv6_network_is_one_visitor_and_descriptors_are_kept_back() -> None:
    assert network_of("2001:db8:1:2:3::1") == network_of("2001:db8:1:2:ffff::9") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert connections_of(256) == 192
    assert connections_of(65_536) == 65_536 - 512


def test_a_server_with_256_descriptors_outlives_300_half_open_connections(tmp_path: Path) -> None:
    command = (
        sys.executable,
        "-c",
        "from pitboss.cli import main; main()",
        "serve",
        "--data",
        str(tmp_path / "floor"),
        "--port",
        "0",
    )
    limited = f"ulimit -n 256 && exec {shlex.join(command)}"
    with subprocess.Popen(
        ["/bin/bash", "-c", limited], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as served:
        assert served.stdout is not None
        try:
            address = re.search(r"http://[0-9.]+:[0-9]+", served.stdout.readline())
            assert address is not None, "the server said where it listens"
            with half_open(address[0], 300, b"GET /"):
                assert httpx.get(f"{address[0]}/ready", timeout=WAIT_S, verify=NO_TLS).status_code == 200
            assert httpx.get(f"{address[0]}/ready", timeout=WAIT_S, verify=NO_TLS).status_code == 200
        finally:
            served.send_signal(signal.SIGINT)
            assert served.wait(WAIT_S) == 0
