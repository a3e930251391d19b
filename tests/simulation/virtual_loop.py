"""An event loop with virtual time that jumps to the next event: hours in a moment, always in the same order."""

import asyncio
import selectors
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any


class NothingHappens(Exception):
    """Everything waits, and nothing is due."""


class Killable:
    """Something whose tasks can all be ended at once, as a killed process's are."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[Any]] = []

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Run something as part of this, with every task it makes."""
        token = _OWNER.set(self)
        try:
            return asyncio.get_running_loop().create_task(work)
        finally:
            _OWNER.reset(token)

    def end(self) -> None:
        """End all tasks where they stand."""
        for task in self.tasks:
            task.cancel()
        self.tasks.clear()


_OWNER: ContextVar[Killable | None] = ContextVar("owner", default=None)


class _NoWaiting(selectors.DefaultSelector):
    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise NothingHappens
        self.loop.passed_s += max(timeout, 0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that jumps to the next thing that is due."""

    def __init__(self) -> None:
        selector = _NoWaiting()
        selector.loop = self
        self.passed_s = 0.0
        super().__init__(selector)
        self.set_task_factory(_owned)

    def time(self) -> float:
        """Return how many seconds have passed."""
        return self.passed_s


def _owned(loop: asyncio.AbstractEventLoop, work: Any, **rest: Any) -> "asyncio.Task[Any]":
    task = asyncio.Task(work, loop=loop, **rest)
    owner = _OWNER.get()
    if owner is not None:
        owner.tasks = [task for task in owner.tasks if not task.done()]
        owner.tasks.append(task)
    return task


def run_virtually(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end in virtual time, and leave no task behind."""
    loop = VirtualLoop()
    faults: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: faults.append(context))
    try:
        return loop.run_until_complete(work)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.close()
