"""Whole rounds of every game at tables that deal by themselves: money balances, the record rebuilds them."""

import pytest

from house.floors import PROGRESSIVE, Floor, run
from pitboss.games.catalogue import game_names
from pitboss.house.desk.evolve import Reading, evolve
from pitboss.house.desk.state import Desk


@pytest.mark.parametrize("name", game_names())
def test_rounds_of_every_game_are_dealt_settled_and_ended(name: str) -> None:
    async def played() -> None:
        floor = Floor()
        await floor.open("t", name)
        await floor.sit("t", "alice", 1)
        await floor.sit("t", "bob", 3)
        await floor.rounds("t", 12)
        desk = floor.house.desk("t")
        assert desk.rounds == 12
        assert not any(account.startswith("felt:") for account in desk.balances)

    run(played())
