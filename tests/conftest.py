"""Coverage watches the quick tests of some places; the others run the same lines again, a quarter slower."""

import gc
import importlib
import os
import pkgutil
import random
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from coverage_floor import ROOMS
from memory_folder import use_memory

# With the quick tests of these folders and files every room reaches its floor; the others add next to nothing to it.
WATCHED = (
    *("cards/", "rules/", "games/", "round/", "table/", "submission/"),
    *("lab/test_named_strategies.py", "lab/test_reasons.py", "lab/test_split.py", "odds/test_expectations.py"),
    *("cli/test_strategy.py", "cli/test_play_session.py"),
    *("house/live_table/test_anything.py", "house/live_table/test_disputes.py", "house/live_table/test_misread.py"),
    *("house/live_table/test_rounds.py", "house/test_replay.py"),
)
LONG = ("browser-0", "browser-1", "exact", "simulation", "server", "postgres", "processes", "matrix")  # minutes each
TESTS = Path(__file__).parent

use_memory()
gc.disable()  # until everything is collected: nothing of it can be freed
os.environ["PITBOSS_LAB_NICE"] = "0"  # a test that waits for the lab must not wait until all other tests are done
os.environ["PITBOSS_LAB_WARM_UP"] = "when asked"  # else each floor that a process opens compiles for every game
pytest_plugins = ["record.databases", "processor_times"]


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Import what has a floor while it is watched: a slow test that came first would hide a module's own lines."""
    if sys.gettrace() is not None:
        _compile_unwatched()
        for room in ROOMS:
            for found in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
                importlib.import_module(found.name)


def _compile_unwatched() -> None:
    # Nothing of the compiler is measured, and watching it takes longer than compiling does.
    from numba.core import event

    kept = threading.local()

    class Unwatched(event.Listener):
        def on_start(self, event: object) -> None:
            kept.watching = [*getattr(kept, "watching", ()), sys.gettrace()]
            sys.settrace(None)

        def on_end(self, event: object) -> None:
            *kept.watching, watching = kept.watching
            sys.settrace(watching)

    event.register("numba:compile", Unwatched())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file's tests on one worker, and begin with what takes minutes: at the end it would keep one busy alone.

    A file's tests share what was counted, opened or read for the first of them. Whole floors share nothing, so each is
    given to whichever worker is free. `PITBOSS_TEST_ORDER=7 make test` runs the files, and the tests within each, in an
    order drawn from that seed.
    """
    if seed := os.environ.get("PITBOSS_TEST_ORDER"):
        drawn = random.Random(seed)
        drawn.shuffle(items)
        files = sorted({item.path for item in items})
        drawn.shuffle(files)
        items.sort(key=lambda item: files.index(item.path))
    for item in items:
        place = item.path.relative_to(TESTS)
        is_alone = place.parts[0] == "simulation"
        if "PYTEST_XDIST_WORKER" in os.environ and not is_alone and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(".".join(place.with_suffix("").parts)))
    _share_browsers(items)
    items.sort(key=_turn)


def _share_browsers(items: list[pytest.Item]) -> None:
    # Two workers have a Chromium each and take every other file: with one, it works on alone when all others are done.
    needing = [
        item for item in items if (marked := item.get_closest_marker("xdist_group")) and "browser" in marked.args
    ]
    files = sorted({item.path for item in needing})
    for item in needing:
        item.add_marker(pytest.mark.xdist_group(f"browser-{files.index(item.path) % 2}"), append=False)


def _turn(item: pytest.Item) -> int:
    marked = item.get_closest_marker("xdist_group")
    group = marked.args[0] if marked else item.path.relative_to(TESTS).parts[0]
    return LONG.index(group) if group in LONG else len(LONG)


def pytest_collection_finish() -> None:
    """Set what was collected aside: fourteen thousand tests would be looked through by every garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a slow test, or one of a folder that isn't watched, and what it starts, unwatched."""
    watching, beside = sys.gettrace(), threading.gettrace()
    place = item.path.relative_to(TESTS).as_posix()
    is_watched = place.startswith(WATCHED) and item.get_closest_marker("slow") is None
    if watching is None or is_watched:
        return (yield)
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(watching)
        threading.settrace(beside)
