"""One measurement: our figure, a peer's in the same run, and their ratio."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

REPEATS = 3


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, compared with a peer's if there is one; a ratio above 1 is in our favor."""

    part: str
    what: str
    figure: float
    unit: str
    beside: str | None = None
    theirs: float | None = None

    @property
    def ratio(self) -> float | None:
        """Return how many times faster we are, or smaller if the figure is a cost."""
        if self.theirs is None:
            return None
        return self.figure / self.theirs if self.unit.endswith("/s") else self.theirs / self.figure

    def as_dict(self) -> dict[str, Any]:
        """Return the measurement as plain data."""
        return asdict(self) | {"ratio": self.ratio}


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure: seconds for each rate, and the size of samples."""

    seconds: float
    hands: int
    peer_hands: int
    lines: int
    repeats: int = REPEATS
    everything: bool = True  # also the parts that take a minute or more


WHOLE = Effort(seconds=2.0, hands=2_000_000, peer_hands=50_000, lines=20_000)
QUICK = Effort(seconds=0.2, hands=200_000, peer_hands=2_000, lines=500, repeats=1, everything=False)

Part = Callable[[Effort], Iterator[Measure]]


def spent(work: Callable[[], object]) -> float:
    """Return the processor seconds that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return the rate per processor second of what the work counts, measured for the given time."""
    done, start = 0, time.process_time()
    while (so_far := time.process_time() - start) < seconds:
        done += work()
    return done / so_far


def best(measured: Sequence[Callable[[], float]], repeats: int) -> list[float]:
    """Return the best of several runs of each, taken in turns so that none gets a quieter machine."""
    runs = [[run() for run in measured] for _ in range(repeats)]
    return [max(figures) for figures in zip(*runs, strict=True)]
