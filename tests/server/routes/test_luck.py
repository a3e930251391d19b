"""The luck-and-skill ledger over HTTP: kept up with the record, exact, and for those who may read it."""

import csv
import io
import time
from fractions import Fraction
from typing import Any

import polars
import pytest

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss.house.people.house_rules import RECORD
from pitboss.server.lab.luck_ledger import worked_on
from server.at_the_table import play
from server.beside import until
from server.running import Client, Running

pytestmark = [pytest.mark.xdist_group("server"), pytest.mark.slow]
TABLE = game_names()[0]
PARTS = ("edge_cents", "decisions_cents", "luck_cents", "besides_cents")


def report(client: Client, **asked: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.http.get("/api/reports/luck", params=asked).raise_for_status().json()
    return found


def test_the_ledger_follows_the_record_and_continues_where_it_was(running: Running, people: dict[str, Client]) -> None:
    play(people["alice"], TABLE, 4)
    database = running.app.state.floor.settings.url
    kept = worked_on(database, None)["kept"]
    play(people["alice"], TABLE, 4)
    whole, continued = worked_on(database, None), worked_on(database, kept)
    end = time.monotonic() + WAIT_S
    while worked_on(database, None) != whole and time.monotonic() < end:
        # A round ended between the readings, such as the one that nobody bet on after alice had left.
        whole, continued = worked_on(database, None), worked_on(database, kept)
    assert continued["report"] == whole["report"]
    assert continued["kept"] == whole["kept"]
    assert kept["rounds"][0] < whole["kept"]["rounds"][0]
    floor = people["pit"]
    until(lambda: report(floor)["rounds"] >= whole["report"]["rounds"])
    for by in ("player", "table", "dealer", "game", "shift"):
        found = report(floor, by=by)
        assert found["lines"]
        assert all(sum(Fraction(line[part]) for part in PARTS) == line["net_cents"] for line in found["lines"])
        assert sum(line["net_cents"] for line in found["lines"]) == sum(
            line["net_cents"] for line in report(floor)["lines"]
        )
    listed = people["alice"].http.get("/api/me/rounds", params={"most": 200}).json()
    own = next(line for line in report(floor)["lines"] if line["player"] == "alice" and line["free_play"])
    assert own["net_cents"] == sum(row["net_cents"] for row in listed if row["outcome"] == "settled")


def test_the_ledger_is_also_csv_and_parquet(people: dict[str, Client]) -> None:
    play(people["alice"], TABLE, 4)
    floor = people["pit"]
    until(lambda: report(floor)["lines"])
    rows = list(csv.DictReader(io.StringIO(floor.http.get("/api/reports/luck", params={"format": "csv"}).text)))
    answer = floor.http.get("/api/reports/luck", params={"format": "parquet"}).raise_for_status()
    table = polars.read_parquet(io.BytesIO(answer.content))
    assert [row["player"] for row in rows] == table["player"].to_list()
    assert [row["edge_cents"] for row in rows] == table["edge_cents"].to_list()
    assert [int(row["net_cents"]) for row in rows] == table["net_cents"].to_list()


def test_only_those_who_read_reports_see_the_ledger(running: Running, people: dict[str, Client]) -> None:
    assert people["alice"].http.get("/api/reports/luck").status_code == 409
    assert Client(running, None).http.get("/api/reports/luck").status_code == 401
    assert people["pit"].http.get("/api/reports/luck", params={"by": "wager"}).status_code == 422


def parts(client: Client, path: str) -> Any:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        answer = client.http.get(path)
        if answer.status_code != 202:
            return answer
        time.sleep(0.5)
    raise AssertionError("the lab never answered")


def test_a_rounds_parts_add_up_and_are_shown_to_auditors_and_to_the_player(people: dict[str, Client]) -> None:
    name = play(people["alice"], TABLE, 4)
    seats = parts(people["aud"], f"/api/audit/rounds/{name}/parts").raise_for_status().json()
    (own,) = parts(people["alice"], f"/api/me/rounds/{name}/parts").raise_for_status().json()
    assert own in seats
    assert own["player"] == "alice"
    for seat in seats:
        assert sum(map(Fraction, seat["parts"].values())) == seat["net_cents"] == sum(seat["nearest_cents"].values())
        assert all(abs(Fraction(seat["parts"][part]) - near) < 1 for part, near in seat["nearest_cents"].items())
    assert parts(people["bob"], f"/api/me/rounds/{name}/parts").status_code == 404
    for name_of_other in ("alice", "flo"):
        refused = parts(people[name_of_other], f"/api/audit/rounds/{name}/parts")
        assert refused.status_code == 409
        assert refused.json()["refused"]["clause"] == RECORD
