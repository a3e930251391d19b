"""Tests by betting: evidence that grows only against the null, may be read at any time, and when it is an alarm."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOOR_ALPHA = 0.01  # the chance that a floor where nobody cheats ever raises an alarm
SHARES = (0.02, 0.15, 0.6)  # of the wealth, staked on each round by one bettor of a mixture
LEAST_LOG = -60.0  # below this a bettor is ruined; the rest of the mixture holds the wealth

Floats = NDArray[np.float64]


def threshold(number: int, kinds: int, alpha: float = FLOOR_ALPHA) -> float:
    """Return the evidence at which the test with this number, counted from 1, raises its alarm.

    The chances alpha / kinds / (n (n + 1)) add up to alpha over all kinds and all tests there can ever be.
    """
    return number * (number + 1) * kinds / alpha


@dataclass(slots=True)
class Bettors:
    """A mixture of bettors on one suspicion, each with its own model of it and its own share of wealth staked."""

    logs: Floats  # the logarithm of each bettor's wealth; all begin with 1

    @classmethod
    def of(cls, models: int) -> "Bettors":
        """Return bettors for this many models of the suspicion, before the first round."""
        return cls(np.zeros((models, len(SHARES))))

    def add(self, payoffs: Sequence[float] | Floats) -> None:
        """Take in a round: by model, a payoff of mean one under the null for a stake of one."""
        gains = np.asarray(payoffs, np.float64)[:, None] - 1.0
        self.logs = np.maximum(self.logs + np.log1p(np.asarray(SHARES) * gains), LEAST_LOG)

    @property
    def log(self) -> float:
        """Return the logarithm of the mixture's mean wealth."""
        most = float(self.logs.max())
        return most + math.log(float(np.exp(self.logs - most).mean()))


@dataclass(slots=True)
class RunningTest:
    """The evidence against one person or pair: a weighted mean over suspicions of what their bettors hold."""

    number: int  # its place among the tests of its kind, which sets its threshold
    kinds: int
    rounds: int = 0
    held: dict[str, Bettors] = field(default_factory=dict)
    log: float = 0.0
    peak: float = 0.0  # the highest logarithm so far
    peak_round: str = ""
    alarm_round: str = ""  # the round that raised the alarm
    points: list[tuple[int, float]] = field(default_factory=list)  # for a drawing: rounds and logarithm

    def add(
        self, payoffs: Mapping[str, Sequence[float] | Floats], weight: Callable[[str], float], round_name: str
    ) -> bool:
        """Take in a round, and return whether it raises the alarm."""
        for suspicion, paid in payoffs.items():
            if suspicion not in self.held:
                self.held[suspicion] = Bettors.of(len(paid))
            self.held[suspicion].add(paid)
        self.rounds += 1
        self.log = self._mean(weight)
        if self.rounds & (self.rounds - 1) == 0 or self.rounds % _spacing(self.rounds) == 0:
            self.points.append((self.rounds, self.log))
        if self.log > self.peak:
            self.peak, self.peak_round = self.log, round_name
        if self.alarm_round or self.log < math.log(self.threshold):
            return False
        self.alarm_round = round_name
        return True

    def _mean(self, weight: Callable[[str], float]) -> float:
        # What no suspicion has a claim on is kept, and stays what it was: one.
        parts = [(weight(name), bettors.log) for name, bettors in self.held.items()]
        idle = max(0.0, 1.0 - sum(part for part, _ in parts))
        terms = [math.log(part) + log for part, log in parts]
        terms += [math.log(idle)] if idle > 1e-9 else []
        most = max(terms)
        return most + math.log(sum(math.exp(term - most) for term in terms))

    @property
    def threshold(self) -> float:
        """Return the evidence that is an alarm."""
        return threshold(self.number, self.kinds)

    @property
    def leading(self) -> str:
        """Return the suspicion whose bettors hold the most."""
        return max(self.held, key=lambda name: self.held[name].log, default="")

    def to_data(self) -> dict[str, Any]:
        """Return the test as plain data."""
        return {
            "number": self.number,
            "kinds": self.kinds,
            "rounds": self.rounds,
            "held": {name: bettors.logs.tolist() for name, bettors in self.held.items()},
            "log": self.log,
            "peak": self.peak,
            "peak_round": self.peak_round,
            "alarm_round": self.alarm_round,
            "points": [list(point) for point in self.points],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "RunningTest":
        """Return the test from plain data."""
        held = {name: Bettors(np.array(logs)) for name, logs in data["held"].items()}
        points = [(rounds, log) for rounds, log in data["points"]]
        return cls(**{**data, "held": held, "points": points})


class RunningTests:
    """The tests of one kind, numbered in the order in which their subjects first appear."""

    def __init__(self, kinds: int) -> None:
        self._kinds = kinds
        self.all: dict[tuple[str, ...], RunningTest] = {}

    def of(self, subject: tuple[str, ...]) -> RunningTest:
        """Return a subject's test, begun if it has none."""
        if subject not in self.all:
            self.all[subject] = RunningTest(len(self.all) + 1, self._kinds)
        return self.all[subject]

    def to_data(self) -> list[Any]:
        """Return the tests as plain data."""
        return [[list(subject), test.to_data()] for subject, test in self.all.items()]

    def restore(self, data: Iterable[Any]) -> None:
        """Restore the tests from plain data."""
        self.all = {tuple(subject): RunningTest.from_data(test) for subject, test in data}


def _spacing(rounds: int) -> int:
    # About two hundred points, however long the test runs.
    return max(1, 1 << max(0, rounds.bit_length() - 8))
