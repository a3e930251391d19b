"""Finds the games: every folder here, or in a folder named by PITBOSS_GAMES, that holds a definition."""

import hashlib
import importlib
import os
from functools import cache
from pathlib import Path
from types import ModuleType

import pitboss.games as games_package
from pitboss.rules.game import GameDefinition
from pitboss.rules.ruling import Ruling, read_rulings

HERE = Path(__file__).parent
EXTRA_FOLDERS = "PITBOSS_GAMES"


class UnknownGame(LookupError):
    """No folder defines a game of this name."""


@cache
def folders() -> dict[str, Path]:
    """Map each game's name to its folder, this package's own games first."""
    found: dict[str, Path] = {}
    for parent in (HERE, *map(Path, filter(None, os.environ.get(EXTRA_FOLDERS, "").split(os.pathsep)))):
        for definition in sorted(parent.glob("*/definition.py")):
            found.setdefault(definition.parent.name.replace("_", "-"), definition.parent)
    return found


def game_names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(folders())


@cache
def game(name: str) -> GameDefinition:
    """Return the definition of the game of this name."""
    folder = folders().get(name)
    if folder is None:
        raise UnknownGame(f"There is no game called {name!r}; choose {', '.join(folders())}.")
    definition = _load(folder).GAME
    assert isinstance(definition, GameDefinition)
    assert definition.name == name, f"{folder} defines {definition.name}"
    return definition


@cache
def sources_digest(name: str) -> str:
    """Return a name for all that a game's folder holds when it is first asked for."""
    found = hashlib.sha256()
    folder = folders()[name]
    for path in sorted(path for pattern in ("*.py", "*.npz") for path in folder.rglob(pattern)):
        found.update(str(path.relative_to(folder)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def games() -> tuple[GameDefinition, ...]:
    """Return every game's definition."""
    return tuple(game(name) for name in folders())


def rulings(name: str) -> tuple[Ruling, ...]:
    """Return the rulings recorded in a game's folder."""
    path = folders()[name] / "rulings.toml"
    return read_rulings(path) if path.exists() else ()


def _load(folder: Path) -> ModuleType:
    # A game from elsewhere becomes a part of this package, so that its own modules import one another.
    if str(folder.parent) not in games_package.__path__:
        games_package.__path__.append(str(folder.parent))
    return importlib.import_module(f"pitboss.games.{folder.name}.definition")
