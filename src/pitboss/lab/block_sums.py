"""Adds up blocks of played rounds in round order, whatever order they arrive in, and keeps the meters."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.lab.blocks import Block, Claim, GroupSums, Line
from pitboss.lab.runs import Path, Rows, path_of
from pitboss.rules.wager import meter_payment

SHIFT_ROUNDS = 250


class MeterPaid(NamedTuple):
    """A meter's payment to a seat."""

    round: int
    seat: int
    meter: str
    percent: int
    paid_cents: int


@dataclass
class Meter:
    """A meter between two hits, which grows by the same amount every round."""

    reset_cents: int
    growth: Fraction  # cents a round
    amount: Fraction
    since: int = 0
    area: Fraction = Fraction(0)  # the sum of what it showed in the rounds before `since`

    def at(self, rounds: int) -> Fraction:
        """Return what the meter holds after this many rounds."""
        return self.amount + self.growth * (rounds - self.since)

    def mean(self, rounds: int) -> Fraction:
        """Return the mean of what the meter showed over this many rounds."""
        passed = rounds - self.since
        return (self.area + passed * self.amount + self.growth * passed * (passed + 1) / 2) / rounds

    def pay(self, rounds: int, percent: int) -> int:
        """Pay a share in the last of these rounds, after that round's contribution."""
        passed = rounds - self.since
        self.area += passed * self.amount + self.growth * passed * (passed + 1) / 2
        held = self.at(rounds)
        shown = held.numerator // held.denominator
        paid, after = meter_payment(shown, self.reset_cents, percent)
        self.amount, self.since = after + held - shown, rounds  # parts of a cent stay in the meter
        return paid


@dataclass
class Sums:
    """The results of a group of wagers, in cents and in cents squared."""

    staked: int = 0
    net: int = 0
    squares: int = 0  # of each hand's net
    round_squares: int = 0  # of each round's net
    hits: int = 0

    def add(self, more: GroupSums) -> None:
        """Add a block's sums."""
        self.staked += more.staked
        self.net += more.net
        self.squares += more.squares
        self.round_squares += more.round_squares
        self.hits += more.hits


@dataclass
class Shifts:
    """The house's results of whole shifts."""

    rounds: int = SHIFT_ROUNDS  # of one
    count: int = 0
    total: int = 0
    squares: int = 0
    lost: int = 0  # shifts in which the house lost
    worst: int | None = None
    best: int | None = None

    def add(self, results: list[int]) -> None:
        """Add the results of some shifts."""
        self.count += len(results)
        self.total += sum(results)
        self.squares += sum(result * result for result in results)
        self.lost += sum(result < 0 for result in results)
        known = [result for result in (self.worst, self.best) if result is not None]
        self.worst, self.best = min(results + known), max(results + known)

    @property
    def mean(self) -> Fraction | None:
        """Return the average result of a shift."""
        return Fraction(self.total, self.count) if self.count else None

    @property
    def variance(self) -> Fraction | None:
        """Return the variance of a shift's result."""
        mean = self.mean
        return None if mean is None else Fraction(self.squares, self.count) - mean * mean


@dataclass
class Ledger:
    """The running account of a simulation."""

    groups: tuple[str, ...]
    stakes: Mapping[str, int]
    meters: dict[str, Meter]
    seats: int = 1
    shifts: Shifts = field(default_factory=Shifts)
    rounds: int = 0
    sums: dict[str, Sums] = field(default_factory=dict)
    lines: Counter[Line] = field(default_factory=Counter)
    house: Path = field(default_factory=Path)
    worst_round: int = 0
    best_round: int = 0
    envy_cents: int = 0
    envies: int = 0
    paid: list[MeterPaid] = field(default_factory=list)
    _waiting: dict[int, Block] = field(default_factory=dict)
    _unfinished: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        self.sums = {group: Sums() for group in self.groups}
        self.seat_rows, self.house_rows = Rows(self.seats), Rows(1)

    def add(self, block: Block) -> None:
        """Accept a block; it is added up once all earlier rounds have been."""
        self._waiting[block.first] = block
        while (ready := self._waiting.pop(self.rounds, None)) is not None:
            self._fold(ready)

    def _fold(self, block: Block) -> None:
        for group, sums in zip(self.groups, block.sums, strict=True):
            self.sums[group].add(sums)
        house, signs = block.house.copy(), block.signs.copy()
        gained: dict[tuple[int, str], int] = {}  # in one round several seats may hit
        for claim in block.claims:
            net = self._pay(claim, gained)
            row = claim.round - block.first
            house[row] -= net
            signs[row, claim.seat - 1] = np.sign(claim.seat_cents + net)
        self.lines.update(block.lines)
        self.envy_cents += block.envy_cents
        self.envies += block.envies
        self.seat_rows.follow(signs, self.rounds)
        self.house_rows.follow(np.sign(house).astype(np.int8)[:, None], self.rounds)
        self.rounds += len(house)
        self._follow(house)

    def _pay(self, claim: Claim, gained: dict[tuple[int, str], int]) -> int:
        hit = claim.hit
        paid = self.meters[hit.meter].pay(claim.round + 1, hit.percent)
        net = paid if hit.stake_returned else paid - self.stakes[hit.wager]
        sums = self.sums[hit.wager]
        before = gained.get((claim.round, hit.wager), claim.round_cents)
        gained[claim.round, hit.wager] = before + net
        sums.net += net
        sums.squares += (claim.hand_cents + net) ** 2 - claim.hand_cents**2
        sums.round_squares += (before + net) ** 2 - before**2
        # Envy from another seat may have made the hand's net a gain, but only the hand's own win is a hit.
        sums.hits += net > 0
        self.paid.append(MeterPaid(claim.round + 1, claim.seat, hit.meter, hit.percent, paid))
        return net

    def _follow(self, house: NDArray[np.int64]) -> None:
        self.house = self.house.then(path_of(house))
        known = self.rounds > len(house)
        self.worst_round = min(self.worst_round, int(house.min())) if known else int(house.min())
        self.best_round = max(self.best_round, int(house.max())) if known else int(house.max())
        length = self.shifts.rounds
        unfinished = np.concatenate([self._unfinished, house])
        whole = len(unfinished) // length * length
        self._unfinished = unfinished[whole:]
        if whole:
            self.shifts.add(unfinished[:whole].reshape(-1, length).sum(axis=1).tolist())
