"""A lab worker process: it reads questions as lines of JSON and ends when its parent is gone."""

import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, BinaryIO

from pitboss.server.lab.priority import give_way

FAILED = "The lab failed to answer"


class QuestionQueue:
    """The worker's queue of questions, and the questions that were canceled."""

    def __init__(self, asked: BinaryIO, answers: BinaryIO) -> None:
        self._asked, self._answers = asked, answers
        self._waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._writing = threading.Lock()

    def read(self) -> None:
        """Read questions until the input ends, then end the process even in the middle of an answer."""
        for line in self._asked:
            question = json.loads(line)
            if "cancel" in question:
                self._cancelled.add(question["cancel"])
            else:
                self._waiting.put(question)
        os._exit(0)

    def say(self, **answer: Any) -> None:
        """Write an answer."""
        with self._writing:
            self._answers.write(json.dumps(answer).encode() + b"\n")
            self._answers.flush()

    def work(self) -> None:
        """Answer questions one after another."""
        from pitboss.odds.announcing import told
        from pitboss.server.lab.answers import answered
        from pitboss.server.lab.questions import NotAnswered

        with told(lambda kernel: self.say(compiling=kernel)):
            while True:
                question = self._waiting.get()
                number = question["id"]

                def tell(data: dict[str, Any], number: int = number) -> bool:
                    self.say(id=number, known=data)
                    return number not in self._cancelled

                try:
                    if number in self._cancelled:
                        raise NotAnswered(_cancelled())
                    self.say(id=number, answer=answered(question["kind"], question["body"], tell))
                except NotAnswered as fault:
                    self.say(id=number, refused=fault.refusal.as_dict())
                except Exception as fault:  # a bug of ours must not take the other questions down with it
                    self.say(id=number, failed=f"{FAILED}: {type(fault).__name__}: {fault}")
                self._cancelled.discard(number)


def _cancelled() -> Any:
    from pitboss.rules.refusal import Refusal

    return Refusal("This was canceled before it started")


def main() -> None:
    """Work until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a keyboard interrupt is for the parent process
    with suppress(OSError, ValueError, IndexError):
        give_way(int(sys.argv[1]))
    questions = QuestionQueue(sys.stdin.buffer, os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # a library's prints must not end up among the answers
    threading.Thread(target=questions.read, daemon=True).start()
    questions.work()


if __name__ == "__main__":
    main()
