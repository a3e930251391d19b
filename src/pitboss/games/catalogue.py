"""Finds the games: every folder with a definition, here or in a folder listed in PITBOSS_GAMES."""

import hashlib
import importlib
import os
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import cast

import pitboss.games as games_package
from pitboss.games.trial import trial_faults
from pitboss.rules.game import GameDefinition
from pitboss.rules.ruling import Ruling, read_rulings
from pitboss.rules.soundness import DefinitionFault, UnsoundDefinition

HERE = Path(__file__).parent
EXTRA_FOLDERS = "PITBOSS_GAMES"


class UnknownGame(LookupError):
    """No folder defines a game of this name."""


class UnsoundGame(UnknownGame):
    """A folder's definition cannot be used; the message says what is wrong with it, a line for each fault."""


@cache
def folders() -> dict[str, Path]:
    """Map each game's name to its folder, this package's own games first."""
    found: dict[str, Path] = {}
    for parent in (HERE, *map(Path, filter(None, os.environ.get(EXTRA_FOLDERS, "").split(os.pathsep)))):
        for definition in sorted(parent.glob("*/definition.py")):
            found.setdefault(definition.parent.name.replace("_", "-"), definition.parent)
    return found


def game_names() -> tuple[str, ...]:
    """Return the names of all games whose definitions can be used."""
    return tuple(
        name for name, folder in folders().items() if folder.parent == HERE or not isinstance(_found(name), str)
    )


def unsound() -> dict[str, str]:
    """Map each game whose definition cannot be used to what is wrong with it."""
    return {
        name: found
        for name, folder in folders().items()
        if folder.parent != HERE and isinstance(found := _found(name), str)
    }


def game(name: str) -> GameDefinition:
    """Return the definition of the game of this name."""
    if name not in folders():
        raise UnknownGame(f"There is no game called {name!r}. Choose one of: {', '.join(game_names())}.")
    found = _found(name)
    if isinstance(found, str):
        raise UnsoundGame(found)
    return found


@cache
def _found(name: str) -> GameDefinition | str:
    folder = folders()[name]
    sources_digest(name)  # of the sources as they are loaded
    if folder.parent == HERE:
        definition = _load(folder).GAME
        assert definition.name == name, f"{folder} defines {definition.name}"
        return cast(GameDefinition, definition)
    try:
        return _from_elsewhere(name, _load(folder))
    except UnsoundDefinition as unsound:
        return "\n".join(f"{folder / 'definition.py'}: {fault}" for fault in unsound.faults)
    except Exception as failed:  # the definition is third-party code
        return _failure(folder, failed)


def _from_elsewhere(name: str, module: ModuleType) -> GameDefinition:
    definition = getattr(module, "GAME", None)
    if not isinstance(definition, GameDefinition):
        raise UnsoundDefinition(
            (DefinitionFault("GAME", "The file doesn't define GAME, which must be a GameDefinition."),)
        )
    if definition.name != name:
        reason = (
            f"The folder is called {name.replace('-', '_')}, so the name must be {name!r}, not {definition.name!r}."
        )
        raise UnsoundDefinition((DefinitionFault("name", reason),))
    faults = trial_faults(definition)
    if faults:
        raise UnsoundDefinition(faults)
    return definition


def _failure(folder: Path, failed: Exception) -> str:
    # The last line of the game's own folder that ran is where the mistake is, not what it called.
    own = [frame for frame in traceback.extract_tb(failed.__traceback__) if Path(frame.filename).parent == folder]
    said = f"{type(failed).__name__}: {failed}" if str(failed) else type(failed).__name__
    if isinstance(failed, SyntaxError) and failed.filename:
        return f"{failed.filename}, line {failed.lineno}: {failed.msg}."
    where = f"{own[-1].filename}, line {own[-1].lineno}" if own else str(folder / "definition.py")
    return f"{where}: {said.rstrip('.')}."


@cache
def sources_digest(name: str) -> str:
    """Return a digest of a game's source files, taken when it is first requested."""
    found = hashlib.sha256()
    folder = folders()[name]
    for path in sorted(path for pattern in ("*.py", "*.npz") for path in folder.rglob(pattern)):
        found.update(str(path.relative_to(folder)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def games() -> tuple[GameDefinition, ...]:
    """Return the definition of every game that can be used."""
    return tuple(game(name) for name in game_names())


def rulings(name: str) -> tuple[Ruling, ...]:
    """Return the rulings recorded in a game's folder."""
    path = folders()[name] / "rulings.toml"
    return read_rulings(path) if path.exists() else ()


def _load(folder: Path) -> ModuleType:
    # A game from elsewhere becomes a part of this package, so that its own modules import one another.
    if str(folder.parent) not in games_package.__path__:
        games_package.__path__.append(str(folder.parent))
    return importlib.import_module(f"pitboss.games.{folder.name}.definition")
