"""House dealers and bots go on after a moment in which the record could not be written."""

import asyncio
import random
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table.commands import TakeSeat
from pitboss.house.running_tables import Asked, Done
from pitboss.record.store import StoreBusy
from pitboss.server.app import add_dealers, make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.live import background_loops
from pitboss.server.live.background_loops import BotLoop
from pitboss.server.open_floor import FloorSettings, OpenFloor

TABLE = game_names()[0]


def test_a_dealer_whose_step_was_not_recorded_takes_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_loops, "RETRY_S", 0.01)
    automatic, lost = OpenFloor.automatic, [0]

    async def busy(floor: OpenFloor, table: str, command: Any) -> Any:
        if lost[0] < 2:
            lost[0] += 1
            raise StoreBusy("The connection to the record's database was lost; try again.")
        return await automatic(floor, table, command)

    async def dealt() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        add_dealers(floor)
        await floor.start()
        try:
            monkeypatch.setattr(OpenFloor, "automatic", busy)
            await floor.open_free_play(TABLE, demo_documents()[TABLE], 500_000_00)
            sit = Asked(floor.fresh(), "alice", ("player",), {"kind": "TakeSeat", "seat": 1})
            assert isinstance(await floor.house.do(TABLE, sit), Done)
            async with asyncio.timeout(300):
                while not floor.house.live(TABLE).in_round:
                    await asyncio.sleep(0.01)
        finally:
            await floor.stop()

    asyncio.run(dealt())
    assert lost[0] == 2


def test_a_bot_whose_command_was_not_recorded_sends_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_loops, "RETRY_S", 0.01)
    monkeypatch.setattr(background_loops, "BOT_THINKS_S", (0.0, 0.0))
    sent: list[str] = []

    class Seated(BotLoop):
        async def _command(self, live: Any, name: str, seat: int) -> Any:
            return TakeSeat(seat=seat)

        async def _as_bot(self, name: str, command: Any) -> Any:
            sent.append(name)
            if len(sent) < 3:
                raise StoreBusy("The connection to the record's database was lost. Try again.")
            raise asyncio.CancelledError

    async def played() -> None:
        bot = Seated(MagicMock(), TABLE, random.Random(1), lambda live: True)
        with pytest.raises(asyncio.CancelledError):
            await bot.play("bot 0 at 1", 1)

    asyncio.run(played())
    assert len(sent) == 3
