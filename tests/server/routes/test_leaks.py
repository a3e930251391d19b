"""The running evidence of the leak test over HTTP: kept up with the record, for those who oversee the floor."""

from pathlib import Path

import pytest

from pitboss.api.recorded_leaks import RaisedAlarm
from pitboss.games.catalogue import games
from pitboss.house.people.house_rules import RECORD
from pitboss.house.reports.alerts import LEAK, SHUFFLE_OFF
from pitboss.house.reports.all_reports import AllReports
from pitboss.lab.leaks import DEALER_AND_PLAYER, PLAYER, SHUFFLE, TWO_PLAYERS, Alarm
from pitboss.server.lab.leak_tests import alert_of
from pitboss.server.table_documents import read_terms
from server.at_the_table import play_round
from server.beside import until
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")
TABLE = games()[0].name


def test_finished_rounds_are_tested_in_the_background_and_survive_a_restart(tmp_path: Path) -> None:
    running = Running(tmp_path)
    alice, auditor = Client(running, "alice"), Client(running, "aud")
    assert auditor.http.get("/api/audit/leaks").json()["tests"] == []
    assert alice.http.get("/api/audit/leaks").json()["refused"]["clause"] == RECORD
    alice.must(TABLE, {"kind": "TakeSeat", "seat": 1})
    alice.must(TABLE, {"kind": "BuyIn", "cents": 500_00})
    with alice.live(TABLE) as socket:
        play_round(alice, socket, TABLE)
    until(lambda: auditor.http.get("/api/audit/leaks").json()["rounds"] >= 1)
    report = auditor.http.get("/api/audit/leaks").json()
    assert report["bound"] == 0.01
    players = [line["subject"] for line in report["tests"] if line["kind"] == PLAYER]
    assert ["alice"] in players
    assert [line["table"] for line in report["shuffles"]] == sorted({line["table"] for line in report["shuffles"]})
    assert all(line["alarm_round"] == "" for line in report["tests"])
    running.stop()
    again = Running(tmp_path)
    watch = again.app.state.leak_watch
    until(lambda: watch.report.rounds >= report["rounds"])  # before anybody asks, and without a new process
    again.stop()


def test_an_alarm_is_an_alert_once() -> None:
    alarms = tuple(
        RaisedAlarm(Alarm(kind, subject, "t-1", 4.2, 8_000, suspicion), "t", 5, 9)
        for kind, subject, suspicion in (
            (PLAYER, ("eve",), "dealer:1"),
            (DEALER_AND_PLAYER, ("dan", "eve"), "stakes"),
            (TWO_PLAYERS, ("eve", "bob"), "neighbor"),
            (SHUFFLE, ("t",), "order-before"),
        )
    )
    kept = AllReports(read_terms)
    for raised in (*alarms, *alarms):
        kept.alerts.learn_of(**alert_of(raised))
    held = kept.alerts.held(10)
    assert [alert.kind for alert in held].count(LEAK) == 3
    assert [alert.kind for alert in held].count(SHUFFLE_OFF) == 1
    says = {alert.says.partition(";")[0] for alert in held}
    assert says == {
        "eve plays as if they saw hidden cards (dealer card 1)",
        "eve bets as if they saw hidden cards when dan deals (stakes)",
        "eve plays as if they saw bob's cards",
        "the shuffle at t isn't even (the previous round's order)",
    }
