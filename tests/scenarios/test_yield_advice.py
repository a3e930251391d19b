"""What the yield report advises for a table, with the figures it comes from."""

from collections.abc import Callable

import pytest

from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]


@pytest.mark.parametrize(
    ("players", "advice"), [(5, "raise the minimum or open another table"), (3, "leave it")], ids=["full", "middling"]
)
def test_a_full_table_could_take_more_and_a_middling_one_stays_as_it_is(
    new_table: NewTable, players: int, advice: str
) -> None:
    table = new_table("top-five-poker").open(())
    for seat in range(1, players + 1):
        table.seat_patron(seat, 500_00)
    table.play_round()
    report = table.floor.people["pit"].http.get("/api/reports/signed/yield").raise_for_status().json()
    (line,) = (line for line in report["lines"] if line["table"] == table.table)
    assert (line["rounds"], line["seats_per_round"], line["advice"]) == (1, players, advice)
    held = sum(table.live.stack_cents(player) for player in table.live.seats.values())
    assert line["win_cents"] == players * 500_00 - held
