"""A floor in three processes whose PostgreSQL crashes, fails over to its standby, and is gone for good."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from record.standby import Replicated
from server.beside import until
from server.cluster.test_faults import all_go_on
from server.faults import Trio, under_load

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.slow]


@pytest.fixture
def database() -> Iterator[Replicated]:
    found = Replicated()
    yield found
    found.close()


@pytest.fixture
def trio(database: Replicated, tmp_path: Path) -> Iterator[Trio]:
    found = Trio(tmp_path, database.url)
    yield found
    found.end()


def test_a_crash_and_a_failover_lose_nothing_and_without_a_database_every_process_says_that_it_ends(
    trio: Trio, database: Replicated
) -> None:
    # In one test, because a floor with two databases takes long to start.
    trio.whole()
    for fault in (database.restart, database.fail_over):
        with under_load(trio) as loads:
            all_go_on(loads)
            begun = time.monotonic()
            fault()
            done = time.monotonic()
            all_go_on(loads)
            print(f"{fault.__name__} took {done - begun:.1f} s; all went on after {time.monotonic() - begun:.1f} s")
        assert all(process.process.poll() is None for process in trio.both)
    database.stop()
    until(lambda: all(process.process.poll() is not None for process in trio.both))
    for process in trio.both:
        assert "record failed; shutting down" in Path(process.log.name).read_text()
