"""A Chromium for the browser tests of a process; stages and visitors that are closed afterward."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from browser.chromium import ARGUMENTS, ensure
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioFloor
from server.running import Running

FOLDER = Path(__file__).parent
expect.set_options(timeout=120_000)  # a machine that runs the whole suite is slow
_opened: list[tuple[Playwright, Browser]] = []  # at most one


@pytest.fixture(scope="module")
def chromium() -> Browser:
    if not _opened:
        playwright = sync_playwright().start()
        _opened.append((playwright, playwright.chromium.launch(executable_path=ensure(), args=list(ARGUMENTS))))
    return _opened[0][1]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close Chromium after the last browser test: while it is open, no other test can run an event loop of its own."""
    yield
    if _opened and (nextitem is None or nextitem.path.parent != FOLDER):
        playwright, browser = _opened.pop()
        browser.close()
        playwright.stop()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Open the scenarios' floor for the tests of a file; a file that needs another floor has its own fixture."""
    running = ScenarioFloor(tmp_path_factory.mktemp("floor"))
    yield running
    running.stop()


@pytest.fixture
def staged(tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """Open servers with chosen tables; they are stopped after the test."""
    stages: list[Stage] = []

    def open_stage(tables: Sequence[str] | None = None, kind: type[Stage] = Stage, **options: Any) -> Stage:
        stages.append(kind(tmp_path / f"floor-{len(stages)}", tables or game_names(), **options))
        return stages[-1]

    yield open_stage
    for stage in stages:
        stage.stop()


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Callable[..., Visitor]]:
    """Open a visitor's own browser on a server; anything that goes wrong on their pages fails the test."""
    visitors: list[Visitor] = []

    def come(stage: Running, name: str | None, **options: Any) -> Visitor:
        visitors.append(Visitor(chromium, stage, name, **options))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
