"""Notifications from the database: all of them are heard, in order, and after a lost connection again."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from patience import WAIT_S
from pitboss.record.postgres_rows import CHANNEL
from pitboss.record.sql_engine import listening_address
from pitboss.record.system import ThreadRunner
from pitboss.server.cluster.following import GATHER_S, Following

pytestmark = pytest.mark.xdist_group("postgres")
TOPIC, MANY = "topic", 60


class Listening:
    """A process that listens, and what it heard."""

    def __init__(self, url: str) -> None:
        house: Any = SimpleNamespace(store=SimpleNamespace(heads=dict))
        self.leases_due, self.heard = asyncio.Event(), list[int]()
        self.runner = ThreadRunner("reader")
        self.following = Following(house, url, self.runner, self.leases_due)
        self.following.topics[TOPIC] = self.heard.append
        self.task = asyncio.create_task(self.following.listen())

    async def begins(self) -> None:
        """Wait until it listens."""
        await asyncio.wait_for(self.leases_due.wait(), WAIT_S)
        self.leases_due.clear()

    async def hears(self, count: int) -> list[int]:
        """Wait until it has heard this many notifications, and return what they said."""
        async with asyncio.timeout(WAIT_S):
            while len(self.heard) < count:
                await asyncio.sleep(GATHER_S)
        return self.heard

    async def end(self) -> None:
        """Listen no more."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        self.runner.close()


async def notify(sender: "psycopg.AsyncConnection[Any]", number: int) -> None:
    await sender.execute("SELECT pg_notify(%s, %s)", (CHANNEL, json.dumps([[TOPIC, number]])))


def test_notifications_that_follow_each_other_are_all_heard_in_order(postgres_url: str) -> None:
    async def listened() -> list[int]:
        listening = Listening(postgres_url)
        await listening.begins()
        async with await psycopg.AsyncConnection.connect(listening_address(postgres_url), autocommit=True) as sender:
            for number in range(MANY):
                await notify(sender, number)
                await asyncio.sleep(GATHER_S / 5 if number % 3 else 0)
            heard = list(await listening.hears(MANY))
            await asyncio.sleep(2 * GATHER_S)  # it may be waiting for more
            await notify(sender, MANY)
            heard.append((await listening.hears(MANY + 1))[-1])
        await listening.end()
        return heard

    assert asyncio.run(listened()) == list(range(MANY + 1))


def test_a_lost_connection_is_made_again(postgres_url: str) -> None:
    async def listened() -> list[int]:
        listening = Listening(postgres_url)
        await listening.begins()
        async with await psycopg.AsyncConnection.connect(listening_address(postgres_url), autocommit=True) as sender:
            await notify(sender, 1)
            await listening.hears(1)
            ended = await sender.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query = %s", (f"LISTEN {CHANNEL}",)
            )
            found = await ended.fetchone()
            assert found is not None
            assert found[0] >= 1
            await listening.begins()
            await notify(sender, 2)
            heard = list(await listening.hears(2))
        await listening.end()
        return heard

    assert asyncio.run(listened()) == [1, 2]
