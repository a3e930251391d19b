"""The report of what one person decided alone: each of those is in it, and nothing that a second person confirmed."""

from collections.abc import Callable
from typing import Any

from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.test_held import REPORT, WRONG_NUMBER

NewTable = Callable[..., ScenarioTable]
TF, UT = "top-five-poker", "ultimate-texas-holdem"
EXPOSED = {"irregularity": "dealer-card-exposed", "note": "one card, seen by all"}


def rows(floor: ScenarioFloor, name: str = "sole-decisions", **asked: Any) -> list[dict[str, Any]]:
    """Return the rows of a report by column."""
    report = floor.people["sue"].http.get(f"/api/reports/signed/{name}", params=asked).raise_for_status().json()
    found: list[dict[str, Any]] = report["lines"]
    return found


def alone(table: ScenarioTable) -> list[tuple[str, str, str]]:
    """Return who decided what alone at a table, oldest first."""
    found = [row for row in rows(table.floor) if row["table"] == table.table]
    return [(row["person"], row["what"], row["outcome"]) for row in reversed(found)]


def at_work(new_table: NewTable, game: str) -> ScenarioTable:
    """Return a table whose players are being asked."""
    table = new_table(game).open()
    table.begin()
    table.play_to("asking")
    return table


def test_a_ruling_on_anothers_report_is_one_persons_and_a_confirmed_one_is_not(new_table: NewTable) -> None:
    table = at_work(new_table, TF)
    table.must("dana", REPORT, irregularity="dealer-card-exposed")
    table.must("flo", REPORT, **EXPOSED, ruling="continue")
    assert alone(table) == [("flo", "ruling", "dealer-card-exposed: goes-on")]
    table.both("flo", "dana", REPORT, **EXPOSED, ruling="continue")
    assert len(alone(table)) == 1


def test_a_declined_report_and_a_declined_request_are_one_persons_and_a_withdrawn_one_is_not(
    new_table: NewTable,
) -> None:
    table = at_work(new_table, UT)
    table.must("flo", REPORT, irregularity=WRONG_NUMBER, seat=1)
    table.must("fred", "Decline", proposal=table.console("flo")["held"]["incident"], reason="counted again: two")
    own = table.must("cay", "Fill", cents=500_00)["proposal"]
    table.must("cay", "Decline", proposal=own)
    other = table.must("cay", "Fill", cents=600_00)["proposal"]
    table.must("flo", "Decline", proposal=other)
    assert alone(table) == [
        ("fred", "declined report", WRONG_NUMBER),
        ("flo", "declined report", "request for a second person"),
    ]
    settings = {"kind": "ChangeHouseSettings", "settings": {"facility": "Another"}}
    proposal = table.floor.office("olga", settings).json()["proposal"]
    table.floor.office("pit", {"kind": "Decline", "proposal": proposal, "reason": "not now"})
    newest = rows(table.floor)[0]
    assert (newest["person"], newest["table"], newest["outcome"]) == ("pit", "", "request for a second person")


def test_an_answer_for_an_absent_player_is_in_it_and_voids_are_counted_by_person_and_outcome(
    new_table: NewTable,
) -> None:
    table = at_work(new_table, UT)
    seat = table.live.play.seat_asked
    table.floor.pass_time(10 * 60_000)
    table.take_over("dana")
    answer = table.ask("dana", "ActForAbsent", seat=seat)
    assert answer.status_code == 200, answer.text
    if answer.json()["proposal"] is not None:
        table.must("flo", "Confirm", proposal=answer.json()["proposal"])
        assert alone(table) == []
    else:
        assert [row[:2] for row in alone(table)] == [("dana", "answer for an absent player")]
    table.both("dana", "flo", REPORT, irregularity=WRONG_NUMBER, seat=1)
    table.end()
    assert not [row for row in alone(table) if row[1] == "void"], "two people voided it"
    voids = table.floor.people["sue"].http.get("/api/reports/voids").raise_for_status().json()
    assert {"dana", "flo"} <= {row["person"] for row in voids}


def test_the_counts_by_person_are_of_the_interval_asked_for(new_table: NewTable, floor: ScenarioFloor) -> None:
    assert floor.floor is not None
    floor.pass_time(1_000)
    since = floor.floor.clock.now_ms()
    table = at_work(new_table, TF)
    table.must("dana", REPORT, irregularity="dealer-card-exposed")
    table.must("flo", REPORT, **EXPOSED, ruling="continue")
    until = floor.floor.clock.now_ms() + 1
    counted = rows(floor, "sole-decisions-by-person", **{"from": since, "to": until})
    assert [(row["person"], row["what"], row["outcome"], row["times"]) for row in counted] == [
        ("flo", "ruling", "dealer-card-exposed: goes-on", 1)
    ]
