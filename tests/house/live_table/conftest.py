"""Closes the tables at which the worked hands were played."""

from collections.abc import Iterator

import pytest

from house.live_table import told


@pytest.fixture(scope="session", autouse=True)
def _closing() -> Iterator[None]:
    yield
    if told.tables.cache_info().currsize:
        told.tables().runner.close()
