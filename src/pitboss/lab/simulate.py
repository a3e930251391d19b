"""Simulation: what a table of players wins and loses over many rounds, beside what it should."""

import math
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.games.catalogue import game
from pitboss.lab.exact import MAIN, NotAnalysed
from pitboss.lab.ledger import SHIFT_ROUNDS, Ledger, Meter, MeterPaid, Path, Shifts, Sums
from pitboss.lab.played import OPTIMAL, UNIT_CENTS, Block, Table, groups_of, opening_stakes, player_of, whole_tables_of
from pitboss.lab.worth import Worth, meters_at, worth_of
from pitboss.odds.streams import SEEDS
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

BLOCK_ROUNDS = 1000
WHOLE_BLOCK_ROUNDS = 10_000  # where a game's tables are read at once; the result is the same
BAND = 1.96  # standard errors to either side of 95 % of results

Progress = Callable[[int, int], None]  # rounds done, rounds asked for
Work = tuple[int, int]  # the first round of a block, and how many


@dataclass(frozen=True)
class Hold:
    """What one wager, or `main` for those played together, came to; nets are the players'."""

    wager: str
    hands: int
    rounds: int
    stake_cents: int
    sums: Sums
    theory: Worth | None

    @property
    def paid_cents(self) -> int:
        """Return what came back to the players, stakes included."""
        return self.sums.staked + self.sums.net

    @property
    def hold(self) -> float:
        """Return the part of the money staked that the house kept."""
        return -self.sums.net / self.sums.staked

    @property
    def ev(self) -> float:
        """Return the mean net per unit, of the Ante for the main game."""
        return self.sums.net / (self.hands * self.stake_cents)

    @property
    def variance(self) -> float:
        """Return the measured variance of a hand's net, in units."""
        return float(self._hand_variance()) / self.stake_cents**2

    @property
    def interval(self) -> float | None:
        """Return how many hands there were to a hit."""
        return self.hands / self.sums.hits if self.sums.hits else None

    @property
    def theoretical_cents(self) -> float | None:
        """Return the net that the exact worth expects."""
        return float(self.theory.ev * self.hands * self.stake_cents) if self.theory else None

    @property
    def standard_error_cents(self) -> float | None:
        """Return the standard error of the net: from the exact variance of a hand, and, where seats share cards, the
        measured covariance of the hands of a round."""
        if self.theory is None:
            return None
        seats = self.hands // self.rounds
        mean = Fraction(self.sums.net, self.rounds)
        shared = Fraction(self.sums.round_squares, self.rounds) - mean * mean - seats * self._hand_variance()
        exact = seats * self.theory.variance * self.stake_cents**2
        return math.sqrt(max(exact + shared, Fraction(0)) * self.rounds)

    @property
    def band_cents(self) -> tuple[float, float] | None:
        """Return between which nets 95 % of such simulations end."""
        middle, error = self.theoretical_cents, self.standard_error_cents
        return None if middle is None or error is None else (middle - BAND * error, middle + BAND * error)

    @property
    def deviation(self) -> float | None:
        """Return how many standard errors the net lies from theory."""
        middle, error = self.theoretical_cents, self.standard_error_cents
        return None if middle is None or not error else (self.sums.net - middle) / error

    def _hand_variance(self) -> Fraction:
        mean = Fraction(self.sums.net, self.hands)
        return Fraction(self.sums.squares, self.hands) - mean * mean

    def as_dict(self) -> dict[str, Any]:
        """Return the row a script reads."""
        band = self.band_cents
        return {
            "wager": self.wager,
            "hands": self.hands,
            "staked": self.sums.staked,
            "paid": self.paid_cents,
            "net": self.sums.net,
            "hold": self.hold,
            "ev": self.ev,
            "variance": self.variance,
            "hits": self.sums.hits,
            "interval": self.interval,
            "theory": None
            if self.theory is None or band is None
            else {
                "ev": str(self.theory.ev),
                "variance": float(self.theory.variance),
                "net": self.theoretical_cents,
                "band": list(band),
                "deviation": self.deviation,
            },
        }


@dataclass(frozen=True)
class Simulation:
    """What was reached: each wager's hold, the house's way there, and the meters at the end."""

    game: str
    strategy: str
    seed: int
    seats: int
    rounds: int
    asked: int
    wagers: tuple[Hold, ...]
    house: Path
    worst_round: int
    best_round: int
    shifts: Shifts
    meters: Mapping[str, int]
    meters_paid: tuple[MeterPaid, ...]
    envy_cents: int

    def __getitem__(self, wager: str) -> Hold:
        return next(one for one in self.wagers if one.wager == wager)

    def as_dict(self) -> dict[str, Any]:
        """Return everything a script reads, money in cents."""
        shifts = self.shifts
        mean = shifts.total / shifts.count if shifts.count else None
        return {
            "game": self.game,
            "strategy": self.strategy,
            "seed": self.seed,
            "seats": self.seats,
            "rounds": self.rounds,
            "asked": self.asked,
            "wagers": [one.as_dict() for one in self.wagers],
            "house": {
                "net": self.house.total,
                "lowest": self.house.lowest,
                "highest": self.house.highest,
                "drawdown": self.house.fall,
                "climb": self.house.climb,
                "worst_round": self.worst_round,
                "best_round": self.best_round,
            },
            "shifts": {
                "rounds": SHIFT_ROUNDS,
                "count": shifts.count,
                "mean": mean,
                "variance": None if mean is None else shifts.squares / shifts.count - mean * mean,
                "worst": shifts.worst,
                "best": shifts.best,
            },
            "meters": dict(self.meters),
            "meters_paid": [one._asdict() for one in self.meters_paid],
            "envy": self.envy_cents,
        }


def simulate(
    rules: RulesInForce,
    rounds: int,
    seats: int = 1,
    seed: int = 1,
    strategy: str = OPTIMAL,
    workers: int = 1,
    progress: Progress = lambda done, asked: None,
    *,
    rates: Mapping[str, Fraction] | None = None,
    meters: Mapping[str, int] | None = None,
) -> Simulation:
    """Play whole tables, every wager offered at one unit; an interrupt ends it with the rounds played so far.

    A rate is the part of each progressive stake that feeds a meter; a meter without one does not grow.
    """
    assert rounds > 0, "at least one round is played"
    assert 1 <= seats <= rules.seats_most, "the table has so many seats"
    assert 0 <= seed < SEEDS, "a seed has 64 bits"
    decide = player_of(rules, strategy)  # before any worker starts, so that each finds what is solved in the cache
    whole = whole_tables_of(rules)
    ledger = ledger_of(rules, seats, rates=rates, meters=meters)
    try:
        with _blocks(Table(rules, seats, decide, whole), seed, strategy, workers) as play:
            for block in play(work_of(rounds, BLOCK_ROUNDS if whole is None else WHOLE_BLOCK_ROUNDS)):
                ledger.add(block)
                progress(ledger.rounds, rounds)
    except KeyboardInterrupt:
        if not ledger.rounds:
            raise
    return result_of(rules, ledger, seats=seats, seed=seed, strategy=strategy, asked=rounds)


def work_of(rounds: int, block_rounds: int = BLOCK_ROUNDS) -> list[Work]:
    """Return the blocks that so many rounds are played in."""
    return [(first, min(block_rounds, rounds - first)) for first in range(0, rounds, block_rounds)]


def ledger_of(
    rules: RulesInForce,
    seats: int,
    *,
    rates: Mapping[str, Fraction] | None = None,
    meters: Mapping[str, int] | None = None,
) -> Ledger:
    """Return an empty account, its meters where they begin."""
    stakes = opening_stakes(rules)
    progressive = rules.game.progressive
    carried: dict[str, Meter] = {}
    if progressive and progressive.wager in stakes:
        stake = stakes[progressive.wager]
        resets = meters_at(rules, progressive.wager, {})
        begin = meters_at(rules, progressive.wager, meters or {})
        for name, reset in resets.items():
            growth = Fraction((rates or {}).get(name, 0)) * stake * seats
            carried[name] = Meter(reset, growth, Fraction(begin[name]))
    return Ledger(tuple(groups_of(rules)), stakes, carried)


def result_of(
    rules: RulesInForce, ledger: Ledger, *, seats: int, seed: int, strategy: str = OPTIMAL, asked: int | None = None
) -> Simulation:
    """Return an account's result beside the exact worth of each wager."""
    means = {name: int(meter.mean(ledger.rounds)) for name, meter in ledger.meters.items()}
    holds = []
    for group, sums in ledger.sums.items():
        stake = UNIT_CENTS if group == MAIN else ledger.stakes[group]
        theory = _theory(rules, group, stake, means, seats - 1)
        holds.append(Hold(group, ledger.rounds * seats, ledger.rounds, stake, sums, theory))
    return Simulation(
        game=rules.game.name,
        strategy=strategy,
        seed=seed,
        seats=seats,
        rounds=ledger.rounds,
        asked=asked or ledger.rounds,
        wagers=tuple(holds),
        house=ledger.house,
        worst_round=ledger.worst_round,
        best_round=ledger.best_round,
        shifts=ledger.shifts,
        meters={name: int(meter.at(ledger.rounds)) for name, meter in ledger.meters.items()},
        meters_paid=tuple(ledger.paid),
        envy_cents=ledger.envy_cents,
    )


def _theory(rules: RulesInForce, group: str, stake: int, means: Mapping[str, int], others: int) -> Worth | None:
    try:
        return worth_of(rules, group, stake_cents=stake, meters=means, others=others)
    except NotAnalysed:
        return None


Play = Callable[[list[Work]], Iterator[Block]]


@contextmanager
def _blocks(table: Table, seed: int, strategy: str, workers: int) -> Iterator[Play]:
    if workers == 1:
        yield lambda work: (table.block(seed, first, rounds) for first, rounds in work)
        return
    # Spawned, never forked: a fork after a parallel kernel has run would hang.
    context = multiprocessing.get_context("spawn")
    begin = (table.rules.game.name, table.rules.choices, table.seats, seed, strategy)
    with context.Pool(workers, initializer=_begin, initargs=begin) as pool:
        yield lambda work: pool.imap_unordered(_played, work)


_table: Table | None = None
_seed = 0


def _begin(name: str, choices: Choices, seats: int, seed: int, strategy: str) -> None:
    global _table, _seed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started the workers stops them
    rules = RulesInForce(game(name), choices)
    _table, _seed = Table(rules, seats, player_of(rules, strategy), whole_tables_of(rules)), seed


def _played(work: Work) -> Block:
    assert _table is not None, "a worker begins before it works"
    first, rounds = work
    return _table.block(_seed, first, rounds)
