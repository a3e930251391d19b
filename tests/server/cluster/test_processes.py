"""A floor in two real processes on PostgreSQL: each serves every table, and each can continue without the other."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from house.floors import Floor
from pitboss.games.catalogue import game, game_names
from pitboss.server.app import make_floor
from pitboss.server.cluster.processes import LIFE_MS
from pitboss.server.demonstration import document_for
from pitboss.server.live.sockets import SESSION_OVER
from pitboss.server.open_floor import FloorSettings, FloorUnusable
from record.postgres import fresh_schema, server
from server.at_the_table import CHIPS_CENTS, place_wagers, play_round, sit_down
from server.beside import Pair, until
from server.cluster.test_forwarding import process_of
from server.conftest import give
from server.running import Client, frames_until

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.slow]
TAKEN_OVER_S = 10.0
PAUSES, PAUSED_S = 3, 5  # longer than PostgreSQL lets a session idle in a transaction
COMMAND = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())"]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with server() as postgres, fresh_schema(postgres) as url:
        found = Pair(tmp_path_factory.mktemp("pair"), url)
        yield found
        found.end()


@pytest.fixture
def pair(started: Pair) -> Pair:
    return started.whole()


class Watching(threading.Thread):
    """Reads a socket to its end, so that no frame waits for the later comparison."""

    def __init__(self, socket: Any) -> None:
        super().__init__(daemon=True)
        self.socket, self.frames, self.code = socket, [], 0  # type: ignore[var-annotated]
        self.start()

    def run(self) -> None:
        try:
            while True:
                self.frames.append(json.loads(self.socket.recv()))
        except ConnectionClosed as closed:
            self.code = closed.rcvd.code if closed.rcvd else 0

    def views(self) -> dict[int, dict[str, Any]]:
        """Return the views by sequence, with the events that led there."""
        return {frame["sequence"]: frame for frame in self.frames if "view" in frame}


def test_every_game_is_played_through_the_process_that_does_not_run_its_table(pair: Pair) -> None:
    alice = {floor.address: pair.client(floor, "alice") for floor in pair.both}
    watch = {floor.address: pair.client(floor, name) for floor, name in zip(pair.both, ("flo", "dea"), strict=True)}
    for name in game_names():
        at, owner = alice[pair.other(name).address], pair.owner(name)
        before = at.http.get("/api/me").json()["purse_cents"]
        sit_down(at, name, 1)
        with ExitStack() as open_sockets:
            here, there = (Watching(open_sockets.enter_context(item.live(name))) for item in watch.values())
            socket = open_sockets.enter_context(at.live(name))
            frames = play_round(at, socket, name)
            last = frames[-1]["sequence"]
            until(lambda: max(here.views(), default=0) >= last and max(there.views(), default=0) >= last)  # noqa: B023
        own = next(frame["view"] for frame in reversed(frames) if frame.get("view", {}).get("outcome"))["seats"][0]
        net = sum(result["net"] for result in own["results"]) + own["envy_cents"]
        assert own["stack_cents"] == CHIPS_CENTS + net
        both = sorted(set(here.views()) & set(there.views()))
        assert both[-1] - both[0] > 10
        assert both == sorted(view for view in {*here.views(), *there.views()} if both[0] <= view <= both[-1])
        for sequence in both[1:]:
            assert told(here.views()[sequence]) == told(there.views()[sequence])
        at.must(name, {"kind": "LeaveSeat", "seat": 1})
        purse = [client.http.get("/api/me").json()["purse_cents"] for client in (at, alice[owner.address])]
        assert purse[0] == before + net
        until(lambda: alice[owner.address].http.get("/api/me").json()["purse_cents"] == before + net, 5)  # noqa: B023


def told(frame: dict[str, Any]) -> dict[str, Any]:
    # The time and a meter, which goes on at other tables too, belong to the moment of sending and not to the entry.
    return {**frame, "now": 0, "view": {**frame["view"], "meters": None}}


def test_what_can_be_looked_up_is_the_same_at_both_processes(pair: Pair) -> None:
    flo = [pair.client(floor, "flo").http for floor in pair.both]
    addresses = ["/api/tables", *(f"/api/tables/{name}{rest}" for name in game_names() for rest in ("", "/rounds"))]
    for address in addresses:
        until(lambda: len({without_time(row.get(address).raise_for_status().json()) for row in flo}) == 1, 10)  # noqa: B023
    for name in game_names():
        assert flo[0].get(f"/api/tables/{name}/console").status_code == 200
        assert flo[1].get(f"/api/tables/{name}/console").status_code == 200


def without_time(answer: Any) -> str:
    seen = {name: value for name, value in answer.items() if name != "now"} if isinstance(answer, dict) else answer
    return json.dumps(seen, sort_keys=True)


def test_a_command_counts_once_at_whichever_process_it_is_given(pair: Pair) -> None:
    name = game_names()[1]
    at = {floor.address: pair.client(floor, "bob") for floor in pair.both}
    other, owner = at[pair.other(name).address], at[pair.owner(name).address]
    sit = {"kind": "TakeSeat", "seat": 4}
    first = other.command(name, sit, "once").json()
    again = owner.command(name, sit, "once").json()
    assert (first["again"], again["again"]) == (False, True)
    assert first["entries"] == again["entries"]
    reused = other.command(name, {"kind": "TakeSeat", "seat": 5}, "once")
    assert (reused.status_code, reused.json()["refused"]["field"]) == (409, "id")
    with other.live(name) as socket:
        socket.send(json.dumps({"id": "leave", "body": {"kind": "LeaveSeat", "seat": 4}}))
        assert frames_until(socket, lambda frame: "done" in frame)[-1]["done"]["id"] == "leave"
    refused = other.command(name, {"kind": "DealCards"})
    assert (refused.status_code, refused.json()["refused"]["clause"]) == (409, "H-15")
    assert other.command("nowhere", sit).status_code == 404


def test_the_door_for_processes_lets_nobody_else_in(pair: Pair) -> None:
    upgrade = {"connection": "upgrade", "upgrade": "websocket"}
    stranger = Client(pair.both[0], None)
    for said in ("", "{}", "eA==", "x" * 3_000):
        answer = stranger.http.get("/peers/channel", headers={**upgrade, "pitboss-peer": said})
        assert answer.status_code == 404
    assert stranger.http.get("/peers/channel", headers=upgrade).status_code == 404


def test_a_process_with_keys_of_its_own_is_not_let_in(pair: Pair, tmp_path: Path) -> None:
    floor = make_floor(FloorSettings(tmp_path, pair.url, address="http://127.0.0.1:1"))

    async def opened() -> None:
        try:
            with pytest.raises(FloorUnusable, match="the same key file with --keys"):
                await floor.start()
        finally:
            await floor.stop()

    asyncio.run(opened())
    assert pair.is_shared_out()


def test_a_third_process_takes_its_part_and_gives_it_back_at_once_when_it_is_closed(pair: Pair) -> None:
    pair.client(pair.both[0], "adam")  # a floor whose administrator never signed in would offer another link
    arguments = ["serve", "--port", "0", "--database", pair.url, "--data", str(pair.folder / "third")]
    command = [*COMMAND, *arguments, "--keys", str(pair.folder / "master.keys")]
    with (pair.folder / "third.log").open("w") as log:
        third = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert third.stdout is not None
        said = re.match(r"The floor is open at (http://127\.0\.0\.1:\d+)\. ", third.stdout.readline())
        assert said
        everyone = [*(floor.address for floor in pair.both), said[1]]
        # Which of the three runs two of the four tables depends on which gave one up first.
        until(lambda: sorted(pair.both[0].tables(address) for address in everyone) == [1, 1, 2])
        third.send_signal(signal.SIGINT)
        third.communicate(timeout=240)
        assert third.returncode == 0
        assert until(pair.is_shared_out) < LIFE_MS / 1000  # nobody waited for a lease to run out
    finally:
        third.kill()
        third.communicate()


def test_only_one_process_does_a_task_that_is_done_once(pair: Pair) -> None:
    first, second = (process_of(Floor(seed), pair.store, name) for seed, name in enumerate(("one", "two")))

    async def asked() -> list[bool]:
        try:
            return [await item.is_first_to("test") for item in (first, second, first)]
        finally:
            for item in (first, second):
                await item.close()

    assert asyncio.run(asked()) == [True, False, True]


def test_notices_are_heard_again_after_the_connection_was_cut(pair: Pair) -> None:
    name = game_names()[0]
    other = pair.client(pair.other(name), "bob")
    before = other.view(name)["sequence"]
    with psycopg.connect(pair.url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as connection:
        cut = connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        assert len(cut.fetchall()) == 2
    owner = pair.client(pair.owner(name), "bob")
    for kind in ("TakeSeat", "LeaveSeat"):
        owner.must(name, {"kind": kind, "seat": 5})
    until(lambda: other.view(name)["sequence"] >= before + 2, 10)


def test_a_table_that_is_new_at_one_process_appears_at_the_other(pair: Pair) -> None:
    people = {"olga": pair.client(pair.both[0], "olga")}
    body = {"kind": "SubmitRules", "table": "fresh", "document": document_for(game(game_names()[2]))}
    assert give(people, "olga", body).status_code == 200
    other = Client(pair.both[1], None)
    until(lambda: "fresh" in [table["table"] for table in other.http.get("/api/tables").json()], 5)


def test_a_revocation_closes_sockets_at_the_other_process_at_once(pair: Pair) -> None:
    adam, cay = pair.client(pair.both[0], "adam"), pair.client(pair.both[1], "cay")
    with cay.live(game_names()[0]) as socket:
        watching = Watching(socket)
        revoke = {"kind": "RevokePerson", "person": "cay", "reason": "a test"}
        assert give({"adam": adam}, "adam", revoke).status_code == 200
        assert until(lambda: watching.code, 5) < 2
    assert watching.code == SESSION_OVER
    assert cay.http.get("/api/me").status_code == 401


def test_a_ticket_of_one_process_opens_a_socket_at_the_other(pair: Pair) -> None:
    here, there = (pair.client(floor, "aud") for floor in pair.both)
    table = game_names()[0]
    ticket = here.http.post(f"/api/tables/{table}/ticket").raise_for_status().json()["ticket"]
    address = f"{there.address.replace('http', 'ws')}/api/tables/{table}/live?ticket={ticket}"
    origin: Any = there.address
    with connect(address, origin=origin) as socket:
        assert "view" in json.loads(socket.recv(timeout=120))
    with pytest.raises(InvalidStatus), connect(address, origin=origin):
        pass


def test_the_heads_of_both_processes_hold_for_the_record(pair: Pair) -> None:
    for floor in pair.both:
        until(lambda: (floor.data / "heads" / "heads.jsonl").stat().st_size, 5)  # noqa: B023
    report = pair.verified()
    assert report.is_sound, report.fault
    assert report.as_dict()["heads"] > 0


def asked_to_act(client: Client, name: str) -> dict[str, Any]:
    """Bring a player to a decision and return what the player sees."""
    sit_down(client, name, 1)
    with client.live(name) as socket:
        view: dict[str, Any] = place_wagers(client, socket, name, 1)[-1]["view"]
        while not view["actions"]:
            view = place_wagers(client, socket, name, 1)[-1]["view"]
    return view


def played_to_the_end(client: Client, name: str, begun: dict[str, Any]) -> dict[str, Any]:
    """Answer with the last action offered until the round is over, and return the seat as the record has it."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        seen = client.view(name)
        if seen["round"] > begun["round"]:
            recorded = client.http.get(f"/api/me/rounds/{begun['round_id']}").raise_for_status().json()
            ended: dict[str, Any] = recorded["steps"][-1]["seen"]["seats"][0]
            return ended
        if seen["actions"]:
            client.command(name, {"kind": "Act", "seat": 1, "action": seen["actions"][-1]})
        time.sleep(0.01)
    raise AssertionError("the round did not end")


def test_a_process_that_slept_longer_than_its_lease_is_fenced_off(pair: Pair) -> None:
    name = game_names()[0]
    owner, other = pair.owner(name), pair.other(name)
    alice, stale = pair.client(other, "alice"), pair.client(owner, "bob")
    asks_late = pair.client(owner, "bob")
    held = token_of(pair, name)
    owner.signal(signal.SIGSTOP)
    late: list[Any] = []
    sit = {"kind": "TakeSeat", "seat": 2}
    asking = threading.Thread(target=lambda: late.append(asks_late.command(name, sit, "late")))
    asking.start()  # it lies before the sleeper when it wakes
    try:
        assert until(lambda: other.tables() >= len(game_names()), 15) < TAKEN_OVER_S
        alice.must(name, {"kind": "TakeSeat", "seat": 3})
    finally:
        owner.signal(signal.SIGCONT)
        asking.join(240)
    assert late[0].status_code == 200, late[0].text
    assert {2, 3} <= {seat["seat"] for seat in stale.view(name)["seats"]}
    assert token_of(pair, name) > held
    until(pair.is_shared_out)
    for client, seat in ((alice, 3), (stale, 2)):
        client.must(name, {"kind": "LeaveSeat", "seat": seat})
    report = pair.verified()
    assert report.is_sound, report.fault


def test_a_busy_process_that_was_paused_goes_on(pair: Pair) -> None:
    name = game_names()[1]
    owner = pair.owner(name)
    busy = pair.client(owner, "alice")
    answered: list[Any] = []
    is_over = threading.Event()

    def knock() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            kind = {"kind": "TakeSeat" if number % 2 else "LeaveSeat", "seat": 4}
            with suppress(
                httpx.TransportError, OSError
            ):  # a connection that idled through the pause is closed under the client
                answered.append(busy.command(name, kind))

    knocking = threading.Thread(target=knock)
    knocking.start()

    def is_past(wanted: int) -> bool:
        return len(answered) > wanted

    try:
        for pause in range(PAUSES):
            time.sleep(0.3 + 0.07 * pause)  # another place in a transaction each time
            owner.signal(signal.SIGSTOP)
            time.sleep(PAUSED_S)
            owner.signal(signal.SIGCONT)
            wanted = len(answered) + 5
            until(partial(is_past, wanted), 30)
    finally:
        owner.signal(signal.SIGCONT)
        is_over.set()
        knocking.join(240)
    faults = [(answer.status_code, answer.text) for answer in answered if answer.status_code not in (200, 409)]
    assert faults == [], "a pause is no fault of the record"
    assert busy.http.get("/ready").status_code == 200
    until(pair.is_shared_out)
    for seat in busy.view(name)["seats"]:
        if seat["seat"] == 4:
            busy.must(name, {"kind": "LeaveSeat", "seat": 4})


def token_of(pair: Pair, table: str) -> int:
    return next(lease.token for lease in pair.store.leases()[1] if lease.name == f"table/{table}")


def test_a_killed_process_is_replaced_within_ten_seconds_and_its_round_is_finished(
    pair: Pair,
) -> None:
    name = game_names()[3]
    owner, other = pair.owner(name), pair.other(name)
    alice = pair.client(other, "alice")
    purse = alice.http.get("/api/me").json()["purse_cents"]
    seen = asked_to_act(alice, name)
    owner.signal(signal.SIGKILL)
    killed = time.monotonic()
    act = {"kind": "Act", "seat": 1, "action": seen["actions"][-1]}
    answer = alice.command(name, act, "over the gap")
    waited = time.monotonic() - killed
    print(f"taken over after {waited:.2f} s")
    assert answer.status_code == 200, answer.text
    assert waited < TAKEN_OVER_S
    until(lambda: other.tables() >= len(game_names()), TAKEN_OVER_S - waited)
    again = alice.command(name, act, "over the gap").json()
    assert (again["again"], again["entries"]) == (True, answer.json()["entries"])
    ended = played_to_the_end(alice, name, seen)
    net = sum(result["net"] for result in ended["results"]) + ended["envy_cents"]
    alice.must(name, {"kind": "LeaveSeat", "seat": 1})
    assert alice.http.get("/api/me").json()["purse_cents"] == purse + net
    report = pair.verified()
    assert report.is_sound, report.fault
