"""The audit room over HTTP: who may enter, what it finds, and that a changed byte shows."""

import io
import json
import sqlite3
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.server.demonstration import demo_documents
from pitboss_verify import verify
from server.at_the_table import play
from server.conftest import give
from server.running import PEOPLE, Client, Running

pytestmark = pytest.mark.xdist_group("server")
TABLE = game_names()[0]


@pytest.fixture(scope="module")
def played(people: dict[str, Client]) -> str:
    return play(people["alice"], TABLE, 4)


def test_only_those_who_oversee_enter(running: Running, people: dict[str, Client], played: str) -> None:
    for name in PEOPLE:
        expected = 200 if name == "aud" else 409
        http = people[name].http
        paths = ("rounds", f"rounds/{played}", f"rounds/{played}/bundle", "events")
        assert [http.get(f"/api/audit/{path}").status_code for path in paths] == [expected] * 4, name
        assert http.post(f"/api/audit/verify?table={TABLE}").status_code == expected
    assert Client(running, None).http.get("/api/audit/rounds").status_code == 401


def test_a_round_is_found_by_its_table_player_and_time(people: dict[str, Client], played: str) -> None:
    http = people["aud"].http
    found = http.get("/api/audit/rounds", params={"table": TABLE, "player": "alice"}).raise_for_status().json()
    listed = next(listed for listed in found["rounds"] if listed["round"] == played)
    assert listed["outcome"] == "settled"
    seat = next(seat for seat in listed["seats"] if seat["player"] == "alice")
    assert seat["seat"] == 4
    assert seat["staked_cents"] >= 10_00
    assert listed["net_cents"] == sum(seat["net_cents"] for seat in listed["seats"])
    window = {"from": listed["at"], "to": listed["at"], "table": TABLE}
    assert [played["round"] for played in http.get("/api/audit/rounds", params=window).json()["rounds"]] == [played]
    older = http.get("/api/audit/rounds", params={"table": TABLE, "after": f"{listed['at']}:{played}"}).json()["rounds"]
    assert played not in [row["round"] for row in older]
    assert http.get("/api/audit/rounds", params={"after": "never"}).status_code == 422
    assert http.get("/api/audit/rounds", params={"outcome": "lost"}).status_code == 422


def test_a_round_is_shown_step_by_step_with_its_cards(people: dict[str, Client], played: str) -> None:
    found = people["aud"].http.get(f"/api/audit/rounds/{played}").raise_for_status().json()
    assert found["table"] == TABLE
    assert found["agrees"]
    assert found["disagrees"] == []
    assert found["commitments"] > 50
    last = found["steps"][-1]
    assert last["cards"]["4"]
    assert all(step["told"] for step in found["steps"])
    groups = {step["kind"]: step["group"] for step in found["steps"]}
    assert groups["round.CardsDealt"] == "cards"
    assert groups["round.WagersPlaced"] == "move"
    assert groups["round.WagersSettled"] == "money"
    assert groups["round.BetsClosed"] == "other"
    assert {seat["bot"] for seat in last["seen"]["seats"]} == {None}
    assert last["seen"]["seats"][0]["acted"]
    rules = people["aud"].http.get(f"/api/audit/rounds/{played}/rules").raise_for_status().json()
    assert rules["version"] == found["rules"]
    assert people["aud"].http.get("/api/audit/rounds/none").status_code == 404
    assert people["aud"].http.get("/api/audit/rounds/none/rules").status_code == 404


def test_significant_events_are_listed_newest_first(people: dict[str, Client], played: str) -> None:
    http = people["aud"].http
    found = http.get("/api/audit/events").raise_for_status().json()["events"]
    numbers = [row["sequence"] for row in found]
    assert numbers == sorted(numbers, reverse=True)
    kinds = {row["kind"] for row in found}
    assert "floor.SoftwareHashed" in kinds
    one_kind = http.get("/api/audit/events", params={"kind": "floor.SoftwareHashed"}).json()["events"]
    assert {row["kind"] for row in one_kind} == {"floor.SoftwareHashed"}
    assert http.get("/api/audit/events", params={"stream": "nowhere"}).json() == {"events": [], "next": None}
    stream, seen, before = f"table/{TABLE}", 0, None
    while True:
        asked: dict[str, Any] = {"stream": stream, "kind": "house.RoundBegun"}
        page = http.get("/api/audit/events", params={**asked, **({"before": before} if before else {})}).json()
        seen += len(page["events"])
        before = page["next"]
        if before is None:
            break
    assert seen >= 1


def test_players_see_their_own_rounds_and_no_one_elses(people: dict[str, Client], played: str) -> None:
    alice, bob = people["alice"].http, people["bob"].http
    mine = alice.get("/api/me/rounds", params={"table": TABLE}).raise_for_status().json()
    listed = next(listed for listed in mine if listed["round"] == played)
    assert listed["seats"] == [4]
    assert listed["outcome"] == "settled"
    steps = alice.get(f"/api/me/rounds/{played}").raise_for_status().json()
    assert steps["seats"] == [4]
    own = next(seat for seat in steps["steps"][-1]["seen"]["seats"] if seat["seat"] == 4)
    assert None not in own["cards"]
    net = sum(result["net"] for result in own["results"]) + own["envy_cents"]
    assert listed["net_cents"] == net
    sent = json.dumps(steps)
    assert '"cards": {"4"' not in sent
    assert "dealt_key" not in sent
    assert played not in [row["round"] for row in bob.get("/api/me/rounds").json()]
    assert bob.get(f"/api/me/rounds/{played}").status_code == 404
    assert alice.get("/api/me/rounds/none").status_code == 404
    refused = [http.get(f"/api/me/rounds/{name}/rules") for http, name in ((bob, played), (alice, "none"))]
    assert [item.status_code for item in refused] == [404, 404]
    assert refused[0].json() == bob.get(f"/api/me/rounds/{played}").json()


def test_the_bundle_can_be_checked_by_anybody(people: dict[str, Client], played: str, tmp_path: Path) -> None:
    http = people["aud"].http
    answer = http.get(f"/api/audit/rounds/{played}/bundle").raise_for_status()
    assert "attachment" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
        names = set(bundle.namelist())
        bundle.extractall(tmp_path)
    assert {"entries.jsonl", "heads.jsonl", "README.txt"} <= names
    heads = tmp_path / "heads.jsonl"
    report = verify(tmp_path / "entries.jsonl", heads=[heads] if heads.read_text() else [], is_excerpt=True)
    assert report.is_sound or "no signed head vouches" in str(report.fault)
    lines = http.get(f"/api/audit/rounds/{played}/bundle?kind=jsonl").raise_for_status().text.splitlines()
    assert json.loads(lines[0])["body"]["round"] == played
    assert json.loads(lines[-1])["kind"] == "house.RoundEnded"
    parquet = http.get(f"/api/audit/rounds/{played}/bundle?kind=parquet").raise_for_status().content
    assert parquet[:4] == b"PAR1"
    assert http.get("/api/audit/rounds/none/bundle").status_code == 404


def test_a_sound_record_is_verified_with_every_check(people: dict[str, Client], played: str) -> None:
    http = people["aud"].http
    found = http.post("/api/audit/verify", params={"table": TABLE}).raise_for_status().json()
    assert found["sound"], found
    assert [check["name"] for check in found["checks"]] == ["chain", "heads", "cards", "money", "shuffles", "payouts"]
    assert all(check["passed"] and check["count"] > 0 for check in found["checks"])
    answer = http.post("/api/audit/verify", params={"table": TABLE, "round": played}).json()
    assert {check["name"]: check["count"] for check in answer["checks"]}["payouts"] == 1
    alone = http.post("/api/audit/verify", params={"round": played}).raise_for_status().json()
    assert (alone["table"], alone["round"], alone["checks"]) == (TABLE, played, answer["checks"])
    assert http.post("/api/audit/verify").status_code == 409
    assert http.post("/api/audit/verify", params={"round": "none"}).status_code == 404
    assert http.post("/api/audit/verify", params={"table": "nowhere"}).status_code == 404
    assert http.post("/api/audit/verify", params={"table": TABLE, "round": "none"}).status_code == 404


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Running]:
    found = Running(tmp_path)
    yield found
    found.stop()


def test_a_players_own_round_keeps_the_rules_it_was_played_under(own_server: Running) -> None:
    alice, flo, olga, pit = (Client(own_server, name) for name in ("alice", "flo", "olga", "pit"))
    played = play(alice, TABLE, 2)
    before = alice.http.get(f"/api/tables/{TABLE}/rules").raise_for_status().json()
    end = time.monotonic() + 300
    while flo.command(TABLE, {"kind": "CloseTable", "tray_cents": 500_000_00}).status_code == 409:
        assert time.monotonic() < end, "the round that nobody plays does not end"
        time.sleep(0.05)
    flo.must(TABLE, {"kind": "RemoveDeck", "deck": "deck-1", "reason": "set-apart"})
    old = demo_documents()[TABLE]
    document = {**old, "pace": own_server.pace, "table": {**old["table"], "minimum": 2 * old["table"]["minimum"]}}
    give({"olga": olga}, "olga", {"kind": "SubmitRules", "table": TABLE, "document": document}).raise_for_status()
    proposed = olga.must(TABLE, {"kind": "ActivateSubmission", "document": document})["proposal"]
    pit.must(TABLE, {"kind": "Confirm", "proposal": proposed})
    assert alice.http.get(f"/api/tables/{TABLE}/rules").json()["version"] != before["version"]
    assert alice.http.get(f"/api/me/rounds/{played}/rules").raise_for_status().json() == before


def test_one_flipped_byte_is_found(own_server: Running, tmp_path: Path) -> None:
    bob, aud = Client(own_server, "bob"), Client(own_server, "aud")
    played = play(bob, TABLE, 2)
    assert aud.http.post("/api/audit/verify", params={"table": TABLE}).json()["sound"]
    with closing(sqlite3.connect(tmp_path / "record.db", timeout=20)) as database, database:
        row, line = database.execute(
            "SELECT position, line FROM entries WHERE stream = ? AND kind = 'round.WagersPlaced'", (f"table/{TABLE}",)
        ).fetchone()
        changed = line.replace('"ante":1000', '"ante":1001')
        assert changed != line
        database.execute("UPDATE entries SET line = ? WHERE position = ?", (changed, row))
    found = aud.http.post("/api/audit/verify", params={"table": TABLE}).json()
    assert not found["sound"]
    faults = {check["name"]: check["fault"] for check in found["checks"] if not check["passed"]}
    assert "hash" in faults["chain"]
    assert played in faults["payouts"]
    shown = aud.http.get(f"/api/audit/rounds/{played}").json()
    assert not shown["agrees"]
    assert shown["disagrees"]
