"""Reports, alerts, people and the floor's tiles over HTTP: for the roles that read them, in step with the record."""

import csv
import io
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from house.floors import read_terms, run
from house.live_table.staffed import ASKING
from house.reports.test_incidents import with_voids
from pitboss.games.catalogue import games
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.roles import PERMISSIONS
from pitboss.round.state import SETTLING
from pitboss.server import report_keeper as kept_reports
from pitboss.server.demonstration import demo_documents
from pitboss.server.routes.floor import day_began_at
from server.at_the_table import play_round
from server.beside import until
from server.running import PEOPLE, Client, Running

pytestmark = pytest.mark.xdist_group("server")
TABLE = games()[0].name
DRAWING = next(game.name for game in games() if game.progressive and demo_documents()[game.name]["progressive"])
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


def test_hold_is_reported_by_any_breakdown(staff: dict[str, Client]) -> None:
    [line] = [line for line in got(staff["pit"], "reports/hold") if line["table"] == TABLE]
    assert line["drop_cents"] == 500_00
    by_wager = [line for line in got(staff["pit"], "reports/hold", by="table,wager") if line["table"] == TABLE]
    assert sum(row["handle_cents"] for row in by_wager) == line["handle_cents"] > 0
    assert sum(row["win_cents"] for row in by_wager) == line["win_cents"]
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
    def shown() -> dict[str, dict[str, Any]]:
        return {shift["table"]: shift for shift in got(staff["cay"], "reports/shifts")}

    before = shown()[TABLE]["fills_cents"]  # the house dealer may have had the tray filled already
    both(staff, "flo", "cay", {"kind": "Fill", "cents": 700_00})
    lines = shown()
    assert reported.floor is not None
    for table, line in lines.items():
        live = reported.floor.house.live(table)
        assert line["tray_cents"] == live.tray_cents
        assert line["unexplained_cents"] == 0
        assert line["drop_cents"] == reported.floor.house.money.state.get(f"drop:{table}", 0)
    assert lines[TABLE]["fills_cents"] == before + 700_00


def test_theory_is_computed_in_the_background_and_then_compared_with_the_wins(staff: dict[str, Client]) -> None:
    end = time.monotonic() + 300
    while (report := got(staff["aud"], "reports/theory"))["waits_for"]:
        assert time.monotonic() < end
        time.sleep(0.3)
    [line, *_] = [line for line in report["lines"] if line["table"] == TABLE]
    assert line["rounds"] >= 1
    assert line["low_cents"] < line["win_cents"] < line["high_cents"]
    assert not line["is_enough"]
    assert abs(line["expected_nearest_cents"] - Fraction(line["expected_cents"])) <= Fraction(1, 2)
    assert line["wager"] == next(wager.name for wager in games()[0].wagers if wager.required)


def test_meters_balance_and_an_unknown_progressive_has_no_hits(staff: dict[str, Client]) -> None:
    meters = got(staff["aud"], "reports/meters")
    assert {meter["progressive"] for meter in meters} == {DRAWING}
    assert all(meter["balances"] for meter in meters)
    for meter in meters:
        assert meter["contributed_nearest_cents"] == round(Fraction(meter["contributed_cents"]))
        assert meter["reserve_nearest_cents"] == round(Fraction(meter["reserve_cents"]))
    assert got(staff["aud"], f"reports/meters/{DRAWING}/hits") == []
    assert staff["aud"].http.get("/api/reports/meters/none/hits").status_code == 404


def test_an_alert_is_held_until_the_floor_acknowledges_it(staff: dict[str, Client]) -> None:
    low = TRAY - TRAY // 8
    both(staff, "flo", "cay", {"kind": "Credit", "cents": low})

    def of_tray(person: str) -> Any:
        return [alert for alert in got(staff[person], "alerts") if alert["kind"] == "tray-low"]

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
    assert [alert for alert in got(staff["flo"], "alerts") if alert["kind"] == "tray-low"] == []
    [answered] = got(staff["aud"], "alerts/answered")
    assert (answered["by"], answered["note"], answered["alert"]["id"]) == ("flo", "filled", alert["id"])
    [event] = got(staff["aud"], "reports/significant", kind="AlertAcknowledged", person="flo")["lines"]
    assert event["clause"] == "H-24"


def test_voids_are_compared_with_what_the_rounds_would_have_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = run(with_voids(TABLE, (ASKING, SETTLING)))
    monkeypatch.setattr(kept_reports, "read_terms", read_terms)
    reports = kept_reports.Reports(SimpleNamespace(store=floor.store, house=floor.house, processes=None))
    for _ in range(2):  # a round that was looked at once is not read again
        lines = {item.person: item for item in run(reports.voids())}
        assert all((line.voids, line.undecided) == (2, 1) for line in lines.values())
        assert len(lines) == 2
    reports._reckoner.close()
    reports._runner.close()


def test_incidents_are_of_known_kinds(staff: dict[str, Client]) -> None:
    assert got(staff["aud"], "reports/incidents", kind="void") == []
    every = got(staff["aud"], "reports/incidents")
    of_kinds = [len(got(staff["aud"], "reports/incidents", kind=row)) for row in {row["kind"] for row in every}]
    assert len(every) == sum(of_kinds) > 0
    assert [row["at"] for row in every] == sorted((row["at"] for row in every), reverse=True)
    assert staff["aud"].http.get("/api/reports/incidents", params={"kind": "flood"}).status_code == 422


def test_significant_events_are_searched_and_paged(staff: dict[str, Client], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.server.routes.reports.PAGE_ROWS", 7)
    found: list[Any] = []
    asked: dict[str, Any] = {}
    while True:
        page = got(staff["aud"], "reports/significant", **asked)
        found += page["lines"]
        if page["next"] is None:
            break
        asked = {"after": page["next"]}
    places = [(entry["stream"], entry["sequence"]) for entry in found]
    assert len(places) == len(set(places)) == got(staff["aud"], "reports/significant")["count"] > 14
    assert [row["at"] for row in found] == sorted((row["at"] for row in found), reverse=True)
    opened = got(staff["aud"], "reports/significant", kind="TableOpened", table=TABLE)["lines"]
    assert [opening["table"] for opening in opened] == [TABLE]
    worded = got(staff["aud"], "reports/significant", words="SoftwareHashed")["lines"]
    assert [row["kind"] for row in worded] == ["floor.SoftwareHashed"]


def test_the_floor_shows_every_table(staff: dict[str, Client], reported: Running) -> None:
    for name in ("alice", "dea", "cay", "olga", "adam"):
        assert staff[name].http.get("/api/floor").status_code == 409
    shown = got(staff["flo"], "floor")
    assert shown["no_wagers"] is None
    tiles = {table["summary"]["table"]: table for table in shown["tables"]}
    assert set(tiles) == {game.name for game in games()}
    assert reported.floor is not None
    live = reported.floor.house.live(TABLE)
    assert live.terms is not None
    tile = tiles[TABLE]
    assert (tile["rules"], tile["dealer"], tile["trouble"]) == (live.terms.version, live.lease.holder, None)
    assert (tile["trouble_kind"], tile["trouble_seats"]) == (None, [])
    assert (tile["tray_cents"], tile["tray_low_cents"]) == (live.tray_cents, TRAY // 4)
    assert tile["decks"]
    assert set(tile["devices"]) == {"shuffler", "shoe"}
    assert 0 <= time.time() * 1000 - shown["day_began_at"] < 24 * 3_600_000
    [line] = [
        line for line in got(staff["pit"], "reports/hold", **{"from": shown["day_began_at"]}) if line["table"] == TABLE
    ]
    assert tile["today"] == {name: line[name] for name in ("handle_cents", "drop_cents", "win_cents")}
    assert tile["today"]["drop_cents"] > 0


def test_a_gaming_day_begins_in_the_morning() -> None:
    evening, night = 1_700_000_000_000, 1_700_000_000_000 + 6 * 3_600_000  # 22:13 and 4:13
    assert day_began_at(evening) == day_began_at(night) == 1_699_941_600_000
    assert day_began_at(night + 2 * 3_600_000) == 1_699_941_600_000 + 24 * 3_600_000


def test_an_administrator_lists_people_and_when_they_came(staff: dict[str, Client]) -> None:
    shown = {person["name"]: person for person in got(staff["adam"], "people")}
    assert {name: row["roles"] for name, row in shown.items()} == {name: [role] for name, role in PEOPLE.items()}
    assert all(row["standing"] == "stands" and row["is_signed_in"] and row["last_sign_in"] for row in shown.values())
    assert staff["pit"].http.get("/api/people").json()["refused"]["clause"] == "H-15"


def test_what_somebody_may_do_is_what_the_table_of_roles_says(staff: dict[str, Client]) -> None:
    whole = got(staff["alice"], "roles")
    assert whole["rules"] == HOUSE_RULES
    table = {command["command"]: command for command in whole["commands"]}
    assert set(table) == set(PERMISSIONS)
    assert table["VoidRound"]["second"]["dealer"] == ["lease"]
    for name, role in PEOPLE.items():
        may = got(staff[name], "me/can")
        first = {row["command"]: row["needs"] for row in may if not row["as_second"]}
        second = {row["command"]: row["needs"] for row in may if row["as_second"]}
        assert first == {kind: row["grants"][role] for kind, row in table.items() if role in row["grants"]}
        assert second == {kind: row["second"][role] for kind, row in table.items() if role in (row["second"] or {})}
        assert all(row["clause"] for row in may)


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
    assert {shift["table"] for shift in got(auditor, "reports/shifts")} == {game.name for game in games()}
    alerts = again.app.state.reports._reports.alerts
    assert alerts._chance_of is first.app.state.reports._reports.alerts._chance_of is not None
    again.stop()


async def _open_nothing(running: Running, floor: Any) -> None:
    running.floor = floor
