"""The tutorial's Three Card Poker goes from its page to a table on the floor; nothing outside its folder changes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss.games
from games.tutorial import NAME, OPTIONAL, ROOT, build, environment, run
from pitboss.games import catalogue
from pitboss.rules.in_force import RulesInForce

SOURCES = ROOT / "src" / "pitboss"
# Of the tests that run over every game, those that ask for more than a game elsewhere has to bring.
MORE_THAN_ASKED = (
    "enough",
    "plaques",
    "shuffler_one_hand",
    "sentence_for_someone",
    "printed_in_the_rulebook",
)


def sources() -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in SOURCES.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    before = sources()
    yield build(tmp_path_factory.mktemp("tutorial"))
    assert sources() == before, "the game is its folder and nothing else"


def rows(games: Path, *arguments: str) -> Any:
    ended = run(games, *arguments, "--json")
    assert ended.returncode == 0, ended.stderr + ended.stdout
    return json.loads(ended.stdout)


def by_wager(games: Path) -> dict[tuple[str, str | None], dict[str, Any]]:
    return {(row["wager"], row["paytable"]): row for row in rows(games, "edge", NAME)}


def test_it_is_found_with_the_others_and_its_clauses(games: Path) -> None:
    assert [row["game"] for row in rows(games, "games")][-1] == NAME
    matrix = rows(games, "trace", NAME)
    outline = (games / "three_card_poker" / "outline.txt").read_text("utf-8").split("\n")[:-1]
    assert [row["clause"] for row in matrix] == outline
    named = {test.partition("::")[0] for row in matrix for test in row["tests"]}
    assert all((ROOT / file).is_file() for file in named)


def test_it_settles_a_hand_and_pays_a_bonus_on_the_ante(games: Path) -> None:
    (hand,) = [rows(games, "settle", "hand.json")]
    first, second = hand["seats"]
    assert first["wagers"]["ante-bonus"] == {
        "stake": 0,
        "result": "win",
        "net": 1000,
        "odds": "1 to 1",
        "clause": "§9(e)",
        "odds_clause": "§10(b)(c)",
    }
    assert first["net"] == -1000 - 1000 + 1000 + 3000
    assert "ante-bonus" not in second["wagers"]
    assert second["net"] == -1000


def test_its_value_is_the_published_one(games: Path) -> None:
    found = by_wager(games)
    main = found["main", None]
    assert main["ev"] == "-686689/20358520"
    assert round(100 * main["house_edge"], 4) == 3.3730
    assert round(100 * main["element_of_risk"], 4) == 2.0147
    assert round(100 * found["pair-plus", "A"]["house_edge"], 4) == 2.3167
    assert round(100 * found["pair-plus", "B"]["house_edge"], 4) == 7.2760


def test_queen_six_four_is_the_lowest_hand_to_play(games: Path) -> None:
    chart = rows(games, "strategy", NAME)
    (section,) = chart["sections"]
    assert section["rules"] == ["Play with queen high (Q-6-4) or better; fold anything less."]
    assert section["cost"] == "0"
    least, below = (rows(games, "strategy", NAME, "--cards", cards) for cards in ("Qc 6d 4h", "Qc 6d 3h"))
    assert (least["best"], below["best"]) == ("play", "fold")
    assert Fraction(least["actions"][0]["worth"]) > -1


def test_it_is_checked_simulated_played_and_printed(games: Path) -> None:
    submission = "games/three_card_poker/submission.toml"
    assert run(games, "check", submission).returncode == 0
    simulated = rows(games, "simulate", NAME, "--rounds", "500", "--seed", "7")
    assert simulated["rounds"] == 500
    played = run(games, "play", NAME, "--seed", "3", "--json")
    kinds = [json.loads(line).get("kind") for line in played.stdout.splitlines()]
    assert "RoundClosed" in kinds
    printed = run(games, "packet", submission, "-o", "packet.pdf")
    assert printed.returncode == 0, printed.stderr
    assert (games.parent / "packet.pdf").read_bytes()[:5] == b"%PDF-"


def test_files_of_its_own_for_counting_and_playing_change_no_figure(games: Path, tmp_path: Path) -> None:
    own = build(tmp_path, optional=True)
    assert all((own / "three_card_poker" / name).is_file() for name in OPTIONAL)
    assert by_wager(own) == by_wager(games)
    (section,) = rows(own, "strategy", NAME)["sections"]
    assert section["rules"] == ["Play queen-six-four or better; fold anything less."]
    assert section["cost"] == "0"


def test_figures_follow_a_changed_file(tmp_path: Path) -> None:
    games = build(tmp_path)
    before = by_wager(games)["main", None]["ev"]
    readings = games / "three_card_poker" / "readings.py"
    readings.write_text(readings.read_text("utf-8").replace("QUEEN << 8", "ACE << 8"), "utf-8")
    assert by_wager(games)["main", None]["ev"] != before


def forget() -> None:
    for kept in (catalogue.folders, catalogue._found, catalogue.sources_digest):
        kept.cache_clear()


@pytest.fixture
def rules(games: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RulesInForce]:
    monkeypatch.setenv(catalogue.EXTRA_FOLDERS, str(games))
    monkeypatch.setattr(pitboss.games, "__path__", list(pitboss.games.__path__))
    forget()
    yield RulesInForce(catalogue.game(NAME))
    monkeypatch.undo()
    forget()
    for module in [name for name in sys.modules if name.startswith("pitboss.games.three_card_poker")]:
        del sys.modules[module]


def test_a_wager_is_made_with_chips(rules: RulesInForce) -> None:
    assert rules.check_instrument("chips") is None
    refusal = rules.check_instrument("verbal-cash")
    assert refusal is not None
    assert refusal.clause == "§6(e)"


def test_nobody_stakes_on_a_bonus_that_pays_on_another_wager(rules: RulesInForce) -> None:
    assert rules.bonuses == {"ante-bonus": "ante"}
    refusal = rules.check_stakes({"ante": 1000, "ante-bonus": 1000})
    assert refusal is not None
    assert (refusal.field, refusal.clause) == ("ante-bonus", "§9(e)")


def pytest_passes(games: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
    ended = subprocess.run(command, cwd=ROOT, env=environment(games), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-4000:]


@pytest.mark.slow
def test_a_whole_round_is_dealt_and_settled_on_a_running_floor(games: Path) -> None:
    pytest_passes(games, "tests/scenarios/test_whole_rounds.py", "-k", NAME)


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_whole_round_is_played_in_a_real_browser(games: Path) -> None:
    pytest_passes(games, *(f"tests/browser/test_{file}.py" for file in ("rounds", "felt", "bonus")), "-k", NAME)


@pytest.mark.slow
def test_it_passes_what_every_game_passes(games: Path) -> None:
    files = ("worked_hands", "clauses", "definitions", "procedures", "how_to_play")
    chosen = f"{NAME} and not {' and not '.join(MORE_THAN_ASKED)}"
    pytest_passes(games, *(f"tests/games/test_{file}.py" for file in files), "tests/round", "-k", chosen)
