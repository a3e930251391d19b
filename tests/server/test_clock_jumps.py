"""A self-dealing table continues when its clock is set forward and back, also after a restart."""

import asyncio
import time
from pathlib import Path

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Asked, Done
from pitboss.round.state import WAGERING
from pitboss.server.app import add_dealers, make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import FloorSettings, OpenFloor

HOUR_MS = 3_600_000
PACE = {"wagers_ms": 60_000, "decision_ms": 150, "step_ms": 20, "between_rounds_ms": 50}
TABLE = game_names()[0]


class Wall:
    """A system clock that a test sets."""

    def __init__(self, floor: OpenFloor) -> None:
        self.ahead_ms = 0
        floor.clock._wall_ms = lambda: time.time_ns() // 1_000_000 + self.ahead_ms


async def until(is_so: object, seconds: float = WAIT_S) -> None:
    end = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end, "the table waits"
        await asyncio.sleep(0.02)


async def play_on(floor: OpenFloor, rounds: int) -> None:
    """Wager until this many more rounds have begun, and leave everything else to the house dealer."""
    wanted = floor.house.live(TABLE).rounds + rounds
    while floor.house.live(TABLE).rounds < wanted:
        live = floor.house.live(TABLE)
        if live.in_round and live.play is not None and live.play.phase == WAGERING and not live.play.players:
            wagers = live.play.rules.game.wagers
            stakes = {wager.name: 10_00 for wager in wagers if wager.required and not wager.by_action}
            await must(floor, commands.PlaceWagers(seat=1, stakes=stakes))
        before = live.head.sequence
        await until(lambda before=before: floor.house.live(TABLE).head.sequence > before)


async def must(floor: OpenFloor, command: commands.Command) -> None:
    answer = await floor.house.do(TABLE, Asked(floor.fresh(), "ann", ("player",), commands.data_of(command)))
    assert isinstance(answer, Done), answer


def test_a_clock_set_forward_and_back_stops_no_table(tmp_path: Path) -> None:
    async def jumped() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        add_dealers(floor)
        wall = Wall(floor)
        await floor.start()
        await floor.open_free_play(TABLE, {**demo_documents()[TABLE], "pace": PACE}, 500_000_00)
        await floor.issue("ann", 10_000_00)
        for command in (commands.TakeSeat(seat=1), commands.BuyIn(cents=5_000_00)):
            await must(floor, command)
        await play_on(floor, 1)
        wall.ahead_ms = HOUR_MS
        await play_on(floor, 1)
        assert floor.house.live(TABLE).at > time.time_ns() // 1_000_000 + HOUR_MS // 2
        wall.ahead_ms = 0
        await play_on(floor, 2)
        at = floor.house.live(TABLE).at
        await floor.stop()
        again = make_floor(FloorSettings(tmp_path))  # whose clock has never been ahead
        add_dealers(again)
        await again.start()
        await play_on(again, 2)
        assert again.house.live(TABLE).at > at
        await again.stop()

    asyncio.run(jumped())
