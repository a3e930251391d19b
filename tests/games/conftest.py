"""A folder with games from outside the package, forgotten after each test."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pitboss.games
from pitboss.games import catalogue


def forget() -> None:
    for kept in (catalogue.folders, catalogue._found, catalogue.sources_digest):
        kept.cache_clear()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that the catalogue looks into besides its own."""
    monkeypatch.setenv(catalogue.EXTRA_FOLDERS, str(tmp_path))
    monkeypatch.setattr(pitboss.games, "__path__", list(pitboss.games.__path__))
    before = set(sys.modules)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()
    for module in [name for name in set(sys.modules) - before if name.startswith("pitboss.games.")]:
        path = sys.modules[module].__file__
        if path and Path(path).is_relative_to(tmp_path):
            del sys.modules[module]
