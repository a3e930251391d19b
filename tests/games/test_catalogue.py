"""Games are found by looking into folders, the package's own and those named from outside."""

from pathlib import Path

import pytest

from pitboss.games import UnknownGame, catalogue, clauses, game, games
from pitboss.games.catalogue import UnsoundGame

DEFINITION = """
from dataclasses import replace

from pitboss.games import catalogue
from pitboss.games.{folder} import cards

GAME = replace(catalogue.game("top-five-poker"), name="{name}", title=cards.TITLE)
"""


def made(folder: Path, *, name: str) -> None:
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "cards.py").write_text('TITLE = "Made-up Poker"\n', "utf-8")
    (folder / "definition.py").write_text(DEFINITION.format(folder=folder.name, name=name), "utf-8")


def test_the_four_rulebooks_are_found() -> None:
    names = catalogue.game_names()
    assert set(names) >= {"ultimate-texas-holdem", "top-five-poker", "dragon-poker", "colorado-holdem"}
    assert tuple(game.name for game in games()) == names


def test_a_game_nobody_defined_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownGame, match=r"no game called 'whist'\. Choose .*dragon-poker"):
        game("whist")


def test_a_folder_from_elsewhere_is_a_game_with_modules_of_its_own(elsewhere: Path) -> None:
    made(elsewhere / "made_up_poker", name="made-up-poker")
    assert "made-up-poker" in catalogue.game_names()
    assert game("made-up-poker").title == "Made-up Poker"
    assert catalogue.rulings("made-up-poker") == ()
    assert clauses.clauses("made-up-poker") == ()
    assert clauses.outline("made-up-poker") == ()


def test_a_folder_of_the_same_name_does_not_take_the_place_of_the_packages_own(elsewhere: Path) -> None:
    made(elsewhere / "dragon_poker", name="dragon-poker")
    assert catalogue.folders()["dragon-poker"].parent == catalogue.HERE


def test_a_folder_whose_game_has_another_name_is_reported(elsewhere: Path) -> None:
    made(elsewhere / "made_up_whist", name="bridge")
    with pytest.raises(UnsoundGame, match=r"definition.py: name: .*'made-up-whist', not 'bridge'"):
        game("made-up-whist")
    assert "made-up-whist" not in catalogue.game_names()


@pytest.mark.parametrize("name", catalogue.game_names())
def test_every_game_has_its_clauses_outline_and_rulings_in_its_folder(name: str) -> None:
    assert {clause.id for clause in clauses.clauses(name)} == set(clauses.outline(name))
    assert all(clause.status in clauses.STATUSES for clause in clauses.clauses(name))
    assert catalogue.rulings(name)
