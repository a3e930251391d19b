"""The lab of an open floor: a pool of worker processes, so that questions about odds never delay a command."""

import asyncio
import json
import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pitboss.games.catalogue import game_names
from pitboss.house.fair_turns import FairTurns, TooManyWaiting
from pitboss.rules.refusal import Refusal

log = logging.getLogger("pitboss.lab")
LINE_BYTES_MOST = 64 * 2**20
WORKER = "pitboss.server.lab.worker"
WAITING_MOST = 64  # questions that may wait for one process
EACH_MOST = 4  # of one visitor
NOT_YET, TOO_MUCH = 202, 429  # the answer isn't ready yet; it was requested, and a retry gets it
READY_MOST, OPEN_MOST = 2_000, 64
PATIENCE_S = 3.0
WARM_AFTER_S = 3.0
STOPPED = Refusal("The lab stopped before it could answer. Try again")
FAILED = Refusal("Something went wrong in the lab. Try again, and report it if it happens again")
BUSY = Refusal("The lab is busy. Try again in a moment")
TOO_MANY = Refusal("Too many of your questions are waiting. Wait for an answer first")
WORKING = Refusal("The lab is still working on this. Try again in a moment")
# What may count for minutes has a process of its own, so that nothing that takes seconds waits behind it.
TAKES_MINUTES = frozenset({"rulings", "packet", "compared", "distribution", "exposure", "incident"})
COLD, WARMING, READY = "cold", "warming", "ready"
AT_START, WHEN_ASKED = "at start", "when asked"  # every game soon after the start, or each at its first question
WARM_UP = "PITBOSS_LAB_WARM_UP"  # the variable that chooses one of these; by default every game at the start
ANSWERS_NICE, SOLVING_NICE = 5, 15
Known = Callable[[dict[str, Any]], None]


def chosen_warm_up() -> str:
    """Return when a lab warms up, as the environment chooses."""
    return WHEN_ASKED if os.environ.get(WARM_UP) == WHEN_ASKED else AT_START


class Unanswered(Exception):
    """Why the lab gives no answer: the question is wrong, or the lab isn't ready."""

    def __init__(self, refusal: Refusal, status: int = 409) -> None:
        super().__init__(refusal.reason)
        self.refusal, self.status = refusal, status


@dataclass(slots=True)
class _Question:
    answer: asyncio.Future[Any]
    known: Known | None


@dataclass(slots=True)
class Bench:
    """One worker process of the lab, started at its first question."""

    name: str
    nice: int
    compiling: str | None = None
    _process: asyncio.subprocess.Process | None = None
    _reading: asyncio.Task[None] | None = None
    _questions: dict[int, _Question] = field(default_factory=dict)
    _last: int = 0
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    # The process gets one question after another, each from the next visitor in turn.
    _turns: FairTurns = field(
        default_factory=lambda: FairTurns(at_once=1, each_most=EACH_MOST, waiting_most=WAITING_MOST)
    )

    async def ask(self, kind: str, body: Mapping[str, Any], known: Known | None = None, by: str = "") -> Any:
        """Return an answer to a visitor when it is their turn, or raise Unanswered, and pass progress on."""
        try:
            async with self._turns.turn(by):
                number, answer = await self.put(kind, body, known)
                try:
                    return await answer
                finally:
                    self._questions.pop(number, None)
        except TooManyWaiting:
            is_full = len(self._turns) >= WAITING_MOST
            raise Unanswered(BUSY if is_full else TOO_MANY, TOO_MUCH) from None

    async def put(
        self, kind: str, body: Mapping[str, Any], known: Known | None = None
    ) -> tuple[int, asyncio.Future[Any]]:
        """Send a question, and return its number and the future of its answer."""
        if len(self._questions) >= WAITING_MOST:
            raise Unanswered(BUSY, TOO_MUCH)
        async with self._starting:
            process = await self._running()
        self._last += 1
        number = self._last
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._questions[number] = _Question(answer, known)
        assert process.stdin is not None
        with suppress(ConnectionError):  # the reader notices that the process is gone
            process.stdin.write(json.dumps({"id": number, "kind": kind, "body": dict(body)}).encode() + b"\n")
            await process.stdin.drain()
        return number, answer

    def cancel(self, number: int) -> None:
        """Cancel a question that nobody waits for; a long computation stops where it is."""
        if self._process is not None and self._process.stdin is not None and number in self._questions:
            self._process.stdin.write(json.dumps({"cancel": number}).encode() + b"\n")

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                WORKER,
                str(self.nice),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES_MOST,
                env={**os.environ, "NUMBA_NUM_THREADS": str(max(1, (os.cpu_count() or 2) - 1))},
            )
            self._reading = asyncio.create_task(self._read(self._process))
        return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._take(json.loads(line))
        self.compiling = None
        for question in self._questions.values():
            if not question.answer.done():
                question.answer.set_exception(Unanswered(STOPPED, 503))

    def _take(self, said: dict[str, Any]) -> None:
        if "compiling" in said:
            self.compiling = said["compiling"]
            return
        question = self._questions.get(said["id"])
        if question is None or question.answer.done():
            return
        if "known" in said:
            if question.known is not None:
                question.known(said["known"])
            return
        self._questions.pop(said["id"])
        if "answer" in said:
            question.answer.set_result(said["answer"])
        elif "refused" in said:
            question.answer.set_exception(Unanswered(Refusal(**said["refused"])))
        else:
            log.error("lab question failed", extra={"reason": said["failed"]})
            question.answer.set_exception(Unanswered(FAILED, 500))


class Laboratory:
    """The lab's worker processes, what each has ready, and the state a page can show."""

    def __init__(self, games: Iterable[str] | None = None, warms_up: str = AT_START) -> None:
        self._answers, self._solving = Bench("answers", ANSWERS_NICE), Bench("solving", SOLVING_NICE)
        self._counting = Bench("counting", SOLVING_NICE)
        self.simulating = Bench("simulating", SOLVING_NICE)
        self._games = tuple(games or game_names())
        self._warms_up, self._for_all = warms_up, False
        self._warm: set[str] = set()  # games, and versions of tables' rules
        self._ready: OrderedDict[tuple[str, str], None] = OrderedDict()  # kinds of questions with nothing to solve
        self._open: OrderedDict[str, asyncio.Task[Any]] = OrderedDict()  # questions in progress or not fetched yet
        self._warming: asyncio.Task[None] | None = None
        self._also: dict[str, Mapping[str, Any]] = {}

    @property
    def state(self) -> dict[str, Any]:
        """Return the lab's state: whether it is ready, for which games, and what it is compiling."""
        is_ready = self._warm.issuperset(self._games)
        busy = self._warming is not None and not self._warming.done()
        return {
            "state": READY if is_ready else WARMING if busy else COLD,
            "games": {name: name in self._warm for name in self._games},
            "compiling": self._answers.compiling or self._solving.compiling or self._counting.compiling,
        }

    def warm_up(self) -> None:
        """Start warming up the lab for every game in the background, unless that is done or in progress."""
        self._for_all = True
        self._go_on_warming()

    def _go_on_warming(self) -> None:
        if self._coldest() is not None and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._warm_all())

    async def warm_up_later(self) -> None:
        """Warm up the lab when a floor that has just opened has done its more urgent work."""
        if self._warms_up == AT_START:
            await asyncio.sleep(WARM_AFTER_S)
            self.warm_up()

    def is_warm(self, name: str, body: Mapping[str, Any] | None = None) -> bool:
        """Return whether questions about a game, or about a version of a table's rules, can be answered at once."""
        if name not in self._warm:
            self._also.setdefault(name, body or {"game": name})
            self._go_on_warming()
        return name in self._warm

    async def answer(self, kind: str, body: Mapping[str, Any], *, rests_on: str = "", by: str = "") -> Any:
        """Return a quick answer; whatever must be solved first is solved in another worker and is ready after that."""
        if body["game"] in self._games and not self.is_warm(body["game"]):
            raise warming_up(self.state)
        if self.is_ready(kind, rests_on):
            return await self._soon(self._answers, kind, body, by)
        found = await self.solve(kind, body, by)
        self._ready[kind, rests_on] = None
        while len(self._ready) > READY_MOST:
            self._ready.popitem(last=False)
        return found

    async def solve(self, kind: str, body: Mapping[str, Any], by: str = "") -> Any:
        """Return an answer that may take long; until it is ready, the caller gets a response that says to retry."""
        return await self._soon(self._counting if kind in TAKES_MINUTES else self._solving, kind, body, by)

    async def _soon(self, bench: Bench, kind: str, body: Mapping[str, Any], by: str) -> Any:
        # No request is held for long: a server that is closing waits for open requests.
        key = json.dumps([kind, body], sort_keys=True)
        task = self._open.get(key)
        if task is None:
            task = self._open[key] = asyncio.create_task(bench.ask(kind, body, by=by))
            task.add_done_callback(_seen)
            while len(self._open) > OPEN_MOST:
                self._open.popitem(last=False)
        done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
        if not done:
            raise Unanswered(WORKING, NOT_YET)
        self._open.pop(key, None)
        return task.result()

    def is_ready(self, kind: str, rests_on: str) -> bool:
        """Return whether such a question has nothing left to solve."""
        return not rests_on or (kind, rests_on) in self._ready

    async def close(self) -> None:
        """End the lab's worker processes."""
        under_way = [*self._open.values(), *([self._warming] if self._warming else [])]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for bench in (self._answers, self._solving, self._counting, self.simulating):
            await bench.close()

    async def _warm_all(self) -> None:
        # One question after another, so that visitors' questions fit in between. What was asked for comes first.
        while (name := self._coldest()) is not None:
            try:
                await self._answers.ask("warm", self._also.get(name, {"game": name}))
            except Unanswered as fault:
                log.error("lab warm-up failed", extra={"reason": fault.refusal.reason})
                return
            self._warm.add(name)

    def _coldest(self) -> str | None:
        others = self._games if self._for_all else ()
        return next((name for name in (*self._also, *others) if name not in self._warm), None)


def _seen(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()  # reported to the visitor who retries, if there is one


def warming_up(state: Mapping[str, Any]) -> Unanswered:
    """Return the message for a visitor before the lab is ready."""
    compiled = f" and compiling {state['compiling']}" if state["compiling"] else ""
    return Unanswered(Refusal(f"The lab is warming up{compiled}. Try again in a moment"), NOT_YET)
