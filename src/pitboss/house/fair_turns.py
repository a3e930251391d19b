"""Turns at something slow: a few at once, one visitor after another, and only so many may wait."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class TooManyWaiting(Exception):
    """A visitor has too many requests waiting, or all visitors together do."""


class FairTurns:
    """Gives turns to visitors in rotation, so that a visitor with many requests delays nobody by more than one."""

    def __init__(self, *, at_once: int, each_most: int, waiting_most: int) -> None:
        self._at_once, self._each_most, self._waiting_most = at_once, each_most, waiting_most
        self._running = 0
        self._asked: Counter[str] = Counter()  # running and waiting, by visitor
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next visitor first

    def __len__(self) -> int:
        return self._asked.total()

    def check(self, by: str) -> None:
        """Raise TooManyWaiting if a visitor's next request would be refused."""
        if self._asked[by] >= self._each_most or len(self) >= self._waiting_most:
            raise TooManyWaiting

    @asynccontextmanager
    async def turn(self, by: str) -> AsyncIterator[None]:
        """Wait for a turn and hold it, or raise TooManyWaiting at once."""
        self.check(by)
        self._asked[by] += 1
        try:
            await self._begun(by)
            try:
                yield
            finally:
                self._ended()
        finally:
            self._asked[by] -= 1
            if not self._asked[by]:
                del self._asked[by]

    async def _begun(self, by: str) -> None:
        if self._running < self._at_once:
            self._running += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(by, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._ended()  # the turn came in the same moment, so the next visitor gets it
            raise

    def _ended(self) -> None:
        while self._waiting:
            by, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[by] = turns  # behind everybody else who waits
            if not turn.done():
                turn.set_result(None)
                return
        self._running -= 1
