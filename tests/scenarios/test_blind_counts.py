"""Blind counts over HTTP: nothing tells a counter what a tray or a drop box should hold, and a box holds only cash."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from scenarios.controlled_house import TRAY, TRAY_CENTS, Controlled
from scenarios.floor import ScenarioFloor, unique


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controlled]:
    floor = ScenarioFloor(tmp_path_factory.mktemp("controlled"))
    yield Controlled(floor)
    floor.stop()


def test_no_view_shows_a_count_before_both_are_in(house: Controlled) -> None:
    table = house.table()
    table.seat_patron(1, 700_00)
    house.office("flo", "dov", "PullBox", table=table.table)
    box = list(house.controls.boxes)[-1]
    house.office("con", None, "CountBox", box=box, bills={"10000": 6, "5000": 2})
    table.must("dana", "LeaveSeat", seat=1)
    table.must("flo", "CountTray", chips=TRAY)
    for name in ("dana", "flo", "fred", "con", "cou", "cay", "pit"):
        seen = house.floor.people[name].http.get("/api/controls")
        if seen.status_code == 200:
            shown = next(row for row in seen.json()["boxes"] if row["box"] == box)
            assert shown["counted_by"] == ["con"]
            assert not re.search(r"\b70000\b", seen.text), name
            assert "booked" not in seen.text, name
    assert table.console()["tray"] == ""
    for name in ("flo", "pit"):
        tiles = house.floor.people[name].http.get("/api/floor").json()["tables"]
        own = next(tile for tile in tiles if tile["summary"]["table"] == table.table)
        assert own["tray_cents"] is None
        equipment = house.floor.people[name].http.get(f"/api/tables/{table.table}/equipment").json()
        assert equipment["tray_cents"] is None
    table.must("dana", "CountTray", chips=TRAY)


def test_nothing_tells_a_counter_what_the_tray_should_hold_while_its_count_is_due(house: Controlled) -> None:
    table = house.table()
    people, held = house.floor.people, {"tray_cents": None, "tray_low_cents": None}

    def tile(name: str) -> dict[str, Any]:
        tiles = people[name].http.get("/api/floor").raise_for_status().json()["tables"]
        found: dict[str, Any] = next(tile for tile in tiles if tile["summary"]["table"] == table.table)
        return found

    # A credit larger than the tray, and chips for more than the tray has, are refused without its amount.
    slip = house.slip("Credit", table.table, {"100000": 40})
    house.office("cay", None, "PrepareSlip", slip=slip)
    refused = table.refused("dana", "SendCredit", slip=slip, chips={"100000": 40})["reason"]
    assert refused == "By the books, the tray doesn't have 40 yellow ($1,000). Call the floor"
    house.office("cay", "flo", "VoidSlip", slip=slip, reason="too much for this tray")
    table.must("dana", "TakeSeat", seat=1, player="")
    much = table.ask("dana", "BuyIn", seat=1, cents=TRAY_CENTS + 2_500_00).json()["refused"]["reason"]
    assert much == "The tray is short. Fill it first"
    table.must("dana", "LeaveSeat", seat=1)
    assert {name: tile("flo")[name] for name in held} == held
    assert tile("flo")["today"]["win_cents"] is not None
    # The count begins: takings are hidden from those who may count, and the slip of a first count is too.
    off = {**TRAY, "500": TRAY["500"] - 1}
    table.must("flo", "CountTray", chips=off)
    for name, is_hidden in (("flo", True), ("pit", True), ("sue", False), ("reg", False)):
        assert (tile(name)["today"]["win_cents"] is None) == is_hidden, name
    table.must("dana", "CountTray", chips=off)
    alert = next(
        alert
        for alert in people["flo"].http.get("/api/alerts").json()
        if alert["table"] == table.table and alert["kind"] == "variance"
    )
    assert "$" not in alert["text"]
    for name, is_hidden in (("flo", True), ("pit", True), ("sue", False)):
        rows = people[name].http.get("/api/controls/forms", params={"series": "TRAY"}).json()
        row = next(row for row in rows if row["table"] == table.table and row["status"] == "counted again")
        assert (row["expected_cents"], row["over_cents"]) == ((None, 0) if is_hidden else (TRAY_CENTS, -5_00)), name
        printed = people[name].http.get(f"/api/controls/forms/{row['number']}.pdf")
        assert printed.status_code == (409 if is_hidden else 200)
    report = people["pit"].http.get("/api/reports/signed/tray-counts").json()["lines"]
    assert str(TRAY_CENTS) not in str([line for line in report if line["table"] == table.table])
    lines = people["pit"].http.get("/api/reports/significant", params={"table": table.table}).json()["lines"]
    assert not [line for line in lines if "expected_chips" in line["says"] and '"is_final":false' in line["says"]]
    house.count(table, TRAY)
    assert not table.live.is_open
    # The closer is the next opener, so it stays hidden from the pit until the table is open again.
    rows = people["flo"].http.get("/api/controls/forms", params={"series": "TRAY"}).json()
    assert all(not row["total_cents"] for row in rows if row["table"] == table.table)
    house.count(table, TRAY)
    rows = people["flo"].http.get("/api/controls/forms", params={"series": "TRAY"}).json()
    assert TRAY_CENTS in [row["total_cents"] for row in rows if row["table"] == table.table]


def test_who_counted_a_tray_does_not_acknowledge_the_alert_about_it(house: Controlled) -> None:
    table = house.table()
    people = house.floor.people

    def acknowledged(name: str, alert: dict[str, Any]) -> int:
        asked = {"id": unique("a"), "note": "fine"}
        return int(people[name].http.post(f"/api/alerts/{alert['id']}/acknowledge", json=asked).status_code)

    def waiting() -> list[dict[str, Any]]:
        listed = people["flo"].http.get("/api/alerts").raise_for_status().json()
        return [alert for alert in listed if alert["kind"] == "variance" and alert["table"] == table.table]

    off = {**TRAY, "500": TRAY["500"] - 1}
    for name in ("flo", "dana"):
        table.must(name, "CountTray", chips=off)
    (recount_due,) = waiting()
    assert acknowledged("flo", recount_due) == 409
    for name in ("flo", "dana"):
        table.must(name, "CountTray", chips=off)
    (unexplained,) = [alert for alert in waiting() if "unexplained" in alert["text"]]
    assert acknowledged("flo", unexplained) == 409
    assert acknowledged("fred", unexplained) == 200


def test_a_box_holds_only_cash_and_a_buy_in_from_an_account_is_drop_all_the_same(house: Controlled) -> None:
    table = house.table()
    before = house.balances()
    table.seat_patron(1, 400_00)
    table.sit("dave", 2, 300_00)
    assert house.balances()[f"drop:{table.table}"] == 400_00
    assert house.balances()["cash:cage"] - before["cash:cage"] == 300_00
    house.office("flo", "dov", "PullBox", table=table.table)
    box = list(house.controls.boxes)[-1]
    for name in ("con", "cou"):
        house.office(name, None, "CountBox", box=box, bills={"10000": 4})
    assert not any(found.table == table.table for found in house.controls.variances.values())
    lines = house.floor.people["aud"].http.get("/api/reports/signed/shifts").json()["lines"]
    assert next(line["drop_cents"] for line in lines if line["table"] == table.table) == 700_00

    # Reversing it gives the money back to the account, and takes nothing out of the box.
    bought = table.entries("house.ChipsBought")[-1]
    table.both("pit", "flo", "Correct", entry=bought.sequence, reason="bought for the wrong table")
    after = house.balances()
    assert (after["deposit:dave"], after.get(f"drop:{table.table}", 0)) == (before.get("deposit:dave", 0) + 300_00, 0)
    lines = house.floor.people["aud"].http.get("/api/reports/signed/shifts").json()["lines"]
    assert next(line["drop_cents"] for line in lines if line["table"] == table.table) == 400_00
    assert table.verified() is None


def test_what_the_cage_holds_is_hidden_from_those_who_count_it(house: Controlled) -> None:
    def seen(name: str) -> dict[str, bool]:
        shown = house.floor.people[name].http.get("/api/controls").raise_for_status().json()
        return {place: shown[place] is not None for place in ("vault", "cage")}

    assert {name: seen(name) for name in ("cay", "pit", "olga", "aud", "flo", "con")} == {
        "cay": {"vault": True, "cage": False},
        "pit": {"vault": True, "cage": False},
        "olga": {"vault": True, "cage": True},
        "aud": {"vault": True, "cage": True},
        "flo": {"vault": False, "cage": False},
        "con": {"vault": False, "cage": False},
    }
    held = house.floor.people["olga"].http.get("/api/controls").json()["cage"]
    assert held["cash_cents"] == house.controls.cash["cage"]


def test_a_table_tells_its_people_who_has_counted_and_which_slips_are_open(house: Controlled) -> None:
    table = house.table()
    slip = house.slip("Credit", table.table, {"500": 10})

    def money() -> dict[str, Any]:
        shown = house.floor.people["dana"].http.get(f"/api/tables/{table.table}/equipment").raise_for_status().json()
        found: dict[str, Any] = shown["money"]
        return found

    assert [row["slip"] for row in money()["slips"]] == [slip]
    house.office("cay", "flo", "VoidSlip", slip=slip, reason="not needed any more")
    table.must("dana", "CountTray", chips=TRAY)
    assert {name: money()[name] for name in ("moment", "counted_by", "has_differed")} == {
        "moment": "closer",
        "counted_by": ["dana"],
        "has_differed": False,
    }
    table.must("flo", "CountTray", chips={"500": 1})
    assert (money()["counted_by"], money()["has_differed"]) == ([], True)
