"""Second factors over HTTP: codes, passkeys and recovery codes, and what somebody with the password alone can't do."""

import base64
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pyotp.totp import TOTP

from patience import WAIT_S
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.second_factors import CHALLENGE_MS, STEP_MS
from server.foreign_hand import ForeignHand
from server.running import Client, Running
from server.soft_passkey import SoftPasskey

SECRET = "a long walk home in the rain"


class Later:
    """The clock of the second factors, which the tests put forward instead of waiting."""

    later_ms = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self.later_ms


class House(Running):
    """A server with two administrators."""

    def __init__(self, data: Path) -> None:
        self.data = data
        super().__init__(data, rules=SignInRules(sessions_at_once=10))
        self.people = {name: Client(self, name) for name in ("flo", "adam")}
        self.add("ada", "administrator")
        self.apps: dict[str, TOTP] = {}
        assert self.floor is not None
        door = self.floor.office._door
        self.clock = door.factors._clock = Later()
        door._hasher = ArgonHasher(self.floor.randomness, passes=1, memory_kib=64, lanes=1)
        door._decoy = door._hasher.decoy()

    def add(self, name: str, role: str) -> str:
        """Add a person and sign them in; every test has people of its own."""
        self.office("adam", {"kind": "AddPerson", "person": name, "roles": [role]})
        path = self.key_holders_link(name)
        self.links[name] = path.removeprefix("/links/")
        self.people[name] = Client(self, name)
        return name

    def enrolled(self, name: str, role: str) -> str:
        """Add a person with a password and an app."""
        self.with_password(self.add(name, role))
        self.enroll_app(name)
        return name

    def office(self, name: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
        """Give a back office command."""
        sent = {"id": f"{name}-{time.monotonic_ns()}", "body": body}
        answer = self.people[name].http.post("/api/office/commands", json=sent)
        assert answer.status_code == status, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def together(self, first: str, second: str, body: dict[str, Any]) -> dict[str, Any]:
        """Have one propose and another confirm."""
        return self.confirm(second, self.office(first, body)["proposal"])

    def confirm(self, second: str, proposal: str) -> dict[str, Any]:
        """Have a second person confirm a proposal."""
        (waiting,) = self.people[second].http.get("/api/office/proposals").json()
        return self.office(second, {"kind": "Confirm", "proposal": proposal, "digest": waiting["digest"]})

    def with_password(self, name: str) -> None:
        """Give a person a password, and sign in with it."""
        self.people[name].http.post("/api/me/password", json={"old": "", "password": SECRET})
        assert self.sign_in(name).status_code == 200

    def sign_in(self, name: str, **second: Any) -> Any:
        """Try to sign in with the password."""
        return self.people[name].http.post("/api/sign-in", json={"name": name, "password": SECRET, **second})

    def enroll_app(self, name: str) -> list[str]:
        """Add an app, and return the recovery codes."""
        http = self.people[name].http
        begun = http.post("/api/me/factors/code").json()
        app = self.apps[name] = TOTP(begun["secret"])
        body = {"label": "Phone", "password": SECRET, "ticket": begun["ticket"]}
        wrong = http.post("/api/me/factors", json={**body, "new_code": "000000"})
        assert wrong.status_code == 409
        right = app.generate_otp(self.clock.now_ms() // STEP_MS)
        answer = http.post("/api/me/factors", json={**body, "new_code": right})
        assert answer.status_code == 200, answer.text
        codes: list[str] = answer.json()["codes"]
        return codes

    def next_code(self, name: str) -> str:
        """Let half a minute pass, and return the code that the app shows then."""
        self.clock.later_ms += STEP_MS
        return self.apps[name].generate_otp(self.clock.now_ms() // STEP_MS)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    running = House(tmp_path_factory.mktemp("second"))
    yield running
    running.stop()


def test_a_password_alone_is_not_enough_once_an_app_is_enrolled(house: House) -> None:
    house.with_password(house.add("ann", "cage"))
    codes = house.enroll_app("ann")
    assert len(set(codes)) == 10
    asked = house.sign_in("ann")
    assert asked.status_code == 401
    assert asked.json()["refused"]["field"] == "second"
    assert house.sign_in("ann", code="123").json()["refused"]["field"] is None, "wrong, as any failed sign-in"
    code = house.next_code("ann")
    assert house.sign_in("ann", code=code).status_code == 200
    assert house.sign_in("ann", code=code).status_code == 401, "a code counts once"
    assert house.sign_in("ann", code=codes[0].upper().replace("-", " ")).status_code == 200
    assert house.sign_in("ann", code=codes[0]).status_code == 401, "so does a recovery code"
    assert house.sign_in("ann", code=codes[1]).status_code == 200
    assert house.people["ann"].http.get("/api/me/factors").json()["recovery_codes"] == 8


def test_a_sign_in_link_of_an_administrator_doesnt_get_around_it(house: House) -> None:
    house.enrolled("ben", "cage")
    given = house.people["adam"].http.post("/api/people/ben/link").json()
    house.confirm("ada", given["proposal"])
    path = given["path"]
    token = path.removeprefix("/links/")
    stranger = Client(house, None)
    page = stranger.http.get(path, headers={"accept": "text/html"}, follow_redirects=False)
    assert page.headers["location"] == f"/sign-in#{token}"
    assert "set-cookie" not in page.headers
    assert stranger.http.post("/api/links", json={"token": token}).json()["refused"]["field"] == "second"
    assert stranger.http.post("/api/links", json={"token": token, "code": "000000"}).status_code == 401
    set_ = house.people["adam"].http.post("/api/people/ben/password", json={"password": SECRET}).json()
    house.confirm("ada", set_["proposal"])
    answer = stranger.http.post("/api/links", json={"token": token, "code": house.next_code("ben")})
    assert answer.status_code == 401, "the new password made the link void"
    assert house.sign_in("ben").json()["refused"]["field"] == "second", "and left the second factor on"


def test_nonsense_in_place_of_a_passkey_is_answered_alike_for_every_name(house: House) -> None:
    house.enrolled("cleo", "cage")
    nested = base64.urlsafe_b64encode(b"[" * 9_000).decode()
    stranger = Client(house, None).http
    nonsense: tuple[Any, ...] = (nested, "!", "", 5, None, [], base64.urlsafe_b64encode(b'{"challenge": 5}').decode())
    for said in nonsense:
        passkey = {"id": "x", "response": {"clientDataJSON": said}}
        body = {"password": "not the password", "passkey": passkey}
        answers = [stranger.post("/api/sign-in", json={"name": name, **body}) for name in ("cleo", "nobody")]
        assert {(answer.status_code, answer.text) for answer in answers} == {(401, answers[0].text)}, said
    house.office("adam", {"kind": "UnlockPerson", "person": "cleo"})


def test_wrong_codes_lock_the_address_out_like_wrong_passwords(house: House) -> None:
    house.enrolled("dora", "floorperson")
    for _ in range(3):
        assert house.sign_in("dora", code="999999").status_code == 401
    assert house.sign_in("dora", code=house.next_code("dora")).status_code == 401
    assert house.office("adam", {"kind": "UnlockPerson", "person": "dora"})
    assert house.sign_in("dora", code=house.next_code("dora")).status_code == 200


def test_changing_factors_takes_the_password_and_a_factor(house: House) -> None:
    house.enrolled("emil", "floorperson")
    http = house.people["emil"].http
    (factor,) = http.get("/api/me/factors").json()["factors"]
    path = f"/api/me/factors/{factor['factor']}/remove"
    assert http.post(path, json={"password": SECRET}).json()["refused"]["field"] == "second"
    wrong = http.post(path, json={"password": "not the password", "code": house.next_code("emil")})
    assert wrong.json()["refused"]["reason"] == "The password or the second factor is wrong"
    other = house.people["ada"].http.post(path, json={"password": "", "code": "000000"})
    assert other.json()["refused"]["reason"] == "This second factor was already removed"
    codes = http.post("/api/me/factors/recovery-codes", json={"password": SECRET, "code": house.next_code("emil")})
    assert len(codes.json()["codes"]) == 10
    assert http.post(path, json={"password": SECRET, "code": codes.json()["codes"][3]}).status_code == 204
    assert http.get("/api/me/factors").json() == {"factors": [], "recovery_codes": 0, "is_required": False}
    assert house.sign_in("emil").status_code == 200


def test_a_passkey_signs_in_once_for_each_challenge_and_only_from_its_own_site(house: House) -> None:
    house.with_password(house.add("eve", "player"))
    http, key = house.people["eve"].http, SoftPasskey(house.address)
    options = http.post("/api/me/factors/passkey").json()["options"]
    body = {"label": "Key", "password": SECRET, "new_passkey": SoftPasskey("https://elsewhere.example").made(options)}
    assert http.post("/api/me/factors", json=body).status_code == 409
    others = house.people["flo"].http.post("/api/me/factors/passkey").json()["options"]
    assert http.post("/api/me/factors", json={**body, "new_passkey": key.made(others)}).status_code == 409
    assert http.post("/api/me/factors", json={**body, "new_passkey": key.made(options)}).status_code == 200
    asked = house.sign_in("eve").json()["refused"]["passkey"]
    answer = key.answered(asked)
    for wrong in ({**answer, "id": "AAAA"}, {"id": answer["id"], "response": 5}):
        assert house.sign_in("eve", passkey=wrong).status_code == 401
    assert house.sign_in("eve", passkey=answer).status_code == 200
    assert house.sign_in("eve", passkey=answer).status_code == 401, "a challenge is answered once"
    forged = {**answer["response"], "signature": "AAAA"}
    assert house.sign_in("eve", passkey={**answer, "response": forged}).status_code == 401
    asked = house.sign_in("eve").json()["refused"]["passkey"]
    answer = key.answered(asked)
    assert house.sign_in("eve", passkey=answer).status_code == 200
    asked = house.sign_in("eve").json()["refused"]["passkey"]
    house.clock.later_ms += CHALLENGE_MS + 1
    assert house.sign_in("eve", passkey=key.answered(asked)).status_code == 401, "and within five minutes"


def test_two_administrators_require_it_for_a_role_and_its_people_can_only_add_one(house: House) -> None:
    house.add("gus", "player")
    house.add("hal", "cage")
    demand = {"kind": "DemandSecondFactor", "roles": ["cage", "floorperson"]}
    house.office("flo", demand, 409)
    own = house.office("adam", demand)["proposal"]
    (waiting,) = house.people["adam"].http.get("/api/office/proposals").json()
    house.office("adam", {"kind": "Confirm", "proposal": own, "digest": waiting["digest"]}, 409)
    house.office("ada", {"kind": "Confirm", "proposal": own, "digest": waiting["digest"]})
    money = {"kind": "IssueMoney", "person": "gus", "cents": 500}
    assert house.office("hal", money, 409)["refused"]["clause"] == "H-36"
    close = {"kind": "CloseTable", "tray_cents": 1}
    table = house.people["flo"].http.get("/api/tables").json()[0]["table"]
    assert house.people["flo"].command(table, close).json()["refused"]["clause"] == "H-36"
    assert house.people["flo"].http.get("/api/alerts").json()["refused"]["clause"] == "H-36"
    at_table = [f"/api/tables/{table}/{page}" for page in ("console", "equipment", "readers", "bookings")]
    pages = [*at_table, "/api/floor/equipment", "/api/floor/readers", "/api/floor/sensors"]
    assert [house.people["flo"].http.get(page).status_code for page in pages] == [409] * len(pages)
    assert house.people["hal"].http.get("/api/me/factors").json()["is_required"]
    house.with_password("hal")
    house.enroll_app("hal")
    house.office("hal", money)
    assert house.together("ada", "adam", {"kind": "DemandSecondFactor", "roles": []})["again"] is False
    assert house.people["flo"].command(table, close).json().get("refused", {}).get("clause") != "H-36"
    assert [house.people["flo"].http.get(page).status_code for page in pages] == [200] * len(pages)


def test_requests_of_others_are_not_shown_to_a_role_that_lacks_its_factor(house: House) -> None:
    house.add("ole", "operator")
    house.add("pia", "pit-manager")
    asked = house.office("ole", {"kind": "ChangeHouseSettings", "settings": {"facility": "Mine"}})["proposal"]
    see = house.people["pia"].http.get
    assert [waiting["proposal"] for waiting in see("/api/office/proposals").json()] == [asked]
    house.together("ada", "adam", {"kind": "DemandSecondFactor", "roles": ["pit-manager"]})
    assert see("/api/office/proposals").json() == []
    house.together("ada", "adam", {"kind": "DemandSecondFactor", "roles": []})
    house.office("ole", {"kind": "Decline", "proposal": asked, "reason": "a test"})


def test_taking_factors_away_takes_two_other_administrators_and_raises_an_alert(house: House) -> None:
    house.enrolled("ida", "cage")
    reset = {"kind": "ResetFactors", "person": "ida"}
    proposal = house.office("adam", reset)["proposal"]
    assert house.sign_in("ida").json()["refused"]["field"] == "second", "one isn't enough"
    (waiting,) = house.people["ada"].http.get("/api/office/proposals").json()
    house.office("ada", {"kind": "Confirm", "proposal": proposal, "digest": waiting["digest"]})
    assert house.sign_in("ida").status_code == 200
    wanted, said, ends_at = "Adam and ada removed the second factors of ida", [], time.monotonic() + WAIT_S
    while wanted not in said and time.monotonic() < ends_at:
        said = [alert["text"] for alert in house.people["flo"].http.get("/api/alerts").json()]
    assert wanted in said
    house.office("adam", {"kind": "ResetFactors", "person": "adam"}, 409)


def test_the_database_holds_no_secret_and_a_moved_or_altered_factor_signs_nobody_in(house: House) -> None:
    house.enrolled("jo", "cage")
    house.with_password(house.add("kai", "cage"))
    hand = ForeignHand(f"sqlite:///{house.data / 'record.db'}")
    try:
        kept = {row["credential"]: row for row in hand.rows("credentials")}
        assert not any(house.apps["jo"].secret in row["verifier"] for row in kept.values())
        assert house.sign_in("jo", code=house.next_code("jo")).status_code == 200
        (factor,) = house.people["jo"].http.get("/api/me/factors").json()["factors"]
        house.enroll_app("kai")
        (other,) = house.people["kai"].http.get("/api/me/factors").json()["factors"]
        rows = hand.table("credentials")
        taken = {row["credential"]: row for row in hand.rows("credentials")}[other["factor"]]
        where = rows.c.credential == factor["factor"]
        hand.run(sa.update(rows).where(where).values(verifier=taken["verifier"], tag=taken["tag"]))
        assert house.sign_in("jo", code=house.next_code("kai")).status_code == 401
    finally:
        hand.close()
