"""A command for a table that another process runs is forwarded there."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from house.floors import Chance, Floor, run
from pitboss.games.catalogue import game_names
from pitboss.house.back_office import BackOffice
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere
from pitboss.house.table_registry import glance_of
from pitboss.record.group_commit import InlineRunner
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster import processes as cluster_processes
from pitboss.server.cluster.envelopes import Envelope
from pitboss.server.cluster.peers import NotReached, Peers
from pitboss.server.cluster.processes import CHANGES_HANDS, NOT_ANSWERING, NOT_RUN, Processes
from pitboss.server.console_locks import lock_ms
from pitboss.server.guest_accounts import refill


def process_of(floor: Floor, store: Any, address: str, peers: Any = None) -> Processes:
    """Return a process with a test's house, and the peers that it reaches."""
    peers = peers or Peers(Envelope(lambda: floor.keyring, floor.clock, Chance(1)))
    return Processes(floor.house, store, peers, InlineRunner(), database="postgresql://", address=address)


class Peer(Peers):
    """The other process, without a network between."""

    def __init__(self, house: House) -> None:
        super().__init__(None)
        self.house, self.addresses = house, []  # type: ignore[var-annotated]

    async def give(self, process: str, table: str, asked: Asked) -> Answer:
        self.addresses.append(process.partition("#")[0])
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

    async def give(self, process: str, table: str, asked: Asked) -> Answer:
        address = process.partition("#")[0]
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


class Cut(Peer):
    """An owner that does what it is asked, and whose answers are lost."""

    async def give(self, process: str, table: str, asked: Asked) -> Answer:
        self.addresses.append(process)
        if len(self.addresses) == 1:
            await self.house.do(table, asked)
        raise NotReached("the answer was lost, and the process can't be reached again")


def test_a_command_whose_answer_was_lost_is_not_called_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_processes, "PATIENCE_S", 0.2)
    monkeypatch.setattr(cluster_processes, "AGAIN_S", 0.05)

    async def cut() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        await first.sit("t", "alice", 1)
        answer = await given_to(Cut(first.house), Floor(2, first.disk), {"t": "http://first#1"})
        assert isinstance(answer, Done), "a refusal would make its sender give it again under another id"
        assert answer.again

    run(cut())


def test_a_process_that_hears_of_the_next_owners_entries_before_it_leaves_a_table_reads_them() -> None:
    async def fenced() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        second = Floor(2, first.disk)
        second.house.open("t")  # it was paused, and another process has the table
        await first.sit("t", "alice", 1)
        head = first.house.live("t").head
        second.house.note_grown("table/t", head.sequence)
        second.house.leave("t")
        assert second.house.live("t").head == head

    run(fenced())


def test_whether_consoles_lock_is_known_without_reading_tables_elsewhere() -> None:
    async def known() -> None:
        first = Floor()
        await first.open("t", game_names()[0])
        second = Floor(2, first.disk)
        second.house.follow("t")
        second.house.glances["t"] = glance_of(first.house.live("t"))._replace(free_play=False)
        office = BackOffice.__new__(BackOffice)  # only what it knows of the tables
        office._house = second.house
        rules, settings = SimpleNamespace(locks_consoles=True), SimpleNamespace(console_lock_minutes=5)
        floor: Any = SimpleNamespace(
            house=SimpleNamespace(controls=SimpleNamespace(state=SimpleNamespace(settings=settings))),
            office=SimpleNamespace(people=SimpleNamespace(accounts={"dea": SimpleNamespace(roles=("dealer",))})),
            settings=SimpleNamespace(rules=rules),
            back_office=office,
        )
        assert lock_ms(floor, "dea") == 5 * 60_000
        assert second.house.running("t").has_read == 0

    run(known())


def test_chips_just_bought_at_another_process_count_before_play_money_is_given_out() -> None:
    described: list[Any] = []

    async def refresh() -> None:
        described.append(SimpleNamespace(stacks={"guest-1": 1_000_00}))

    house = SimpleNamespace(all_glances=lambda: described, money=SimpleNamespace(state={}))
    floor: Any = SimpleNamespace(
        settings=SimpleNamespace(admits_guests=True),
        processes=SimpleNamespace(glances=SimpleNamespace(refresh=refresh)),
        house=house,
    )
    answer = asyncio.run(refill(floor, "guest-1"))
    assert answer is not None
    assert answer.reason.startswith("You still have play money")
