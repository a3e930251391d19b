"""Finds the modules of a game's folder by their file names."""

import importlib
from types import ModuleType

from pitboss.games.catalogue import folders


def has_part(name: str, part: str) -> bool:
    """Say whether a game's folder has a module of this name."""
    return (folders()[name] / f"{part}.py").exists()


def part_of(name: str, part: str) -> ModuleType | None:
    """Return a module of a game's folder, or None where the folder has no such file."""
    return importlib.import_module(f"pitboss.games.{folders()[name].name}.{part}") if has_part(name, part) else None


def part_or(name: str, part: str, general: str) -> ModuleType:
    """Return a module of a game's folder, or the general module that does the same for any game."""
    return part_of(name, part) or importlib.import_module(general)
