"""Plays the rounds of a simulation in several processes on this machine."""

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any

from pitboss.lab.blocks import Block
from pitboss.lab.plan import Plan, Play, Work
from pitboss.lab.played import Table

AHEAD = 3  # blocks handed out for each worker, so that none waits for the next


class WorkersFailed(Exception):
    """The worker processes could not be started, or ended early."""


@contextmanager
def worked(plan: Plan, workers: int) -> Iterator[Play]:
    """Yield the function that plays blocks, in this process or in several others."""
    # Made before any worker starts, so that each finds in the user's cache what is solved and compiled.
    table = plan.table()
    if workers == 1:
        yield lambda work: (table.block(plan.seed, first, rounds) for first, rounds in work)
        return
    # Spawned, never forked: a fork after a parallel kernel has run would hang.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, _begin, (plan,))
    try:
        yield lambda work: _blocks(executor, work, AHEAD * workers)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _blocks(executor: ProcessPoolExecutor, work: list[Work], ahead: int) -> Iterator[Block]:
    waiting = iter(work)
    try:
        with uninterrupted(signal.SIG_IGN):  # inherited by the workers; the parent process stops them
            running: set[Future[Block]] = {executor.submit(_played, span) for span in islice(waiting, ahead)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {executor.submit(_played, span) for span in islice(waiting, len(done))}
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        reason = "a script that uses several workers must guard its start with `if __name__ == '__main__'`"
        raise WorkersFailed(f"The workers stopped before they finished; {reason}.") from None


@contextmanager
def uninterrupted(meanwhile: Any = None) -> Iterator[None]:
    """Delay interrupts until the block is done."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, meanwhile or (lambda number, frame: came.append(number)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        before(signal.SIGINT, None)


_plan: Plan | None = None
_table: Table | None = None


def _begin(plan: Plan) -> None:
    global _plan, _table
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _plan, _table = plan, plan.table()


def _played(work: Work) -> Block:
    assert _plan is not None, "a worker begins before it works"
    assert _table is not None
    return _table.block(_plan.seed, *work)
