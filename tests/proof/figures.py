"""Writes docs/proof.md: what the proof at scale has run, with its seeds, days, code and figures."""

from collections.abc import Iterable
from dataclasses import dataclass

from proof.progress import Chunk, Progress, spans, summed
from proof.suites import Suite

BEGINNING = """# Proof at scale

`make prove` repeats what the tests claim, many more times than `make test` does. You can stop it at any time. Finished
chunks are kept in `tests/proof/finished`, a file for each suite, and are committed with the code, so that the next run
continues with what is missing, on any machine. `make prove MINUTES=30` starts nothing new after half an hour. Each run
writes this page from those files; `make proof` only writes the page.

A chunk is identified by its seed, and its result depends on nothing else, except where processes are killed. To
repeat one: `cd tests && ../.venv/bin/python -m proof chunk floors 7`. A chunk that fails counts for nothing, is listed
below with its seed, also after it was fixed, and runs again next time.

| suite | what is repeated | wanted | run | seeds | days (UTC) | processor minutes |
|---|---|---|---|---|---|---|
"""

CODE = """
## Which code

A chunk covers the code of its commit. Code that changed later isn't covered until its chunks run again: to repeat a
suite, delete its file in `tests/proof/finished`. The tree is what `git rev-parse COMMIT:src` prints, so the code can
still be named after its commit was rewritten. A `+` marks code with changes that weren't committed.

| commit | tree of `src` | days (UTC) | suites and seeds |
|---|---|---|---|
"""

# The first run kept its chunks outside the repository, so this failure is described here.
FIRST_FAILURE = """
- `commands`, seed 1, in the first run on 2026-11-18: "floorperson did ActForAbsent". The fault was in the check, not in
  the house. When the floor has to rule that a player is gone, the house asks for the permission of that ruling, which a
  floorperson has; the check looked up the one for the command's name. The check was fixed (`TAKES_TWO_HERE` in
  `test_anything.py`), and the same seed passes.
"""


@dataclass(frozen=True)
class _Kept:
    suite: Suite
    chunks: list[Chunk]
    failures: list[Chunk]

    @property
    def units(self) -> int:
        return sum(chunk.units for chunk in self.chunks)


def page(suites: Iterable[Suite], progress: Progress) -> str:
    """Return the page."""
    kept = [_Kept(suite, progress.chunks(suite.name, suite.chunk), progress.failures(suite.name)) for suite in suites]
    rows = "".join(map(_row, kept))
    failures = "\n## Failures\n" + "".join(map(_failed, kept)) + FIRST_FAILURE
    counted = "\n## What was counted\n" + "".join(map(_counted, kept))
    return BEGINNING + rows + "\n" + _unfinished(kept) + CODE + _code(kept) + failures + counted


def _unfinished(kept: list[_Kept]) -> str:
    finished = [suite.suite.name for suite in kept if suite.units >= suite.suite.total]
    untouched = [suite.suite.name for suite in kept if not suite.units]
    return f"Finished: {', '.join(finished) or 'none'}. Not run at all: {', '.join(untouched) or 'none'}.\n"


def _row(kept: _Kept) -> str:
    suite, chunks = kept.suite, kept.chunks
    minutes = sum(chunk.cpu_s for chunk in chunks) / 60
    seeds = spans(seed for chunk in chunks for seed in chunk.seeds) or "none"
    cells = (suite.name, suite.says, f"{suite.total:,}", f"{kept.units:,}", seeds, _days(chunks), f"{minutes:.1f}")
    return "| " + " | ".join(cells) + " |\n"


def _code(kept: list[_Kept]) -> str:
    ran: dict[tuple[str, str], dict[str, list[Chunk]]] = {}
    for suite in kept:
        for chunk in suite.chunks:
            ran.setdefault((chunk.commit, chunk.tree), {}).setdefault(suite.suite.name, []).append(chunk)
    rows = [
        (min(chunk.on for chunk in every), commit, tree, _days(every), named)
        for (commit, tree), named in ran.items()
        if (every := [chunk for chunks in named.values() for chunk in chunks])
    ]
    return "".join(
        f"| {commit} | {tree} | {days} | "
        + "; ".join(
            f"{name} {spans(seed for chunk in chunks for seed in chunk.seeds)}" for name, chunks in named.items()
        )
        + " |\n"
        for _, commit, tree, days, named in sorted(rows, key=lambda row: row[:3])
    )


def _failed(kept: _Kept) -> str:
    held = {seed: chunk.commit for chunk in kept.chunks for seed in chunk.seeds}
    return "".join(
        f"\n- `{kept.suite.name}`, seed {chunk.first}, on commit {chunk.commit} ({chunk.on}): "
        f"`{_last_line(chunk.fault or '')}` "
        + (f"It passed on commit {held[chunk.first]}.\n" if chunk.first in held else "It hasn't passed since.\n")
        for chunk in kept.failures
    )


def _last_line(fault: str) -> str:
    lines = [line.strip() for line in fault.splitlines() if line.strip()]
    return lines[-1].replace("`", "'") if lines else ""


def _counted(kept: _Kept) -> str:
    counts = summed(kept.chunks)
    if not counts:
        return f"\n**{kept.suite.name}**: nothing yet.\n"
    listed = "".join(f"- {name}: {count:,}\n" for name, count in sorted(counts.items()))
    return f"\n**{kept.suite.name}** ({kept.suite.says}):\n\n{listed}"


def _days(chunks: list[Chunk]) -> str:
    if not chunks:
        return "none"
    first, last = min(chunk.on for chunk in chunks), max(chunk.on for chunk in chunks)
    return first if first == last else f"{first} to {last}"
