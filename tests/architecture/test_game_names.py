"""No room knows a game by name: only the game's own folder spells its name, wagers or options."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from architecture.tree import PACKAGE, shown
from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition

GAMES = {name: folder for name, folder in catalogue.folders().items() if folder.is_relative_to(PACKAGE)}
COUNTED = Counter(
    word
    for name in GAMES
    for word in {
        *catalogue.game(name).wagers_by_name,
        *catalogue.game(name).options_by_name,
    }
)
# A command's help shows how it is called, with a game that exists.
EXAMPLE = re.compile(r"^ *Example: pitboss .*$", re.MULTILINE)


def own_words(game: GameDefinition) -> set[str]:
    """Return the identifiers of wagers and options that only this game has."""
    return {word for word in (*game.wagers_by_name, *game.options_by_name) if COUNTED[word] == 1}


@cache
def phrases(name: str) -> set[str]:
    """Return what may stand nowhere else, in code, comment or docstring."""
    game = catalogue.game(name)
    compound = {word for word in own_words(game) if "-" in word}
    titles = {game.wagers_by_name[word].title for word in compound if word in game.wagers_by_name}
    return {
        game.name,
        game.title,
        *titles,
        *compound,
        *(text.replace("-", "_") for text in (game.name, *compound)),
    }


@cache
def any_of(words: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern for any of these words, so that a text is read once for all of them."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(words)))})(?!\w)", re.IGNORECASE)


@cache  # every game's words are looked for in the same files
def constants(text: str) -> frozenset[object]:
    """Return the constants of a program's text."""
    return frozenset(node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))


def is_in(phrase: str, text: str) -> bool:
    """Say whether a text has a phrase as words of its own."""
    return any_of(frozenset([phrase])).search(text) is not None


def mentions(path: Path, text: str, game: GameDefinition) -> list[str]:
    """Return how a text names a game that it should not know."""
    text = EXAMPLE.sub("", text) if "cli" in path.parts else text
    found: list[str] = []
    if any_of(frozenset(phrases(game.name))).search(text):
        found = [phrase for phrase in phrases(game.name) if is_in(phrase, text)]
    # A plain word such as a bet is anybody's in a sentence, and a hand's in another game; as a whole string it is
    # this game's wager.
    plain = {word for word in game.wagers_by_name if word in own_words(game) and "-" not in word}
    if path.suffix == ".py" and not path.is_relative_to(catalogue.HERE):
        found += plain & constants(text)
    return sorted(found)


def files() -> list[Path]:
    return sorted(
        path
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".toml", ".txt") and "__pycache__" not in path.parts
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_named_only_in_its_own_folder(name: str) -> None:
    game = catalogue.game(name)
    told = {
        shown(path): named
        for path in files()
        if not path.is_relative_to(GAMES[name]) and (named := mentions(path, path.read_text("utf-8"), game))
    }
    assert told == {}


@pytest.mark.parametrize("name", GAMES)
def test_every_way_of_naming_a_game_is_found(name: str) -> None:
    game = catalogue.game(name)
    room = PACKAGE / "round" / "settle.py"
    for line in (
        f'"""Settles {game.title} too."""',
        f"# as in {game.name.upper()}",
        f"from pitboss.games.{GAMES[name].name} import definition",
        f'if game.name == "{name}": pass',
        *(f'wager = "{word}"' for word in own_words(game) & game.wagers_by_name.keys()),
    ):
        assert mentions(room, line + "\n", game), line


def test_every_game_has_words_of_its_own() -> None:
    assert all(own_words(catalogue.game(name)) for name in GAMES)


def test_only_an_example_of_a_command_may_name_a_game() -> None:
    game = catalogue.game(next(iter(GAMES)))
    command = PACKAGE / "cli" / "app.py"
    assert mentions(command, f'"""\n    Example: pitboss games {game.name}\n    """\n', game) == []
    assert mentions(command, f'"""\n    Plays {game.name}.\n    """\n', game)
