"""`pitboss rulings --effects` and `pitboss compare` say what a reading or a change is worth, exactly."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import _run
from pitboss.lab.exact_counts import NotAnalysed

EXAMPLES = Path(__file__).parents[2] / "examples"
DRAGON = EXAMPLES / "dragon-poker.toml"
pytestmark = pytest.mark.xdist_group("exact")
Command = Callable[..., str]


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["pitboss", *arguments])
        assert _run() == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def compared(pitboss: Command, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    def run(old: Path, *replaced: tuple[str, str]) -> dict[str, Any]:
        text = old.read_text("utf-8")
        for before, after in replaced:
            assert before in text
            text = text.replace(before, after)
        new = tmp_path / "new.toml"
        new.write_text(text, "utf-8")
        told: dict[str, Any] = json.loads(pitboss("compare", str(old), str(new), "--json"))
        return told

    return run


def test_readings_are_shown_side_by_side(pitboss: Command) -> None:
    out = pitboss("rulings", "colorado-holdem", "--effects")
    tens = out[out.index("CH-1 ") : out.index("CH-2 ")]
    assert "Effect:" in tens
    assert "with version permissible-bet" in tens
    assert "3.0530%  -11099/363545" in tens
    assert "-2.1204%  20754/978775" in tens
    positions = out[out.index("CH-8 ") : out.index("CH-9 ")]
    assert "no wager's value changes" in positions
    assert "Price:" not in out[out.index("CH-9 ") :]


def test_every_entry_has_its_effects_when_asked(pitboss: Command) -> None:
    entries = json.loads(pitboss("rulings", "dragon-poker", "--effects", "--json"))
    moved = {entry["id"]: entry["effects"] for entry in entries if entry["effects"]}
    assert all("effects" in entry for entry in entries)
    assert list(moved) == ["DP-5"]
    assert [reading["ev"] for reading in moved["DP-5"][0]["readings"]] == ["-3373/23426", "-3925/23426"]
    assert all("effects" not in entry for entry in json.loads(pitboss("rulings", "dragon-poker", "--json")))


def test_a_changed_paytable_is_priced_before_and_after(compared: Callable[..., dict[str, Any]]) -> None:
    told = compared(EXAMPLES / "top-five-poker.toml", ('"B"', '"C"'), ("adjacent-boxes = 2", "adjacent-boxes = 3"))
    assert any(change["what"] == "options.adjacent-boxes" for change in told["changes"])
    (edge,) = told["edges"]
    assert (edge["table"], edge["wager"]) == ("Top Five 1", "poker-bonus")
    assert edge["before"] == {"paytable": "B", "ev": "-763277/16723070", "house_edge": 763277 / 16723070}
    assert edge["after"]["paytable"] == "C"


def test_odds_of_the_submission_itself_are_priced(compared: Callable[..., dict[str, Any]]) -> None:
    told = compared(EXAMPLES / "dragon-poker-progressive.toml", ('"50 for 1"', '"60 for 1"'))
    (edge,) = told["edges"]
    assert [edge[when]["ev"] for when in ("before", "after")] == ["-426/901", "-5448/11713"]


def test_a_table_that_came_or_went_is_priced_on_its_side(pitboss: Command) -> None:
    new = EXAMPLES / "dragon-poker-progressive.toml"
    told = json.loads(pitboss("compare", str(DRAGON), str(new), "--json"))
    assert {edge["table"] for edge in told["edges"] if edge["before"] is None} == {"Dragon 2"}
    assert {edge["table"] for edge in told["edges"] if edge["after"] is None} == {"Dragon 1"}
    out = pitboss("compare", str(DRAGON), str(new))
    assert "not offered" in out
    assert "-426/901" in out


def test_a_change_of_game_at_a_table_lists_both_games(compared: Callable[..., dict[str, Any]]) -> None:
    told = compared(DRAGON, ('game = "dragon-poker"', 'game = "top-five-poker"'))
    main = [edge for edge in told["edges"] if edge["wager"] == "main"]
    assert [(edge["before"] is None, edge["after"] is None) for edge in main] == [(False, True), (True, False)]


def test_a_new_name_or_an_unknown_game_prices_nothing(compared: Callable[..., dict[str, Any]]) -> None:
    assert compared(DRAGON, ("Dragon 1", "Dragon 9"))["edges"] == []
    told = compared(DRAGON, ('game = "dragon-poker"', 'game = "whist"'))
    assert all(edge["after"] is None for edge in told["edges"])


def test_a_game_without_analysis_is_listed_and_compared_without_values(
    pitboss: Command, compared: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(name: str) -> None:
        raise NotAnalysed(f"{name} has no exact analysis.")

    monkeypatch.setattr("pitboss.lab.exact_counts.exact_of", unknown)
    monkeypatch.setattr("pitboss.lab.exact_counts._read", lambda _: None)
    out = pitboss("rulings", "dragon-poker", "--effects")
    assert "DP-5 " in out
    assert "Price:" not in out
    told = compared(DRAGON, ('three-card-bonus = { paytable = "A"', 'three-card-bonus = { paytable = "B"'))
    assert told["changes"]
    assert told["edges"] == []
