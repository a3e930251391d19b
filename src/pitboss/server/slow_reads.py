"""Slow queries of the record, in a separate thread, so that sign-ins and signed heads don't wait for them."""

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from pitboss.record.system import ThreadRunner

Answered = TypeVar("Answered")
EACH_MOST = 4  # how many of one person's queries may wait at once


class TooManyQuestions(Exception):
    """A person has too many queries waiting."""


class Questions:
    """One thread that answers queries in turn, and the people waiting for it."""

    def __init__(self) -> None:
        self._runner = ThreadRunner("questions")
        self._waiting: Counter[str] = Counter()

    async def answer(self, work: Callable[[], Answered], by: str | None = None) -> Answered:
        """Return the result of the work, or raise TooManyQuestions if this person has too many waiting."""
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
