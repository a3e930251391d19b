"""What a proof has done so far: a file for each suite, with a line of JSON for chunks in a row of the same code."""

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Code:
    """The code that a chunk ran on: its commit and the id of the tree of `src`, which outlives a rewritten commit."""

    commit: str
    tree: str


@dataclass(frozen=True)
class Chunk:
    """Finished chunks of seeds in a row: what was counted in them, or the first thing that did not hold."""

    first: int
    last: int
    units: int
    counts: dict[str, int]
    cpu_s: float
    commit: str
    tree: str
    on: str  # the day, in UTC
    fault: str | None = None

    @property
    def seeds(self) -> range:
        """Return its seeds."""
        return range(self.first, self.last + 1)


class Progress:
    """The finished chunks of every suite, in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def add(self, suite: str, chunk: Chunk) -> None:
        """Write finished chunks down; whoever is killed meanwhile leaves the file as it was."""
        path, written = self._path(suite), self._folder / f"{suite}.new"
        lines = [json.dumps(_as_data(kept), separators=(",", ":")) for kept in _joined([*self._lines(suite), chunk])]
        written.write_text("".join(line + "\n" for line in lines), "utf-8")
        os.replace(written, path)

    def chunks(self, suite: str, units: int) -> list[Chunk]:
        """Return the chunks of so many units that held, each seed once."""
        kept: list[Chunk] = []
        done: set[int] = set()
        for chunk in self._lines(suite):
            # Chunks of another size have other seeds. Two machines can have run the same ones: what they counted
            # together can't be taken apart again.
            is_whole = chunk.fault is None and chunk.units == units * len(chunk.seeds)
            if is_whole and done.isdisjoint(chunk.seeds):
                kept.append(chunk)
                done.update(chunk.seeds)
        return kept

    def failures(self, suite: str) -> list[Chunk]:
        """Return the chunks that failed, also those that held when they ran again."""
        return [chunk for chunk in self._lines(suite) if chunk.fault is not None]

    def done(self, suite: str, units: int) -> set[int]:
        """Return the seeds of the chunks that held."""
        return {seed for chunk in self.chunks(suite, units) for seed in chunk.seeds}

    def _lines(self, suite: str) -> list[Chunk]:
        if not self._path(suite).exists():
            return []
        found = []
        for line in self._path(suite).read_text("utf-8").splitlines():
            try:
                found.append(_from_data(json.loads(line)))
            except (json.JSONDecodeError, KeyError, TypeError, ValueError):
                continue  # its chunks run again
        return found

    def _path(self, suite: str) -> Path:
        return self._folder / f"{suite}.jsonl"


def summed(chunks: Iterable[Chunk]) -> Counter[str]:
    """Return what all chunks counted together."""
    total: Counter[str] = Counter()
    for chunk in chunks:
        total.update(chunk.counts)
    return total


def spans(numbers: Iterable[int]) -> str:
    """Return numbers as spans, such as `1-4, 7`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def _joined(chunks: list[Chunk]) -> list[Chunk]:
    joined: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: (chunk.fault is not None, chunk.first)):
        before = joined[-1] if joined else None
        if before is not None and before.fault is None and chunk.fault is None and _continues(before, chunk):
            joined[-1] = replace(
                before,
                last=chunk.last,
                units=before.units + chunk.units,
                counts=dict(Counter(before.counts) + Counter(chunk.counts)),
                cpu_s=before.cpu_s + chunk.cpu_s,
            )
        else:
            joined.append(chunk)
    return joined


def _continues(before: Chunk, chunk: Chunk) -> bool:
    same = (before.commit, before.tree, before.on) == (chunk.commit, chunk.tree, chunk.on)
    return same and chunk.first == before.last + 1


def _as_data(chunk: Chunk) -> dict[str, object]:
    data = asdict(chunk)
    seeds = [data.pop("first"), data.pop("last")]
    data["cpu_s"] = round(chunk.cpu_s, 1)
    if chunk.fault is None:
        del data["fault"]
    return {"seeds": seeds, **data}


def _from_data(data: dict[str, Any]) -> Chunk:
    first, last = data.pop("seeds")
    return Chunk(first=first, last=last, **data)
