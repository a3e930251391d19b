"""Money controls are switched off only when nothing would be lost sight of."""

import random
from typing import Any

from house.floors import run
from house.wild_controls import ControlledHouse, settings
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Done
from pitboss.rules.refusal import Refusal

OFF: dict[str, Any] = {"kind": "ChangeHouseSettings", "settings": {}}


def test_chips_locked_in_a_tray_keep_money_controls_on() -> None:
    async def worked() -> None:
        house = ControlledHouse()
        await house.open(random.Random(1))
        await house.count_tray("t")
        await house.count_cage()
        assert house.checker.balances["locked:t"] == 2_000_00
        refused = await house.ask("olga", OFF)
        assert isinstance(refused, Refusal)
        assert (refused.clause, refused.field) == ("H-45", "money_controls")
        assert "trays of t" in refused.reason
        await house.count_tray("t")
        await house.together("olga", "otto", OFF)
        closed = await house.at_table("t", "flo", commands.CloseTable(tray_cents=2_000_00))
        assert isinstance(closed, Done)
        assert not house.checker.balances["locked:t"]

    run(worked())


def test_an_empty_locked_tray_keeps_nothing_on() -> None:
    async def worked() -> None:
        house = ControlledHouse()
        await house.open(random.Random(1))
        for _ in range(2):
            await house.count_tray("u")  # opens the empty table, and closes it
        await house.count_cage()
        await house.together("olga", "otto", OFF)
        assert isinstance(await house.at_table("u", "flo", commands.OpenTable(tray_cents=500_00)), Done)
        await house.together("olga", "otto", settings(random.Random(2)))
        await house.count_tray("u")
        assert house.checker.balances["locked:u"] == 500_00

    run(worked())
