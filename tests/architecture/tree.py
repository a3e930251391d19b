"""Where the source is: its rooms, its modules and the pages that describe them."""

import ast
import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pitboss"


def rooms() -> set[str]:
    """Return the names of the rooms that are built."""
    return {folder.parent.name for folder in PACKAGE.glob("*/__init__.py")}


def modules(*only: str) -> list[Path]:
    """Return every module of the package, or of some of its rooms."""
    folders = [PACKAGE / name for name in only] or [PACKAGE]
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def shown(path: Path) -> str:
    """Return a path as a failure names it."""
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def loaded(path: Path) -> ModuleType:
    """Return a module from a file outside the package, such as a build script."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def project() -> dict[str, Any]:
    """Return what pyproject.toml states."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def layers() -> list[str]:
    """Return the rooms of the import contract, from the top down."""
    contract = project()["tool"]["importlinter"]["contracts"][0]
    return [name.strip(" ()") for layer in contract["layers"] for name in layer.split("|")]


def pages() -> list[Path]:
    """Return every page of documentation."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
