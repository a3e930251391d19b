"""One person's queries of the record don't keep others waiting for long, and never delay a sign-in."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from patience import WAIT_S
from pitboss.house.people.passwords import Password
from pitboss.server.app import make_floor
from pitboss.server.open_floor import FloorSettings
from pitboss.server.slow_reads import EACH_MOST, Questions, TooManyQuestions


def test_of_one_person_only_a_few_questions_wait_and_others_are_still_taken() -> None:
    async def asked() -> list[str]:
        questions, go_on = Questions(), threading.Event()
        waiting = [asyncio.ensure_future(questions.answer(go_on.wait, "ann")) for _ in range(EACH_MOST)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyQuestions):
            await questions.answer(go_on.wait, "ann")
        other = asyncio.ensure_future(questions.answer(lambda: "for ben", "ben"))
        go_on.set()
        assert await asyncio.gather(*waiting) == [True] * EACH_MOST
        answers = [await other, await questions.answer(lambda: "for ann again", "ann")]
        questions.close()
        return answers

    assert asyncio.run(asked()) == ["for ben", "for ann again"]


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
