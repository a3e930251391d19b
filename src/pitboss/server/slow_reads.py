"""Slow questions about the record, in a thread of their own, so that no sign-in and no signed head waits for them."""

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from pitboss.record.system import ThreadRunner

Answered = TypeVar("Answered")
EACH_MOST = 4  # how many of one person's questions wait at once


class TooManyQuestions(Exception):
    """One person asks more than is answered meanwhile."""


class Questions:
    """One thread that answers questions in turn, and who waits for it."""

    def __init__(self) -> None:
        self._runner = ThreadRunner("questions")
        self._waiting: Counter[str] = Counter()

    async def answer(self, work: Callable[[], Answered], by: str | None = None) -> Answered:
        """Return what the work returns, or raise TooManyQuestions where this person has enough of them waiting."""
        if by is None:
            return await self._runner.run(work)
        if self._waiting[by] >= EACH_MOST:
            raise TooManyQuestions
        self._waiting[by] += 1
        try:
            return await self._runner.run(work)
        finally:
            self._waiting[by] -= 1
            if not self._waiting[by]:
                del self._waiting[by]

    def close(self) -> None:
        """End the thread when its work is done."""
        self._runner.close()
