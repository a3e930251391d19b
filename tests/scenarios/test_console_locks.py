"""Staff sessions that nobody uses lock at a house with real money, and come back with a PIN and the table as it was."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.house.people.decide import SignInRules
from scenarios.floor import ScenarioFloor, ScenarioTable
from server.running import frames_until

GAME = "top-five-poker"
MINUTE_MS = 60_000
PASSWORD, PIN = "a heron on the pier", "4071"
IDLE = {"x-pitboss-idle": "1"}


@pytest.fixture(scope="module")
def locking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Return a floor with the usual sign-in rules."""
    running = ScenarioFloor(tmp_path_factory.mktemp("locking"), rules=SignInRules())
    yield running
    running.stop()


@pytest.fixture
def table(locking: ScenarioFloor) -> ScenarioTable:
    """Return a real-money table in the middle of a round, with everyone at work and a PIN for its dealer."""
    awake(locking, *locking.people)
    if not locking.people["dana"].http.get("/api/me").json()["has_pin"]:
        with_pin(locking, "dana")
    found = ScenarioTable(locking, GAME).open()
    found.begin()
    return found


def with_pin(floor: ScenarioFloor, name: str) -> None:
    """Have a person set a password and a PIN."""
    http = floor.people[name].http
    assert http.post("/api/me/password", json={"old": "", "password": PASSWORD}).status_code == 204
    signed(floor, name)
    assert http.post("/api/me/pin", json={"password": PASSWORD, "pin": PIN}).status_code == 204


def signed(floor: ScenarioFloor, name: str) -> None:
    """Sign a person in with the password."""
    answer = floor.people[name].http.post("/api/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text


def awake(floor: ScenarioFloor, *names: str) -> None:
    """Give people a new session, as if they came to work now."""
    for name in names:
        assert floor.people[name].http.get(floor.key_holders_link(name)).status_code == 303


def unlock(floor: ScenarioFloor, name: str, pin: str = PIN) -> Any:
    """Enter a PIN."""
    return floor.people[name].http.post("/api/unlock", json={"pin": pin})


def test_a_locked_session_reads_and_does_nothing_until_its_pin(locking: ScenarioFloor, table: ScenarioTable) -> None:
    http = locking.people["dana"].http
    locking.pass_time(4 * MINUTE_MS)
    assert http.get("/api/me").json()["has_pin"]
    locking.pass_time(5 * MINUTE_MS + 1)
    before, money = table.sequence, table.money()
    for path in ("/api/me", f"/api/tables/{table.table}", f"/api/tables/{table.table}/console", "/api/me/can"):
        answer = http.get(path)
        assert (answer.status_code, answer.json()["refused"]["clause"]) == (423, "H-51"), path
    assert http.post(f"/api/tables/{table.table}/ticket").status_code == 423
    assert table.ask("dana", "CloseBets").status_code == 423
    assert http.post("/api/me/pin", json={"password": PASSWORD, "pin": "9183"}).status_code == 423
    assert (table.sequence, table.money()) == (before, money)
    shown = http.get("/api/session").json()
    assert (shown["me"], shown["locked"]) == (None, {"name": "dana", "has_pin": True})
    wrong = unlock(locking, "dana", "4072")
    assert (wrong.status_code, wrong.json()["refused"]["reason"]) == (409, "The PIN is wrong. Try again")
    assert http.get("/api/me").status_code == 423
    assert unlock(locking, "dana").json()["name"] == "dana"
    assert table.console("dana")["duties"], "the table is as it was"
    noted = [entry.body["failures"] for entry in locking.noted("floor.UnlockFailed")]
    assert noted[-1:] == [1]


def test_asking_again_does_not_unlock_and_polling_does_not_keep_a_session_open(
    locking: ScenarioFloor, table: ScenarioTable
) -> None:
    http = locking.people["sue"].http
    for _ in range(4):
        locking.pass_time(MINUTE_MS)
        assert http.get("/api/floor", headers=IDLE).status_code == 200
    locking.pass_time(MINUTE_MS)
    assert [http.get("/api/floor").status_code for _ in range(3)] == [423] * 3
    assert http.get("/api/lab/questions", headers=IDLE).status_code in (401, 404, 423)
    locking.pass_time(10 * MINUTE_MS)
    assert http.get("/api/floor").status_code == 401, "and ends after fifteen minutes"


def test_three_wrong_pins_end_the_session(locking: ScenarioFloor, table: ScenarioTable) -> None:
    with_pin(locking, "fred")
    locking.pass_time(6 * MINUTE_MS)
    assert [unlock(locking, "fred", pin).status_code for pin in ("0000", "1111", "2222")] == [409, 409, 401]
    assert unlock(locking, "fred").status_code == 401, "the right one comes too late"
    assert locking.people["fred"].http.get("/api/session").json()["locked"] is None
    signed(locking, "fred")


def test_a_locked_dealer_keeps_the_table_in_mid_round_for_as_long_as_the_console_is_there(
    locking: ScenarioFloor, table: ScenarioTable
) -> None:
    table.must("dana", "RenewLease", token=table.token)
    for _ in range(40):  # twenty minutes, more than an idle session lasts
        locking.pass_time(MINUTE_MS // 2)
        table.must("dana", "RenewLease", token=table.token)
    assert table.ask("dana", "CloseBets").status_code == 423
    awake(locking, "dov")
    assert table.refused("dov", "TakeLease")["clause"] == "H-16"
    assert unlock(locking, "dana").status_code == 200
    awake(locking, "alice", "bob")
    table.play_to("settling")


def test_a_locked_socket_is_sent_nothing(locking: ScenarioFloor, table: ScenarioTable) -> None:
    with locking.people["flo"].live(table.table) as socket:
        frames_until(socket, lambda frame: "view" in frame)
        locking.pass_time(6 * MINUTE_MS)
        refused = {"id": "locked-1", "body": {"kind": "NoteShift", "text": "all well"}}
        socket.send(json.dumps(refused))
        frames = frames_until(socket, lambda frame: "refused" in frame)
        assert frames[-1]["refused"]["clause"] == "H-51"
        awake(locking, "fred")
        table.must("fred", "NoteShift", text="a change that everyone at the table is sent")
        socket.send(json.dumps({**refused, "id": "locked-2"}))
        frames = frames_until(socket, lambda frame: frame.get("refused", {}).get("id") == "locked-2")
        assert [frame for frame in frames if "view" in frame] == [], "a locked console was sent the table"


def test_players_are_not_locked_and_stay_while_their_wagers_are_in_play(
    locking: ScenarioFloor, table: ScenarioTable
) -> None:
    table.wager("alice")
    locking.pass_time(20 * MINUTE_MS)
    assert locking.people["alice"].http.get("/api/me", headers=IDLE).status_code == 200
    assert locking.people["carol"].http.get("/api/me").status_code == 401, "one without wagers is signed out"


def test_the_house_chooses_the_minutes_with_two_people(locking: ScenarioFloor, table: ScenarioTable) -> None:
    body = {"kind": "ChangeHouseSettings", "settings": {"console_lock_minutes": 61}}
    assert locking.office("olga", body).json()["refused"]["field"] == "console_lock_minutes"
    locking.both_at_office("olga", "otto", {**body, "settings": {"console_lock_minutes": 0}})
    locking.pass_time(9 * MINUTE_MS)
    assert locking.people["tec"].http.get("/api/me").status_code == 200
    awake(locking, "olga", "otto")
    locking.both_at_office("olga", "otto", {**body, "settings": {"console_lock_minutes": 5}})


@pytest.mark.parametrize("pin", ["407", "1111", "1234", "9876", "12a4", "1212", "1" * 13, "٤٠٧١"])
def test_a_pin_is_digits_that_nobody_guesses(locking: ScenarioFloor, table: ScenarioTable, pin: str) -> None:
    answer = locking.people["dana"].http.post("/api/me/pin", json={"password": PASSWORD, "pin": pin})
    assert (answer.status_code, answer.json()["refused"]["clause"]) == (409, "H-51")


def test_a_new_pin_takes_the_password(locking: ScenarioFloor, table: ScenarioTable) -> None:
    answer = locking.people["dana"].http.post("/api/me/pin", json={"password": "not the password", "pin": "9183"})
    assert answer.status_code == 409
    locking.pass_time(6 * MINUTE_MS)
    assert unlock(locking, "dana", "9183").status_code == 409
    assert unlock(locking, "dana").status_code == 200
