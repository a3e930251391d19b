"""Simulations that lab visitors start: limited in number and length, each visible only to the one who began it."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pitboss.rules.refusal import Refusal
from pitboss.server.lab.worker_pool import Bench, Unanswered

AT_ONCE, KEPT = 4, 40
SECONDS_MOST = 120.0
WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"
ENDED = (DONE, CANCELLED, FAILED)
TOO_MANY = Refusal("Too many simulations are running. Wait for one to finish")
ONE_EACH = Refusal("Your last simulation is still running. Cancel it or wait for it to finish")


@dataclass(slots=True)
class RunningJob:
    """One simulation."""

    id: str
    owner: str
    asked: dict[str, Any]
    state: str = WAITING
    points: list[dict[str, int]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    reason: str | None = None
    number: int | None = None

    @property
    def rounds(self) -> int:
        """Return the number of rounds played so far."""
        return self.points[-1]["rounds"] if self.points else 0


class Jobs:
    """The simulations of one server; finished ones are kept for a while."""

    def __init__(self, bench: Bench, fresh: Callable[[], str], seconds_most: float = SECONDS_MOST) -> None:
        self._bench, self._fresh, self._seconds_most = bench, fresh, seconds_most
        self._jobs: OrderedDict[str, RunningJob] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, owner: str, asked: dict[str, Any]) -> RunningJob:
        """Begin a simulation, or refuse it."""
        running = [known for known in self._jobs.values() if known.state not in ENDED]
        if any(known.owner == owner for known in running):
            raise Unanswered(ONE_EACH, 429)
        if len(running) >= AT_ONCE:
            raise Unanswered(TOO_MANY, 429)
        job = RunningJob(self._fresh(), owner, asked)
        self._jobs[job.id] = job
        while len(self._jobs) > KEPT:
            ended = next((name for name, known in self._jobs.items() if known.state in ENDED), None)
            self._jobs.pop(ended or next(iter(self._jobs)))
        task = asyncio.create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def get(self, name: str, owner: str) -> RunningJob:
        """Return a simulation to the visitor who began it."""
        job = self._jobs.get(name)
        if job is None or job.owner != owner:
            raise Unanswered(Refusal("You have no simulation with this ID", None, "id"), 404)
        return job

    def cancel(self, job: RunningJob) -> None:
        """End a simulation where it is; the rounds played so far are kept."""
        if job.state not in ENDED:
            job.state = CANCELLED
            if job.number is not None:
                self._bench.cancel(job.number)

    async def close(self) -> None:
        """Cancel all simulations."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, job: RunningJob) -> None:
        def known(point: dict[str, int]) -> None:
            job.state = RUNNING if job.state == WAITING else job.state
            job.points.append(point)

        try:
            job.number, answer = await self._bench.put("simulate", job.asked, known)
            if job.state == CANCELLED:
                self._bench.cancel(job.number)
            done, _ = await asyncio.wait({answer}, timeout=self._seconds_most)
            if not done:  # it ends with the rounds played so far
                self._bench.cancel(job.number)
            job.result = await answer
            job.state = DONE if job.state != CANCELLED else CANCELLED
        except Unanswered as fault:
            if job.state != CANCELLED:
                job.state, job.reason = FAILED, fault.refusal.reason
