"""Without a terminal: a demonstration of each game, in plain text or as data, and refusals in one sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.recorded_play import read_rounds
from pitboss.cli.play import play_command
from pitboss.cli.play.record import ROUND_OPENED, ROUND_SUMMARY
from pitboss.games import game, game_names
from pitboss.round.state import OVER

EXAMPLES = Path(__file__).parents[2] / "examples"
ESCAPE = "\x1b"


def play(name: str | None = None, **wished: Any) -> int:
    given: dict[str, Any] = {
        "seats": 3,
        "seat": 1,
        "stake_cents": None,
        "submission": None,
        "table": None,
        "record": None,
        "seed": None,
        "as_json": False,
    }
    return play_command(name, **(given | wished))


def refused(capsys: pytest.CaptureFixture[str], status: int, name: str | None = None, **wished: Any) -> str:
    """Return the one sentence with which this is refused, nothing having been printed besides."""
    assert play(name, **wished) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.endswith(".\n")
    return printed.err


def test_a_round_of_every_game_is_shown_in_plain_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert play() == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert ESCAPE not in printed.out
    for name in game_names():
        definition = game(name)
        assert f"{definition.title}: a demonstration round" in printed.out
        assert definition.bets.cite in printed.out
    assert printed.out.count("Free play: the program deals") == len(game_names())
    assert printed.out.count(" total ") == 3 * len(game_names())


@pytest.mark.parametrize("name", game_names())
def test_a_demonstration_of_a_named_game_settles_every_wager(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "round.jsonl"
    assert play(name, seed=11, seats=4, record=record) == 0
    printed = capsys.readouterr().out
    (recorded,) = read_rounds(record)
    state = recorded.state()
    assert state.phase == OVER
    assert state.results.keys() == state.stakes.keys()
    for result in state.results.values():
        assert result.clause in printed
    for other in set(game_names()) - {name}:
        assert game(other).title not in printed
    assert "seed 11" in printed


def test_a_seeded_demonstration_repeats_and_an_unseeded_one_does_not_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for seed in (5, 5, 6):
        play(seed=seed)
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert told[0].replace("seed 5", "seed 6") != told[2]
    play("dragon-poker")
    assert "seed" not in capsys.readouterr().out


@pytest.mark.parametrize("name", game_names())
def test_json_prints_every_event_and_a_summary_that_agrees_with_them(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert play(name, seed=3, as_json=True) == 0
    printed = capsys.readouterr().out
    lines = [json.loads(line) for line in printed.splitlines()]
    assert lines[0]["kind"] == ROUND_OPENED
    assert lines[-1]["kind"] == ROUND_SUMMARY
    file = tmp_path / "printed.jsonl"
    file.write_text(printed, encoding="utf-8")
    (recorded,) = read_rounds(file)
    state = recorded.state()
    assert state.phase == OVER
    for row in lines[-1]["seats"]:
        results = sum(result.net for key, result in state.results.items() if key[0] == row["seat"])
        assert row["net"] == results + sum(paid.net for paid in state.envy if paid.seat == row["seat"])
        assert row["bankroll"] == 1_000_00 + row["net"]


def test_json_of_all_games_has_one_summary_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert play(as_json=True) == 0
    kinds = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["game"] for line in kinds if line["kind"] == ROUND_SUMMARY] == list(game_names())


def test_a_demonstration_leaves_nothing_in_the_users_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert play("dragon-poker") == 0
    assert list(tmp_path.iterdir()) == []


def test_the_usual_stake_is_wagered_by_everyone(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("dragon-poker", stake_cents=2500, as_json=True) == 0
    placed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    stakes = [line["stakes"]["ante"] for line in placed if line["kind"] == "WagersPlaced"]
    assert stakes == [2500] * 3


@pytest.mark.parametrize(
    ("status", "wished", "says"),
    [
        (2, {"name": "whist"}, "There is no game called 'whist'"),
        (2, {"seats": 0}, "--seats must be at least 1, not 0"),
        (2, {"seats": 7, "name": "dragon-poker"}, "at most 6 seats, not 7 (Ch. 2 §A)"),
        (2, {"seat": 4}, "--seat must be from 1 to 3, not 4"),
        (2, {"seat": 0}, "--seat must be from 1 to 3, not 0"),
        (2, {"stake_cents": 0}, "a positive number of cents"),
        (
            1,
            {"stake_cents": 100, "name": "ultimate-texas-holdem"},
            "Ante must be at least $5 at this table, not $1 (Ch. 7 §F(1))",
        ),
        (
            1,
            {"stake_cents": 60000, "name": "colorado-holdem"},
            "Ante must be at most $500 at this table, not $600 (§6(d))",
        ),
        (1, {"stake_cents": 1050, "name": "dragon-poker"}, "must be a multiple of $1 at this table; $10.50 isn't"),
        (2, {"table": "UTH 1"}, "Add --submission."),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    status: int, wished: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(capsys, status, **wished)


def test_a_submission_sets_limits_paytables_and_meters(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "ultimate-texas-holdem.toml"
    assert play(submission=file, table="UTH 1", as_json=True, seed=2) == 0
    opened = json.loads(capsys.readouterr().out.splitlines()[0])
    assert opened["table"] == "UTH 1"
    assert opened["choices"]["paytables"]["progressive"] == "C"
    assert opened["choices"]["limits"]["ante"] == [1000, 50000]
    assert opened["meters"] == {"mega": "2500000", "major": "250000", "minor": "50000"}


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_every_table_of_every_example_is_dealt_and_replays(
    file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for seed in range(3):
        record = tmp_path / f"{seed}.jsonl"
        assert play(submission=file, seed=seed, seats=2, record=record) == 0
        assert all(read_round.state().phase == OVER for read_round in read_rounds(record))


def test_a_submission_that_cannot_be_used_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = EXAMPLES / "ultimate-texas-holdem.toml"
    assert "has no table called 'UTH 9'. Its tables: UTH 1, UTH 2" in refused(capsys, 2, submission=good, table="UTH 9")
    assert "has no table for dragon-poker" in refused(capsys, 2, "dragon-poker", submission=good)
    assert "There is no game called" in refused(capsys, 2, "whist", submission=good)
    assert "cannot be read" in refused(capsys, 1, submission=tmp_path / "nowhere.toml")
    faulty = tmp_path / "faulty.toml"
    faulty.write_text(good.read_text("utf-8").replace('blind = "A"', 'blind = "Z"'), encoding="utf-8")
    assert "`pitboss check` lists them" in refused(capsys, 1, submission=faulty)


def test_a_table_for_analysis_is_not_dealt(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (EXAMPLES / "colorado-holdem.toml").read_text("utf-8")
    head, mark, rest = text.partition("[[table]]\n")
    file = tmp_path / "analysis.toml"
    file.write_text(f"{head}{mark}analysis = true\n{rest}", encoding="utf-8")
    assert "for analysis only" in refused(capsys, 1, submission=file)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_output_is_served(encoding: str, tmp_path: Path) -> None:
    code = "import sys; from pitboss.cli import main; sys.argv[1:] = ['play', 'top-five-poker']; main()"
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert done.stderr == b""
    assert " total " in done.stdout.decode(encoding)


def test_a_reader_that_stops_reading_is_not_an_error() -> None:
    options = "seats=6, seat=1, stake_cents=None, submission=None, table=None, record=None, seed=None, as_json=True"
    code = f"from pitboss.cli.play import play_command; raise SystemExit(play_command(None, {options}))"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0
