"""The path of a command is counted and documented, and can't grow unnoticed."""

import asyncio
from pathlib import Path

from architecture.trace import Counts, traced
from architecture.tree import ROOT

MOST = Counts(modules=63, functions=205, crossings=40)


def test_a_wager_travels_no_farther_than_the_docs_say(tmp_path: Path) -> None:
    counts = asyncio.run(traced(tmp_path)).counts
    assert all(count <= most for count, most in zip(counts, MOST, strict=True)), counts


def test_the_docs_say_how_far() -> None:
    said = f"at most {MOST.modules} modules and {MOST.functions} functions, with {MOST.crossings} calls from one room"
    assert said in " ".join((ROOT / "docs" / "architecture.md").read_text("utf-8").split())
