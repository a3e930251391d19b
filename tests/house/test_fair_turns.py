"""Turns at something slow are given in rotation, and a visitor who asks for too many is refused."""

import asyncio

import pytest

from pitboss.house.fair_turns import FairTurns, TooManyWaiting


def test_a_visitor_with_many_requests_delays_nobody_by_more_than_one() -> None:
    async def run() -> list[str]:
        turns, order = FairTurns(at_once=1, each_most=9, waiting_most=99), []

        async def ask(who: str) -> None:
            async with turns.turn(who):
                order.append(who)
                await asyncio.sleep(0)

        await asyncio.gather(*(ask("greedy") for _ in range(6)), ask("bob"), ask("cleo"))
        assert len(turns) == 0
        return order

    assert asyncio.run(run()) == ["greedy", "greedy", "bob", "cleo", *["greedy"] * 4]


def test_too_many_of_one_visitor_or_of_all_are_refused_at_once() -> None:
    async def run() -> None:
        turns, release = FairTurns(at_once=2, each_most=2, waiting_most=3), asyncio.Event()

        async def ask(who: str) -> None:
            async with turns.turn(who):
                await release.wait()

        held = [asyncio.create_task(ask(who)) for who in ("amy", "amy", "bob")]
        await asyncio.sleep(0)
        for who in ("amy", "cleo"):
            with pytest.raises(TooManyWaiting):
                await ask(who)
        release.set()
        await asyncio.gather(*held)
        await ask("amy")

    asyncio.run(run())


def test_a_turn_that_is_given_up_goes_to_the_next() -> None:
    async def run() -> list[str]:
        turns, release, order = FairTurns(at_once=1, each_most=2, waiting_most=9), asyncio.Event(), []

        async def ask(who: str) -> None:
            async with turns.turn(who):
                order.append(who)
                await release.wait()

        first, second, third = (asyncio.create_task(ask(who)) for who in ("amy", "bob", "cleo"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        first.cancel()  # while it holds its turn
        release.set()
        await asyncio.gather(first, second, third, return_exceptions=True)
        return order

    assert asyncio.run(run()) == ["amy", "cleo"]


def test_a_turn_given_and_given_up_in_the_same_moment_is_not_lost() -> None:
    async def run() -> None:
        turns, release = FairTurns(at_once=1, each_most=2, waiting_most=9), asyncio.Event()

        async def ask(who: str) -> None:
            async with turns.turn(who):
                await release.wait()

        first = asyncio.create_task(ask("amy"))
        await asyncio.sleep(0)
        second = asyncio.create_task(ask("bob"))
        await asyncio.sleep(0)
        release.set()
        await first  # which hands the turn to bob, who has not run yet
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        await asyncio.wait_for(ask("cleo"), 5)

    asyncio.run(run())
