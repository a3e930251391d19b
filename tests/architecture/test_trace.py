"""The path of a command is counted and documented, and can't grow unnoticed."""

import asyncio
from pathlib import Path

from architecture.trace import Counts, traced
from architecture.tree import ROOT

MOST = Counts(modules=63, functions=205, crossings=40)


def test_a_wager_travels_no_farther_than_the_docs_say(tmp_path: Path) -> None:
    # A background loop of the floor may run between two steps of the command; it isn't part of the path, and doesn't
    # run at the same moment every time.
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        counts = asyncio.run(traced(folder)).counts
        if all(count <= most for count, most in zip(counts, MOST, strict=True)):
            return
    raise AssertionError(counts)


def test_the_docs_say_how_far() -> None:
    said = f"at most {MOST.modules} modules and {MOST.functions} functions, with {MOST.crossings} calls from one room"
    assert said in " ".join((ROOT / "docs" / "architecture.md").read_text("utf-8").split())
