"""`pitboss export` and `pitboss move` as a user calls them: output, and exit status 0, 1 or 2."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import _run
from pitboss.record.sql_store import SqlStore
from pitboss.server.data_folder import Hold, make_folders
from record.batches import fill, note


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, arguments)])
        status = _run()
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    make_folders(tmp_path / "floor")
    store = SqlStore(f"sqlite:///{tmp_path / 'floor' / 'record.db'}")
    fill(store, 5)
    store.commit([note("more", 1, "floor")])
    store.close()
    return tmp_path / "floor"


def test_an_export_is_what_verify_reads(data: Path, tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    log = tmp_path / "record.jsonl"
    assert pitboss("export", "--data", data, "-o", log) == (0, f"{log}: 6 entries in 2 streams.\n", "")
    status, out, _ = pitboss("verify", log, "--json")
    assert (status, json.loads(out)["entries"]) == (0, 6)
    url = f"sqlite:///{data / 'record.db'}"
    status, out, _ = pitboss("export", "--database", url, "-o", log, "--json")
    assert (status, json.loads(out)) == (0, {"log": str(log), "entries": 6, "streams": 2})
    assert list(tmp_path.glob("*.part")) == []


def test_a_moved_record_exports_to_the_same_log(data: Path, tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    source, target = f"sqlite:///{data / 'record.db'}", f"sqlite:///{tmp_path / 'other.db'}"
    status, out, err = pitboss("move", "--from", source, "--to", target)
    assert (status, err) == (0, "")
    assert out == "Copied 6 entries in 2 streams; every stream ends with the same hash.\n"
    logs = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for url, log in zip((source, target), logs, strict=True):
        assert pitboss("export", "--database", url, "-o", log)[0] == 0
    assert logs[0].read_bytes() == logs[1].read_bytes()
    status, out, err = pitboss("move", "--from", source, "--to", target)
    assert (status, out) == (1, "")
    assert err == "That database already contains a record. Choose an empty one.\n"
    status, out, _ = pitboss("move", "--from", source, "--to", f"sqlite:///{tmp_path / 'third.db'}", "--json")
    assert json.loads(out)["heads"].keys() == {"table/one", "floor"}


def test_an_open_floor_is_not_moved(data: Path, tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    held = Hold(data)
    target = tmp_path / "other.db"
    status, _, err = pitboss("move", "--from", f"sqlite:///{data / 'record.db'}", "--to", f"sqlite:///{target}")
    assert (status, err) == (1, f"A server has the floor in {data} open. Close it first.\n")
    assert not target.exists()
    held.release()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("export", "--database", "sqlite:///nowhere.db", "-o", "log"), 2, "There is no record at nowhere.db."),
        (("export", "--database", "mysql://here/floor", "-o", "log"), 1, "SQLite or PostgreSQL"),
        (("export", "--database", "x", "--data", "y", "-o", "log"), 2, "Use only one of"),
        (("move", "--from", "sqlite:///nowhere.db", "--to", "sqlite:///other.db"), 2, "There is no record"),
    ],
)
def test_what_cannot_be_done_is_reported_in_a_sentence(
    arguments: tuple[str, ...],
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pitboss: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended, out, err = pitboss(*arguments)
    assert (ended, out) == (status, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_cannot_be_written_is_reported(data: Path, tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    status, _, err = pitboss("export", "--data", data, "-o", tmp_path / "no folder" / "log")
    assert status == 2
    assert "cannot be written" in err
