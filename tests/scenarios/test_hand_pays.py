"""Hand pays wait for identity and tax data, which the record keeps sealed."""

import json

import pytest

from scenarios.floor import EVERYBODY, ScenarioFloor
from scenarios.patron_floor import WINNER, alerts, done, exclude, hand_table, person, royal, settle, take_down


@pytest.fixture
def floor(patron_floor: ScenarioFloor) -> ScenarioFloor:
    return patron_floor


def test_a_hand_pay_waits_for_identity_and_tax_data(floor: ScenarioFloor) -> None:
    table, name = hand_table(floor), person(floor)
    table.sit(name, 1, 500_00)
    royal(table, name)
    assert table.phase == "awaiting-verification"
    before = table.money()
    waiting = floor.people["flo"].http.get(f"/api/tables/{table.table}/hand-pays").json()
    assert [(pay["seat"], pay["wager"], pay["stake_cents"], pay["cents"]) for pay in waiting] == [
        (1, "blind", 10_00, 5_000_00)
    ]
    assert table.refused("flo", "ValidatePayout", seat=1)["clause"] == "H-48"
    assert table.refused("dana", "ValidatePayout", seat=1)["clause"] == "H-48"
    for role_holder, role in EVERYBODY.items():
        if role not in ("floorperson", "pit-manager", "cage"):
            assert take_down(table, role_holder).status_code == 409, role
    assert take_down(table, "cay", address=" ").json()["refused"]["field"] == "address"
    assert take_down(table, "cay", seat=2).json()["refused"]["clause"] == "H-48"
    assert table.refused("cay", "RecordHandPay", seat=1, sealed="1234.abcd")["clause"] == "H-48"
    assert table.money() == before
    assert take_down(table, "cay").status_code == 200
    assert table.money() == before, "the form alone pays nothing"
    table.must("flo", "ValidatePayout", seat=1)
    assert table.live.play.results[1, "blind"].paid == 5_000_00
    while table.live.in_round:
        table.step()
    number = floor.people["cay"].http.get("/api/controls/forms?series=HANDPAY").json()[0]["number"]
    form = floor.people["cay"].http.get(f"/api/hand-pays/{number}").raise_for_status().json()
    assert (form["status"], form["cents"], form["data"]) == ("paid", 5_000_00, WINNER)
    printed = floor.people["aud"].http.get(f"/api/hand-pays/{number}.pdf")
    assert printed.content.startswith(b"%PDF")
    for role_holder, role in EVERYBODY.items():
        seen = floor.people[role_holder].http.get(f"/api/hand-pays/{number}").status_code
        assert (seen == 200) is (role in ("cage", "auditor", "regulator")), role
    assert table.verified() is None


def test_tax_data_is_in_no_entry_and_no_file_of_the_record_in_plain(floor: ScenarioFloor) -> None:
    table, name = hand_table(floor), person(floor)
    table.sit(name, 1, 500_00)
    royal(table, name)
    secret = {"taxpayer_id": "987-65-4321", "full_name": "Quentin Quietly"}
    assert take_down(table, "flo", **secret).status_code == 200
    table.must("flo", "ValidatePayout", seat=1)
    assert floor.floor is not None
    store = floor.floor.store
    for stream in store.heads():
        for entry in store.read(stream):
            assert not any(text in json.dumps(entry.body) for text in secret.values()), entry.kind
    for path in floor.data.rglob("*"):
        if path.is_file():
            assert not any(text.encode() in path.read_bytes() for text in secret.values()), path


@pytest.mark.parametrize(
    ("changes", "waits"),
    [
        ({"hand_pay_cents": 5_000_00, "hand_pay_times": 500}, True),
        ({"hand_pay_cents": 5_000_01, "hand_pay_times": 500}, False),
        ({"hand_pay_cents": 5_000_00, "hand_pay_times": 501}, False),
    ],
)
def test_the_thresholds_are_house_settings(floor: ScenarioFloor, changes: dict[str, int], waits: bool) -> None:
    settle(floor, **changes)
    table, name = hand_table(floor), person(floor)
    table.sit(name, 1, 500_00)
    royal(table, name)  # $5,000 to a wager of $10
    assert table.phase == ("awaiting-verification" if waits else "over")
    if waits:
        assert table.refused("flo", "ValidatePayout", seat=1)["clause"] == "H-48"
    settle(floor)


def test_a_void_while_a_hand_pay_waits_pays_nothing_and_the_form_says_so(floor: ScenarioFloor) -> None:
    table, name = hand_table(floor), person(floor)
    table.sit(name, 1, 500_00)
    before = table.money()
    royal(table, name)
    assert take_down(table, "pit").status_code == 200
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards")
    assert table.money() == before
    lines = floor.people["aud"].http.get("/api/controls/forms?series=HANDPAY").json()
    assert lines[0]["status"] == "not paid"


def test_an_unknown_winner_who_is_excluded_by_document_gets_no_chips_and_two_people_pay_later(
    floor: ScenarioFloor,
) -> None:
    exclude(floor, full_name="Ed Excluded", identifier="PA 77-88")
    table = hand_table(floor)
    patron = table.seat_patron(1, 500_00)
    royal(table, patron)
    assert take_down(table, "cay", full_name="Edward E.", first_document="pa7788").status_code == 200
    assert any("the chips are held" in text for text in alerts(floor, "seat 1"))
    table.must("flo", "ValidatePayout", seat=1)
    while table.live.in_round:
        table.step()
    assert floor.floor is not None
    money, chips = floor.floor.house.money, table.live.stack_cents(patron)
    out = money.state.get("outstanding:money", 0)
    table.must("dana", "LeaveSeat", seat=1)
    held = floor.floor.house.patrons.state.held[-1]
    assert money.state.get("outstanding:money", 0) == out
    assert money.state[f"deposit:{held}"] == chips
    assert done(floor, "cay", "RedeemMoney", person=held, cents=chips, free_play=False)["proposal"] is not None
    floor.both_at_office("cam", "pit", {"kind": "RedeemMoney", "person": held, "cents": chips, "free_play": False})
    assert money.state.get(f"deposit:{held}", 0) == 0
