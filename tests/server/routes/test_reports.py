"""Reports, alerts, people and the floor's tiles over HTTP: to the roles that read them, in step with the record."""

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from house.floors import read_terms, run
from house.reports.test_incidents import ASKING, SETTLING, with_voids
from pitboss.games.catalogue import games
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.roles import PERMISSIONS
from pitboss.server import report_keeper as kept_reports
from pitboss.server.demonstration import demo_documents
from pitboss.server.routes.floor import day_began_at
from server.beside import until
from server.running import PEOPLE, Client, Running
from server.test_play import play_round

pytestmark = pytest.mark.xdist_group("server")
TABLE = games()[0].name
DRAWING = next(one.name for one in games() if one.progressive and demo_documents()[one.name]["progressive"])
TRAY = 500_000_00
REPORTS = ("hold", "shifts", "theory", "meters", f"meters/{DRAWING}/hits", "incidents", "voids", "significant")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reported")


@pytest.fixture(scope="module")
def reported(data: Path) -> Iterator[Running]:
    found = Running(data)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def staff(reported: Running) -> dict[str, Client]:
    people = {name: Client(reported, name) for name in PEOPLE}
    alice = people["alice"]
    alice.must(TABLE, {"kind": "TakeSeat", "seat": 1})
    alice.must(TABLE, {"kind": "BuyIn", "cents": 500_00})
    with alice.live(TABLE) as socket:
        play_round(alice, socket, TABLE)
    return people


def got(client: Client, path: str, **asked: Any) -> Any:
    answer = client.http.get(f"/api/{path}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def both(staff: dict[str, Client], first: str, second: str, body: dict[str, Any]) -> None:
    proposal = staff[first].must(TABLE, body)["proposal"]
    staff[second].must(TABLE, {"kind": "Confirm", "proposal": proposal})


@pytest.mark.parametrize("report", REPORTS)
def test_reports_are_for_those_whose_roles_read_them(staff: dict[str, Client], report: str) -> None:
    for name, role in PEOPLE.items():
        answer = staff[name].http.get(f"/api/reports/{report}")
        assert answer.status_code == (200 if role in PERMISSIONS["ReadReports"].grants else 409), name
        if answer.status_code == 409:
            assert answer.json()["refused"]["clause"] == "H-10"


def test_hold_is_told_by_whatever_is_asked(staff: dict[str, Client]) -> None:
    [line] = [one for one in got(staff["pit"], "reports/hold") if one["table"] == TABLE]
    assert line["drop_cents"] == 500_00
    by_wager = [one for one in got(staff["pit"], "reports/hold", by="table,wager") if one["table"] == TABLE]
    assert sum(one["handle_cents"] for one in by_wager) == line["handle_cents"] > 0
    assert sum(one["win_cents"] for one in by_wager) == line["win_cents"]
    later = int(time.time() * 1000) + 2 * 3_600_000
    assert got(staff["pit"], "reports/hold", **{"from": later}) == []
    assert got(staff["pit"], "reports/hold", to=3_600_000) == []
    assert got(staff["pit"], "reports/hold", **{"from": later - 3 * 3_600_000}) == got(staff["pit"], "reports/hold")
    wrong = staff["pit"].http.get("/api/reports/hold", params={"by": "moon"})
    assert wrong.status_code == 422
    assert wrong.json()["refused"]["field"] == "by"


@pytest.mark.parametrize("report", REPORTS)
def test_every_report_is_written_as_csv_with_the_same_columns(staff: dict[str, Client], report: str) -> None:
    answer = staff["aud"].http.get(f"/api/reports/{report}", params={"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    data = got(staff["aud"], f"reports/{report}")
    lines = data["lines"] if isinstance(data, dict) else data
    assert len(rows) >= len(lines)
    if lines:
        assert set(rows[0]) == set(lines[0])


def test_the_tray_and_the_box_are_those_of_the_ledger(staff: dict[str, Client], reported: Running) -> None:
    both(staff, "flo", "cay", {"kind": "Fill", "cents": 700_00})
    lines = {one["table"]: one for one in got(staff["cay"], "reports/shifts")}
    assert reported.floor is not None
    for table, line in lines.items():
        live = reported.floor.house.live(table)
        assert line["tray_cents"] == live.tray_cents
        assert line["unexplained_cents"] == 0
        assert line["drop_cents"] == reported.floor.house.money.state.get(f"drop:{table}", 0)
    assert lines[TABLE]["fills_cents"] == 700_00


def test_theory_is_worked_out_beside_and_then_held_against_the_wins(staff: dict[str, Client]) -> None:
    end = time.monotonic() + 120
    while (report := got(staff["aud"], "reports/theory"))["waits_for"]:
        assert time.monotonic() < end
        time.sleep(0.3)
    [line, *_] = [one for one in report["lines"] if one["table"] == TABLE]
    assert line["rounds"] >= 1
    assert line["low_cents"] < line["win_cents"] < line["high_cents"]
    assert not line["is_enough"]
    assert line["wager"] == next(one.name for one in games()[0].wagers if one.required)


def test_meters_balance_and_an_unknown_progressive_has_no_hits(staff: dict[str, Client]) -> None:
    meters = got(staff["aud"], "reports/meters")
    assert {one["progressive"] for one in meters} == {DRAWING}
    assert all(one["balances"] for one in meters)
    assert got(staff["aud"], f"reports/meters/{DRAWING}/hits") == []
    assert staff["aud"].http.get("/api/reports/meters/none/hits").status_code == 404


def test_an_alert_is_held_until_the_floor_acknowledges_it(staff: dict[str, Client]) -> None:
    low = TRAY - TRAY // 8
    both(staff, "flo", "cay", {"kind": "Credit", "cents": low})

    def of_tray(person: str) -> Any:
        return [one for one in got(staff[person], "alerts") if one["kind"] == "tray-low"]

    [alert] = of_tray("flo")
    assert (alert["table"], alert["clause"]) == (TABLE, "H-13")
    until(lambda: of_tray("aud")[0]["cause_gone_at"] is not None)  # the house dealer has a low tray filled
    [alert] = of_tray("aud")
    assert got(staff["flo"], "floor")["tables"]
    for name in ("alice", "dea", "cay", "adam"):
        assert staff[name].http.get("/api/alerts").json()["refused"]["clause"] == "H-24"
    path, asked = f"/api/alerts/{alert['id']}/acknowledge", {"id": "seen-1", "note": "filled"}
    assert staff["aud"].http.post(path, json=asked).status_code == 409
    first = staff["flo"].http.post(path, json=asked)
    assert first.json() == {"id": "seen-1", "again": False, "proposal": None}
    assert staff["flo"].http.post(path, json=asked).json()["again"]
    other = staff["flo"].http.post(path, json={**asked, "note": "another"})
    assert other.json()["refused"]["field"] == "id"
    assert staff["flo"].http.post(path, json={"id": "seen-2"}).json()["refused"]["field"] == "alert"
    assert [one for one in got(staff["flo"], "alerts") if one["kind"] == "tray-low"] == []
    [answered] = got(staff["aud"], "alerts/answered")
    assert (answered["by"], answered["note"], answered["alert"]["id"]) == ("flo", "filled", alert["id"])
    [event] = got(staff["aud"], "reports/significant", kind="AlertAcknowledged", person="flo")["lines"]
    assert event["clause"] == "H-24"


def test_voids_are_held_against_what_the_rounds_stood_at(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = run(with_voids(TABLE, (ASKING, SETTLING)))
    monkeypatch.setattr(kept_reports, "read_terms", read_terms)
    reports = kept_reports.Reports(SimpleNamespace(store=floor.store, house=floor.house))  # type: ignore[arg-type]
    for _ in range(2):  # a round that was looked at once is not read again
        lines = {one.person: one for one in run(reports.voids())}
        assert all((one.voids, one.undecided) == (2, 1) for one in lines.values())
        assert len(lines) == 2
    reports._reckoner.close()
    reports._runner.close()


def test_incidents_are_of_known_kinds(staff: dict[str, Client]) -> None:
    assert got(staff["aud"], "reports/incidents", kind="void") == []
    every = got(staff["aud"], "reports/incidents")
    of_kinds = [len(got(staff["aud"], "reports/incidents", kind=one)) for one in {one["kind"] for one in every}]
    assert len(every) == sum(of_kinds) > 0
    assert [one["at"] for one in every] == sorted((one["at"] for one in every), reverse=True)
    assert staff["aud"].http.get("/api/reports/incidents", params={"kind": "flood"}).status_code == 422


def test_significant_events_are_searched_and_paged(staff: dict[str, Client], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.server.routes.reports.PAGE_ROWS", 7)
    found, asked = [], {}
    while True:
        page = got(staff["aud"], "reports/significant", **asked)
        found += page["lines"]
        if page["next"] is None:
            break
        asked = {"after": page["next"]}
    places = [(one["stream"], one["sequence"]) for one in found]
    assert len(places) == len(set(places)) == got(staff["aud"], "reports/significant")["count"] > 14
    assert [one["at"] for one in found] == sorted((one["at"] for one in found), reverse=True)
    opened = got(staff["aud"], "reports/significant", kind="TableOpened", table=TABLE)["lines"]
    assert [one["table"] for one in opened] == [TABLE]
    worded = got(staff["aud"], "reports/significant", words="SoftwareHashed")["lines"]
    assert [one["kind"] for one in worded] == ["floor.SoftwareHashed"]


def test_the_floor_shows_every_table(staff: dict[str, Client], reported: Running) -> None:
    for name in ("alice", "dea", "cay", "olga", "adam"):
        assert staff[name].http.get("/api/floor").status_code == 409
    shown = got(staff["flo"], "floor")
    assert shown["no_wagers"] is None
    tiles = {one["summary"]["table"]: one for one in shown["tables"]}
    assert set(tiles) == {one.name for one in games()}
    assert reported.floor is not None
    live = reported.floor.house.live(TABLE)
    assert live.terms is not None
    one = tiles[TABLE]
    assert (one["rules"], one["dealer"], one["trouble"]) == (live.terms.version, live.lease.holder, None)
    assert (one["tray_cents"], one["tray_low_cents"]) == (live.tray_cents, TRAY // 4)
    assert one["decks"]
    assert set(one["devices"]) == {"shuffler", "shoe"}
    assert 0 <= time.time() * 1000 - shown["day_began_at"] < 24 * 3_600_000
    [line] = [
        one for one in got(staff["pit"], "reports/hold", **{"from": shown["day_began_at"]}) if one["table"] == TABLE
    ]
    assert one["today"] == {name: line[name] for name in ("handle_cents", "drop_cents", "win_cents")}
    assert one["today"]["drop_cents"] > 0


def test_a_gaming_day_begins_in_the_morning() -> None:
    evening, night = 1_700_000_000_000, 1_700_000_000_000 + 6 * 3_600_000  # 22:13 and 4:13
    assert day_began_at(evening) == day_began_at(night) == 1_699_941_600_000
    assert day_began_at(night + 2 * 3_600_000) == 1_699_941_600_000 + 24 * 3_600_000


def test_an_administrator_lists_people_and_when_they_came(staff: dict[str, Client]) -> None:
    shown = {one["name"]: one for one in got(staff["adam"], "people")}
    assert {name: one["roles"] for name, one in shown.items()} == {name: [role] for name, role in PEOPLE.items()}
    assert all(one["standing"] == "stands" and one["is_signed_in"] and one["last_sign_in"] for one in shown.values())
    assert staff["pit"].http.get("/api/people").json()["refused"]["clause"] == "H-15"


def test_what_somebody_may_do_is_what_the_table_of_roles_says(staff: dict[str, Client]) -> None:
    whole = got(staff["alice"], "roles")
    assert whole["rules"] == HOUSE_RULES
    table = {one["command"]: one for one in whole["commands"]}
    assert set(table) == set(PERMISSIONS)
    assert table["VoidRound"]["second"]["dealer"] == ["lease"]
    for name, role in PEOPLE.items():
        may = got(staff[name], "me/can")
        first = {one["command"]: one["needs"] for one in may if not one["as_second"]}
        second = {one["command"]: one["needs"] for one in may if one["as_second"]}
        assert first == {kind: one["grants"][role] for kind, one in table.items() if role in one["grants"]}
        assert second == {kind: one["second"][role] for kind, one in table.items() if role in (one["second"] or {})}
        assert all(one["clause"] for one in may)


def test_after_a_restart_reports_go_on_from_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_reports, "KEEP_AT_END", 1)
    first = Running(tmp_path)
    before = Client(first, "aud")
    told = got(before, "reports/significant")
    cookies = dict(before.http.cookies)
    first.stop()
    monkeypatch.setattr(Running, "_opening", _open_nothing)
    again = Running(tmp_path)
    auditor = Client(again, None)
    auditor.http.cookies.update(cookies)
    after = got(auditor, "reports/significant")
    assert again.app.state.reports._kept >= told["count"]
    assert after["count"] == told["count"] + 1  # the program was hashed again
    assert after["lines"][1:] == told["lines"]
    assert {one["table"] for one in got(auditor, "reports/shifts")} == {one.name for one in games()}
    again.stop()


async def _open_nothing(running: Running, floor: Any) -> None:
    running.floor = floor
