"""Reports and disputes hold a table that the house dealer runs like any other."""

import pytest

from house.floors import Floor, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Done
from pitboss.rules.refusal import Refusal

FLOOR, PIT = ("flo", "floorperson"), ("pit", "pit-manager")


async def seated(name: str) -> Floor:
    floor = Floor(4)
    await floor.open("t", name)
    await floor.sit("t", "alice", 1)
    await floor.sit("t", "bob", 2)
    return floor


@pytest.mark.parametrize("name", game_names())
def test_a_dispute_stops_the_house_dealer_until_two_people_resolve_it(name: str) -> None:
    async def disputed() -> None:
        floor = await seated(name)
        await floor.rounds("t", 1)
        report = commands.ReportDispute(seats=(1,), note="the hand was misread")
        assert isinstance(await floor.ask("t", *FLOOR, report), Done)
        live = floor.house.live("t")
        rounds, money = live.rounds, dict(live.balances)
        for _ in range(4):
            await floor.step("t")
        live = floor.house.live("t")
        assert (live.rounds, dict(live.balances)) == (rounds, money)
        await floor.ask("t", *FLOOR, commands.ResolveDispute(outcome="void", note="as the rack has it"))
        (proposal,) = floor.house.live("t").proposals
        assert isinstance(await floor.ask("t", *FLOOR, commands.Confirm(proposal=proposal)), Refusal)
        assert isinstance(await floor.ask("t", *PIT, commands.Confirm(proposal=proposal)), Done)
        await floor.rounds("t", 1)
        assert floor.house.live("t").rounds > rounds

    run(disputed())
