"""A running house in trouble: senders that disappear, unusable ids, full disks, repeated commands."""

import asyncio
from typing import Any

import pytest

from house.floors import Floor, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.running_tables import Asked, Done
from pitboss.record.kept_seals import SEALS_A_TABLE, SEALS_KEPT
from pitboss.record.snapshots import EVERY
from pitboss.record.store import StoreBusy, entries_of
from pitboss.rules.refusal import Refusal

NAME = game_names()[0]


async def seated() -> Floor:
    floor = Floor()
    await floor.open("t", NAME)
    await floor.sit("t", "alice", 1)
    return floor


def asked(command_id: str, body: Any) -> Asked:
    return Asked(command_id, "alice", ("player",), body if isinstance(body, dict) else commands.data_of(body))


def test_a_sender_who_goes_away_leaves_the_table_where_its_record_is() -> None:
    async def gone() -> None:
        floor = await seated()
        before = floor.house.live("t").head
        task = asyncio.create_task(floor.house.do("t", asked("gone", commands.BuyIn(cents=1_00))))
        for _ in range(3):  # until it waits for the disk
            await asyncio.sleep(0)
        assert floor.house.live("t").head == before
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await floor.must("t", "alice", "player", commands.BuyIn(cents=5_00))
        assert floor.house.live("t").head == floor.store.heads()["table/t"] != before

    run(gone())


@pytest.mark.parametrize(
    ("command_id", "body"),
    [
        ("broken\0id", {"kind": "BuyIn", "cents": 100}),
        ("broken\ud800id", {"kind": "BuyIn", "cents": 100}),
        ("fine", {"kind": "BuyIn", "cents": float("nan")}),
    ],
)
def test_what_no_record_can_keep_is_refused_and_the_table_stays(command_id: str, body: dict[str, Any]) -> None:
    async def unwritable() -> None:
        floor = await seated()
        assert isinstance(await floor.house.do("t", asked(command_id, body)), Refusal)
        await floor.must("t", "alice", "player", commands.BuyIn(cents=5_00))

    run(unwritable())


def test_a_document_with_a_float_is_refused_and_the_table_stays() -> None:
    async def unwritable() -> None:
        floor = Floor()
        floor.house.open("t")
        document = {"game": NAME, "rate": 0.2}
        answer = await floor.ask("t", HOUSE_DEALER, AUTOMATON, commands.ActivateSubmission(document=document))
        assert isinstance(answer, Refusal)
        assert "float" in answer.reason
        await floor.open("t", NAME)

    run(unwritable())


def test_the_house_goes_on_when_a_full_disk_has_room_again() -> None:
    async def full() -> None:
        floor = await seated()
        floor.disk.capacity_bytes = floor.disk.length
        answer = await floor.ask("t", "alice", "player", commands.BuyIn(cents=5_00))
        assert isinstance(answer, Refusal)
        assert "Storage is full" in answer.reason
        floor.disk.capacity_bytes = None
        await floor.must("t", "alice", "player", commands.BuyIn(cents=5_00))

    run(full())


def test_a_snapshot_that_does_not_fit_leaves_the_table_in_step_with_its_record() -> None:
    async def filled() -> LiveTable:
        floor = await seated()
        while floor.house.live("t").head.sequence < EVERY - 1:
            await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
        before = floor.disk.length
        floor.disk.capacity_bytes = before + 2_500  # a command fits, the snapshot that is due after it does not
        await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
        await asyncio.sleep(0)
        floor.disk.capacity_bytes = None
        await floor.must("t", "alice", "player", commands.BuyIn(cents=1_00))
        assert floor.house.live("t").head == floor.store.heads()["table/t"]
        return floor.house.live("t")

    assert run(filled()).head.sequence > EVERY


@pytest.mark.parametrize("other", [commands.BuyIn(cents=7_00), commands.Settle()])
def test_an_id_used_again_for_something_else_is_refused_and_noted(other: commands.Command) -> None:
    async def reused() -> Floor:
        floor = await seated()
        first = await floor.house.do("t", asked("mine", commands.BuyIn(cents=5_00)))
        again = await floor.house.do("t", asked("mine", commands.BuyIn(cents=5_00)))
        assert isinstance(first, Done)
        assert again == Done(first.entries, again=True)
        kept = floor.store.command("mine")
        assert kept is not None
        assert entries_of(floor.store, kept) == first.entries
        assert isinstance(await floor.house.do("t", asked("mine", other)), Refusal)
        return floor

    floor = run(reused())
    assert [entry.kind for entry in floor.store.read("floor")] == ["floor.CommandIdReused"]


def test_the_same_words_at_another_table_are_another_command() -> None:
    async def twice() -> Floor:
        floor = await seated()
        await floor.open("u", NAME)
        await floor.sit("u", "alice", 1)
        assert isinstance(await floor.house.do("t", asked("mine", commands.BuyIn(cents=5_00))), Done)
        there = await floor.house.do("u", asked("mine", commands.BuyIn(cents=5_00)))
        assert isinstance(there, Refusal), "nobody is told that something was done which was not"
        return floor

    floor = run(twice())
    assert [entry.kind for entry in floor.store.read("floor")] == ["floor.CommandIdReused"]


def test_a_store_that_is_busy_refuses_for_now() -> None:
    async def busy() -> None:
        floor = await seated()
        commit = floor.store.commit

        def raced(*given: Any) -> Any:
            raise StoreBusy("somebody else writes")

        floor.store.commit = raced  # type: ignore[assignment, method-assign]
        assert isinstance(await floor.ask("t", "alice", "player", commands.BuyIn(cents=5_00)), Refusal)
        floor.store.commit = commit  # type: ignore[method-assign]
        await floor.must("t", "alice", "player", commands.BuyIn(cents=5_00))

    run(busy())


def test_seals_in_use_stay_derived_and_old_ones_are_dropped() -> None:
    async def play() -> None:
        house = (await seated()).house
        key = house.keyring.current.id
        # As many tables as together need more seals than a small house keeps.
        house.tables |= {f"other-{number}": next(iter(house.tables.values())) for number in range(SEALS_KEPT)}
        names = [f"round {number}" for number in range(2 * SEALS_KEPT)]
        derived = {name: house.seal(name, key) for name in names}
        assert all(house.seal(name, key) is derived[name] for name in names)
        first = house.seal(names[0], key)
        for number in range(SEALS_A_TABLE * len(house.tables) - 1):  # every one but the one that was just used
            house.seal(f"later round {number}", key)
        assert house.seal(names[0], key) is first
        assert house.seal(names[1], key) is not derived[names[1]]

    run(play())
