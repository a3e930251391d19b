"""Writes docs/proof.md: what the proof at scale has run, with its seeds, days and figures."""

from collections.abc import Iterable

from proof.progress import Chunk, Progress, summed
from proof.suites import Suite

BEGINNING = """# Proof at scale

`make prove` repeats what the tests claim, many more times than `make test` does. You can stop it at any time: finished
chunks are kept in `build/proof`, a file for each suite, and the next run continues with what is missing. `make prove
MINUTES=30` starts nothing new after half an hour. `make proof` writes this page from those files.

A chunk is identified by its seed, and its result depends on nothing else, except where processes are killed. To
repeat one: `cd tests && ../.venv/bin/python -m proof chunk floors 7`. A chunk that fails is listed here with its seed,
counts for nothing, and runs again next time.

| suite | what is repeated | wanted | run | failed | seeds | days (UTC) | processor minutes |
|---|---|---|---|---|---|---|---|
"""

# The table shows each seed's last run, so a failure that was fixed is described here.
FIXED_FAILURES = """
## Failures that were fixed

- `commands`, seed 1, at commit 2c4b8e8: "floorperson did ActForAbsent". The fault was in the check, not in the house.
  When the floor has to rule that a player is gone, the house asks for the permission of that ruling, which a
  floorperson has; the check looked up the one for the command's name. It now asks the house which permission applies
  (`asked_as` in `test_anything.py`), and the same seed passes.
"""


def page(suites: Iterable[Suite], progress: Progress) -> str:
    """Return the page."""
    kept = [(suite, progress.chunks(suite.name)) for suite in suites]
    rows = "".join(_row(suite, chunks) for suite, chunks in kept)
    commits = sorted({chunk.commit for _, chunks in kept for chunk in chunks.values()})
    ran = f"\nRun on {_listed(commits)}. Code that changed later isn't covered until its chunks run again.\n"
    counted = "\n## What was counted\n" + "".join(_counted(*item) for item in kept)
    return BEGINNING + rows + "\n" + _unfinished(kept) + (ran if commits else "") + FIXED_FAILURES + counted


def _unfinished(kept: list[tuple[Suite, dict[int, Chunk]]]) -> str:
    units = {suite.name: sum(chunk.units for chunk in chunks.values()) for suite, chunks in kept}
    finished = [suite.name for suite, _ in kept if units[suite.name] >= suite.total]
    untouched = [name for name, done in units.items() if not done]
    return f"Finished: {', '.join(finished) or 'none'}. Not run at all: {', '.join(untouched) or 'none'}.\n"


def _row(suite: Suite, chunks: dict[int, Chunk]) -> str:
    done = sum(chunk.units for chunk in chunks.values())
    failed = [chunk.seed for chunk in chunks.values() if chunk.fault]
    minutes = sum(chunk.cpu_s for chunk in chunks.values()) / 60
    days = _spans([chunk.on for chunk in chunks.values()])
    failures = f"{len(failed)} (seeds {', '.join(map(str, sorted(failed)))})" if failed else "0"
    cells = (suite.name, suite.says, f"{suite.total:,}", f"{done:,}", failures, _seeds(chunks), days, f"{minutes:.1f}")
    return "| " + " | ".join(cells) + " |\n"


def _counted(suite: Suite, chunks: dict[int, Chunk]) -> str:
    counts = summed(chunks)
    if not counts:
        return f"\n**{suite.name}**: nothing yet.\n"
    listed = "".join(f"- {name}: {count:,}\n" for name, count in sorted(counts.items()))
    return f"\n**{suite.name}** ({suite.says}):\n\n{listed}"


def _seeds(chunks: dict[int, Chunk]) -> str:
    spans: list[list[int]] = []
    for seed in sorted(chunks):
        if spans and spans[-1][1] == seed - 1:
            spans[-1][1] = seed
        else:
            spans.append([seed, seed])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans) or "none"


def _spans(days: list[str]) -> str:
    if not days:
        return "none"
    first, last = min(days), max(days)
    return first if first == last else f"{first} to {last}"


def _listed(commits: list[str]) -> str:
    return "commit " + commits[0] if len(commits) == 1 else "commits " + ", ".join(commits)
