"""What a progressive's display shows at the table, read by a person and compared with the books, over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from scenarios.controlled_house import SETTINGS
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.progressive import METER_CENTS, NOTHING, dealt, locked, progressive_table

FED_CENTS = 2_00  # a fifth of two stakes of $5


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("readings"))
    yield running
    running.stop()


@pytest.fixture
def table(floor: ScenarioFloor) -> Iterator[ScenarioTable]:
    """Return a table with a progressive, at a house that switched money controls on afterward."""
    switch(floor, is_on=False)
    made = progressive_table(lambda *names, **changes: ScenarioTable(floor, *names, **changes))
    switch(floor, is_on=True)
    yield made
    while made.live.in_round:
        made.step()


def switch(floor: ScenarioFloor, *, is_on: bool) -> None:
    assert floor.floor is not None
    if floor.floor.house.controls.state.settings.money_controls != is_on:
        settings = {**SETTINGS, "money_controls": is_on}
        floor.both_at_office("olga", "otto", {"kind": "ChangeHouseSettings", "settings": settings})


def read(table: ScenarioTable, name: str, cents: int, **fields: Any) -> Any:
    named = {"progressive": table.table, "meter": "meter", **fields}
    return table.floor.office(name, {"kind": "ReadMeter", **named, "cents": cents})


def refused(answer: Any) -> str:
    assert answer.status_code == 409, answer.text
    return str(answer.json()["refused"]["clause"])


def lines(table: ScenarioTable) -> list[dict[str, Any]]:
    auditor = table.floor.people["aud"].http
    made = auditor.get("/api/reports/signed/meter-readings").raise_for_status().json()["lines"]
    return [line for line in made if table.table in line["title"]]


def test_a_reading_that_agrees_is_a_numbered_form_and_no_variance(table: ScenarioTable) -> None:
    before = dict(table.floor.floor.house.controls.state.variances)
    shown = table.floor.people["flo"].http.get("/api/controls").json()["displays"]
    assert {"progressive": table.table, "meters": ["meter"]} in shown
    for name in ("flo", "pit", "sue", "aud"):
        answer = read(table, name, METER_CENTS)
        assert (answer.status_code, answer.json()["proposal"]) == (200, None), answer.text
    assert table.floor.floor.house.controls.state.variances == before
    found = lines(table)
    assert [line["people"] for line in found] == ["aud", "sue", "pit", "flo"]
    assert {(line["total_cents"], line["expected_cents"], line["over_cents"]) for line in found} == {
        (METER_CENTS, METER_CENTS, 0)
    }
    printed = table.floor.people["aud"].http.get(f"/api/controls/forms/{found[0]['number']}.pdf")
    assert printed.content.startswith(b"%PDF")


def test_a_display_that_differs_stays_unexplained_until_two_people_explain_it(table: ScenarioTable) -> None:
    dealt(table, NOTHING)
    while table.live.in_round:
        table.step()
    assert read(table, "flo", METER_CENTS).status_code == 200  # the display missed the contributions of the round
    (line,) = lines(table)
    assert (line["expected_cents"], line["over_cents"]) == (METER_CENTS + FED_CENTS, -FED_CENTS)
    house = table.floor.floor.house
    number, variance = next(
        (number, found) for number, found in house.controls.state.variances.items() if found.form == line["number"]
    )
    assert (variance.what, variance.over_cents) == ("meter", -FED_CENTS)
    alerts = table.floor.people["flo"].http.get("/api/alerts").json()
    assert any(alert["kind"] == "variance" and line["number"] in str(alert) for alert in alerts), alerts
    explained = {"kind": "ExplainVariance", "variance": number, "explanation": "the display was without power"}
    table.floor.both_at_office("pit", "sue", explained)
    assert number not in house.controls.state.variances


def test_a_display_is_read_only_between_rounds_and_by_those_who_may(table: ScenarioTable) -> None:
    for name in ("dana", "cay", "con", "olga", "tec", "reg", "alice"):
        assert refused(read(table, name, METER_CENTS)) == "H-67", name
    assert refused(read(table, "flo", -1)) == "H-67"
    assert refused(read(table, "flo", METER_CENTS, meter="no-such")) == "H-67"
    locked(table, NOTHING)
    assert refused(read(table, "flo", METER_CENTS)) == "H-67"
    assert not lines(table)


def test_an_invented_progressive_is_refused_and_not_kept(table: ScenarioTable) -> None:
    house = table.floor.floor.house
    before = set(house.progressives)
    for number in range(3):
        answer = read(table, "flo", METER_CENTS, progressive=f"invented-{number}")
        assert (refused(answer), answer.json()["refused"]["field"]) == ("H-67", "progressive")
    assert set(house.progressives) == before
    del house.progressives[table.table]  # as in a process that hasn't looked at this progressive yet
    assert read(table, "flo", METER_CENTS).status_code == 200


def test_nothing_is_read_while_money_controls_are_off(table: ScenarioTable) -> None:
    switch(table.floor, is_on=False)
    assert refused(read(table, "flo", METER_CENTS)) == "H-45"
