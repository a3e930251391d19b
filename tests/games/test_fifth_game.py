"""A fifth game, in a folder outside the package, is found, listed, checked, dealt and settled."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("fifth_game")
SUBMISSION = """
[facility]
name = "Test Hall"
jurisdiction = "Nowhere"

[[table]]
name = "Duel 1"
game = "one-card-duel"
positions = 4
dealing = "manual-shoe"
minimum = 500
maximum = 5000

[table.wagers]
ace = { paytable = "A", minimum = 100, maximum = 1000 }
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "games")
    return tmp_path


def pitboss(elsewhere: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PITBOSS_GAMES": str(elsewhere / "games"), "XDG_DATA_HOME": str(elsewhere / "data")}
    command = [str(Path(sys.executable).with_name("pitboss")), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, env=environment, check=False)


def test_it_is_listed_with_the_others(elsewhere: Path) -> None:
    listed = pitboss(elsewhere, "games", "--json")
    assert [load["game"] for load in json.loads(listed.stdout)][-1] == "one-card-duel"
    assert len(json.loads(listed.stdout)) == 5


def test_it_settles(elsewhere: Path) -> None:
    seats = [
        {"seat": 1, "cards": ["As"], "wagers": {"ante": 500, "ace": 100}, "actions": ["raise"]},
        {"seat": 2, "cards": ["Ac"], "wagers": {"ante": 500, "ace": 100}, "actions": ["fold"]},
        {"seat": 3, "cards": ["Kc"], "wagers": {"ante": 500}, "actions": ["raise"]},
    ]
    hand = {"game": "one-card-duel", "dealer": ["Kd"], "seats": seats}
    settled = pitboss(elsewhere, "settle", "--json", text=json.dumps(hand))
    assert settled.stderr == ""
    result = json.loads(settled.stdout)
    assert [seat["net"] for seat in result["seats"]] == [500 + 1000 + 1100, -500 + 1100, 0]
    assert result["seats"][0]["wagers"]["ace"]["odds_clause"] == "§10(a)"
    assert result["seats"][1]["wagers"]["ante"]["clause"] == "§12"


def test_it_plays_a_demonstration_round(elsewhere: Path) -> None:
    played = pitboss(elsewhere, "play", "one-card-duel", "--seed", "3", "--json")
    assert played.returncode == 0, played.stderr
    kinds = [json.loads(line).get("kind") for line in played.stdout.splitlines()]
    assert "BetsClosed" in kinds
    assert "RoundClosed" in kinds


def test_its_submission_is_checked(elsewhere: Path) -> None:
    (elsewhere / "duel.toml").write_text(SUBMISSION)
    checked = pitboss(elsewhere, "check", str(elsewhere / "duel.toml"), "--json")
    assert checked.returncode == 0, checked.stdout
    (elsewhere / "duel.toml").write_text(SUBMISSION.replace('paytable = "A"', 'paytable = "Z"'))
    assert pitboss(elsewhere, "check", str(elsewhere / "duel.toml")).returncode == 1


def test_its_exact_value_is_found_without_its_own_counting_code(elsewhere: Path) -> None:
    found = {
        row["wager"]: row["ev"] for row in json.loads(pitboss(elsewhere, "edge", "one-card-duel", "--json").stdout)
    }
    assert found["ace"] == "-1/13"
    (section,) = json.loads(pitboss(elsewhere, "strategy", "one-card-duel", "--json").stdout)["sections"]
    assert section["cost"] == "0"


TOO_LONG = """
from dataclasses import replace

from pitboss.games import catalogue

GAME = replace(catalogue.game("ultimate-texas-holdem"), name="plain-holdem", title="Plain Hold 'Em")
"""


@pytest.mark.parametrize("asked", [["edge", "--wager", "main"], ["strategy"], ["simulate", "--rounds", "10"]])
def test_a_game_that_would_take_too_long_says_so_at_once(tmp_path: Path, asked: list[str]) -> None:
    (tmp_path / "games" / "plain_holdem").mkdir(parents=True)
    (tmp_path / "games" / "plain_holdem" / "definition.py").write_text(TOO_LONG, "utf-8")
    ended = pitboss(tmp_path, asked[0], "plain-holdem", *asked[1:])
    assert ended.returncode == 1
    assert "has about 2.78 trillion deals to count here." in ended.stderr
    assert "its limit is 10 minutes" in ended.stderr
