"""A tray that can't pay stops the settlement and reveals nothing about the hands beforehand."""

import pytest

from house.floors import run
from house.live_table.staffed import CAGE, DEALER, FLOOR, in_phase
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.house.money.postings import FillNeeded
from pitboss.house.running_tables import Asked
from pitboss.round.state import SETTLING


@pytest.mark.parametrize("name", game_names())
def test_the_console_does_not_say_that_hands_nobody_has_turned_would_empty_the_tray(name: str) -> None:
    async def short(seed: int) -> bool:
        table = await in_phase(name, SETTLING, seed)
        await table.both(CAGE, FLOOR, commands.Credit(cents=table.live.tray_cents))
        await table.put_stub_away()
        await table.confirm_first(DEALER, "Settle")
        token = table.live.lease.token
        asked = Asked("", "dana", ("dealer",), {"kind": "BeginRound"}, token)
        shown = console(table.live, table.floor.house.means(table.live, asked))
        assert "Settle" not in {item.command for item in shown.refused}
        answer = await table.ask(DEALER, commands.Settle())
        if not isinstance(answer, FillNeeded):
            return False
        await table.both(CAGE, FLOOR, commands.Fill(cents=answer.fill_cents + 10_000_00))
        await table.must(DEALER, commands.Settle())
        return True

    assert any(run(short(seed)) for seed in range(1, 7))
