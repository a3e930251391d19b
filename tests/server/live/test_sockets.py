"""Sockets: tickets, resuming by sequence, slow readers, limits, commands on the socket, and malformed frames."""

import asyncio
import json
import random
import string
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from house.floors import Chance
from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss.house.people.sessions import KeptSession
from pitboss.record.keys import Keyring, MasterKey
from pitboss.server.app import make_floor
from pitboss.server.cluster.envelopes import Envelope
from pitboss.server.demonstration import demo_documents
from pitboss.server.live import sockets
from pitboss.server.live.sockets import FRAMES_WAITING_MOST, TOO_MUCH, TOO_SLOW, Live, answered
from pitboss.server.live.views import table_view
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.request_limits import FRAME_BYTES_MOST
from pitboss.server.routes.callers import Guest, Tickets
from pitboss.server.schemas import tables as schemas
from server.at_the_table import least_stakes
from server.running import Client, Running, frames_until

pytestmark = pytest.mark.xdist_group("server")
TABLE = game_names()[-1]
QUIET = game_names()[2]


def live_address(client: Client, table: str, ticket: str) -> str:
    return f"{client.address.replace('http', 'ws')}/api/tables/{table}/live?ticket={ticket}"


def ticket_for(client: Client, table: str) -> str:
    return str(client.http.post(f"/api/tables/{table}/ticket").json()["ticket"])


def test_a_ticket_opens_one_socket_of_its_table(people: dict[str, Client]) -> None:
    dea = people["dea"]
    ticket = ticket_for(dea, TABLE)
    origin: Any = dea.address
    for table, shown in ((QUIET, ticket), (TABLE, "guessed")):
        with pytest.raises(InvalidStatus), connect(live_address(dea, table, shown), origin=origin):
            pass
    ticket = ticket_for(dea, TABLE)
    with connect(live_address(dea, TABLE, ticket), origin=origin) as socket:
        assert "view" in json.loads(socket.recv(timeout=120))
    with pytest.raises(InvalidStatus), connect(live_address(dea, TABLE, ticket), origin=origin):
        pass


def test_a_socket_from_a_foreign_origin_or_none_is_refused(people: dict[str, Client]) -> None:
    for origin in ("http://elsewhere.example", None):
        address = live_address(people["dea"], TABLE, ticket_for(people["dea"], TABLE))
        with pytest.raises(InvalidStatus), connect(address, origin=origin):
            pass


def test_a_viewer_who_comes_back_gets_what_was_missed(people: dict[str, Client]) -> None:
    bob = people["bob"]
    with bob.live(QUIET) as socket:
        seen = frames_until(socket, lambda frame: "view" in frame)[-1]["sequence"]
    first = bob.must(QUIET, {"kind": "TakeSeat", "seat": 1})
    bob.must(QUIET, {"kind": "LeaveSeat", "seat": 1})
    with bob.live(QUIET, seen) as socket:
        frame = frames_until(socket, lambda frame: "view" in frame)[-1]
    numbers = [event["sequence"] for event in frame["events"]]
    assert numbers == list(range(seen + 1, frame["sequence"] + 1))
    assert first["entries"][0] in frame["events"]
    with bob.live(QUIET, 0) as socket:
        assert frames_until(socket, lambda frame: "view" in frame)[-1]["events"] is None


def test_commands_go_over_the_socket_too_and_count_once(people: dict[str, Client]) -> None:
    bob = people["bob"]
    with bob.live(QUIET) as socket:
        sit = json.dumps({"id": "socket-sit", "body": {"kind": "TakeSeat", "seat": 2}})
        socket.send(sit)
        done = frames_until(socket, lambda frame: "done" in frame)[-1]["done"]
        assert not done["again"]
        socket.send(sit)
        assert frames_until(socket, lambda frame: "done" in frame)[-1]["done"]["again"]
        socket.send(json.dumps({"id": "socket-deal", "body": {"kind": "DealCards"}}))
        refused = frames_until(socket, lambda frame: "refused" in frame)[-1]["refused"]
        assert (refused["id"], refused["clause"]) == ("socket-deal", "H-15")
        old = {"id": "socket-old", "body": {"kind": "Act", "seat": 2, "action": "fold"}, "seen": 1}
        socket.send(json.dumps(old))
        assert frames_until(socket, lambda frame: "refused" in frame)[-1]["refused"]["field"] == "seen"
    bob.must(QUIET, {"kind": "LeaveSeat", "seat": 2})


@pytest.mark.parametrize("sent", [b"\x00\x01", "x" * (FRAME_BYTES_MOST + 1)])
def test_frames_of_the_wrong_kind_or_size_close_the_socket(people: dict[str, Client], sent: Any) -> None:
    with people["dea"].live(QUIET) as socket:
        socket.send(sent)
        assert closing_code(socket) == TOO_MUCH


def test_a_flood_closes_the_socket_and_no_other(people: dict[str, Client]) -> None:
    with people["dea"].live(QUIET) as flooding, people["flo"].live(QUIET) as other:
        try:
            for number in range(3_000):
                flooding.send(f'{{"number": {number}}}')
        except ConnectionClosed:
            pass
        assert closing_code(flooding) == TOO_MUCH
        other.send("nothing")
        assert frames_until(other, lambda frame: "refused" in frame)


def closing_code(socket: Any) -> int:
    try:
        while True:
            socket.recv(timeout=120)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


class Stuck:
    """A socket whose reader does not read."""

    def __init__(self) -> None:
        self.free = asyncio.Event()
        self.sent: list[str] = []
        self.code: int | None = None

    async def send_text(self, text: str) -> None:
        await self.free.wait()
        self.sent.append(text)

    async def close(self, code: int) -> None:
        self.code = code


def somebody() -> Guest:
    return Guest("eve", ("player",), KeptSession("", "session", "eve", 0, 0))


def test_a_slow_reader_is_dropped_with_a_code_and_holds_no_frames() -> None:
    async def run() -> None:
        stuck = Stuck()
        live = Live(stuck, somebody(), "table")
        for number in range(10 * FRAMES_WAITING_MOST):
            live.send(str(number))
            await asyncio.sleep(0)
        assert len(live._waiting) == 0
        stuck.free.set()
        await asyncio.sleep(0.01)
        assert stuck.code == TOO_SLOW
        assert len(stuck.sent) <= 1

    asyncio.run(run())


class Clock:
    """A clock that a test sets."""

    now = 0

    def now_ms(self) -> int:
        return self.now


def tickets_of(clock: Clock, key: int = 1, process: int = 1) -> Tickets:
    """Return the tickets of a process whose key file begins with this byte."""
    keyring = Keyring((MasterKey(bytes([key] * 32)),))
    return Tickets(Envelope(lambda: keyring, clock, Chance(process)))


def test_tickets_expire_and_are_forgotten_then() -> None:
    clock = Clock()
    tickets = tickets_of(clock)
    late = tickets.issue(somebody(), "table")
    for _ in range(50):
        assert tickets.use(tickets.issue(somebody(), "table"), "table") == somebody().kept
    clock.now = 30_000
    assert tickets.use(late, "table") is None
    assert not tickets._used, "what has expired needs no memory"


def test_a_ticket_holds_at_every_process_of_the_floor_and_nowhere_else() -> None:
    clock = Clock()
    here, there, elsewhere = tickets_of(clock), tickets_of(clock, process=2), tickets_of(clock, key=2)
    ticket = here.issue(somebody(), "table")
    assert elsewhere.use(ticket, "table") is None
    assert there.use(ticket, "table") == somebody().kept
    assert there.use(ticket, "table") is None, "each process takes it once"
    assert here.use(here.issue(somebody(), "table"), "another") is None
    for altered in ("", "guessed", "A" * len(ticket), f"{ticket[:-4]}AAAA", "\u00e9"):
        assert there.use(altered, "table") is None


def test_a_ticket_from_a_process_whose_clock_is_ahead_is_taken_once_too() -> None:
    ahead, behind = Clock(), Clock()
    ahead.now, behind.now = 20_000, 0
    ticket, there = tickets_of(ahead).issue(somebody(), "table"), tickets_of(behind, process=2)
    assert there.use(ticket, "table") == somebody().kept
    behind.now = 35_000
    assert there.use(ticket, "table") is None


JUNK = [
    "",
    "null",
    "[]",
    "{}",
    '"text"',
    "1e999",
    "{",
    "[" * 5_000,
    '{"id": "x"}',
    '{"id": "", "body": {}}',
    '{"id": "x", "body": []}',
    '{"id": "x", "body": {"kind": 5}}',
    '{"id": "x", "body": {"kind": "TakeSeat"}}',
    '{"id": "x", "body": {"kind": "TakeSeat", "seat": "1"}}',
    '{"id": "x", "body": {"kind": "TakeSeat", "seat": 1, "extra": 1}}',
    '{"id": "x", "body": {"kind": "TakeSeat", "seat": 1}, "extra": 1}',
    '{"id": "x", "body": {"kind": "TakeSeat", "seat": ' + "9" * 5_000 + "}}",
    '{"id": "x", "body": {"kind": "TakeSeat", "seat": 1.5}}',
    '{"id": "x", "body": {"kind": "Tip", "cents": true}}',
    '{"id": "x", "body": {"kind": "PlaceWagers", "seat": 1, "stakes": {"\\ud800": 5}}}',
    '{"id": "\\u0000", "body": {"kind": "Settle"}}',
    '{"id": "x", "body": ' + '{"a":' * 40 + "1" + "}" * 40 + "}",
]


def malformed(chance: random.Random) -> str:
    """Return a frame that is no command, or one that is damaged a little."""
    if chance.random() < 0.4:
        text = chance.choice(JUNK)
    else:
        kind = chance.choice(("TakeSeat", "BuyIn", "PlaceWagers", "Act", "Settle", "DealCards", "Fill", "Confirm"))
        body: dict[str, Any] = {
            "kind": kind,
            chance.choice(("seat", "cents", "stakes", "action", "token", "by", "at")): chance.choice(
                (None, True, -1, 10**18, 0.5, "x", [], {}, [{}], {"ante": -5}, {"ante": "5"})
            ),
        }
        text = json.dumps({"id": chance.choice(("x", "", "y" * 90)), "body": body, "seen": chance.choice((0, -1, "1"))})
    for _ in range(chance.randrange(3)):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(string.printable) + text[place + chance.randrange(2) :]
    return text


def test_a_hundred_thousand_malformed_frames_change_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        await floor.start()
        floor.run_table("table")
        before, head = table_view(floor, floor.house.live("table"), None), floor.store.heads()
        chance = random.Random(20)
        guest = somebody()
        for _ in range(95_000):
            said = await answered(floor, guest, "table", malformed(chance))
            assert list(said) == ["refused"]
        assert table_view(floor, floor.house.live("table"), None) == before
        assert floor.store.heads() == head
        await floor.stop()

    asyncio.run(run())


def at_rest(client: Client, table: str) -> dict[str, Any]:
    """Wait until nothing happens at a table, where a round that nobody bets on may still end, and return its view."""
    end = time.monotonic() + WAIT_S
    before: dict[str, Any] = {}
    view = client.view(table)
    while view["seats"] or before != {**view, "at": 0}:
        assert time.monotonic() < end, "the table doesn't come to rest"
        before = {**view, "at": 0}
        time.sleep(1)
        view = client.view(table)
    return view


def test_thousands_of_malformed_frames_over_real_sockets_change_nothing(
    running: Running, people: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.server.live.sockets.FRAMES_PER_SECOND", 1e9)
    monkeypatch.setattr("pitboss.server.live.sockets.FRAMES_AT_ONCE", 1e9)
    before = at_rest(people["dea"], QUIET)
    chance = random.Random(21)
    count = 0
    with people["dea"].live(QUIET) as socket:
        for _ in range(100):
            frames = [malformed(chance) for _ in range(50)]
            for frame in frames:
                socket.send(frame)
            for _ in frames:
                answer = json.loads(socket.recv(timeout=120))
                while "view" in answer or "heartbeat" in answer:
                    answer = json.loads(socket.recv(timeout=120))
                assert "refused" in answer
                count += 1
    assert count == 5_000
    after = people["dea"].view(QUIET)
    assert {**after, "at": 0} == {**before, "at": 0}


def test_the_model_shown_is_the_view_that_is_sent(people: dict[str, Client]) -> None:
    sent = people["dea"].view(QUIET)
    assert set(sent) == set(schemas.TableView.model_fields)
    assert schemas.TableView.model_validate(sent).model_dump() == sent


class TwoLinked(Running):
    """A server with two tables of one game, which share its meters."""

    async def _opening(self, floor: OpenFloor) -> None:
        await floor.open_free_play("other", {**demo_documents()[TABLE], "pace": self.pace}, 500_000_00)
        await super()._opening(floor)


def test_a_table_at_rest_hears_of_meters_that_another_feeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HEARTBEAT_S", 0.3)
    running = TwoLinked(tmp_path)
    try:
        alice, bob = Client(running, "alice"), Client(running, "bob")
        with bob.live("other") as resting, alice.live(TABLE) as playing:
            first = frames_until(resting, lambda frame: "view" in frame)[-1]
            alice.must(TABLE, {"kind": "TakeSeat", "seat": 1})
            alice.must(TABLE, {"kind": "BuyIn", "cents": 500_00})
            frames_until(playing, lambda frame: frame.get("view", {}).get("phase") == "wagering")
            stakes = {**least_stakes(TABLE), "progressive": 1_00}
            alice.must(TABLE, {"kind": "PlaceWagers", "seat": 1, "stakes": stakes})
            fed = frames_until(resting, lambda frame: "view" in frame)[-1]
        assert fed["view"]["meters"] != first["view"]["meters"]
        assert fed["events"] == []
        assert {**fed["view"], "meters": {}} == {**first["view"], "meters": {}}
    finally:
        running.stop()
