"""A long command shows its progress on a terminal, including compilation, and is silent in a pipe."""

import io
import sys

import pytest

from pitboss.cli.waiting import waiting
from pitboss.odds.announcing import tell


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def spoken(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with waiting("Loading") as announce:
        announce("Counting")
        tell("sum worth")
        shown = stream.getvalue()
        tell(None)
    tell("after the wait")
    return shown + stream.getvalue()


def test_compilation_is_announced_with_what_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    changes: list[str] = []
    monkeypatch.setattr("rich.status.Status.update", lambda _, words: changes.append(words))
    spoken(monkeypatch, Terminal())
    assert changes == ["Counting ...", "Counting: compiling sum worth, first time only ...", "Counting ..."]


def test_nothing_is_shown_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    assert spoken(monkeypatch, io.StringIO()) == ""
