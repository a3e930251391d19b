"""Links and passwords for others take two administrators, and whoever gave a person access isn't a second person."""

from collections.abc import Iterator
from typing import Any

import pytest

from scenarios.floor import ScenarioFloor, ScenarioTable, unique
from server.running import Client

PASSWORD = "a heron on the pier"
GAME = "top-five-poker"


@pytest.fixture(scope="module", autouse=True)
def money(floor: ScenarioFloor) -> ScenarioTable:
    """Return a real-money table, which makes the house one with real money."""
    return ScenarioTable(floor, GAME).open()


def add(floor: ScenarioFloor, role: str) -> str:
    """Have an administrator add a person, and return the name."""
    name = unique("person")
    assert floor.office("adam", {"kind": "AddPerson", "person": name, "roles": [role]}).status_code == 200
    return name


def confirm(floor: ScenarioFloor, name: str, proposal: str) -> Any:
    """Have a person confirm a proposal of the back office, and return the answer."""
    waiting = floor.people[name].http.get("/api/office/proposals").raise_for_status().json()
    own = next(waits for waits in waiting if waits["proposal"] == proposal)
    return floor.office(name, {"kind": "Confirm", "proposal": proposal, "digest": own["digest"]})


def admit(floor: ScenarioFloor, path: str, name: str) -> None:
    """Sign a person in with a link, as one of the floor's people."""
    client = Client(floor, None)
    client.name = name
    assert client.http.get(path).status_code == 303, "the link didn't sign its person in"
    floor.people[name] = client


def given(floor: ScenarioFloor, name: str, first: str = "adam", second: str = "ann") -> None:
    """Have two administrators give a person a link, with which they sign in."""
    link = floor.people[first].http.post(f"/api/people/{name}/link").raise_for_status().json()
    answer = confirm(floor, second, link["proposal"])
    assert answer.status_code == 200, answer.text
    admit(floor, link["path"], name)


def own_password(floor: ScenarioFloor, name: str) -> None:
    """Have a person set a password of their own and sign in with it."""
    http = floor.people[name].http
    assert http.post("/api/me/password", json={"old": "", "password": PASSWORD}).status_code == 204
    assert http.post("/api/sign-in", json={"name": name, "password": PASSWORD}).status_code == 200


def test_a_link_works_only_after_a_second_administrator_confirmed_it(floor: ScenarioFloor) -> None:
    bob = add(floor, "cage")
    link = floor.people["adam"].http.post(f"/api/people/{bob}/link").json()
    assert link["proposal"] is not None
    assert Client(floor, None).http.get(link["path"]).status_code == 401, "one administrator made a link that works"
    assert (
        floor.office("olga", {"kind": "Confirm", "proposal": link["proposal"], "digest": "0" * 64}).status_code == 409
    )
    alone = confirm(floor, "adam", link["proposal"])
    assert (alone.status_code, alone.json()["refused"]["clause"]) == (409, "H-50")
    waiting = floor.people["ann"].http.get("/api/office/proposals").json()
    shown = next(waits for waits in waiting if waits["proposal"] == link["proposal"])
    assert shown["body"] == {"kind": "GiveLink", "person": bob}, "no one sees more of the link than whose it is"
    assert confirm(floor, "ann", link["proposal"]).status_code == 200
    assert Client(floor, None).http.get(link["path"]).status_code == 303


def test_a_password_for_another_counts_only_after_a_second_administrator_confirmed_it(floor: ScenarioFloor) -> None:
    bob = add(floor, "cage")
    short = floor.people["adam"].http.post(f"/api/people/{bob}/password", json={"password": "short"})
    assert short.status_code == 409
    set_ = floor.people["adam"].http.post(f"/api/people/{bob}/password", json={"password": PASSWORD}).json()
    door = {"name": bob, "password": PASSWORD}
    assert Client(floor, None).http.post("/api/sign-in", json=door).status_code == 401
    assert confirm(floor, "ann", set_["proposal"]).status_code == 200
    assert Client(floor, None).http.post("/api/sign-in", json=door).status_code == 200


def test_a_declined_password_is_deleted(floor: ScenarioFloor) -> None:
    assert floor.floor is not None
    bob = add(floor, "cage")
    set_ = floor.people["adam"].http.post(f"/api/people/{bob}/password", json={"password": PASSWORD}).json()
    kept = floor.floor.office.people.proposals[set_["proposal"]].body["credential"]
    credentials = floor.floor.office._door._credentials
    assert credentials.verifier(kept) is not None
    declined = {"kind": "Decline", "proposal": set_["proposal"], "reason": "bob is on leave"}
    assert floor.office("ann", declined).status_code == 200
    assert credentials.verifier(kept) is None


def test_the_order_for_a_link_or_a_password_is_not_sent_as_a_command(floor: ScenarioFloor) -> None:
    bob = add(floor, "cage")
    for body in (
        {"kind": "GiveLink", "person": bob, "digest": "0" * 64},
        {"kind": "GivePassword", "person": bob, "credential": "0" * 32},
    ):
        assert floor.office("adam", body).json()["refused"]["clause"] == "H-50"


def test_each_link_and_password_is_a_significant_event_and_an_alert_with_both_names(floor: ScenarioFloor) -> None:
    bob = add(floor, "cage")
    given(floor, bob)
    events = floor.people["sue"].http.get("/api/reports/significant", params={"person": bob}).raise_for_status().json()
    (issued,) = [line for line in events["lines"] if line["kind"] == "people.LinkIssued"]
    assert "adam" in issued["says"]
    assert "ann" in issued["says"]
    alerts = [alert["text"] for alert in floor.people["sue"].http.get("/api/alerts").json()]
    assert f"Adam and ann made a sign-in link for {bob}" in alerts


def test_who_was_given_access_and_who_gave_it_are_not_two_people(floor: ScenarioFloor) -> None:
    carl = add(floor, "administrator")
    given(floor, carl)
    order = {"kind": "DemandSecondFactor", "roles": ["technician"]}
    proposal = floor.office("adam", order).json()["proposal"]
    refused = confirm(floor, carl, proposal)
    assert (refused.status_code, refused.json()["refused"]["clause"]) == (409, "H-50")
    floor.office("adam", {"kind": "Decline", "proposal": proposal, "reason": "a test"})
    own = floor.office(carl, order).json()["proposal"]
    own_password(floor, carl)  # another session doesn't change who proposed it
    for giver in ("adam", "ann"):
        refused = confirm(floor, giver, own)
        assert (refused.status_code, refused.json()["refused"]["clause"]) == (409, "H-50"), giver
    floor.office(carl, {"kind": "Decline", "proposal": own, "reason": "a test"})
    # Two people vouched for carl, who has a password of his own by now.
    third = add(floor, "player")
    given(floor, third, carl, "adam")
    assert floor.office("adam", {"kind": "RevokePerson", "person": carl, "reason": "a test"}).status_code == 200


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Return a floor of its own with one administrator and no real money yet."""
    running = ScenarioFloor(tmp_path_factory.mktemp("alone"))
    revoked = {"kind": "RevokePerson", "person": "ann", "reason": "the house has one administrator"}
    assert running.office("adam", revoked).status_code == 200
    yield running
    running.stop()


def test_who_locks_the_other_administrator_does_not_act_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    running = ScenarioFloor(tmp_path_factory.mktemp("two"))  # no real money yet
    try:
        bob = add(running, "cage")
        locked = {"kind": "LockPerson", "person": "ann", "reason": "a test"}
        assert running.office("adam", locked).status_code == 200
        alerts = [alert["text"] for alert in running.people["sue"].http.get("/api/alerts").json()]
        assert "Adam locked ann: a test" in alerts
        link = running.people["adam"].http.post(f"/api/people/{bob}/link").raise_for_status().json()
        assert link["proposal"] is not None
        assert Client(running, None).http.get(link["path"]).status_code == 401, "adam alone made a link that works"
        door = {"name": bob, "password": PASSWORD}
        assert running.people["adam"].http.post(f"/api/people/{bob}/password", json={"password": PASSWORD}).json()
        assert Client(running, None).http.post("/api/sign-in", json=door).status_code == 401
        assert running.office("adam", {"kind": "UnlockPerson", "person": "ann"}).status_code == 200
        admit(running, running.key_holders_link("ann"), "ann")
        assert confirm(running, "ann", link["proposal"]).status_code == 200
        assert Client(running, None).http.get(link["path"]).status_code == 303
    finally:
        running.stop()


def given_alone(floor: ScenarioFloor, role: str) -> str:
    """Have the only administrator give a new person a link, with which they sign in and set a password."""
    name = add(floor, role)
    link = floor.people["adam"].http.post(f"/api/people/{name}/link").raise_for_status().json()
    assert link["proposal"] is None
    admit(floor, link["path"], name)
    own_password(floor, name)
    return name


def test_a_house_with_one_administrator_and_no_money_is_set_up_alone_and_money_ends_that(alone: ScenarioFloor) -> None:
    operator, manager, second = (given_alone(alone, role) for role in ("operator", "pit-manager", "administrator"))
    # From the second administrator on it takes two, but not one and the one they gave access.
    person = add(alone, "player")
    link = alone.people["adam"].http.post(f"/api/people/{person}/link").json()
    refused = confirm(alone, second, link["proposal"])
    assert (refused.status_code, refused.json()["refused"]["clause"]) == (409, "H-50")
    admit(alone, alone.key_holders_link(second), second)  # made on the machine with the keys: nobody's gift
    assert confirm(alone, second, link["proposal"]).status_code == 200
    # The program's own people put real money in force; two whom adam alone let in count as one.
    table = ScenarioTable(alone, GAME)
    submit = {"kind": "SubmitRules", "table": table.table, "document": table.document}
    assert alone.office("olga", submit).status_code == 200
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    proposal = table.must(operator, "ActivateSubmission", document=table.document)["proposal"]
    refused_there = table.refused(manager, "Confirm", proposal=proposal)
    assert refused_there["clause"] == "H-50"
    assert "access without a second administrator" in refused_there["reason"]
    settings = {"kind": "ChangeHouseSettings", "settings": {"facility": "Mine"}}
    changed = alone.office(operator, settings).json()["proposal"]
    assert confirm(alone, manager, changed).json()["refused"]["clause"] == "H-50"
    given(alone, manager, "adam", second)
    assert confirm(alone, manager, changed).status_code == 200
    # Without the second administrator there is no way back to acting alone; the machine with the keys is the way.
    gone = {"kind": "RevokePerson", "person": second, "reason": "left the house"}
    assert alone.office("adam", gone).status_code == 200
    waits = alone.people["adam"].http.post(f"/api/people/{person}/link").json()
    assert waits["proposal"] is not None
    assert Client(alone, None).http.get(waits["path"]).status_code == 401
    assert Client(alone, None).http.get(alone.key_holders_link(person)).status_code == 303
