"""What staff pages request: a table's cards and devices, its submitted rules, and proposals with time and clause."""

import itertools
from typing import Any

import pytest

from pitboss.server.demonstration import staffed_document
from server.running import PEOPLE, Client

pytestmark = pytest.mark.xdist_group("server")

NUMBERS = itertools.count(1)
WORK_AT_TABLES = {"dea", "flo", "pit", "cay"}
PUT_IN_FORCE = {"olga", "pit"}
MAY_REVERSE = {"cay", "flo", "pit"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return {**staffed_document(), "progressive": None}


@pytest.fixture
def opened(office: Any, people: dict[str, Client], document: dict[str, Any]) -> str:
    """Open a table for a test alone."""
    table = f"equipped-{next(NUMBERS)}"
    assert office("olga", {"kind": "SubmitRules", "table": table, "document": document}).status_code == 200
    proposed = people["olga"].must(table, {"kind": "ActivateSubmission", "document": document})
    people["pit"].must(table, {"kind": "Confirm", "proposal": proposed["proposal"]})
    people["flo"].must(table, {"kind": "OpenTable", "tray_cents": 10_000_00})
    return table


def test_equipment_is_for_those_who_work_with_it(people: dict[str, Client], opened: str) -> None:
    for name in PEOPLE:
        answer = people[name].http.get(f"/api/tables/{opened}/equipment")
        assert (answer.status_code == 200) == (name in WORK_AT_TABLES), name
        if name not in WORK_AT_TABLES:
            assert answer.json()["refused"]["clause"] == "H-15"


def test_equipment_tells_the_deck_in_play_when_it_is_due_and_who_deals(people: dict[str, Client], opened: str) -> None:
    def shown() -> dict[str, Any]:
        found: dict[str, Any] = people["dea"].http.get(f"/api/tables/{opened}/equipment").raise_for_status().json()
        return found

    before = shown()
    assert before["decks"] == []
    assert before["dealer"] is None
    assert before["tray_cents"] == 10_000_00
    assert {"device": "shuffler", "state": "in-service", "clause": None} in before["devices"]
    lease = people["dea"].must(opened, {"kind": "TakeLease"})["lease"]
    received = {"kind": "ReceiveDeck", "deck": "deck-1", "preinspected": True, "preshuffled": True}
    people["dea"].must(opened, received, token=lease)
    deck = shown()["decks"][0]
    assert deck["deck"] == "deck-1"
    assert not deck["in_play"]
    assert deck["due_at"] is None or deck["due_at"] > deck["received_at"]
    assert (deck["due_at"] is None) == (deck["clause"] is None)
    people["dea"].must(opened, {"kind": "FailDevice", "device": "shuffler"}, token=lease)
    after = shown()
    assert {"device": "shuffler", "state": "failed", "clause": "Ch. 13 §J(1)"} in after["devices"]
    assert after["dealer"] == "dea"
    assert after["lease_until"] > deck["received_at"]
    people["dea"].must(opened, {"kind": "TakeOutDevice", "device": "shuffler", "how": "marked"}, token=lease)
    assert {"device": "shuffler", "state": "marked", "clause": "Ch. 13 §J(2)"} in shown()["devices"]
    people["dea"].must(opened, {"kind": "ReleaseLease", "token": lease}, token=lease)
    people["flo"].must(opened, {"kind": "RemoveDeck", "deck": "deck-1"})
    assert shown()["decks"] == []


def test_submitted_rules_are_listed_to_those_who_put_them_in_force(
    office: Any, people: dict[str, Client], opened: str, document: dict[str, Any]
) -> None:
    dearer = {**document, "table": {**document["table"], "minimum": document["table"]["minimum"] * 2}}
    assert office("olga", {"kind": "SubmitRules", "table": opened, "document": dearer}).status_code == 200
    for name in PEOPLE:
        answer = people[name].http.get(f"/api/tables/{opened}/submitted")
        assert (answer.status_code == 200) == (name in PUT_IN_FORCE), name
    newest, oldest = people["pit"].http.get(f"/api/tables/{opened}/submitted").json()
    assert (newest["document"], newest["in_force"], newest["by"]) == (dearer, False, "olga")
    assert (oldest["document"], oldest["in_force"]) == (document, True)
    proposed = people["pit"].must(opened, {"kind": "ActivateSubmission", "document": newest["document"]})
    people["olga"].must(opened, {"kind": "Decline", "proposal": proposed["proposal"]})


def test_a_proposal_says_until_when_and_by_which_clause_it_takes_two(people: dict[str, Client], opened: str) -> None:
    proposed = people["cay"].must(opened, {"kind": "Fill", "cents": 500_00})
    waiting = people["flo"].http.get(f"/api/tables/{opened}/proposals").json()
    own = next(waits for waits in waiting if waits["proposal"] == proposed["proposal"])
    assert own["clause"] == "H-13"
    view = people["flo"].view(opened)
    assert own["until"] > view["at"]
    people["flo"].must(opened, {"kind": "Decline", "proposal": proposed["proposal"]})


def test_equipment_of_all_tables_is_for_the_same_people(people: dict[str, Client], opened: str) -> None:
    for name in PEOPLE:
        answer = people[name].http.get("/api/floor/equipment")
        assert (answer.status_code == 200) == (name in WORK_AT_TABLES), name
    tables = {row["summary"]["table"]: row for row in people["cay"].http.get("/api/floor/equipment").json()}
    assert set(tables) == {table["table"] for table in people["cay"].http.get("/api/tables").json()}
    assert tables[opened]["equipment"] == people["cay"].http.get(f"/api/tables/{opened}/equipment").json()
    assert tables[opened]["tray_low_cents"] == 10_000_00 // 4


def test_bookings_are_listed_to_those_who_may_reverse_them_until_they_are(
    people: dict[str, Client], opened: str
) -> None:
    for name in PEOPLE:
        answer = people[name].http.get(f"/api/tables/{opened}/bookings")
        assert (answer.status_code == 200) == (name in MAY_REVERSE), name
        if name not in MAY_REVERSE:
            assert answer.json()["refused"]["clause"] == "H-12"

    def booked() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = people["flo"].http.get(f"/api/tables/{opened}/bookings").json()
        return found

    before = booked()
    for kind, cents in (("Fill", 700_00), ("Credit", 300_00)):
        proposed = people["cay"].must(opened, {"kind": kind, "cents": cents})
        people["flo"].must(opened, {"kind": "Confirm", "proposal": proposed["proposal"]})
    credited, filled, *rest = booked()
    assert rest == before
    assert [(row["kind"], row["cents"]) for row in (credited, filled)] == [
        ("TrayCredited", 300_00),
        ("TrayFilled", 700_00),
    ]
    assert {filled["by"], filled["second"]} == {"cay", "flo"}
    assert filled["player"] is None
    wrong = {"kind": "Correct", "entry": filled["entry"], "reason": "brought to another table"}
    proposed = people["cay"].must(opened, wrong)
    people["flo"].must(opened, {"kind": "Confirm", "proposal": proposed["proposal"]})
    assert booked() == [credited, *before]


def test_chips_that_a_player_bought_are_a_booking(people: dict[str, Client]) -> None:
    table = next(table["table"] for table in people["flo"].http.get("/api/tables").json() if table["is_automatic"])
    people["bob"].must(table, {"kind": "TakeSeat", "seat": 2})
    people["bob"].must(table, {"kind": "BuyIn", "cents": 100_00})
    newest = people["pit"].http.get(f"/api/tables/{table}/bookings").json()[0]
    assert (newest["kind"], newest["cents"], newest["player"]) == ("ChipsBought", 100_00, "bob")
    people["bob"].must(table, {"kind": "LeaveSeat", "seat": 2})
