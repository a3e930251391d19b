"""What a proof has done so far: one line of JSON for each finished chunk, in a file for each suite."""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Chunk:
    """A finished chunk: its seed, what was counted in it, and the first thing that did not hold."""

    seed: int
    units: int
    counts: dict[str, int]
    cpu_s: float
    commit: str
    on: str  # the day, in UTC
    fault: str | None = None


class Progress:
    """The finished chunks of every suite, in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def add(self, suite: str, chunk: Chunk) -> None:
        """Write a finished chunk down."""
        path = self._path(suite)
        is_cut = path.exists() and not path.read_bytes().endswith(b"\n")
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if is_cut else "") + json.dumps(asdict(chunk)) + "\n")

    def chunks(self, suite: str) -> dict[int, Chunk]:
        """Return the finished chunks by seed; a line that a kill cut short is a chunk that runs again."""
        found: dict[int, Chunk] = {}
        if not self._path(suite).exists():
            return found
        for line in self._path(suite).read_text("utf-8").splitlines():
            try:
                chunk = Chunk(**json.loads(line))
            except (json.JSONDecodeError, TypeError):
                continue
            found[chunk.seed] = chunk
        return found

    def _path(self, suite: str) -> Path:
        return self._folder / f"{suite}.jsonl"


def summed(chunks: dict[int, Chunk]) -> Counter[str]:
    """Return what all chunks counted together."""
    total: Counter[str] = Counter()
    for chunk in chunks.values():
        total.update(chunk.counts)
    return total
