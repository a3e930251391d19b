"""One administrator, cashier or floorperson with all their powers gains nothing without a second person or an alert."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table.commands import KINDS
from pitboss.house.people.authorization import allowed, may_propose, takes_two
from pitboss.table.people import Person
from scenarios.floor import EVERYBODY, ScenarioFloor, ScenarioTable, unique
from server.running import Client

NewTable = Callable[..., ScenarioTable]
GAME = game_names()[0]
PASSWORD = "a heron on the pier"


def alerts(floor: ScenarioFloor, kind: str) -> list[dict[str, Any]]:
    """Return the alerts of a kind that surveillance sees, newest first."""
    shown = floor.people["sue"].http.get("/api/alerts").raise_for_status().json()
    return [alert for alert in shown if alert["kind"] == kind]


def test_an_administrator_alone_becomes_nobody_else(floor: ScenarioFloor, new_table: NewTable) -> None:
    new_table(GAME).open()  # a house with real money
    adam, mole = floor.people["adam"], unique("mole")
    known = {alert["id"] for alert in alerts(floor, "account")}
    added = floor.office("adam", {"kind": "AddPerson", "person": mole, "roles": ["floorperson"]})
    assert added.status_code == 200, added.text
    inside = Client(floor, None)
    for name in (mole, "cay", "ann"):  # a person of one's own making, a cashier, and the other administrator
        link = adam.http.post(f"/api/people/{name}/link").json()
        assert inside.http.get(link["path"]).status_code == 401, f"adam alone signed in as {name}"
        assert adam.http.post(f"/api/people/{name}/password", json={"password": PASSWORD}).status_code == 200
        assert inside.http.post("/api/sign-in", json={"name": name, "password": PASSWORD}).status_code == 401
    own = [waits for waits in adam.http.get("/api/office/proposals").json() if waits["by"] == "adam"]
    assert len(own) == 6
    for waits in own:
        confirm = {"kind": "Confirm", "proposal": waits["proposal"], "digest": waits["digest"]}
        assert floor.office("adam", confirm).status_code == 409
        withdrawn = {"kind": "Decline", "proposal": waits["proposal"], "reason": "a test"}
        assert floor.office("adam", withdrawn).status_code == 200
    # Taking the others away first doesn't help: it is in an alert, and one alone is still not two.
    assert floor.office("adam", {"kind": "ResetPerson", "person": "ann"}).status_code == 200
    assert floor.office("adam", {"kind": "ChangeRoles", "person": mole, "roles": ["cage"]}).status_code == 200
    link = adam.http.post(f"/api/people/{mole}/link").json()
    assert inside.http.get(link["path"]).status_code == 401
    fresh = [alert["text"] for alert in alerts(floor, "account") if alert["id"] not in known]
    assert sorted(fresh) == sorted(
        [
            f"Adam added {mole} as floorperson",
            "Adam reset the account of ann",
            f"Adam made {mole} cage instead of floorperson",
        ]
    )
    waits = next(waits for waits in adam.http.get("/api/office/proposals").json() if waits["body"]["person"] == mole)
    floor.office("adam", {"kind": "Decline", "proposal": waits["proposal"], "reason": "a test"})
    floor.people["ann"].http.get(floor.key_holders_link("ann"))
    assert adam.http.post("/api/alerts/x/acknowledge", json={"id": unique("a"), "note": ""}).status_code == 409
    revoked = {"kind": "RevokePerson", "person": mole, "reason": "the test is over"}
    assert floor.office("adam", revoked).status_code == 200


def test_nobody_acknowledges_an_alert_about_their_own_account(floor: ScenarioFloor) -> None:
    mole = unique("mole")
    assert floor.office("adam", {"kind": "AddPerson", "person": mole, "roles": ["floorperson"]}).status_code == 200
    inside = Client(floor, None)
    assert inside.http.get(floor.key_holders_link(mole)).status_code == 303
    own = [alert for alert in alerts(floor, "account") if mole in alert["text"]]
    assert len(own) == 2
    for alert in own:
        answer = inside.http.post(f"/api/alerts/{alert['id']}/acknowledge", json={"id": unique("a"), "note": "fine"})
        assert answer.status_code == 409
    revoked = {"kind": "RevokePerson", "person": mole, "reason": "the test is over"}
    assert floor.office("adam", revoked).status_code == 200


@pytest.mark.parametrize("name", ["adam", "cay", "flo"])
def test_no_command_that_takes_two_people_is_done_by_one(new_table: NewTable, name: str) -> None:
    table = new_table(GAME).open()
    role = EVERYBODY[name]
    pairs = [kind for kind in KINDS if takes_two(kind) and may_propose(Person(name, role), kind) is None]
    assert all(allowed(Person(name, role), kind) is not None for kind in pairs), "one person is never enough"
    before = table.money()
    asked = {
        "Fill": {"cents": 100_00},
        "Credit": {"cents": 100_00},
        "Correct": {"entry": 1, "reason": "mine"},
        "EnrollReader": {"reader": "mine", "key": "0" * 64},
    }
    for kind in KINDS:
        if not takes_two(kind):
            continue
        answer = table.ask(name, kind, **asked.get(kind, {}))
        proposal = answer.json().get("proposal") if answer.status_code == 200 else None
        assert answer.status_code in (409, 422) or proposal is not None, f"{kind} was done by {name} alone"
        if proposal is not None:
            assert table.ask(name, "Confirm", proposal=proposal).status_code == 409
            table.must(name, "Decline", proposal=proposal, reason="a test")
    assert table.money() == before


def test_a_cashier_who_pays_an_accomplice_in_small_amounts_is_in_an_alert(floor: ScenarioFloor) -> None:
    floor.pass_time(3 * 24 * 60 * 60 * 1_000)  # a day of its own
    known = {alert["id"] for alert in alerts(floor, "cage")}
    for _ in range(6):
        paid = {"kind": "IssueMoney", "person": "bob", "cents": 450_00, "free_play": False}
        assert floor.office("cay", paid).status_code == 200
    [alert] = [alert for alert in alerts(floor, "cage") if alert["id"] not in known]
    assert alert["text"] == "Cay deposited $2,700 for bob in one day"
    taken = {"kind": "RedeemMoney", "person": "bob", "cents": 2_700_00, "free_play": False}
    assert floor.office("cay", taken).status_code == 200
    assert len([alert for alert in alerts(floor, "cage") if alert["id"] not in known]) == 2
    acknowledged = floor.people["cay"].http.post(
        f"/api/alerts/{alert['id']}/acknowledge", json={"id": unique("a"), "note": "fine"}
    )
    assert acknowledged.status_code == 409, "a cashier puts no alert away"


def test_a_cashier_with_several_accomplices_is_in_an_alert_too(floor: ScenarioFloor) -> None:
    floor.pass_time(3 * 24 * 60 * 60 * 1_000)  # a day of its own
    known = {alert["id"] for alert in alerts(floor, "cage")}

    def told() -> list[str]:
        return [alert["text"] for alert in reversed(alerts(floor, "cage")) if alert["id"] not in known]

    moved = {"kind": "IssueMoney", "cents": 2_400_00, "free_play": False}
    assert floor.office("cay", {**moved, "person": "alice"}).status_code == 200
    assert told() == []
    assert floor.office("cay", {**moved, "person": "bob"}).status_code == 200
    assert told() == ["Cay deposited $4,800 in parts below $2,500 in one day"]
    for person in ("alice", "bob"):
        taken = {"kind": "RedeemMoney", "person": person, "cents": 2_400_00, "free_play": False}
        assert floor.office("cay", taken).status_code == 200
    assert told()[1:] == ["Cay paid out $4,800 in parts below $2,500 in one day"]


def test_chips_over_the_counter_and_cash_in_small_parts_are_in_alerts(
    floor: ScenarioFloor, new_table: NewTable
) -> None:
    floor.pass_time(3 * 24 * 60 * 60 * 1_000)  # a day of its own
    known = {alert["id"] for alert in alerts(floor, "cage")}

    def told() -> list[str]:
        return [alert["text"] for alert in reversed(alerts(floor, "cage")) if alert["id"] not in known]

    for kind in ("SellChips", "RedeemChips"):
        for _ in range(4):
            moved = {"kind": kind, "cents": 1_300_00, "free_play": False}
            assert floor.office("cay", moved).status_code == 200
    play = {"kind": "SellChips", "cents": 9_000_00, "free_play": True}
    assert floor.office("cay", play).status_code == 200, "play money is nobody's cash"
    assert sorted(told()) == [
        "Cay paid for chips $2,600 in one day",
        "Cay paid for chips $5,200 in one day",
        "Cay sold chips for $2,600 in one day",
        "Cay sold chips for $5,200 in one day",
    ]
    table = new_table(GAME).open(players=())
    patron = table.seat_patron(1, 2_400_00)
    assert len(told()) == 4
    table.must("dana", "BuyIn", seat=1, cents=100_00)
    [found] = [text for text in told() if "chips" not in text]
    assert "$2,500 in cash in one day; dana entered the last part" in found
    assert patron.casefold() in found.casefold()


def test_a_floorperson_alone_moves_no_money_and_every_lever_is_in_an_alert(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    tray = table.live.tray_cents
    table.must("flo", "SwitchKeyboard", is_on=True, reason="I say so")
    table.must("flo", "CountInventory", tray_cents=tray - 500_00)  # five hundred in the pocket
    kinds = {alert["kind"] for alert in alerts(table.floor, "tray-off") + alerts(table.floor, "keyboard")}
    assert kinds == {"tray-off", "keyboard"}
    table.begin()
    table.wager("alice")
    before = table.money()
    for kind, fields in (
        ("ReadCard", {"card": table.deck[0]}),
        ("DealCards", {}),
        ("Settle", {}),
        ("PlaceWagers", {"seat": 1, "stakes": table.least()}),
        ("CashOut", {"cents": 100}),
        ("IssueMoney", {"person": "bob", "cents": 100}),
    ):
        assert table.ask("flo", kind, **fields).status_code in (409, 422), kind
    assert table.money() == before


def test_nobody_acknowledges_an_alert_about_what_they_did(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    floor = table.floor

    def acknowledged(person: str, alert: dict[str, Any]) -> int:
        asked = {"id": unique("a"), "note": "fine"}
        return int(floor.people[person].http.post(f"/api/alerts/{alert['id']}/acknowledge", json=asked).status_code)

    table.must("flo", "SwitchKeyboard", is_on=True, reason="I say so")
    table.must("flo", "CountInventory", tray_cents=table.live.tray_cents - 500_00)
    reader = table.enroll()  # by a technician and flo
    kinds = ("keyboard", "tray-off", "reader")
    own = [alert for kind in kinds for alert in alerts(floor, kind) if alert["table"] == table.table]
    assert sorted(alert["kind"] for alert in own) == sorted(kinds), reader
    for alert in own:
        assert acknowledged("flo", alert) == 409, alert
        assert acknowledged("fred", alert) == 200, alert
