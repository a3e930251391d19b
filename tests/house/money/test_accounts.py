"""Each account away from the tables has a stream of its own: only commands about the same account can conflict."""

import asyncio
from typing import Any

from house.floors import AnythingFiled, Chance, Clock, Everyone, Floor, read_terms, run
from pitboss.cards import SeededShuffle
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Asked, Done, House, Outside
from pitboss.record.entries import Circumstances, Draft
from pitboss.record.group_commit import GroupCommit, InlineRunner
from pitboss.record.memory_store import MemoryStore
from pitboss.record.store import Batch, Conflict, Outcome
from pitboss.rules.refusal import Refusal

NAME = game_names()[0]


class CountingWriter(GroupCommit):
    """Counts the commits that found a stream elsewhere than expected, and lets others in before each commit."""

    conflicts = 0

    async def commit(self, batch: Batch) -> Outcome:
        """Return the outcome of a batch, after every other command that is ready was decided."""
        for _ in range(20):
            await asyncio.sleep(0)
        outcome = await super().commit(batch)
        self.conflicts += isinstance(outcome, Conflict)
        return outcome


def beside(floor: Floor, seed: int) -> tuple[House, CountingWriter]:
    """Return another house on the record of a floor, as another process has it."""
    store = MemoryStore(floor.disk, is_shared=True)
    writer = CountingWriter(store, InlineRunner())
    outside = Outside(Clock(floor.clock.now), Chance(seed), SeededShuffle(seed).order)
    people, filings = Everyone(), AnythingFiled(store)
    return House(store, writer, outside, floor.keyring, read_terms, people=people, filings=filings), writer


def asked(name: str, person: str, body: Any) -> Asked:
    return Asked(name, person, ("player",), commands.data_of(body))


async def two_tables() -> Floor:
    """Return a floor with a player at each of two tables."""
    floor = Floor()
    for table, person in (("one", "alice"), ("two", "bob")):
        await floor.open(table, NAME)
        await floor.sit(table, person, 1, 1_00)
    return floor


def test_two_processes_move_different_accounts_without_a_conflict() -> None:
    async def moved() -> None:
        floor = await two_tables()
        here, there = beside(floor, 5), beside(floor, 6)
        here[0].open("one")
        there[0].open("two")
        for number in range(10):
            answers = await asyncio.gather(
                here[0].do("one", asked(f"a{number}", "alice", commands.BuyIn(cents=1_00))),
                there[0].do("two", asked(f"b{number}", "bob", commands.BuyIn(cents=1_00))),
            )
            assert all(isinstance(answer, Done) for answer in answers), answers
        assert here[1].conflicts == there[1].conflicts == 0

    run(moved())


def test_the_same_account_is_decided_again_and_never_overdrawn() -> None:
    async def raced() -> None:
        floor = await two_tables()
        await floor.must("two", "alice", "player", commands.TakeSeat(seat=2))
        held = floor.house.money.state["purse:alice"]
        here, there = beside(floor, 5), beside(floor, 6)
        here[0].open("one")
        there[0].open("two")
        answers = await asyncio.gather(
            here[0].do("one", asked("a", "alice", commands.BuyIn(cents=held))),
            there[0].do("two", asked("b", "alice", commands.BuyIn(cents=held))),
        )
        assert sum(isinstance(answer, Done) for answer in answers) == 1
        [refused] = [answer for answer in answers if isinstance(answer, Refusal)]
        assert "Your balance is $0" in refused.reason
        assert here[1].conflicts + there[1].conflicts == 1
        assert here[0].money.state["purse:alice"] == there[0].money.state["purse:alice"] == 0

    run(raced())


def test_a_refusal_never_rests_on_what_another_process_changed_since() -> None:
    async def paid_elsewhere() -> None:
        floor = await two_tables()
        house, _ = beside(floor, 5)
        house.open("one")
        held = house.money.state["purse:alice"]
        await floor.issue("alice", 7_00)
        answer = await house.do("one", asked("a", "alice", commands.BuyIn(cents=held + 7_00)))
        assert isinstance(answer, Done), answer

    run(paid_elsewhere())


def test_an_account_goes_on_from_what_the_one_stream_of_an_older_record_left_in_it() -> None:
    async def older() -> None:
        floor = Floor()
        postings = {"purse:alice": 9_00, "drop:one": 50, "house": -9_50}
        issued = Draft("money", "money.MoneyIssued", {"person": "alice", "cents": 9_00, "postings": postings})
        floor.store.commit([Batch((issued,), {"money": None}, Circumstances("cay", "cage", "old", 1), "d")])
        house, _ = beside(floor, 5)
        assert dict(house.money.state) == {"purse:alice": 9_00, "drop:one": 50}
        floor = Floor(disk=floor.disk)
        await floor.open("one", NAME)
        await floor.must("one", "alice", "player", commands.TakeSeat(seat=1))
        await floor.must("one", "alice", "player", commands.BuyIn(cents=8_00))
        refused = await floor.ask("one", "alice", "player", commands.BuyIn(cents=1_01))
        assert isinstance(refused, Refusal)
        assert "Your balance is $1" in refused.reason
        assert floor.store.heads()["money"].sequence == 1, "nothing is added to the older stream"
        again, _ = beside(floor, 6)
        assert dict(again.money.state) == {"purse:alice": 1_00, "drop:one": 8_50}

    run(older())
