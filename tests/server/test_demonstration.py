"""A demonstration plays by itself: house dealers, bots that keep a player company, and nothing twice on a restart."""

import asyncio
from pathlib import Path

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.desk import commands
from pitboss.house.running import Asked, Done
from pitboss.round.state import WAGERING
from pitboss.server import demonstration, loops
from pitboss.server.demonstration import demo_documents, open_demo
from pitboss.server.floor import FloorSettings, OpenFloor
from pitboss.server.terms import read_terms

pytestmark = pytest.mark.xdist_group("server")
QUICK = {"wagers_ms": 1_500, "decision_ms": 100, "step_ms": 1, "between_rounds_ms": 10}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demonstration, "PACE", QUICK)
    monkeypatch.setattr(loops, "BOT_THINKS_S", (0.01, 0.02))


@pytest.mark.usefixtures("quick")
def test_bots_play_where_somebody_sits_and_nowhere_else(tmp_path: Path) -> None:
    table = game_names()[1]

    async def run() -> None:
        floor = OpenFloor(FloorSettings(tmp_path))
        loops.DealerLoops(floor)
        await floor.start()
        await open_demo(floor, 2)
        await _must(floor, table, commands.TakeSeat(seat=1))
        await _must(floor, table, commands.BuyIn(cents=1_000_00))
        wagered = 0
        async with asyncio.timeout(60):
            while True:
                desk = floor.house.desk(table)
                play = desk.play
                if play is not None and desk.in_round and play.phase == WAGERING and wagered < desk.rounds:
                    rules = read_terms(demo_documents()[table]).settings.rules
                    stakes = {one.name: 10_00 for one in rules.game.wagers if one.required and not one.by_action}
                    await _must(floor, table, commands.PlaceWagers(seat=1, stakes=stakes))
                    wagered = desk.rounds
                if play is not None and play.outcome and len(play.players) == 3:
                    break
                await asyncio.sleep(0.01)
        for other in set(game_names()) - {table}:
            resting = floor.house.desk(other)
            assert resting.play is None or not resting.play.players
        await floor.stop()

    asyncio.run(run())


@pytest.mark.usefixtures("quick")
def test_a_second_opening_adds_links_and_no_money_and_no_tables(tmp_path: Path) -> None:
    async def opened() -> tuple[dict[str, str], dict[str, int], int]:
        floor = OpenFloor(FloorSettings(tmp_path))
        await floor.start()
        links = await open_demo(floor, 0)
        purses = {name: cents for name, cents in floor.house.money.state.items() if name.startswith("purse:player")}
        trays = sum(one.desk.tray_cents for one in floor.house.tables.values())
        await floor.stop()
        return links, purses, trays

    first, second = asyncio.run(opened()), asyncio.run(opened())
    assert first[1:] == second[1:]
    assert list(first[0]) == list(second[0])
    assert not set(first[0].values()) & set(second[0].values())


async def _must(floor: OpenFloor, table: str, command: commands.Command) -> None:
    asked = Asked(floor.fresh(), "player", ("player",), commands.data_of(command))
    answer = await floor.house.do(table, asked)
    assert isinstance(answer, Done), answer
