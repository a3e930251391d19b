"""A shift's tray figures match the hold report, including corrected slips."""

import pytest

from house.floors import Floor, run
from house.live_table.staffed import CAGE, FLOOR, PIT, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.reports.hold import Books, Hold

CORRECTED = (
    commands.Fill(cents=300_00),
    commands.Credit(cents=200_00),
    commands.BuyIn(cents=40_00),
    commands.CashOut(cents=30_00),
    commands.Tip(cents=5_00),
)
SAID = (
    "opening_cents",
    "fills_cents",
    "credits_cents",
    "drop_cents",
    "won_cents",
    "contributed_cents",
    "counted_over_cents",
    "corrected_cents",
    "win_cents",
)


def reported(table: StaffedTable) -> Books:
    hold = Hold()
    for entry in table.floor.store.read("table/t"):
        hold.add(entry)
    return hold.of_table("t")


@pytest.mark.parametrize("name", game_names())
def test_shift_and_report_agree_after_every_kind_of_correction(name: str) -> None:
    async def corrected() -> None:
        table = StaffedTable(Floor(4), name)
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.play_round()
        for command in CORRECTED:
            if isinstance(command, commands.Fill | commands.Credit):
                await table.both(CAGE, FLOOR, command)
            else:
                await table.must(("alice", "player"), command)
            entry = table.live.head.sequence
            assert table.live.shift is not None
            before = table.live.shift.win_cents
            await table.both(CAGE, PIT, commands.Correct(entry=entry, reason="miscounted"))
            shift, books = table.live.shift, reported(table)
            assert {item: getattr(shift, item) for item in SAID} == {item: getattr(books, item) for item in SAID}
            assert shift.unexplained_cents == 0
            if isinstance(command, commands.Fill | commands.Credit):
                assert shift.win_cents == before, "nobody won or lost by a slip that was taken back"
        await table.must(FLOOR, commands.CloseTable(tray_cents=table.live.tray_cents))
        closed = next(entry for entry in table.floor.store.read("table/t") if entry.kind == "house.TableClosed")
        assert (closed.body["fills_cents"], closed.body["drop_cents"]) == (0, reported(table).drop_cents)

    run(corrected())
