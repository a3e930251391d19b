"""All reports together: each entry is read once, saved sums are resumed, and every report has two formats."""

import csv
import io
import json
from fractions import Fraction

import pytest

from house.floors import PROGRESSIVE, Floor, read_terms, run
from house.live_table.staffed import CAGE, FLOOR, StaffedTable
from house.reports.test_hold import floor_of_all
from pitboss.games.catalogue import games
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.live_table import commands
from pitboss.house.reports.alerts import DEVICE_OUT, METER_HIT
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.csv_and_json import as_csv, as_json
from pitboss.house.reports.hold import GAME, TABLE, WAGER
from pitboss.house.reports.raised_alert import Alert
from pitboss.house.reports.signed_report import SignedReport
from pitboss.house.reports.theory import Theory

GAME_NAME = games()[0].name
BASE = next(wager.name for wager in games()[0].wagers if wager.required)
THEORY = Theory(BASE, Fraction(-1, 50), Fraction(2), None)


@pytest.fixture(scope="module")
def floor() -> Floor:
    made: Floor = run(floor_of_all(6))
    return made


@pytest.fixture
def kept(floor: Floor) -> AllReports:
    made = AllReports(read_terms)
    made.catch_up(floor.store)
    for rules, document in made.documents().items():
        made.learn(rules, (THEORY,) if document["game"] == GAME_NAME else ())
    return made


def test_an_entry_is_read_once(floor: Floor, kept: AllReports) -> None:
    whole = kept.to_data()
    assert kept.heads == floor.store.heads()
    assert kept.catch_up(floor.store) == 0
    for entry in floor.store.read("table/t0"):
        kept.add(entry)
    assert kept.to_data() == whole


def test_kept_sums_are_taken_up_where_the_record_is_the_same(floor: Floor, kept: AllReports) -> None:
    data = json.loads(json.dumps(kept.to_data()))
    again = AllReports(read_terms)
    assert again.restore(data, floor.store)
    assert again.catch_up(floor.store) == 0
    assert again.to_data() == kept.to_data()
    assert again.hold.rows(TABLE, WAGER) == kept.hold.rows(TABLE, WAGER)
    assert not AllReports(read_terms).restore({**data, "version": "older"}, floor.store)
    other = {**data, "heads": {**data["heads"], "table/t0": [data["heads"]["table/t0"][0], "0" * 64]}}
    assert not AllReports(read_terms).restore(other, floor.store)


def test_every_report_is_the_same_in_csv_and_json(kept: AllReports) -> None:
    reports = {
        "hold": kept.hold.rows(GAME, WAGER),
        "theory": kept.against_theory(),
        "meters": kept.meters.rows(),
        "incidents": kept.incidents.rows,
        "significant": kept.significant.found(),
        "alerts": (Alert("a-1", DEVICE_OUT, "t", 5, "the shuffler has failed"),),
    }
    for name, rows in reports.items():
        assert rows, name
        data = json.loads(as_json(rows))
        read = list(csv.DictReader(io.StringIO(as_csv(rows))))
        assert len(data) == len(read) == len(rows)
        for item, line in zip(data, read, strict=True):
            assert list(item) == list(line)
            cells = {key: "" if value is None else str(value) for key, value in item.items()}
            assert {key: value.removeprefix("'") for key, value in line.items()} == cells
    assert as_csv(()) == ""


def test_a_table_that_deals_by_itself_waits_for_nobody_to_count_or_change_cards(kept: AllReports) -> None:
    assert {alert.kind for alert in kept.alerts.held(10**15)} <= {METER_HIT}


def test_a_name_that_spreadsheets_would_run_is_quoted(kept: AllReports) -> None:
    row = kept.significant.found()[0]._replace(actor="=1+1", at=-5)
    [line] = csv.DictReader(io.StringIO(as_csv([row])))
    assert (line["actor"], line["at"]) == ("'=1+1", "-5")


def test_meters_keep_their_equation_and_hits_are_read_newest_first(floor: Floor, kept: AllReports) -> None:
    rows = kept.meters.rows()
    assert rows
    for row in rows:
        assert row.balances
        went = row.shown_cents + row.reserve_cents + row.overflow_cents + row.paid_cents + row.remainder_cents
        assert row.seed_cents + row.contributed_cents == went
    state = floor.house.progressive(PROGRESSIVE).state
    assert {row.meter: row.shown_cents for row in rows} == state.shown()
    for row, moves in zip(rows, kept.meters.moves(), strict=True):
        assert (moves.balances, moves.at_start_cents) == (True, 0)
        same = set(row._fields) & set(moves._fields)
        assert {name: getattr(row, name) for name in same} == {name: getattr(moves, name) for name in same}
    assert kept.meters.hits(PROGRESSIVE) == tuple(reversed(state.hits))
    assert kept.meters.hits("nothing") == ()


def test_significant_events_are_found_by_kind_person_table_time_and_words() -> None:
    async def filled() -> Floor:
        table = StaffedTable(Floor(6), GAME_NAME)
        await table.open()
        await table.both(FLOOR, CAGE, commands.Fill(cents=5_000_00))
        return table.floor

    floor = run(filled())
    kept = AllReports(read_terms)
    kept.catch_up(floor.store)
    [fill] = kept.significant.found(kind="trayfilled")
    assert (fill.table, fill.actor, fill.role) == ("t", "cathy", "cage")
    assert fill in kept.significant.found(person="cathy")
    assert fill in kept.significant.found(person="flo")  # the second person
    assert fill in kept.significant.found(table="t", text="500000")
    assert fill not in kept.significant.found(table="elsewhere")
    assert fill not in kept.significant.found(until_ms=fill.at)
    assert fill in kept.significant.found(since_ms=fill.at, until_ms=fill.at + 1)
    assert fill not in kept.significant.found(text="no such words")
    times = [item.at for item in kept.significant.found()]
    assert times == sorted(times, reverse=True)


def test_theory_is_compared_only_for_the_tables_of_its_game(kept: AllReports) -> None:
    lines = kept.against_theory()
    assert {line.game for line in lines} == {GAME_NAME}
    line = next(line for line in lines if line.table)
    base = next(row for row in kept.hold.rows(TABLE, WAGER) if row.of == {TABLE: line.table, WAGER: BASE})
    assert line.handle_cents == base.handle_cents
    assert line.win_cents == base.win_cents


def test_a_printed_report_wraps_its_sentence_and_not_its_names() -> None:
    row = {"at": 0, "table": "one", "round": "one-1", "what": "card found face up", "by": "dana"}
    report = SignedReport(
        name="incidents",
        title="Incidents",
        settings=HouseSettings(),
        since_ms=0,
        until_ms=None,
        made_at=0,
        made_by="aud",
        rows=(row,),
    )
    assert [column["title"] for column in report.printed()["columns"] if column["wide"]] == ["What"]
