"""A table that plays for a long time: `python bench/one_table.py 100000` plays that many rounds of one player.

Everything a floor does beside its tables runs too: signatures, the tree of entries, the index of rounds and the check
of all rows. It prints the memory as the rounds go on, then what questions about the long record cost in CPU time.
"""

import asyncio
import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.replay import replay_recorded
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, WAGERING
from pitboss.rules.refusal import Refusal
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.round_search import Wanted, search
from pitboss.server.table_documents import read_terms

TABLE, PLAYER, SEAT = "table-1", "player-1", 1
GAME = "colorado-holdem"
PACE = {"wagers_ms": 3_600_000, "decision_ms": 3_600_000, "step_ms": 0, "between_rounds_ms": 0}
BUY_IN_CENTS, LOW_CENTS, STAKE_CENTS = 5_000_00, 1_000_00, 10_00
PARTS = 20  # how often the memory is printed
VERIFIES = """
import sys, time
from pathlib import Path
from pitboss_verify.command import main
status = main(sys.argv[1:])
fields = Path("/proc/self/status").read_text("ascii").split()
print(f"verified: {time.process_time():.1f} CPU s, {int(fields[fields.index('VmHWM:') + 1]) // 1024} MB")
sys.exit(status)
"""


class Table:
    """One player at one table, and the house dealer's commands given without waiting."""

    def __init__(self, floor: OpenFloor) -> None:
        self.floor = floor
        self.chance = random.Random(1)

    async def open(self) -> None:
        """Open the table and seat the player."""
        await self.floor.open_free_play(TABLE, {**demo_documents()[GAME], "pace": PACE}, 500_000_00)
        await self._give(commands.TakeSeat(seat=SEAT))

    async def round(self) -> None:
        """Play one round to its end."""
        house = self.floor.house
        end = house.live(TABLE).rounds + 1
        while house.live(TABLE).rounds < end or house.live(TABLE).in_round:
            live = house.live(TABLE)
            play = live.play
            if live.stack_cents(PLAYER) < LOW_CENTS:
                await self.floor.issue(PLAYER, BUY_IN_CENTS)
                await self._give(commands.BuyIn(cents=BUY_IN_CENTS))
            elif play is not None and live.in_round and play.phase == WAGERING and not play.players:
                required = [wager.name for wager in play.rules.game.wagers if wager.required]
                await self._give(commands.PlaceWagers(seat=SEAT, stakes=dict.fromkeys(required, STAKE_CENTS)))
            elif play is not None and live.in_round and play.phase == ASKING:
                action = self.chance.choice(legal_actions(play))
                discard = play.cards[SEAT][0] if action.discards else None
                await self._give(commands.Act(seat=SEAT, action=action.name, discard=discard))
            else:
                step = next_step(live, self.floor.clock.now_ms())
                assert step is not None, "the house dealer waits for someone"
                _done(await self.floor.automatic(TABLE, step.command))

    async def _give(self, command: commands.Command) -> None:
        asked = Asked(self.floor.fresh(), PLAYER, ("player",), commands.data_of(command))
        _done(await self.floor.do(TABLE, asked))


def _done(answer: Answer) -> Done:
    assert not isinstance(answer, Refusal), answer
    return answer


def _private_kb() -> int:
    fields = Path("/proc/self/smaps_rollup").read_text("ascii").split()
    return int(fields[fields.index("Private_Dirty:") + 1])


def measured(name: str, work: Callable[[], Any]) -> Any:
    """Do something, and print its CPU time."""
    began = time.process_time()
    found = work()
    print(f"{name}: {time.process_time() - began:.3f} CPU s", flush=True)
    return found


async def play(folder: Path, rounds: int) -> None:
    """Play the rounds and print the memory, then ask about them."""
    floor = make_floor(FloorSettings(folder))
    await floor.start()
    table = Table(floor)
    await table.open()
    began = time.process_time()
    for number in range(1, rounds + 1):
        await table.round()
        if number % max(1, rounds // PARTS) == 0:
            gc.collect()
            spent = time.process_time() - began
            objects, entries = len(gc.get_objects()), floor.house.live(TABLE).head.sequence
            print(
                f"{number:,} rounds: {_private_kb():,} kB, {objects:,} objects, {entries:,} entries, {spent:.0f} CPU s",
                flush=True,
            )
    reports = AllReports(read_terms)
    measured("all reports read from nothing", lambda: reports.catch_up(floor.store))
    rows = measured("the hold report, once they are read", lambda: reports.hold.rows("table", "wager"))
    assert rows
    while not measured("the index of rounds brought up to date", floor.rounds.catch_up):
        pass
    found = measured("a page of 50 rounds", lambda: search(floor.store, floor.rounds, Wanted(), min(50, rounds)))
    assert len(found.rounds) == min(50, rounds)
    for name, which in (("the newest", found.rounds[0]), ("a page's oldest", found.rounds[-1])):
        work = partial(replay_recorded, floor.store, which.round, floor.house.reading)
        replayed = measured(f"{name} round replayed", work)
        assert replayed.is_over
    await floor.stop()


def _verifying(record: Path, heads: Path) -> list[str]:
    signed = ["--heads", str(heads / "heads.jsonl"), "--checkpoints", str(heads / "checkpoints.jsonl")]
    return [sys.executable, "-c", VERIFIES, str(record), *signed]


def main(rounds: int) -> None:
    """Play, ask and verify."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(play(folder, rounds))
        subprocess.run(_verifying(folder / "record.db", folder / "heads"), check=True)


if __name__ == "__main__":
    os.nice(5)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
