"""What is worked out from the record in a process of its own ends with the floor, whatever moment that is."""

import subprocess
from types import SimpleNamespace, TracebackType
from typing import Any

import pytest

from pitboss.record.entries import Head
from pitboss.server.record_watch import LEAKS, RecordWatch


def test_a_process_that_was_starting_as_the_floor_closed_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    house: Any = SimpleNamespace(
        store=SimpleNamespace(heads=lambda: {"table/a": Head(1, "hash")}),
        settings=SimpleNamespace(url="sqlite:///record.db"),
        clock=SimpleNamespace(now_ms=lambda: 0),
    )
    reports: Any = None
    watch = RecordWatch(house, reports, LEAKS)

    class Child:
        returncode = 0

        def __init__(self, command: list[str], **pipes: int) -> None:
            watch._closed.set()

        def __enter__(self) -> "Child":
            return self

        def __exit__(self, kind: type[BaseException] | None, fault: Any, trace: TracebackType | None) -> None:
            pass

        def kill(self) -> None:
            self.returncode = -9

        def communicate(self, sent: bytes) -> tuple[bytes, bytes]:
            assert self.returncode, "it would work for minutes"
            return b"", b""

    monkeypatch.setattr(subprocess, "Popen", Child)
    assert watch._work_on() is None
    watch._runner.close()
