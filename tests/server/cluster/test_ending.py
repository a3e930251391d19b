"""A process ends when it is told to, whatever happens at the same moment and whether or not its database is there."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from house.floors import Chance, Clock
from pitboss.record.keys import Keyring, fresh_key
from pitboss.record.system import ThreadRunner
from pitboss.server.cluster.envelopes import Envelope
from pitboss.server.cluster.peers import Link, Peers
from pitboss.server.cluster.processes import Processes

pytestmark = pytest.mark.xdist_group("processes")
PEER = "http://127.0.0.1:1#peer"
TICKS = range(8)  # of the event loop, between what a loop waits for and the end
SOON_S = 5.0  # nothing that these loops do takes time


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
