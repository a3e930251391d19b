"""The luck ledger of real money moves by gaming days for those who can't read sealed cards (H-53)."""

from typing import Any

import pytest

from pitboss.api import recorded_split
from pitboss.api.recorded_split import DAY_MS, RecordedSplit
from pitboss.server.table_documents import read_terms
from scenarios.floor import ScenarioFloor, ScenarioTable
from server.beside import until

pytestmark = pytest.mark.slow  # splitting a round compiles the game's kernels
GAME = "top-five-poker"


def rounds_of(found: RecordedSplit, table: str, *, closed: bool) -> int:
    """Return how many rounds of a table the ledger shows, as it is now or as of the last gaming day."""
    lines = found.closed("table") if closed else [line.as_dict() for line in found.lines("table")]
    return next((line["rounds"] for line in lines if line["table"] == table), 0)


def test_a_line_moves_on_only_at_a_new_day_and_by_many_rounds_at_once(
    floor: ScenarioFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded_split, "CLOSED_ROUNDS_LEAST", 3)
    assert floor.floor is not None
    table, store, clock = ScenarioTable(floor, GAME).open(), floor.floor.store, floor.floor.clock
    found = RecordedSplit(read_terms)
    found.read(store, clock.now_ms())
    for _ in range(4):  # the last one counts when the next begins
        table.play_round()
        found.read(store, clock.now_ms())
        assert rounds_of(found, table.table, closed=True) == 0, "a round of today is in the figures of an earlier day"
    assert rounds_of(found, table.table, closed=False) == 3
    found.read(store, clock.now_ms() + DAY_MS)
    assert rounds_of(found, table.table, closed=True) == 3
    # Rounds that come in later on that day change nothing, nor does a day with too few.
    for _ in range(2):
        table.play_round()
        found.read(store, clock.now_ms() + DAY_MS)
        assert rounds_of(found, table.table, closed=True) == 3
    again = RecordedSplit(read_terms)
    assert again.restore(found.to_data(), store), "a restart continues with the same figures"
    again.read(store, clock.now_ms() + 2 * DAY_MS)
    assert rounds_of(again, table.table, closed=False) == 5
    assert rounds_of(again, table.table, closed=True) == 3, "two rounds would tell what they were worth"
    table.play_round()
    again.read(store, clock.now_ms() + 3 * DAY_MS)
    assert rounds_of(again, table.table, closed=True) == 6


def test_only_auditors_and_regulators_read_todays_rounds(floor: ScenarioFloor) -> None:
    table = ScenarioTable(floor, GAME).open()
    table.play_round()
    table.play_round()

    def shown(name: str) -> tuple[list[dict[str, Any]], int | None]:
        answer = floor.people[name].http.get("/api/reports/luck", params={"by": "table"}).raise_for_status().json()
        return [line for line in answer["lines"] if line["table"] == table.table], answer.get("as_of")

    until(lambda: shown("aud")[0])
    assert shown("reg")[0] == shown("aud")[0]
    assert shown("aud")[1] is None
    for name in ("pit", "olga", "cay", "sue"):
        lines, as_of = shown(name)
        assert lines == [], name
        assert as_of is not None, name
        csv = floor.people[name].http.get("/api/reports/luck", params={"by": "table", "format": "csv"}).text
        assert table.table not in csv, name
