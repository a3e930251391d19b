"""An outside game with an unsound definition gets its faults listed and breaks no command about other games."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.games import catalogue

FOLDER = Path(__file__).with_name("fifth_game")
SUBMISSION = """
[facility]
name = "Test Hall"
jurisdiction = "Nowhere"

[[table]]
name = "Duel 1"
game = "one-card-duel"
"""


@pytest.fixture
def definition(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "games")
    return tmp_path / "games" / "one_card_duel" / "definition.py"


def change(definition: Path, *changes: tuple[str, str]) -> None:
    text = definition.read_text("utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    definition.write_text(text, "utf-8")


def pitboss(definition: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PITBOSS_GAMES": str(definition.parents[1])}
    command = [str(Path(sys.executable).with_name("pitboss")), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def outside(elsewhere: Path) -> Path:
    """Return the definition of a game that this process finds in a folder of its own."""
    shutil.copytree(FOLDER, elsewhere, dirs_exist_ok=True)
    return elsewhere / "one_card_duel" / "definition.py"


MISTYPED = ('{"ace": "11 to 1"}', '{"ase": "11 to 1"}')


def test_a_mistyped_cell_is_named_with_its_file_and_field(definition: Path) -> None:
    change(definition, MISTYPED)
    ended = pitboss(definition, "games", "one-card-duel")
    assert ended.returncode == 2
    assert ended.stderr == (
        f"{definition}: wagers.ace.paytables[A].ase: There is no cell called 'ase' among the wager's cells"
        " (nearest: 'ace').\n"
    )


def test_every_fault_has_a_line(definition: Path) -> None:
    change(
        definition,
        MISTYPED,
        ('Stakes("raise", 2, "ante")', 'Stakes("raise", 2, "anty")'),
        ("cards_each=1", "cards_each=2"),
    )
    lines = pitboss(definition, "edge", "one-card-duel").stderr.splitlines()
    assert [line.removeprefix(f"{definition}: ").partition(":")[0] for line in lines] == [
        "wagers.ace.paytables[A].ase",
        "play.raise or fold.raise.stakes.of",
        "cards_each",
        "cards_each",
        "cards_each",
    ]


def test_commands_about_other_games_work_and_a_list_says_what_is_left_out(definition: Path) -> None:
    change(definition, MISTYPED)
    listed = pitboss(definition, "games", "--json")
    assert listed.returncode == 0
    assert "one-card-duel" not in [row["game"] for row in json.loads(listed.stdout)]
    assert listed.stderr.startswith("one-card-duel is left out because its definition has errors:\n")
    other = pitboss(definition, "games", "dragon-poker")
    assert (other.returncode, other.stderr) == (0, "")
    assert pitboss(definition, "trace", "dragon-poker").returncode == 0


def test_a_submission_for_it_says_what_is_wrong(definition: Path, tmp_path: Path) -> None:
    change(definition, MISTYPED)
    (tmp_path / "duel.toml").write_text(SUBMISSION, "utf-8")
    checked = pitboss(definition, "check", str(tmp_path / "duel.toml"))
    assert checked.returncode == 1
    said = " ".join(checked.stdout.split())  # a long path wraps its lines
    assert "The game's definition has errors" in said
    assert "no cell called 'ase'" in said


def test_a_reading_that_names_a_cell_the_wager_does_not_have_is_found_by_trying(outside: Path) -> None:
    change(outside, ('{"ace": "ace" if value == 13 else "other"}', '{"ace": "ace" if value == 13 else "others"}'))
    said = catalogue.unsound()["one-card-duel"]
    assert said == f"{outside}: readings.seat: It reads the cell 'others' for ace, which has ace, other."


def test_a_fact_that_no_row_knows_is_found_by_trying(outside: Path) -> None:
    change(outside, ('            When((), PUSH, "§13"),\n', ""))
    said = catalogue.unsound()["one-card-duel"]
    assert f"{outside}: settlement.ante: After 'raise', no row fits a hand with the facts ties." in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rank(seat.cards[0])", "rank(seat.cards[1])", "readings.seat: It fails on "),
        ("rank(table.dealer[0])", "rank(table.dealer[1])", "readings.dealer: It fails on "),
        ('To(1), "§14"', 'Too(1), "§14"', "NameError: name 'Too' is not defined."),
        ('"11 to 1"', '"11 too 1"', "ValueError: '11 too 1' is not a payoff"),
        ('name="one-card-duel"', 'name="duel"', "name: The folder is called one_card_duel"),
        ("GAME = Game", "GAMES = Game", "GAME: The file doesn't define GAME"),
        (
            "def read_dealer(table: TableCards, options: Mapping[str, str]) -> DealerReading:",
            "def read_dealer(table: TableCards, options: Mapping[str, str]) -> DealerReading",
            "expected ':'",
        ),
        (
            "dealing=dict.fromkeys(\n        METHODS,\n        (",
            "dealing=dict.fromkeys(\n        METHODS,\n        () and (",
            "procedures.dealing['manual-shoe']: There are no duties.",
        ),
    ],
)
def test_code_that_fails_is_named_with_its_file(outside: Path, old: str, new: str, said: str) -> None:
    change(outside, (old, new))
    found = catalogue.unsound()["one-card-duel"]
    assert found.startswith(str(outside))
    assert said in found


def test_the_command_ends_in_the_same_words(definition: Path) -> None:
    change(definition, ("rank(seat.cards[0])", "rank(seat.cards[1])"))
    ended = pitboss(definition, "games", "one-card-duel")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"{definition}: readings.seat: It fails on ")
    assert "Something in pitboss itself failed" not in ended.stderr
