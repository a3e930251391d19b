"""A command for a table that another process runs is forwarded there."""

import asyncio
from typing import Any

import pytest

from house.floors import Chance, Floor, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere
from pitboss.record.group_commit import InlineRunner
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster import processes as cluster_processes
from pitboss.server.cluster.peers import Envelope, Peers
from pitboss.server.cluster.processes import CHANGES_HANDS, NOT_ANSWERING, NOT_RUN, Processes


def process_of(floor: Floor, store: Any, address: str, peers: Any = None) -> Processes:
    """Return a process with a test's house, and the peers that it reaches."""
    peers = peers or Peers(Envelope(lambda: floor.keyring, floor.clock, Chance(1)))
    return Processes(floor.house, store, peers, InlineRunner(), database="postgresql://", address=address)


class Peer:
    """The other process, without a network between."""

    def __init__(self, house: House) -> None:
        self.house, self.addresses = house, []  # type: ignore[var-annotated]

    async def give(self, address: str, table: str, asked: Asked) -> Answer:
        self.addresses.append(address)
        return await self.house.do(table, asked)


def test_a_command_for_a_table_run_elsewhere_is_given_there_and_its_result_read_here() -> None:
    async def elsewhere() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        await first.sit("t", "alice", 1)
        second, peer = Floor(2, first.disk), Peer(first.house)
        second.house.follow("t")
        processes = process_of(second, second.store, "http://second", peer)
        processes._note_owners({"t": "http://first#1"})

        async def do(table: str, command_id: str) -> Answer:
            body = commands.data_of(commands.BuyIn(cents=5_00))
            return await processes.do(table, Asked(command_id, "alice", ("player",), body))

        assert isinstance(await do("t", "one"), Done)
        assert peer.addresses == ["http://first"]
        assert second.house.live("t") == first.house.live("t")
        with pytest.raises(NotHere):
            await do("nowhere", "two")
        broken = await do("t", "three\0")
        assert isinstance(broken, Refusal)
        assert broken.field == "id"
        assert peer.addresses == ["http://first"]

    run(elsewhere())


class Slow(Peer):
    """An owner that is busy: it answers each command after a while, or never."""

    def __init__(self, house: House, answers_after_s: float) -> None:
        super().__init__(house)
        self.answers_after_s = answers_after_s

    async def give(self, address: str, table: str, asked: Asked) -> Answer:
        self.addresses.append(address)
        await asyncio.sleep(self.answers_after_s if address == "http://first" else 0)
        return await self.house.do(table, asked)


async def given_to(peer: Peer, second: Floor, owners: dict[str, str], later: dict[str, str] | None = None) -> Answer:
    second.house.follow("t")
    processes = process_of(second, second.store, "http://second", peer)
    processes._note_owners(owners)
    body = commands.data_of(commands.BuyIn(cents=5_00))
    doing = asyncio.create_task(processes.do("t", Asked("one", "alice", ("player",), body)))
    if later is not None:
        await asyncio.sleep(0.05)
        processes._note_owners({**owners, "another": "http://first#1"})  # what happens to other tables is no reason
        await asyncio.sleep(0.05)
        processes._note_owners(later)
    return await doing


def test_a_busy_owner_is_sent_a_command_once_and_waited_for() -> None:
    async def waited() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        await first.sit("t", "alice", 1)
        peer = Slow(first.house, 0.3)
        assert isinstance(await given_to(peer, Floor(2, first.disk), {"t": "http://first#1"}), Done)
        assert peer.addresses == ["http://first"]

    run(waited())


def test_a_command_goes_to_the_new_owner_as_soon_as_the_table_has_moved() -> None:
    async def moved() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        await first.sit("t", "alice", 1)
        peer, owners = Slow(first.house, 3_600), {"t": "http://first#1"}
        answer = await given_to(peer, Floor(2, first.disk), owners, {"t": "http://third#1"})
        assert isinstance(answer, Done)
        assert peer.addresses == ["http://first", "http://third"]

    run(moved())


@pytest.mark.parametrize(
    ("owners", "refusal"),
    [({"t": "http://first#1"}, NOT_ANSWERING), ({"t": "http://third#1"}, CHANGES_HANDS), ({}, NOT_RUN)],
)
def test_a_command_that_reaches_no_server_is_told_why(
    owners: dict[str, str], refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_processes, "PATIENCE_S", 0.2)
    monkeypatch.setattr(cluster_processes, "AGAIN_S", 0.05)

    async def unreached() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        second = Floor(2, first.disk)
        assert await given_to(Slow(second.house, 3_600), second, owners) == refusal  # its house runs no table

    run(unreached())
