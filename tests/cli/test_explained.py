"""`pitboss explain` as a user calls it: rounds, records and finished hands, as text, JSON and CSV."""

import csv
import io
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cli.test_replay import last_round, log_of, played, rechained
from house.floors import read_terms, run
from pitboss.cli import _run
from pitboss.games.catalogue import game_names
from pitboss.record.sql_store import SqlStore

pytestmark = pytest.mark.xdist_group("exact")
Pitboss = Callable[..., tuple[int, str, str]]
HAND = {
    "game": "dragon-poker",
    "dealer": ["Ph", "Pa", "Ti"],
    "seats": [
        {"seat": 1, "cards": ["Ph", "Ph", "Ra"], "wagers": {"ante": 1000, "ante-bonus": 1000}, "actions": ["fold"]}
    ],
}


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


@pytest.mark.parametrize("name", game_names())
def test_a_record_is_split_by_player_and_its_rounds_one_by_one(name: str, tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(name, 3))
    log, last = log_of(floor, tmp_path / "record.jsonl"), last_round(floor)
    status, out, err = pitboss("explain", log, "--json")
    assert (status, err) == (0, "")
    lines = {line["player"]: line for line in json.loads(out)}
    assert set(lines) == {"alice", "bob"}
    for line in lines.values():
        assert line["rounds"] == 3
        parts = (Fraction(line[f"{part}_cents"]) for part in ("edge", "decisions", "luck", "besides"))
        assert sum(parts) == line["net_cents"]
        assert Fraction(line["decisions_cents"]) <= 0 or name == "colorado-holdem"
        assert Fraction(line["comp_base_cents"]) > 0
    status, out, _ = pitboss("replay", last, "--log", log, "--json")
    nets = {seat["seat"]: seat["net"] for seat in json.loads(out)["seats"]}
    status, out, err = pitboss("explain", last, "--log", log, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert {int(seat["seat"]): seat["net_cents"] for seat in told} == nets
    assert all(sum(map(Fraction, seat["parts"].values())) == seat["net_cents"] for seat in told)
    status, out, _ = pitboss("explain", last, "--log", log)
    assert status == 0
    assert "House edge" in out
    assert f"Round {last} · {name} · Seat 1 · alice" in out


@pytest.mark.parametrize("by", ["player", "table", "dealer", "game"])
def test_totals_by_any_group_add_up_to_the_same_money(by: str, tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played("dragon-poker", 4))
    log = log_of(floor, tmp_path / "record.jsonl")
    status, out, _ = pitboss("explain", log, "--csv")
    every = sum(int(row["net_cents"]) for row in csv.DictReader(io.StringIO(out)))
    status, out, _ = pitboss("explain", log, "--by", by, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0
    assert sum(int(row["net_cents"]) for row in rows) == every
    assert all(int(row["rounds"]) == 4 for row in rows)
    status, out, _ = pitboss("explain", log, "--by", by)
    assert (status, f"Results by {by}" in out) == (0, True)


def test_a_folder_and_a_database_give_what_the_log_gives(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played("top-five-poker", 2))
    log = log_of(floor, tmp_path / "record.jsonl")
    store = SqlStore(f"sqlite:///{tmp_path / 'record.db'}")
    for stream in floor.store.heads():
        rechained(store, tuple(floor.store.read(stream)))
    store.close()
    told = pitboss("explain", log, "--json")
    assert told[0] == 0
    assert pitboss("explain", tmp_path, "--json") == told
    assert pitboss("explain", tmp_path / "record.db", "--json") == told


def test_finished_hands_are_split_without_a_record(tmp_path: Path, pitboss: Pitboss) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f"{json.dumps(HAND)}\n\n", encoding="utf-8")
    status, out, err = pitboss("explain", file)
    assert (status, err) == (0, "")
    assert "Decisions" in out
    assert "-$20.00" in out
    status, out, _ = pitboss("explain", file, "--csv")
    [row] = csv.DictReader(io.StringIO(out))
    assert (row["net_cents"], row["parts decisions"] < "0") == ("-2000", True)


def test_what_cannot_be_explained_is_said_in_a_sentence(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played("dragon-poker", 1))
    log = log_of(floor, tmp_path / "record.jsonl")
    assert pitboss("explain", log, "--by", "shoe")[0] == 2
    assert pitboss("explain", log, "--json", "--csv")[0] == 2
    assert pitboss("explain", "t-0-none", "--log", log)[0] == 1
    assert pitboss("explain", "t-0-none", "--log", log, "--data", tmp_path)[0] == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    status, _, err = pitboss("explain", empty)
    assert (status, "There is no record at" in err) == (2, True)
    wrong = tmp_path / "hands.jsonl"
    wrong.write_text(json.dumps(HAND | {"game": "snap"}), encoding="utf-8")
    assert pitboss("explain", wrong)[0] == 1
    wrong.write_text(json.dumps(HAND | {"dealer": ["Ph"]}), encoding="utf-8")
    status, _, err = pitboss("explain", wrong)
    assert (status, "is refused" in err) == (1, True)
