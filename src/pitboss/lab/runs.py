"""Follows a running total: its end, its largest fall and rise, and the longest streaks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Swing(NamedTuple):
    """The largest move of a total in one direction: how much, after which round it began, and in which it ended."""

    cents: int = 0
    after_round: int = 0
    round: int = 0

    def or_later(self, other: "Swing") -> "Swing":
        """Return the larger one; of equal ones, the one that ended first, then the one that began first."""
        return min(self, other, key=lambda run: (-run.cents, run.round, run.after_round))

    def moved(self, rounds: int) -> "Swing":
        """Return the same swing a number of rounds later."""
        return Swing(self.cents, self.after_round + rounds, self.round + rounds)


class Path(NamedTuple):
    """The path of a running total: its end, its extremes with the first round that reached them, and its swings."""

    rounds: int = 0
    total: int = 0
    lowest: int = 0
    lowest_after: int = 0
    highest: int = 0
    highest_after: int = 0
    drawdown: Swing = Swing()
    rise: Swing = Swing()

    @property
    def fall(self) -> int:
        """Return the largest fall from a high, in cents."""
        return self.drawdown.cents

    @property
    def climb(self) -> int:
        """Return the largest rise from a low, in cents."""
        return self.rise.cents

    def then(self, after: "Path") -> "Path":
        """Return this path continued by another."""
        low, high = self.total + after.lowest, self.total + after.highest
        low_after, high_after = self.rounds + after.lowest_after, self.rounds + after.highest_after
        lowest, lowest_after = min((self.lowest, self.lowest_after), (low, low_after))
        highest, highest_after = min((-self.highest, self.highest_after), (-high, high_after))
        fall = Swing(self.highest - low, self.highest_after, low_after)
        climb = Swing(high - self.lowest, self.lowest_after, high_after)
        return Path(
            self.rounds + after.rounds,
            self.total + after.total,
            lowest,
            lowest_after,
            -highest,
            highest_after,
            self.drawdown.or_later(after.drawdown.moved(self.rounds)).or_later(fall),
            self.rise.or_later(after.rise.moved(self.rounds)).or_later(climb),
        )


class Row(NamedTuple):
    """A streak of winning or losing rounds: how many, at which seat, and the last of them."""

    rounds: int = 0
    seat: int = 0
    last_round: int = 0

    def or_longer(self, other: "Row") -> "Row":
        """Return the longer one; of equal ones, the one that ended first, then the one of the lower seat."""
        return min(self, other, key=lambda run: (-run.rounds, run.last_round, run.seat))


class Rows:
    """The longest winning and losing streaks of any seat, and every seat's current streak."""

    def __init__(self, seats: int) -> None:
        self.won = Row()
        self.lost = Row()
        self._now = [(0, 0)] * seats  # the sign of a seat's current streak, and its length

    def follow(self, signs: NDArray[np.int8], first: int) -> None:
        """Add the signs of the rounds from number `first` on, by round and seat."""
        for seat in range(signs.shape[1]):
            own = signs[:, seat]
            starts = np.concatenate([[0], np.flatnonzero(np.diff(own)) + 1])
            ends = np.concatenate([starts[1:], [len(own)]])
            kinds, lengths = own[starts], ends - starts
            before, length = self._now[seat]
            if before == kinds[0]:
                lengths[0] += length
            self._now[seat] = int(kinds[-1]), int(lengths[-1])
            self.won = self.won.or_longer(_longest(kinds == 1, lengths, ends + first, seat))
            self.lost = self.lost.or_longer(_longest(kinds == -1, lengths, ends + first, seat))


def _longest(wanted: NDArray[np.bool_], lengths: NDArray[np.int64], ends: NDArray[np.int64], seat: int) -> Row:
    if not wanted.any():
        return Row()
    at = int(np.argmax(np.where(wanted, lengths, 0)))
    return Row(int(lengths[at]), seat + 1, int(ends[at]))


def path_of(results: NDArray[np.int64]) -> Path:
    """Return the path of the running total of these results, starting from zero."""
    running = np.concatenate([[0], np.cumsum(results)])
    low, high = int(running.argmin()), int(running.argmax())
    return Path(
        len(results),
        int(running[-1]),
        int(running[low]),
        low,
        int(running[high]),
        high,
        _fall(running),
        _fall(-running),
    )


def _fall(running: NDArray[np.int64]) -> Swing:
    peaks = np.maximum.accumulate(running)
    at = int((peaks - running).argmax())
    return Swing(int(peaks[at] - running[at]), int((running == peaks[at]).argmax()), at)
