"""Tables that another house runs: followed entry by entry, sent commands, taken over and lost again."""

import asyncio
import random
from typing import Any

import pytest

from house.floors import AnythingFiled, Chance, Clock, Everyone, Floor, read_terms, run
from pitboss.cards import SeededShuffle
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.money.money_balances import fold_of_account
from pitboss.house.running_tables import Asked, Done, House, NotHere, Outside
from pitboss.record.entries import Entry
from pitboss.record.group_commit import GroupCommit, InlineRunner
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey
from pitboss.record.memory_store import MemoryStore
from pitboss.record.snapshots import EVERY
from pitboss.record.store import Lease
from pitboss.rules.refusal import Refusal

NAME = game_names()[0]


def beside(floor: Floor) -> House:
    """Return another house on the record of a floor."""
    outside = Outside(Clock(floor.clock.now), Chance(99), SeededShuffle(99).order)
    store = MemoryStore(floor.disk, is_shared=True)
    writer, filings = GroupCommit(store, InlineRunner()), AnythingFiled(store)
    return House(store, writer, outside, floor.keyring, read_terms, people=Everyone(), filings=filings)


def asked(command_id: str, body: Any) -> Asked:
    return Asked(command_id, "alice", ("player",), commands.data_of(body))


def taken(floor: Floor, owner: str) -> Lease:
    lease = floor.store.acquire("table/t", owner, now_ms=2, until_ms=1)
    assert lease is not None
    return lease


def test_a_follower_hears_each_command_as_the_one_who_runs_the_table() -> None:
    async def followed() -> None:
        floor = Floor()
        heard: dict[str, list[tuple[LiveTable, tuple[Entry, ...]]]] = {"here": [], "there": []}
        other = beside(floor)
        await floor.open("t", NAME)
        other.follow("t")
        other.follow_entries("t", is_followed=True)
        floor.house.events.changed.append(lambda live, entries: heard["here"].append((live, entries)))
        other.events.changed.append(lambda live, entries: heard["there"].append((live, entries)))
        await floor.sit("t", "alice", 1)
        for _ in range(3):
            await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
        stream = other.live("t").stream
        unread = list(floor.store.read(stream, other.live("t").head.sequence))
        other.take_in("t", unread[:-1])
        other.take_in("t", unread)  # what is known already changes nothing
        assert other.live("t") == floor.house.live("t")
        own = [(live, tuple(entry for entry in entries if entry.stream == stream)) for live, entries in heard["here"]]
        assert heard["there"] == own
        assert len(own) >= 5

    run(followed())


class CountedReads(MemoryStore):
    """A store that counts the entries it hands out."""

    entries = 0

    def read(self, *asked: Any, **how: Any) -> Any:
        for entry in super().read(*asked, **how):
            self.entries += 1
            yield entry


def test_a_table_that_runs_elsewhere_is_read_when_somebody_asks_for_it_and_no_sooner() -> None:
    async def asked_for() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        other = beside(floor)
        store = other.store = other.snapshots._store = CountedReads(floor.disk, is_shared=True)
        heard: list[Any] = []
        other.events.changed.append(lambda live, entries: heard.append(entries))
        other.follow("t")
        await floor.sit("t", "alice", 1)
        for _ in range(3):
            await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
            head = floor.store.heads()["table/t"].sequence
            assert not other.note_grown("table/t", head), "nobody here has to read it now"
            assert (other.last_read("table/t"), store.entries) == (head, 0)
        assert other.live("t") == floor.house.live("t")
        read = store.entries
        assert read == floor.house.live("t").head.sequence
        assert other.live("t") is other.live("t")
        assert store.entries == read
        await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
        other.note_grown("table/t", floor.store.heads()["table/t"].sequence)
        assert other.live("t") == floor.house.live("t")
        assert read < store.entries < read + 5
        assert heard == []

    run(asked_for())


def test_a_house_does_nothing_at_a_table_that_another_runs() -> None:
    async def elsewhere() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        await floor.sit("t", "alice", 1)
        other = beside(floor)
        other.follow("t")
        for table in ("t", "nowhere"):
            with pytest.raises(NotHere):
                await other.do(table, asked("one", commands.BuyIn(cents=5_00)))
        assert isinstance(await floor.house.do("t", asked("one", commands.BuyIn(cents=5_00))), Done)

    run(elsewhere())


def test_a_replaced_process_stops_writing_and_follows_from_there() -> None:
    async def replaced() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        await floor.sit("t", "alice", 1)
        first, second = beside(floor), beside(floor)
        first.follow("t")
        first.take_over("t", taken(floor, "first"))
        assert isinstance(await first.do("t", asked("one", commands.BuyIn(cents=1_00))), Done)
        second.follow("t")
        second.take_over("t", taken(floor, "second"))
        left: list[str] = []
        first.events.left.append(left.append)
        late = [asked(f"late {number}", commands.BuyIn(cents=1_00)) for number in range(3)]
        answers = await asyncio.gather(*(first.do("t", command) for command in late), return_exceptions=True)
        assert [type(answer) for answer in answers] == [NotHere] * 3
        assert left == ["t"]
        for command in late:
            answer = await second.do("t", command)
            assert isinstance(answer, Done)
            assert not answer.again
        assert not first.runs("t")
        assert second.runs("t")
        assert second.live("t").head == floor.store.heads()["table/t"]
        first.take_in("t", floor.store.read("table/t", first.live("t").head.sequence))
        assert first.live("t") == second.live("t")

    run(replaced())


def test_nobody_is_refused_by_what_another_process_has_changed_since() -> None:
    async def behind() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        other = beside(floor)
        other.open("t", taken(floor, "other"))
        assert isinstance(await other.do("t", asked("sit", commands.TakeSeat(seat=1))), Done)
        assert isinstance(await other.do("t", asked("too early", commands.BuyIn(cents=50_00))), Refusal)
        await floor.issue("alice", 100_00)
        assert other.money.of("purse:alice").head != floor.house.money.of("purse:alice").head
        assert isinstance(await other.do("t", asked("buy", commands.BuyIn(cents=50_00))), Done)
        assert isinstance(await other.do("t", asked("too much", commands.BuyIn(cents=60_00))), Refusal)
        assert not await other.catch_up()

    run(behind())


def test_a_table_that_is_taken_over_in_a_round_knows_what_the_round_staked_on_the_meters() -> None:
    async def staked() -> None:
        floor = Floor()
        await floor.open("t", "ultimate-texas-holdem")
        await floor.sit("t", "alice", 1)
        other = beside(floor)
        while not floor.house.live("t").in_round:
            await floor.step("t")
        stakes = {"ante": 10_00, "blind": 10_00, "progressive": 1_00}
        await floor.must("t", "alice", "player", commands.PlaceWagers(seat=1, stakes=stakes))
        other.follow("t")
        other.take_over("t", taken(floor, "other"))
        closed = Asked("close", HOUSE_DEALER, (AUTOMATON,), commands.data_of(commands.CloseBets()), token=1)
        answer = await other.do("t", closed)
        assert isinstance(answer, Done)
        assert "progressive.ContributionTaken" in [entry.kind for entry in answer.entries]

    run(staked())


def test_a_key_that_another_process_brought_into_use_is_read_again() -> None:
    fresh = MasterKey(random.Random(7).randbytes(32))
    with pytest.raises(KeysUnusable):
        Floor().house.seal("round", fresh.id)
    floor = Floor(reread_keys=lambda: Keyring((*floor.keyring.keys, fresh)))
    assert floor.house.seal("round", fresh.id) is floor.house.seal("round", fresh.id)
    with pytest.raises(KeysUnusable):
        floor.house.seal("round", "unknown")


def test_a_house_that_starts_again_reads_only_what_follows_the_last_snapshot_of_an_account() -> None:
    async def issued() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        house = floor.house
        for _ in range(EVERY + 40):
            await floor.issue("alice", 100)
        assert isinstance(floor.house.writer, GroupCommit)
        await floor.house.writer.close()
        account = house.money.of("purse:alice")
        restored = house.snapshots.restore(account.stream, fold_of_account("purse:alice"))
        assert 0 < restored.folded < EVERY
        assert restored.state == account.state == house.money.state["purse:alice"] == (EVERY + 40) * 100
        again = beside(floor).money.of("purse:alice")
        assert (again.head, again.at, again.state) == (account.head, account.at, account.state)

    run(issued())
