"""Tables that another house runs: followed entry by entry, asked over there, taken over, and lost again."""

import asyncio
import random
from typing import Any

import pytest

from house.floors import Chance, Clock, Floor, anything_filed, read_terms, run
from pitboss.cards import SeededShuffle
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere, Outside
from pitboss.record.entries import Entry
from pitboss.record.group_commit import GroupCommit, InlineRunner
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey
from pitboss.record.store import Lease
from pitboss.rules.refusal import Refusal

NAME = game_names()[0]


def beside(floor: Floor) -> House:
    """Return another house on the record of a floor."""
    outside = Outside(Clock(floor.clock.now), Chance(99), SeededShuffle(99).order)
    house = House(floor.store, GroupCommit(floor.store, InlineRunner()), outside, floor.keyring, read_terms)
    house.filing = anything_filed
    return house


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
        floor.house.listeners.append(lambda live, entries: heard["here"].append((live, entries)))
        other.listeners.append(lambda live, entries: heard["there"].append((live, entries)))
        await floor.sit("t", "alice", 1)
        for _ in range(3):
            await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
        stream = other.live("t").stream
        unread = list(floor.store.read(stream, other.live("t").head.sequence))
        other.take_in("t", unread[:-1])
        other.take_in("t", unread)  # what is known already changes nothing
        assert other.live("t") == floor.house.live("t")
        own = [(live, tuple(one for one in entries if one.stream == stream)) for live, entries in heard["here"]]
        assert heard["there"] == own
        assert len(own) >= 5

    run(followed())


def test_a_command_for_a_table_run_elsewhere_is_given_there() -> None:
    async def elsewhere() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        await floor.sit("t", "alice", 1)
        other = beside(floor)
        other.follow("t")
        with pytest.raises(NotHere):
            await other.do("t", asked("one", commands.BuyIn(cents=5_00)))

        async def given(table: str, command: Asked) -> Answer:
            return await floor.house.do_here(table, command)

        other.elsewhere = given
        assert isinstance(await other.do("t", asked("one", commands.BuyIn(cents=5_00))), Done)
        with pytest.raises(NotHere):
            await other.do("nowhere", asked("two", commands.BuyIn(cents=5_00)))
        broken = await other.do("t", asked("three\0", commands.BuyIn(cents=5_00)))
        assert isinstance(broken, Refusal)
        assert broken.field == "id"

    run(elsewhere())


def test_whoever_was_replaced_writes_no_more_and_follows_from_there() -> None:
    async def replaced() -> None:
        floor = Floor()
        await floor.open("t", NAME)
        await floor.sit("t", "alice", 1)
        first, second = floor.house, beside(floor)
        first.take_over("t", taken(floor, "first"))
        assert isinstance(await first.do("t", asked("one", commands.BuyIn(cents=1_00))), Done)
        second.follow("t")
        second.take_over("t", taken(floor, "second"))
        left: list[str] = []
        first.on_left = left.append

        async def given(table: str, command: Asked) -> Answer:
            return await second.do_here(table, command)

        first.elsewhere = given
        waiting = [first.do("t", asked(f"late {number}", commands.BuyIn(cents=1_00))) for number in range(3)]
        for answer in await asyncio.gather(*waiting):
            assert isinstance(answer, Done)
            assert not answer.again
        assert left == ["t"]
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
        await floor.issue("alice", 100_00)
        assert isinstance(await other.do("t", asked("sit", commands.TakeSeat(seat=1))), Done)
        buys = commands.BuyIn(cents=50_00)
        assert isinstance(await other.do("t", asked("too early", buys)), Refusal)
        looked = 0

        async def catch_up() -> bool:
            nonlocal looked
            looked += 1
            before = other.money.head
            other.money.catch_up(floor.store)
            return other.money.head != before

        other.catch_up = catch_up
        assert isinstance(await other.do("t", asked("buy", buys)), Done)
        assert looked == 1
        assert isinstance(await other.do("t", asked("too much", commands.BuyIn(cents=60_00))), Refusal)
        assert looked == 2

    run(behind())


def test_a_key_that_another_process_brought_into_use_is_read_again() -> None:
    floor = Floor()
    fresh = MasterKey(random.Random(7).randbytes(32))
    with pytest.raises(KeysUnusable):
        floor.house.seal("round", fresh.id)
    floor.house.reread_keys = lambda: Keyring((*floor.keyring.keys, fresh))
    assert floor.house.seal("round", fresh.id) is floor.house.seal("round", fresh.id)
    with pytest.raises(KeysUnusable):
        floor.house.seal("round", "unknown")
