"""A process ends when it is told to, whatever happens at the same moment and whether or not its database is there."""

import asyncio
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url

from house.floors import Chance, Clock
from patience import WAIT_S
from pitboss.record import sql_engine
from pitboss.record.keys import Keyring, fresh_key
from pitboss.record.sql_engine import listening_address
from pitboss.record.system import ThreadRunner
from pitboss.server.app import make_floor
from pitboss.server.cluster.envelopes import Envelope
from pitboss.server.cluster.peers import Link, Peers
from pitboss.server.cluster.processes import Processes
from pitboss.server.data_folder import Hold
from pitboss.server.open_floor import FloorSettings
from server.beside import Beside, until

pytestmark = pytest.mark.xdist_group("processes")
PEER = "http://127.0.0.1:1#peer"
TICKS = range(8)  # of the event loop, between what a loop waits for and the end
SOON_S = 5.0  # nothing that these loops do takes time


class Leavable:
    """A database that can go away for good."""

    def __init__(self, server: str) -> None:
        self._server, self.name = server, f"pitboss_{uuid.uuid4().hex}"
        self.url = make_url(server).set(database=self.name).render_as_string(hide_password=False)
        self._do(f"CREATE DATABASE {self.name}")

    def go(self) -> None:
        """Refuse every connection, and end those that are open."""
        self._do(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS false")
        self._do(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.name}'")

    def drop(self) -> None:
        """Remove it."""
        self._do(f"DROP DATABASE {self.name} WITH (FORCE)")

    def _do(self, statement: Any) -> None:
        with psycopg.connect(listening_address(self._server), autocommit=True) as connection:
            connection.execute(statement)


@pytest.fixture
def database(postgres_server: str) -> Iterator[Leavable]:
    found = Leavable(postgres_server)
    yield found
    found.drop()


def envelope() -> Envelope:
    return Envelope(lambda: Keyring((fresh_key(Chance(1)),)), Clock(), Chance(1))


async def passed(ticks: int) -> None:
    for _ in range(ticks):
        await asyncio.sleep(0)


@pytest.mark.parametrize("ticks", TICKS)
def test_a_link_ends_also_when_it_is_closed_while_the_other_process_refuses_it(
    ticks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(link: Link) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(Link, "_dial", refused)

    async def closed() -> None:
        peers = Peers(envelope())
        peers.to(PEER)
        await passed(ticks)
        async with asyncio.timeout(SOON_S):
            await peers.close()

    asyncio.run(closed())


@pytest.mark.parametrize("ticks", TICKS)
def test_leases_are_renewed_no_more_also_when_a_process_ends_as_the_leases_are_due(
    ticks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def renewed(processes: Processes) -> None:
        pass

    monkeypatch.setattr(Processes, "_beat", renewed)

    async def ended() -> bool:
        house: Any = SimpleNamespace(outside=SimpleNamespace(randomness=Chance(1)))
        store: Any = None
        processes = Processes(
            house, store, Peers(envelope()), ThreadRunner("reader"), database="postgresql://", address=""
        )
        beating = asyncio.create_task(processes._beat_on())
        await passed(len(TICKS))
        processes._beat_due.set()
        await passed(ticks)
        beating.cancel()
        done, _ = await asyncio.wait({beating}, timeout=SOON_S)
        return beating in done

    assert asyncio.run(ended())


def test_a_floor_whose_database_is_gone_closes_without_waiting_for_it(
    database: Leavable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_engine, "BACK_WITHIN_S", 2 * WAIT_S)

    async def closed() -> None:
        floor = make_floor(FloorSettings(tmp_path, database.url))
        await floor.start()
        database.go()
        async with asyncio.timeout(WAIT_S):
            await floor.stop()
        assert floor.is_broken

    asyncio.run(closed())
    Hold(tmp_path).release()  # everything was released, so it can be opened again


@pytest.mark.slow
def test_a_process_whose_database_is_gone_ends_when_it_is_told_to(database: Leavable, tmp_path: Path) -> None:
    process = Beside(tmp_path, "alone", database.url)
    try:
        process.ready()
        database.go()
        process.signal(signal.SIGTERM)
        took = until(lambda: process.process.poll() is not None)
        print(f"it ended after {took:.1f} s")
        assert "lifespan" not in Path(process.log.name).read_text()  # as the web server calls an end that went wrong
    finally:
        process.end()
