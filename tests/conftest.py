"""Coverage watches the quick tests of some folders; the others run the same lines again, two or three times slower."""

import importlib
import pkgutil
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from coverage_floor import ROOMS
from memory_folder import use_memory

# With these folders' quick tests every room reaches its floor; servers, browsers and whole floors add nothing to it.
WATCHED = frozenset({"cards", "rules", "games", "round", "table", "submission", "lab", "cli", "house"})
TESTS = Path(__file__).parent

use_memory()
pytest_plugins = ["record.databases", "processor_times"]


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Import what has a floor while it is watched: a slow test that came first would hide a module's own lines."""
    if sys.gettrace() is not None:
        for room in ROOMS:
            for found in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
                importlib.import_module(found.name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with whole floors: a minute of them at the end would keep one worker busy alone."""
    items.sort(key=lambda item: item.path.relative_to(TESTS).parts[0] != "simulation")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a slow test, or one of a folder that isn't watched, and what it starts, unwatched."""
    watching, beside = sys.gettrace(), threading.gettrace()
    is_watched = item.path.relative_to(TESTS).parts[0] in WATCHED and item.get_closest_marker("slow") is None
    if watching is None or is_watched:
        return (yield)
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    try:
        return (yield)
    finally:
        sys.settrace(watching)
        threading.settrace(beside)  # type: ignore[arg-type]
