"""Full names, badges and license numbers: on accounts, on the floor, on printed forms, and nobody has another's."""

from collections.abc import Iterator
from typing import Any

import pymupdf
import pytest

from packet.made import plain
from scenarios.controlled_house import Controlled
from scenarios.floor import ScenarioFloor, unique

DANA = {"full_name": "Dana Reyes", "badge": "1042", "license": "DL-7"}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Return a floor whose dealer has a name, a badge and a license number."""
    floor = ScenarioFloor(tmp_path_factory.mktemp("named"))
    assert change(floor, "dana", DANA).status_code == 200
    yield floor
    floor.stop()


def details(floor: ScenarioFloor, name: str) -> dict[str, Any]:
    """Return a person as the staff's list shows them."""
    staff = floor.people["sue"].http.get("/api/people/staff").raise_for_status().json()
    return next(person for person in staff if person["name"] == name)


def change(floor: ScenarioFloor, name: str, to: dict[str, str], by: str = "adam") -> Any:
    """Have an administrator change a person's details."""
    return floor.office(by, {"kind": "ChangeDetails", "person": name, "details": to})


def test_the_floor_and_the_list_of_people_show_them(named: ScenarioFloor) -> None:
    shown = named.people["adam"].http.get("/api/people").json()
    dana = next(person for person in shown if person["name"] == "dana")
    assert {name: dana[name] for name in DANA} == DANA
    assert {name: details(named, "dana")[name] for name in DANA} == DANA
    assert named.people["alice"].http.get("/api/people/staff").status_code == 409, "players don't see them"
    names = [person["name"] for person in named.people["sue"].http.get("/api/people/staff").json()]
    assert "alice" not in names


def test_no_two_people_have_one_badge_or_license(named: ScenarioFloor) -> None:
    for field, value in (("badge", "1042"), ("license", "dl-7")):
        refused = change(named, "dov", {field: value}).json()["refused"]
        assert (refused["clause"], refused["field"]) == ("H-52", field)
    added = {"kind": "AddPerson", "person": unique("twin"), "roles": ["dealer"], "details": {"badge": "1042"}}
    assert named.office("adam", added).json()["refused"]["field"] == "badge"
    for wrong in ({"full_name": "x" * 81}, {"badge": " 7"}, {"license": "a\nb"}):
        assert change(named, "dov", wrong).json()["refused"]["clause"] == "H-52"


def test_only_another_administrator_changes_them_and_an_alert_and_an_event_have_before_and_after(
    named: ScenarioFloor,
) -> None:
    for name in ("flo", "cay", "dana"):
        assert change(named, "dov", {"full_name": "Somebody Else"}, by=name).status_code == 409
    assert change(named, "adam", {"full_name": "Adam Smith"}).status_code == 409, "not one's own"
    badge = unique("b")
    assert change(named, "fred", {"full_name": "Fred Ames", "badge": badge}).status_code == 200
    alerts = [alert["text"] for alert in named.people["sue"].http.get("/api/alerts").json()]
    assert f"Adam changed the details of fred from fred to Fred Ames (fred), badge {badge}" in alerts
    lines = named.people["sue"].http.get("/api/reports/significant", params={"person": "fred"}).json()["lines"]
    said = next(line["says"] for line in lines if line["kind"] == "floor.DetailsChanged")
    assert '"before":{"badge":"","full_name":""}' in said
    assert "Fred Ames" in said


def test_a_printed_form_names_its_signers_in_full(named: ScenarioFloor) -> None:
    house = Controlled(named)
    table = house.table()
    http = named.people["sue"].http
    rows = http.get("/api/controls/forms", params={"series": "TRAY"}).json()
    row = next(row for row in rows if row["table"] == table.table)
    page = http.get(f"/api/controls/forms/{row['number']}.pdf")
    assert page.status_code == 200
    with pymupdf.open(stream=page.content) as opened:
        assert "Dana Reyes (dana), badge 1042, license DL-7" in plain(opened[0].get_text())
    tiles = named.people["flo"].http.get("/api/floor").json()["tables"]
    tile = next(tile for tile in tiles if tile["summary"]["table"] == table.table)
    assert (tile["dealer_name"], tile["dealer_badge"]) == ("Dana Reyes", "1042")
