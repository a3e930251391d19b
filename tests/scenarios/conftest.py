"""One floor for all scenarios of a process; every scenario opens its own tables there."""

from collections.abc import Callable, Iterator

import pytest

from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.patron_floor import SETTINGS as PATRON_SETTINGS


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("scenarios"))
    yield running
    running.stop()


@pytest.fixture
def new_table(floor: ScenarioFloor) -> Callable[..., ScenarioTable]:
    """Return what makes a table of a game on this floor; `open()` opens it."""

    def made(game_name: str, cards: str = "reader", **changes: object) -> ScenarioTable:
        return ScenarioTable(floor, game_name, cards, **changes)

    return made


@pytest.fixture(scope="module")
def patron_floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Return a floor with an exclusion list, players' limits and hand pays switched on."""
    running = ScenarioFloor(tmp_path_factory.mktemp("patrons"))
    running.both_at_office("olga", "otto", {"kind": "ChangeHouseSettings", "settings": PATRON_SETTINGS})
    yield running
    running.stop()
