"""Every irregularity that a game knows happens once at one table, and the money is where the rules put it."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.every_irregularity import FORFEITS, LEFT, gone_wrong, kinds_of
from scenarios.floor import ScenarioTable

CASH = 1_000_00


@pytest.mark.parametrize("name", game_names())
def test_wagers_come_back_or_are_forfeited_and_play_goes_on(new_table: Callable[..., ScenarioTable], name: str) -> None:
    table = new_table(name, dealing="automated-shoe").open(players=())
    patron = table.seat_patron(1, CASH)
    stake = sum(table.least().values())
    left = CASH
    for kind in kinds_of(table):
        is_void = gone_wrong(table, kind)
        assert is_void == (kind not in FORFEITS), kind
        left -= stake if kind in FORFEITS else 0
        if kind != LEFT:
            assert table.live.stack_cents(patron) == left, kind
    reported = {entry.body["irregularity"] for entry in table.entries("house.IrregularityReported")}
    ruled = {entry.body["irregularity"] for entry in table.entries("round.IrregularityRuled")}
    assert reported | ruled >= set(kinds_of(table))
    assert table.live.seats == {}, "the player who left gave up the seat"
    assert table.live.shift.unexplained_cents == 0
    assert table.verified() is None
