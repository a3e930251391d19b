"""Imports point down only, and the import contract covers every room and can fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from architecture.tree import PACKAGE, ROOT, layers, rooms


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "src" / "pitboss", ignore=shutil.ignore_patterns("__pycache__", "*.toml"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_rooms_import_downwards_only() -> None:
    linted = lint(ROOT)
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_every_room_has_its_layer() -> None:
    assert rooms() <= set(layers())


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("cards/deck.py", "rules"),
        ("rules/wager.py", "games"),
        ("round/money.py", "cli"),
        ("table/cut.py", "submission"),
    ],
)
def test_an_import_that_points_up_breaks_the_contract(low: str, high: str, copy: Path) -> None:
    module = copy / "src" / "pitboss" / low
    module.write_text(module.read_text("utf-8") + f"\nimport pitboss.{high}\n", "utf-8")
    linted = lint(copy)
    assert linted.returncode != 0
    assert f"is not allowed to import pitboss.{high}" in linted.stdout
