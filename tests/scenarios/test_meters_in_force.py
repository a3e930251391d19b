"""Meters open, change and link within the rules that were filed, and their money moves only on the record."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pitboss.games.catalogue import games
from pitboss.house.progressive.meter import balances
from pitboss.rules.wager import Meter
from scenarios.floor import ScenarioFloor, ScenarioTable, unique
from scenarios.progressive import ROYAL, dealt, progressive_table

NewTable = Callable[..., ScenarioTable]
FIXED = next(game for game in games() if game.progressive and game.progressive.meters)  # by its rulebook
LEAST = FIXED.progressive.meters["A"][0] if FIXED.progressive else None
OWN = next(game for game in games() if any(wager.defined_by_submission for wager in game.wagers))
HOUSE_RULE = "H-5"


def stated(rate: str = "0.20", *, stake: int = 100, more: int = 0) -> dict[str, Any]:
    assert LEAST is not None
    amount = LEAST.minimum_cents + more
    return {"paytable": "A", "stake": stake, "rate": rate, "initial": amount, "reset": amount, "envy": "A"}


def fixed(new_table: NewTable, name: str, **changes: Any) -> ScenarioTable:
    wagers = {"progressive": stated(**changes)}
    return new_table(FIXED.name, progressive_name=name, wagers=wagers)


def own(new_table: NewTable, name: str) -> ScenarioTable:
    wager = next(wager for wager in OWN.wagers if wager.defined_by_submission)
    reading, cells = next(iter(wager.hands.items()))
    terms = {"stake": 100, "rate": "0.25", "initial": 500_000, "reset": 400_000, "hand": reading}
    return new_table(
        OWN.name, progressive_name=name, wagers={wager.name: {**terms, "odds": {cells[0]: "100 % of meter"}}}
    )


def file(table: ScenarioTable, document: dict[str, Any] | None = None) -> None:
    body = {"kind": "SubmitRules", "table": table.table, "document": document or table.document}
    answer = table.floor.office("olga", body)
    assert answer.status_code == 200, answer.text


def filed_meters(table: ScenarioTable) -> list[dict[str, Any]]:
    http = table.floor.people["olga"].http
    listed = http.get("/api/office/progressives").raise_for_status().json()
    found = next(row for row in listed if row["progressive"] == table.document["progressive"])
    return next(row["meters"] for row in found["filed"] if row["table"] == table.table)


def refused(floor: ScenarioFloor, body: dict[str, Any]) -> dict[str, Any]:
    answer = floor.office("olga", body)
    assert answer.status_code == 409, answer.text
    found: dict[str, Any] = answer.json()["refused"]
    assert found["clause"], found
    return found


def opened(table: ScenarioTable) -> None:
    name = table.document["progressive"]
    table.floor.both_at_office(
        "olga", "pit", {"kind": "OpenMeters", "progressive": name, "meters": filed_meters(table)}
    )


def in_force(table: ScenarioTable) -> None:
    table.both("olga", "pit", "ActivateSubmission", document=table.document)


def linked(table: ScenarioTable) -> None:
    name = table.document["progressive"]
    table.floor.both_at_office("olga", "pit", {"kind": "LinkTable", "progressive": name, "table": table.table})


def meter(table: ScenarioTable, name: str = "meter", progressive: str | None = None) -> Any:
    assert table.floor.floor is not None
    return table.floor.floor.house.progressive(progressive or table.document["progressive"]).state.meters[name]


@pytest.mark.parametrize("made", [fixed, own])
def test_meters_open_with_what_was_filed_and_nothing_else(
    new_table: NewTable, made: Callable[..., ScenarioTable]
) -> None:
    table = made(new_table, unique("meters"))
    open_them = {"kind": "OpenMeters", "progressive": table.document["progressive"]}
    made_up = {"name": "meter", "initial_cents": 1, "reset_cents": 1, "rate": "1/10", "clause": "none"}
    assert refused(table.floor, {**open_them, "meters": [made_up]})["clause"] == HOUSE_RULE  # nothing filed yet
    file(table)
    meters = filed_meters(table)
    for change in ({"rate": "1/3"}, {"initial_cents": 90_000_000}, {"reserve_rate": "1/100"}, {"limit_cents": 10**9}):
        found = refused(table.floor, {**open_them, "meters": [{**meters[0], **change}, *meters[1:]]})
        assert found["clause"] == meters[0]["clause"], found
    opened(table)
    assert meter(table, meters[0]["name"]).shown_cents == meters[0]["initial_cents"]


MINIMUMS = [
    (letter, least)
    for letter, meters in (FIXED.progressive.meters if FIXED.progressive else {}).items()
    for least in meters
]


@pytest.mark.parametrize(("letter", "least"), MINIMUMS, ids=lambda name: getattr(name, "name", name))
def test_amounts_below_the_rulebooks_minimum_are_refused_with_the_clause(
    new_table: NewTable, letter: str, least: Meter
) -> None:
    amounts = {meter.name: meter.minimum_cents for of, meter in MINIMUMS if of == letter}
    wager = {**stated(rate="0.10"), "paytable": letter, "initial": amounts, "reset": amounts}
    table = new_table(FIXED.name, progressive_name=unique("meters"), wagers={"progressive": wager})
    file(table)
    opening = {"kind": "OpenMeters", "progressive": table.document["progressive"]}
    for field in ("initial_cents", "reset_cents"):
        low = [
            {**meter, field: least.minimum_cents - 1} if meter["name"] == least.name else meter
            for meter in filed_meters(table)
        ]
        found = refused(table.floor, {**opening, "meters": low})
        assert found["clause"] == least.cite
        assert "at least" in found["reason"]


def test_linked_tables_agree_on_wager_rate_and_amounts(new_table: NewTable) -> None:
    name = unique("meters")
    first = fixed(new_table, name)
    file(first)
    opened(first)
    in_force(first)
    linked(first)
    for change in ({"rate": "0.10"}, {"more": 100_00}, {"stake": 500}):
        other = fixed(new_table, name, **change)
        file(other)
        in_force(other)
        found = refused(first.floor, {"kind": "LinkTable", "progressive": name, "table": other.table})
        assert "same terms" in found["reason"] or "same wager" in found["reason"]
    alike = fixed(new_table, name)
    file(alike)
    in_force(alike)
    linked(alike)


def test_a_linked_table_keeps_the_wager_that_its_meters_are_shared_for(new_table: NewTable) -> None:
    name = unique("meters")
    first, other = fixed(new_table, name), fixed(new_table, name)
    for table in (first, other):
        file(table)
        if table is first:
            opened(table)
        in_force(table)
        linked(table)
    elsewhere = unique("meters")
    dearer, moved = fixed(new_table, name, stake=500).document, fixed(new_table, elsewhere).document
    without = new_table(FIXED.name).document
    for document in (dearer, moved, without):
        file(other, document)
        found = other.refused("olga", "ActivateSubmission", document=document)
        assert "Unlink the table first" in found["reason"]
        assert FIXED.progressive is not None
        assert found["clause"] == FIXED.progressive.rate_cite
    floor = other.floor
    floor.both_at_office("olga", "pit", {"kind": "UnlinkTable", "progressive": name, "table": other.table})
    other.both("olga", "pit", "ActivateSubmission", document=dearer)
    assert "same wager" in refused(floor, {"kind": "LinkTable", "progressive": name, "table": other.table})["reason"]


def grown(new_table: NewTable, name: str) -> ScenarioTable:
    """Return a table whose meter has grown by a round."""
    table = fixed(new_table, name)
    file(table)
    opened(table)
    table.open(players=("alice",))
    linked(table)
    table.begin()
    table.wager("alice", **table.least(), progressive=100)
    table.close_bets(progressive_chips=1)
    while table.live.in_round:
        table.step()
    assert meter(table).contributed == Fraction(20)
    return table


def test_a_rate_waits_for_a_hit_or_for_its_money_to_move_to_another_meter(new_table: NewTable) -> None:
    table = grown(new_table, unique("meters"))
    name = table.document["progressive"]
    slower = fixed(new_table, name, rate="0.10")
    file(slower)
    change = {"kind": "ChangeTerms", "progressive": name, "terms": filed_meters(slower)[0], "reason": "a slower meter"}
    found = refused(table.floor, change)
    assert found["field"] == "rate"
    assert "has grown" in found["reason"]
    not_filed = {**change, "terms": {**filed_meters(slower)[0], "rate": "1/7"}}
    assert refused(table.floor, not_filed)["field"] == "meters"

    other = fixed(new_table, unique("meters"))
    file(other)
    opened(other)
    move = {
        "kind": "MoveMeter",
        "progressive": name,
        "meter": "meter",
        "to_progressive": other.document["progressive"],
        "to_meter": "meter",
        "reason": "the rate changes",
    }
    assert refused(table.floor, {**move, "reason": ""})["field"] == "reason"
    before = meter(other).shown_cents
    table.floor.both_at_office("olga", "pit", move)
    assert meter(table).shown_cents == meter(table).terms.reset_cents
    assert meter(other).shown_cents == before + 20
    assert all(map(balances, (meter(table), meter(other))))
    assert table.floor.floor is not None
    entry = list(table.floor.floor.store.read(f"progressive/{name}", kinds=("progressive.MoneyMoved",)))[-1]
    assert (entry.body["cents"], entry.body["by"], entry.body["second"]) == (20, "olga", "pit")

    table.floor.both_at_office("olga", "pit", change)
    assert meter(table).terms.rate == Fraction(1, 10)
    # The table's own rules still state the old rate: it takes no progressive wager until they agree again.
    table.begin()
    found = table.refused("alice", "PlaceWagers", seat=1, stakes={**table.least(), "progressive": 100})
    assert "runs with" in found["reason"]
    assert found["clause"]


def test_no_money_leaves_a_meter_under_a_hit_that_waits_or_a_report(new_table: NewTable) -> None:
    other = fixed(new_table, unique("meters"))
    file(other)
    opened(other)
    table = dealt(progressive_table(new_table), ROYAL)
    table.validate()
    assert table.phase == "awaiting-meter"
    name = table.document["progressive"]
    move = {
        "kind": "MoveMeter",
        "progressive": name,
        "meter": "meter",
        "to_progressive": other.document["progressive"],
        "to_meter": "meter",
        "reason": "the rate changes",
    }
    unlink = {"kind": "UnlinkTable", "progressive": name, "table": table.table}
    shown = meter(table).shown_cents
    for _ in ("hit", "held"):
        for body in (move, unlink):
            assert "a round is open" in refused(table.floor, body)["reason"].lower()
        if table.live.trouble is None:
            table.must("dana", "ReportIrregularity", irregularity="wrong-number-of-cards", seat=1)
    table.must("flo", "Decline", proposal=table.console("flo")["held"]["incident"], reason="both hands have two")
    table.validate()
    assert table.entries("round.MeterPaid")[-1].body["paid"] == shown


def test_a_rate_changes_after_the_meter_was_hit(new_table: NewTable) -> None:
    table = dealt(progressive_table(new_table), ROYAL)
    table.validate()
    slower = {**table.document, "table": {**table.document["table"]}}
    wagers = slower["table"]["wagers"]
    slower["table"]["wagers"] = {**wagers, "progressive": {**wagers["progressive"], "rate": "0.10"}}
    file(table, slower)
    name = table.document["progressive"]
    terms = filed_meters(table)[0]
    change = {"kind": "ChangeTerms", "progressive": name, "terms": terms, "reason": "a slower meter"}
    assert terms["rate"] == "1/10"
    refused(table.floor, change)  # it has grown, and its round is not over
    table.validate()
    table.end()
    table.floor.both_at_office("olga", "pit", change)
    assert (meter(table).terms.rate, meter(table).paid_cents > 0) == (Fraction(1, 10), True)


def test_a_retired_meters_money_goes_to_another(new_table: NewTable) -> None:
    table = grown(new_table, unique("meters"))
    name = table.document["progressive"]
    other = fixed(new_table, unique("meters"))
    file(other)
    opened(other)
    move = {
        "kind": "MoveMeter",
        "progressive": name,
        "meter": "meter",
        "to_progressive": other.document["progressive"],
        "to_meter": "meter",
        "retires": True,
        "reason": "the progressive ends",
    }
    assert "Unlink" in refused(table.floor, move)["reason"]
    table.floor.both_at_office("olga", "pit", {"kind": "UnlinkTable", "progressive": name, "table": table.table})
    held, before = meter(table).shown_cents, meter(other).shown_cents
    table.floor.both_at_office("olga", "pit", move)
    assert meter(table).shown_cents == 0
    assert meter(table).is_retired
    assert meter(other).shown_cents == before + held
    assert all(map(balances, (meter(table), meter(other))))
    refused(table.floor, {"kind": "LinkTable", "progressive": name, "table": table.table})


def test_the_office_lists_filed_progressives_and_what_is_not_open_or_linked_yet(new_table: NewTable) -> None:
    table = fixed(new_table, unique("meters"))
    file(table)
    name = table.document["progressive"]

    def listed() -> dict[str, Any]:
        http = table.floor.people["olga"].http
        every = http.get("/api/office/progressives").raise_for_status().json()
        return next(row for row in every if row["progressive"] == name)

    assert (listed()["is_open"], listed()["linked"], listed()["to_link"]) == (False, [], [])
    opened(table)
    in_force(table)
    assert (listed()["is_open"], listed()["to_link"]) == (True, [table.table])
    linked(table)
    assert (listed()["linked"], listed()["to_link"]) == ([table.table], [])
    assert table.floor.people["alice"].http.get("/api/office/progressives").status_code == 409
