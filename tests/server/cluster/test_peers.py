"""Messages between processes: nobody in between can read, change, replay or forge them."""

import asyncio
import json
import random
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest

from house.floors import Chance, Clock
from pitboss.house.running_tables import Answer, Asked, Done, NotHere
from pitboss.house.table_registry import Glance
from pitboss.record.entries import Circumstances, Draft, Head, chain
from pitboss.record.keys import Keyring, MasterKey, fresh_key
from pitboss.record.store import StoreBusy
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.channels import HEADER, Channel, channel_key
from pitboss.server.cluster.envelopes import FRESH_MS, Envelope
from pitboss.server.cluster.glances import Glances
from pitboss.server.cluster.peer_door import PeerDoor
from pitboss.server.cluster.peers import FAILED, NotReached, PeerEvents, Peers

OLD, NEW, STRANGE = (MasterKey(random.Random(number).randbytes(32)) for number in range(3))
ASKED = Asked("id", "alice", ("player", "dealer"), {"kind": "Tip", "cents": 5}, token=3, seen=9)
ENTRIES = chain(Head(), [Draft("table/t", "house.Tipped", {"cents": 5}, "H-1")], Circumstances("a", "player", "id", 1))


def envelope(*keys: MasterKey, clock: Clock | None = None, seed: int = 1) -> Envelope:
    return Envelope(lambda: Keyring(keys), clock or Clock(), Chance(seed))


def test_a_message_can_be_read_only_with_the_keys() -> None:
    sealed = envelope(OLD).seal({"card": "As"}, b"asking ")
    assert b"As" not in sealed
    for reader in (envelope(OLD), envelope(OLD, NEW)):
        read = reader.open(sealed, b"asking ")
        assert read is not None
        assert read["card"] == "As"
    assert envelope(STRANGE).open(sealed, b"asking ") is None
    assert envelope(OLD).open(sealed, b"answering ") is None
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        assert envelope(OLD).open(bytes(changed), b"asking ") is None
    for length in range(len(sealed)):
        assert envelope(OLD).open(sealed[:length], b"asking ") is None


def test_a_message_is_not_taken_when_it_is_old() -> None:
    clock = Clock(10**6)
    sealed = envelope(OLD, clock=clock).seal({}, b"")
    clock.now += FRESH_MS
    assert envelope(OLD, clock=clock).open(sealed, b"") is not None
    clock.now += 1
    assert envelope(OLD, clock=clock).open(sealed, b"") is None


class Tables:
    """A house that gives one answer, and keeps what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, []  # type: ignore[var-annotated]

    async def do(self, table: str, asked: Asked) -> Answer:
        self.asked.append((table, asked))
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: Answer = self.answer
        return answer


class Line:
    """A listener on a real port: it hands connections over to a door, and can let changed bytes through."""

    def __init__(self, door: PeerDoor) -> None:
        self.door = door
        self.address = ""

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Line"]:
        server = await asyncio.get_running_loop().create_server(lambda: Knock(self.door), "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            self.door.close()
            server.close()
            await asyncio.sleep(0.01)  # until the connections are closed


class Knock(asyncio.Protocol):
    """What the web server does with a connection that asks for a channel."""

    def __init__(self, door: PeerDoor) -> None:
        self.door, self.read = door, b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.read += data
        if self.read.endswith(b"\r\n\r\n"):
            lines = [line.partition(b": ") for line in self.read.split(b"\r\n")[1:] if line]
            address = self.transport.get_extra_info("peername")[0]
            self.door.admit(self.transport, {name: value for name, _, value in lines}, address)


async def given(answer: Any, here: Envelope, there: Envelope) -> tuple[Any, list[Any]]:
    """Give a command over a real channel."""
    tables = Tables(answer)
    door = PeerDoor("peer", tables.do, there)
    async with Line(door).open() as line:
        door._process = f"{line.address}#1"
        peers = Peers(here)
        try:
            return await peers.give(f"{line.address}#1", "t", ASKED), tables.asked
        except (NotHere, NotReached) as fault:
            return type(fault), tables.asked
        finally:
            await peers.close()


@pytest.mark.parametrize(
    ("answer", "arrives"),
    [
        (Done(ENTRIES), Done(ENTRIES)),
        (Done(ENTRIES, again=True), Done(ENTRIES, again=True)),
        (Refusal("no", "Ch. 1 §A", "cents"), Refusal("no", "Ch. 1 §A", "cents")),
        (NotHere("elsewhere"), NotHere),
        (StoreBusy("busy"), NotReached),
    ],
)
def test_a_command_and_its_answer_arrive_as_they_were_sent(answer: Any, arrives: Any) -> None:
    found, asked = asyncio.run(given(answer, envelope(OLD, NEW, seed=1), envelope(OLD, NEW, seed=2)))
    assert found == arrives
    assert asked == [("t", ASKED)]


def test_a_process_with_other_keys_is_not_answered() -> None:
    found, asked = asyncio.run(given(Done(ENTRIES), envelope(fresh_key(Chance(5))), envelope(OLD)))
    assert found is NotReached
    assert asked == []


def test_a_process_that_took_over_an_address_is_not_given_the_commands_of_the_one_before() -> None:
    async def another() -> tuple[Any, list[Any], list[str]]:
        tables, ended = Tables(Done(ENTRIES)), []  # type: ignore[var-annotated]
        door = PeerDoor("peer", tables.do, envelope(OLD, seed=2))
        async with Line(door).open() as line:
            door._process = f"{line.address}#1"
            peers = Peers(envelope(OLD))
            peers.events.ended.append(ended.append)
            await peers.give(f"{line.address}#1", "t", ASKED)
            door._process = f"{line.address}#2"
            door.close()
            while not ended:
                await asyncio.sleep(0.01)
            with pytest.raises(NotReached):
                await peers.give(f"{line.address}#1", "t", ASKED)
            found = ended, tables.asked, [f"{line.address}#1"]
            await peers.close()
            return found

    ended, asked, first = asyncio.run(another())
    assert ended == first
    assert len(asked) == 1


class Pipe(asyncio.Transport):
    """Keeps what one side sends, for the test to hand over as it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_cut = False

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def is_closing(self) -> bool:
        return self.is_cut

    def abort(self) -> None:
        self.is_cut = True

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def close(self) -> None:
        self.is_cut = True

    def get_write_buffer_size(self) -> int:
        return 0


async def through(change: Any) -> tuple[list[Any], bool]:
    """Send two messages over a channel whose bytes are changed on the way, and return what arrives."""
    cipher, found = channel_key("01" * 32, "02" * 32), []
    pipe, other = Pipe(), Pipe()
    sends = Channel(cipher, b"dialer ", lambda *_: None, lambda _: None)
    hears = Channel(cipher, b"listener ", lambda _, header, body: found.append((header, body)), lambda _: None)
    sends.connection_made(pipe)
    hears.connection_made(other)
    for number in (1, 2):
        sends.send({"number": number}, b"body")
        await asyncio.sleep(0)
    for part in change(pipe.sent):
        hears.data_received(part)
    return found, other.is_cut


BOTH = [({"number": 1}, b"body"), ({"number": 2}, b"body")]


@pytest.mark.parametrize(
    ("change", "arrives", "is_cut"),
    [
        (lambda sent: sent, BOTH, False),
        (lambda sent: [bytes([byte]) for part in sent for byte in part], BOTH, False),
        (lambda sent: [sent[0], sent[0]], BOTH[:1], True),
        (lambda sent: [sent[1], sent[0]], [], True),
        (lambda sent: [sent[0], sent[1][:-1] + bytes([sent[1][-1] ^ 1])], BOTH[:1], True),
        (lambda sent: [b"\xff\xff\xff\xff"], [], True),
    ],
    ids=["as sent", "in pieces", "repeated", "swapped", "changed", "endless"],
)
def test_a_channel_takes_messages_only_as_they_were_sent(change: Any, arrives: Any, is_cut: bool) -> None:
    assert asyncio.run(through(change)) == (arrives, is_cut)


def test_a_channel_hides_what_it_carries_and_takes_none_of_its_own_messages_back() -> None:
    async def sent() -> list[bytes]:
        pipe = Pipe()
        found: list[Any] = []
        cipher = channel_key("01" * 32, "02" * 32)
        side = Channel(cipher, b"dialer ", lambda _, header, body: found.append(header), lambda _: None)
        side.connection_made(pipe)
        side.send({"card": "As"})
        await asyncio.sleep(0)
        side.data_received(pipe.sent[0])
        assert found == []
        assert pipe.is_cut
        return pipe.sent

    assert b"As" not in asyncio.run(sent())[0]


def test_strangers_are_soon_refused_and_a_peer_behind_the_same_address_never_is() -> None:
    clock = Clock(10**6)
    door = PeerDoor("peer", Tables(Done(ENTRIES)).do, envelope(OLD, clock=clock))

    def knock(hello: bytes, address: str) -> bytes:
        pipe = Pipe()
        door.admit(pipe, {HEADER.encode(): b64encode(hello)}, address)
        return pipe.sent[0][:12]

    async def run() -> None:
        answers = [knock(b"guess" * 9, "192.0.2.1") for _ in range(14)]
        assert answers == [b"HTTP/1.1 404"] * 10 + [b"HTTP/1.1 429"] * 4
        peer = envelope(OLD, clock=clock)
        for address in ("192.0.2.2", "192.0.2.1"):  # a proxy on a peer's machine passes strangers on from there
            hello = peer.seal({"salt": "01" * 32, "to": "peer"}, b"asking ")
            assert knock(hello, address) == b"HTTP/1.1 101"
        clock.now += 2_000
        assert knock(b"guess" * 9, "192.0.2.1") == b"HTTP/1.1 404", "a token has come back"
        door.close()

    asyncio.run(run())


def test_a_greeting_that_somebody_copied_opens_nothing_again() -> None:
    clock = Clock(10**6)
    door = PeerDoor("peer", Tables(Done(ENTRIES)).do, envelope(OLD, clock=clock))

    async def run() -> None:
        hello, opened = envelope(OLD, clock=clock).seal({"salt": "01" * 32, "to": "peer"}, b"asking "), []
        for later_ms in (0, 1, FRESH_MS - 1, 2 * FRESH_MS):
            clock.now += later_ms
            pipe = Pipe()
            door.admit(pipe, {HEADER.encode(): b64encode(hello)}, "192.0.2.1")
            opened.append(pipe.sent[0][:12] == b"HTTP/1.1 101")
        assert opened == [True, False, False, False]
        door.close()

    asyncio.run(run())


def test_a_command_that_fails_there_is_answered_too() -> None:
    async def asked() -> None:
        door = PeerDoor("peer", Tables(RuntimeError("a bug")).do, envelope(OLD, seed=2))
        async with Line(door).open() as line:
            door._process = name = f"{line.address}#1"
            peers = Peers(envelope(OLD, seed=1))
            said, _ = await peers.to(name).answer({"kind": "do", "table": "t", "asked": asdict(ASKED)})
            assert said["fault"] == FAILED, "nobody waits until their patience ends"
            await peers.close()

    asyncio.run(asked())


def test_a_question_that_fails_leaves_the_channel_open_for_the_others() -> None:
    async def asked() -> None:
        door = PeerDoor("peer", Tables(Done(ENTRIES)).do, envelope(OLD, seed=2))

        def broken(channel: Channel, header: Any, body: bytes) -> None:
            raise RuntimeError("a table that can't be shown")

        door.answerers["look"] = broken
        async with Line(door).open() as line:
            door._process = name = f"{line.address}#1"
            peers = Peers(envelope(OLD, seed=1))
            closed: list[Any] = []
            peers.events.closed.append(closed.append)
            said, _ = await peers.to(name).answer({"kind": "look"})
            assert said["fault"] == FAILED
            assert await peers.give(name, "t", ASKED) == Done(ENTRIES)
            assert closed == []
            await peers.close()

    asyncio.run(asked())


def test_a_channel_goes_on_after_more_messages_than_thirty_two_bits_count() -> None:
    async def run() -> None:
        cipher, found = channel_key("01" * 32, "02" * 32), []
        pipe = Pipe()
        sends = Channel(cipher, b"dialer ", lambda *_: None, lambda _: None)
        hears = Channel(cipher, b"listener ", lambda _, header, body: found.append(header), lambda _: None)
        sends.connection_made(pipe)
        hears.connection_made(Pipe())
        sends._sent = hears._heard = 2**32 - 1
        for number in (1, 2):
            sends.send({"number": number})
        await asyncio.sleep(0)
        hears.data_received(pipe.sent[0])
        assert found == [{"number": 1}, {"number": 2}]

    asyncio.run(run())


def test_what_a_process_said_before_decides_nothing_once_it_fails_to_answer() -> None:
    async def run() -> None:
        house: Any = SimpleNamespace(glances={}, runs=lambda table: False)
        answers = ["described", "failed"]

        class Said:
            process = "http://first#1"

            async def answer(self, header: Any) -> tuple[Any, bytes]:
                if answers.pop(0) == "failed":
                    return {"fault": FAILED}, b""
                glance = {**dict.fromkeys(Glance._fields, 0), "dealer": "dea", "playing": [], "stacks": {}}
                return {"version": 1}, json.dumps([["t", 1, glance, {}]]).encode()

        link = Said()
        peers: Any = SimpleNamespace(
            events=PeerEvents([], [], [], []), all_open=lambda: [link], open_to=lambda process: link
        )
        glances = Glances(house, peers, lambda table: link.process)
        await glances.refresh()
        assert house.glances["t"].dealer == "dea"
        await glances.refresh()
        assert house.glances == {}
        assert glances.row("t") is None

    asyncio.run(run())
