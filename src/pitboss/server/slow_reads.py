"""Slow queries of the record, in a separate thread, so that sign-ins and signed heads don't wait for them."""

from collections.abc import Callable
from typing import TypeVar

from pitboss.house.fair_turns import FairTurns
from pitboss.record.system import ThreadRunner

Answered = TypeVar("Answered")
EACH_MOST = 4  # how many of one visitor's queries may wait at once
WAITING_MOST = 64  # of all visitors


class Questions:
    """One thread that answers queries, each from the next visitor in turn."""

    def __init__(self, name: str = "questions") -> None:
        self._runner = ThreadRunner(name)
        self._turns = FairTurns(at_once=1, each_most=EACH_MOST, waiting_most=WAITING_MOST)

    async def answer(self, work: Callable[[], Answered], by: str | None = None) -> Answered:
        """Return the result of the house's own work, or of a visitor's; raise TooManyWaiting if theirs are too many."""
        if by is None:
            return await self._runner.run(work)
        async with self._turns.turn(by):
            return await self._runner.run(work)

    def close(self) -> None:
        """End the thread when its work is done."""
        self._runner.close()
