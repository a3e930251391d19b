"""Coverage is what the quick tests see: slow ones run the same lines again and again, three times slower if watched."""

import importlib
import pkgutil
import sys
import threading
from collections.abc import Generator

import pytest

from coverage_floor import ROOMS
from memory_folder import use_memory

use_memory()
pytest_plugins = ["record.databases"]


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Import what has a floor while it is watched: a slow test that came first would hide a module's own lines."""
    if sys.gettrace() is not None:
        for room in ROOMS:
            for found in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
                importlib.import_module(found.name)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a slow test, and what it starts, unwatched."""
    watching, beside = sys.gettrace(), threading.gettrace()
    if watching is None or item.get_closest_marker("slow") is None:
        return (yield)
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    try:
        return (yield)
    finally:
        sys.settrace(watching)
        threading.settrace(beside)  # type: ignore[arg-type]
