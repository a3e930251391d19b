"""One person's queries of the record don't keep others waiting for long, and never delay a sign-in."""

import asyncio
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from patience import WAIT_S
from pitboss.house.fair_turns import TooManyWaiting
from pitboss.house.people.passwords import Password
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import FloorSettings
from pitboss.server.request_limits import CLIENT
from pitboss.server.routes import audit
from pitboss.server.slow_reads import EACH_MOST, Questions
from server.running import NO_TLS, Client, Running

pytestmark = pytest.mark.xdist_group("server")


def test_of_one_person_only_a_few_questions_wait_and_others_are_still_taken() -> None:
    async def asked() -> list[str]:
        questions, go_on = Questions(), threading.Event()
        waiting = [asyncio.ensure_future(questions.answer(go_on.wait, "ann")) for _ in range(EACH_MOST)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyWaiting):
            await questions.answer(go_on.wait, "ann")
        other = asyncio.ensure_future(questions.answer(lambda: "for ben", "ben"))
        go_on.set()
        assert await asyncio.gather(*waiting) == [True] * EACH_MOST
        answers = [await other, await questions.answer(lambda: "for ann again", "ann")]
        questions.close()
        return answers

    assert asyncio.run(asked()) == ["for ben", "for ann again"]


def test_visitors_take_turns() -> None:
    async def asked() -> list[str]:
        questions, go_on = Questions(), threading.Event()
        order: list[str] = []
        first = asyncio.ensure_future(questions.answer(go_on.wait, "ann"))
        await asyncio.sleep(0)
        waiting = [
            asyncio.ensure_future(questions.answer(partial(order.append, who), who)) for who in ("ann", "ann", "ben")
        ]
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(first, *waiting)
        questions.close()
        return order

    assert asyncio.run(asked()) == ["ann", "ben", "ann"]


def flooded(running: Running, client: Client, method: str, path: str, go_on: threading.Event, body: Any) -> list[int]:
    """Send more slow requests at once than may wait, let those that do go on, and return the statuses."""
    cookies = dict(client.http.cookies)

    async def flood() -> list[int]:
        async with httpx.AsyncClient(
            base_url=running.address, cookies=cookies, headers={CLIENT: "tests"}, timeout=WAIT_S, verify=NO_TLS
        ) as http:
            asked = [asyncio.create_task(http.request(method, path, json=body)) for _ in range(EACH_MOST + 4)]
            while sum(task.done() for task in asked) < len(asked) - EACH_MOST:
                await asyncio.sleep(0.02)
            go_on.set()
            return sorted([(await task).status_code for task in asked])

    return asyncio.run(flood())


@pytest.mark.parametrize(
    ("who", "method", "path"), [("aud", "GET", "/api/controls/settings"), ("alice", "POST", "/api/rules/preview")]
)
def test_too_many_slow_requests_of_one_person_are_refused_and_others_are_answered(
    running: Running, people: dict[str, Client], who: str, method: str, path: str
) -> None:
    floor, loop, go_on = running.floor, running.loop, threading.Event()
    assert floor is not None
    assert loop is not None
    body = {"document": next(iter(demo_documents().values()))} if method == "POST" else None
    held = asyncio.run_coroutine_threadsafe(floor.beside(lambda: go_on.wait(WAIT_S)), loop)
    assert flooded(running, people[who], method, path, go_on, body) == [200] * EACH_MOST + [429] * 4
    assert held.result(WAIT_S)
    assert people["olga"].http.get("/api/controls/settings").status_code == 200


def test_checks_of_a_table_by_one_person_wait_for_each_other(
    running: Running, people: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, under_way, most, check = threading.Event(), [0], [0], audit._verified

    def slow(*asked: Any) -> Any:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        go_on.wait(WAIT_S)
        under_way[0] -= 1
        return check(*asked)

    monkeypatch.setattr(audit, "_verified", slow)
    path = f"/api/audit/verify?table={next(iter(demo_documents()))}"
    assert flooded(running, people["aud"], "POST", path, go_on, None) == [200] * EACH_MOST + [429] * 4
    assert most == [1]


def test_a_slow_question_does_not_hold_up_a_sign_in(tmp_path: Path) -> None:
    async def signed_in() -> float:
        floor = make_floor(FloorSettings(tmp_path))
        await floor.start()
        go_on = threading.Event()
        slow = asyncio.ensure_future(floor.beside(lambda: go_on.wait(WAIT_S), "ann"))
        await asyncio.sleep(0)
        begun = time.monotonic()
        await floor.office.sign_in("ann", Password("no such password"))
        took = time.monotonic() - begun
        assert not slow.done()
        go_on.set()
        assert await slow
        await floor.stop()
        return took

    assert asyncio.run(signed_in()) < 25
