"""A lab worker that computes nothing: it notes each question and answers once the test opens a gate, a file."""

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from patience import WAIT_S
from pitboss.server.lab import answers, worker

FOLDER = "PITBOSS_TEST_SLOW_LAB"  # the variable that names the folder with the notes and the gates
ENDED_S = 2 * WAIT_S  # longer than a test waits: what holds a question up is seen


def answered(kind: str, body: Mapping[str, Any], tell: Callable[[dict[str, Any]], bool] = lambda _: True) -> Any:
    """Note a question, wait for its gate or until it is canceled, and answer with nothing."""
    folder = Path(os.environ[FOLDER])
    if kind == "warm":
        return {}
    with (folder / "asked").open("a") as notes:
        notes.write(json.dumps([kind, body.get("stake_cents") or body.get("seed")]) + "\n")
    end = time.monotonic() + ENDED_S
    while not (folder / kind).exists() and time.monotonic() < end:
        if kind == "simulate" and not tell({"rounds": 1, "house_cents": 0}):
            break
        time.sleep(0.02)
    return []


if __name__ == "__main__":
    answers.answered = answered
    worker.main()
