"""A command for a table that another process runs is forwarded there."""

from typing import Any

import pytest

from house.floors import Chance, Floor, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere
from pitboss.record.group_commit import InlineRunner
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.peers import Envelope, Peers
from pitboss.server.cluster.processes import Processes


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
