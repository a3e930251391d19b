"""The tray of a self-dealing table: nobody can close it for others by taking its chips away."""

import asyncio
from pathlib import Path

from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Asked, Done
from pitboss.server.app import add_dealers, make_floor
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.open_floor import FloorSettings, OpenFloor

TABLE = game_names()[0]
OPENING = 1_000_00


def test_a_tray_that_a_player_emptied_is_filled_before_the_dealers_next_step(tmp_path: Path) -> None:
    async def give(floor: OpenFloor, command: commands.Command) -> None:
        answer = await floor.house.do(TABLE, Asked(floor.fresh(), "alice", ("player",), commands.data_of(command)))
        assert isinstance(answer, Done), answer

    async def filled(floor: OpenFloor) -> None:
        while floor.house.live(TABLE).tray_cents < OPENING // 4:
            await asyncio.sleep(0.01)

    async def drained() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        add_dealers(floor)
        await floor.start()
        try:
            await floor.open_free_play(TABLE, demo_documents()[TABLE], OPENING)
            await link_for(floor, "alice", "player")
            await floor.issue("alice", 2 * OPENING)
            await give(floor, commands.TakeSeat(seat=1))
            await give(floor, commands.BuyIn(cents=OPENING))
            await give(floor, commands.CashOut(cents=OPENING))
            await asyncio.wait_for(filled(floor), 120)
            await give(floor, commands.BuyIn(cents=OPENING))
        finally:
            await floor.stop()

    asyncio.run(drained())
