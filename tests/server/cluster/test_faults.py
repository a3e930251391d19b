"""Three processes on PostgreSQL under load, each kind of fault once: nothing is lost, nothing counts twice."""

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.games.catalogue import game_names
from record.postgres import fresh_schema, server
from server.beside import until
from server.cluster.test_processes import Watching
from server.faults import Load, Trio, under_load

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.slow]
LONGER_THAN_A_LEASE_S = 6.0


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trio]:
    with server() as postgres, fresh_schema(postgres) as url:
        found = Trio(tmp_path_factory.mktemp("trio"), url)
        yield found
        found.end()


@pytest.fixture
def trio(started: Trio) -> Trio:
    started.whole()
    return started


def all_go_on(loads: list[Load]) -> None:
    """Wait until every table takes commands again."""
    since = time.monotonic()
    until(lambda: all(load.goes_on(since) for load in loads))


def test_a_killed_process_loses_nothing(trio: Trio) -> None:
    with under_load(trio) as loads:
        all_go_on(loads)
        trio.owner(game_names()[0]).signal(signal.SIGKILL)
        all_go_on(loads)
        print(f"killed: the longest wait for a command was {max(load.longest_wait() for load in loads):.1f} s")
        assert len({trio.owner(name).address for name in game_names()}) == 2


def test_a_paused_process_is_fenced_off_and_rejoins_with_a_line_in_the_log(trio: Trio) -> None:
    name = game_names()[0]
    with under_load(trio) as loads:
        all_go_on(loads)
        paused = trio.owner(name)
        paused.signal(signal.SIGSTOP)
        try:
            until(lambda: trio.owner(name) is not paused)
            time.sleep(LONGER_THAN_A_LEASE_S)
        finally:
            paused.signal(signal.SIGCONT)
        all_go_on(loads)
        print(f"paused: the longest wait for a command was {max(load.longest_wait() for load in loads):.1f} s")
        until(trio.is_shared_out)
        assert paused.process.poll() is None
    assert "rejoining" in Path(paused.log.name).read_text()


def test_a_database_that_stalls_loses_nothing(trio: Trio) -> None:
    with under_load(trio) as loads:
        all_go_on(loads)
        with trio.stalled_database(2.0):
            pass
        all_go_on(loads)
    assert all(process.process.poll() is None for process in trio.both)


def test_a_slow_database_loses_nothing(trio: Trio) -> None:
    with under_load(trio) as loads:
        all_go_on(loads)
        with trio.slow_database(0.05):
            all_go_on(loads)
        all_go_on(loads)
    assert all(process.process.poll() is None for process in trio.both)


def test_a_database_that_drops_everyone_loses_nothing(trio: Trio) -> None:
    with under_load(trio) as loads:
        all_go_on(loads)
        assert trio.drop_connections() >= 3
        all_go_on(loads)
        until(trio.is_shared_out)
    assert all(process.process.poll() is None for process in trio.both)


def test_a_cut_between_processes_loses_nothing_and_screens_go_on(trio: Trio) -> None:
    name = game_names()[1]
    owner = trio.owner(name)
    other = next(process for process in trio.both if process is not owner)
    watcher, sender = trio.client(other, "flo"), trio.client(owner, "alice")
    with under_load(trio) as loads:
        all_go_on(loads)
        with watcher.live(name) as socket:
            watching = Watching(socket)
            until(watching.views)
            owner.wire.is_cut = True
            try:
                last = max(watching.views())
                done = sender.must(name, {"kind": "TakeSeat", "seat": 6})
                assert done["sequence"] > last
                until(lambda: max(watching.views()) >= done["sequence"])
            finally:
                owner.wire.is_cut = False
            all_go_on(loads)
            sender.must(name, {"kind": "LeaveSeat", "seat": 6})
    assert json.dumps(watching.frames[-1])
