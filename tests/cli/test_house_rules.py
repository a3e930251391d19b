"""The house's own rules are listed with the rulings: by themselves, after those of all games, and as data."""

import json
from collections.abc import Callable

import pytest

from pitboss.cli import _run
from pitboss.house.people.house_rules import HOUSE_RULES


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        monkeypatch.setattr("sys.argv", ["pitboss", *arguments])
        assert _run() == 0
        return capsys.readouterr().out

    return run


def test_the_house_rules_can_be_listed_by_themselves(printed: Callable[..., str]) -> None:
    shown = printed("rulings", "house")
    assert all(f"\n{item}\n  {says[:60]}" in shown for item, says in HOUSE_RULES.items())
    assert "Unclear" not in shown


def test_they_are_data_on_request(printed: Callable[..., str]) -> None:
    data = json.loads(printed("rulings", "house", "--json"))
    assert {row["id"]: row["says"] for row in data} == HOUSE_RULES


def test_the_whole_list_ends_with_them_and_a_game_has_none(printed: Callable[..., str]) -> None:
    assert printed("rulings").endswith(printed("rulings", "house"))
    assert "H-2\n" not in printed("rulings", "dragon-poker")
