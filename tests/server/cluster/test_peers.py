"""Messages between processes: nobody in between can read, change, replay or forge them."""

import asyncio
import random
import sys
from dataclasses import asdict
from typing import Any

import pytest

from house.floors import Chance, Clock
from pitboss.house.running_tables import Answer, Asked, Done, NotHere
from pitboss.record.entries import Circumstances, Draft, Head, chain
from pitboss.record.keys import Keyring, MasterKey, fresh_key
from pitboss.record.store import StoreBusy
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.peers import FRESH_MS, Envelope, NotReached, PeerDoor, Peers
from pitboss.server.data_folder import FloorUnusable

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


async def given(answer: Any, here: Envelope, there: Envelope) -> tuple[Any, list[Any]]:
    """Give a command through a real client to a door, without a network between."""
    import httpx

    tables = Tables(answer)

    async def visitors(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("a message of a process goes no further")

    peers = Peers(here)
    await peers._client.aclose()
    door = PeerDoor(visitors, tables, there)  # type: ignore[arg-type]
    peers._client = httpx.AsyncClient(transport=httpx.ASGITransport(door))
    try:
        return await peers.give("http://peer", "t", ASKED), tables.asked
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


def test_a_missing_package_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(FloorUnusable, match=r"pip install 'pitboss\[postgres\]'"):
        Peers(envelope(OLD))


def test_strangers_messages_are_soon_not_even_read_and_a_peers_still_are() -> None:
    clock = Clock(10**6)
    door = PeerDoor(None, Tables(Done(ENTRIES)), envelope(OLD, clock=clock))  # type: ignore[arg-type]

    async def sent(body: bytes, address: str) -> tuple[int, bool]:
        statuses, was_read = [], False

        async def receive() -> Any:
            nonlocal was_read
            was_read = True
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            statuses.append(message.get("status"))

        await door({"type": "http", "path": "/peers/commands", "client": (address, 1)}, receive, send)
        return statuses[0], was_read

    async def run() -> None:
        answers = [await sent(b"guess" * 9, "192.0.2.1") for _ in range(14)]
        assert answers == [(404, True)] * 10 + [(429, False)] * 4
        asked = {"table": "t", "asked": asdict(ASKED)}
        assert await sent(envelope(OLD, clock=clock).seal(asked, b"asking "), "192.0.2.2") == (200, True)
        clock.now += 2_000
        assert (await sent(b"guess" * 9, "192.0.2.1"))[0] == 404, "a token has come back"

    asyncio.run(run())
