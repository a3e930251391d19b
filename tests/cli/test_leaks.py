"""`pitboss leaks` as a user calls it: the evidence in a record, and the exit status of an alarm."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from api.test_recorded_leaks import LeakingFloor, played
from house.floors import Floor, read_terms, run
from pitboss.cli import _run
from pitboss.record.store import export

Pitboss = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pitboss:
    def run_it(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, arguments)])
        status = _run()
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    # The tests' floor names a game where a house's document is a whole submission.
    monkeypatch.setattr("pitboss.server.table_documents.read_terms", read_terms)
    return run_it


def log_of(floor: Floor, path: Path) -> Path:
    out = io.StringIO()
    export(floor.store, out)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def test_a_leak_is_printed_and_sets_the_exit_status(tmp_path: Path, pitboss: Pitboss) -> None:
    log = log_of(run(played(LeakingFloor(3), 40)), tmp_path / "record.jsonl")
    status, out, err = pitboss("leaks", log)
    assert (status, err) == (1, "1 test raised an alarm.\n")
    assert "40 rounds, 120 decisions" in out
    line = next(line for line in out.splitlines() if line.split()[:2] == ["player", "eve"])
    assert "ALARM in t-" in line
    assert "the chance of any alarm, ever, is at most 1%" in out
    status, out, _ = pitboss("leaks", log, "--json")
    data = json.loads(out)
    assert [alarm["subject"] for alarm in data["alarms"]] == [["eve"]]
    assert data["tests"][0]["subject"] == ["eve"]


def test_a_quiet_record_exits_with_0(tmp_path: Path, pitboss: Pitboss) -> None:
    status, out, err = pitboss("leaks", log_of(run(played(Floor(4), 5)), tmp_path / "record.jsonl"))
    assert (status, err) == (0, "")
    assert "needs 9,995 more rounds" in out


def test_what_is_not_a_record_is_said(tmp_path: Path, pitboss: Pitboss) -> None:
    assert pitboss("leaks", tmp_path)[0] == 2
    other = tmp_path / "other.jsonl"
    other.write_text("nothing\n")
    status, _, err = pitboss("leaks", other)
    assert status == 2
    assert "is not a record" in err
