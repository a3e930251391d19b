"""The result of a simulation: each wager's hold compared with theory, the house's total, streaks, shifts and meters."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pitboss.lab.block_sums import MeterPaid, Shifts, Sums
from pitboss.lab.chi_square import Fit, fit
from pitboss.lab.runs import Path, Row, Swing
from pitboss.lab.session_spread import range_95
from pitboss.lab.simulation_theory import Theory

BAND = 1.96  # standard errors to either side for 95% of results, where only a mean is known


@dataclass(frozen=True)
class LineHits:
    """How often a wager ended with a line, and how often it should have."""

    wager: str
    line: str
    hands: int
    chance: Fraction | None


@dataclass(frozen=True)
class Hold:
    """The result of one wager, or of `main` for those played together; nets are the players'."""

    wager: str
    hands: int
    rounds: int
    stake_cents: int
    sums: Sums
    theory: Theory | None
    lines: tuple[LineHits, ...] = ()

    @property
    def paid_cents(self) -> int:
        """Return what was paid back to the players, including stakes."""
        return self.sums.staked + self.sums.net

    @property
    def hold(self) -> float:
        """Return the share of the handle that the house kept."""
        return -self.sums.net / self.sums.staked

    @property
    def ev(self) -> float:
        """Return the average net per unit; for the main game, per unit of the Ante."""
        return self.sums.net / (self.hands * self.stake_cents)

    @property
    def variance(self) -> float:
        """Return the measured variance of a hand's net, in units."""
        return float(self._hand_variance()) / self.stake_cents**2

    @property
    def interval(self) -> float | None:
        """Return the average number of hands per hit."""
        return self.hands / self.sums.hits if self.sums.hits else None

    @property
    def theoretical_hold(self) -> float | None:
        """Return the share of the handle that the house should have kept."""
        return None if self.theoretical_cents is None else -self.theoretical_cents / self.sums.staked

    @property
    def theoretical_cents(self) -> float | None:
        """Return the expected net from the exact value."""
        return float(self.theory.ev * self.hands * self.stake_cents) if self.theory else None

    @property
    def standard_error_cents(self) -> float | None:
        """Return the standard error of the net, from the exact variance of a hand and the measured covariance of the
        hands of a round; if no exact variance is known, both are measured."""
        if self.theory is None:
            return None
        seats = self.hands // self.rounds
        mean = Fraction(self.sums.net, self.rounds)
        of_rounds = Fraction(self.sums.round_squares, self.rounds) - mean * mean
        if self.theory.variance is not None:
            unseen = self.theory.variance * self.stake_cents**2 - self._hand_variance()
            # A payment too rare to appear may be shared by the whole table, and no sample can rule that out, so the
            # missing part of the exact variance counts as if every seat won it together.
            of_rounds += (seats * seats if unseen > 0 else seats) * unseen
        return math.sqrt(max(of_rounds, Fraction(0)) * self.rounds)

    @property
    def band_cents(self) -> tuple[float, float] | None:
        """Return the range of nets in which 95% of such simulations end: possible results only.

        For one seat it is that of the exact distribution. The hands of a round depend on each other, so with more
        seats it is as much wider or narrower than that of as many separate hands as the standard error is.
        """
        middle, error, theory = self.theoretical_cents, self.standard_error_cents, self.theory
        if middle is None or error is None or theory is None:
            return None
        if not theory.nets:  # the mean of a named strategy is known, but not its distribution
            return max(middle - BAND * error, -float(self.sums.staked)), middle + BAND * error
        low, high = (end * self.stake_cents for end in range_95(theory.nets, self.hands))
        own = float(sum(net * chance for net, chance in theory.nets)) * self.hands * self.stake_cents
        if self.hands > self.rounds and theory.variance:
            wider = error / (math.sqrt(theory.variance * self.hands) * self.stake_cents)
            least, most = (float(theory.nets[end][0]) * self.hands * self.stake_cents for end in (0, -1))
            low, high = max(own + wider * (low - own), least), min(own + wider * (high - own), most)
        return low + middle - own, high + middle - own

    @property
    def deviation(self) -> float | None:
        """Return how many standard errors the house's win is above theory (the z-score)."""
        middle, error = self.theoretical_cents, self.standard_error_cents
        return None if middle is None or not error else (middle - self.sums.net) / error

    @property
    def fit(self) -> Fit | None:
        """Return how well the lines fit theory; for one seat only, since hands of a round depend on each other."""
        if self.hands != self.rounds or len({line.wager for line in self.lines}) != 1:
            return None
        found = [(line.hands, line.chance) for line in self.lines if line.chance is not None]
        return fit(found) if len(found) == len(self.lines) else None

    def _hand_variance(self) -> Fraction:
        mean = Fraction(self.sums.net, self.hands)
        return Fraction(self.sums.squares, self.hands) - mean * mean

    def as_dict(self) -> dict[str, Any]:
        """Return the row as plain data."""
        found = self.fit
        return {
            "wager": self.wager,
            "hands": self.hands,
            "stake": self.stake_cents,
            "staked": self.sums.staked,
            "paid": self.paid_cents,
            "net": self.sums.net,
            "hold": self.hold,
            "ev": self.ev,
            "variance": self.variance,
            "hits": self.sums.hits,
            "interval": self.interval,
            "theory": self._theory_as_dict(),
            "lines": [
                {
                    "wager": line.wager,
                    "line": line.line,
                    "hands": line.hands,
                    "share": line.hands / self.hands,
                    "chance": None if line.chance is None else str(line.chance),
                }
                for line in self.lines
            ],
            "fit": found and {"chi_square": found.chi_square, "degrees": found.degrees, "p": found.p},
        }

    def _theory_as_dict(self) -> dict[str, Any] | None:
        theory, band = self.theory, self.band_cents
        if theory is None or band is None:
            return None
        return {
            "ev": str(theory.ev),
            "variance": None if theory.variance is None else float(theory.variance),
            "hit_frequency": None if theory.hit_frequency is None else str(theory.hit_frequency),
            "hold": self.theoretical_hold,
            "net": self.theoretical_cents,
            "band": list(band),
            "deviation": self.deviation,
        }


@dataclass(frozen=True)
class MeterRun:
    """A meter over all rounds: its start, contributions, payments and end, and the waits between hits."""

    name: str
    began_cents: int
    reset_cents: int
    growth: Fraction  # cents a round
    contributed: Fraction  # cents
    shows: Fraction  # cents, to the fraction it holds
    paid: tuple[MeterPaid, ...]
    rounds: int
    chance: Fraction | None  # of a hit, per hand
    seats: int

    @property
    def waits(self) -> tuple[int, ...]:
        """Return how many rounds each hit took, counted from the first round or the previous hit."""
        rounds = [0, *(payment.round for payment in self.paid)]
        return tuple(after - before for before, after in pairwise(rounds))

    @property
    def expected_wait(self) -> float | None:
        """Return the expected number of rounds per hit."""
        return float(1 / (self.chance * self.seats)) if self.chance else None

    def as_dict(self) -> dict[str, Any]:
        """Return the row as plain data, with amounts in cents and exact ones as fractions."""
        waits = self.waits
        last = self.paid[-1].round if self.paid else 0
        return {
            "meter": self.name,
            "began": self.began_cents,
            "reset": self.reset_cents,
            "growth": str(self.growth),
            "contributed": str(self.contributed),
            "shows": str(self.shows),
            "hits": len(self.paid),
            "paid": sum(payment.paid_cents for payment in self.paid),
            "wait": {
                "mean": sum(waits) / len(waits) if waits else None,
                "first": waits[0] if waits else None,
                "longest": max(waits, default=None),
                "since_last": self.rounds - last,
                "expected": self.expected_wait,
            },
        }


@dataclass(frozen=True)
class Simulation:
    """The result of a simulation: each wager's hold, the house's total over time, and the meters at the end."""

    game: str
    strategy: str
    seed: int
    seats: int
    rounds: int
    asked: int
    stakes: Mapping[str, int]
    wagers: tuple[Hold, ...]
    house: Path
    worst_round: int
    best_round: int
    house_lost: Row
    house_won: Row
    seat_lost: Row
    seat_won: Row
    shifts: Shifts
    meter_runs: tuple[MeterRun, ...]
    meters_paid: tuple[MeterPaid, ...]
    envy_cents: int
    envies: int

    def __getitem__(self, wager: str) -> Hold:
        return next(result for result in self.wagers if result.wager == wager)

    @property
    def meters(self) -> dict[str, int]:
        """Return what each meter shows, in whole cents."""
        return {meter_run.name: int(meter_run.shows) for meter_run in self.meter_runs}

    @property
    def theoretical_cents(self) -> float | None:
        """Return what the house should have won, if every wager's exact value is known."""
        nets = [wager.theoretical_cents for wager in self.wagers]
        return None if None in nets else -sum(net for net in nets if net is not None)

    def as_dict(self) -> dict[str, Any]:
        """Return the whole result as plain data, with money in cents."""
        house, shifts, theory = self.house, self.shifts, self.theoretical_cents
        mean, variance = shifts.mean, shifts.variance
        return {
            "game": self.game,
            "strategy": self.strategy,
            "seed": self.seed,
            "seats": self.seats,
            "rounds": self.rounds,
            "asked": self.asked,
            "stakes": dict(self.stakes),
            "wagers": [wager.as_dict() for wager in self.wagers],
            "house": {
                "net": house.total,
                "theory": theory,
                "lowest": house.lowest,
                "highest": house.highest,
                "drawdown": house.fall,
                "drawdown_rounds": _rounds(house.drawdown),
                "climb": house.climb,
                "climb_rounds": _rounds(house.rise),
                "worst_round": self.worst_round,
                "best_round": self.best_round,
                "longest_losing": _row(self.house_lost),
                "longest_winning": _row(self.house_won),
            },
            "seat": {
                "longest_losing": _row(self.seat_lost) | {"seat": self.seat_lost.seat},
                "longest_winning": _row(self.seat_won) | {"seat": self.seat_won.seat},
            },
            "shifts": {
                "rounds": shifts.rounds,
                "count": shifts.count,
                "mean": None if mean is None else float(mean),
                "theory": None if theory is None else theory / self.rounds * shifts.rounds,
                "variance": None if variance is None else float(variance),
                "lost": shifts.lost,
                "worst": shifts.worst,
                "best": shifts.best,
            },
            "meters": self.meters,
            "meter_runs": [meter_run.as_dict() for meter_run in self.meter_runs],
            "meters_paid": [payment._asdict() for payment in self.meters_paid],
            "envy": self.envy_cents,
            "envies": self.envies,
        }


def _rounds(swing: Swing) -> list[int] | None:
    # The first and the last round of it.
    return [swing.after_round + 1, swing.round] if swing.cents else None


def _row(row: Row) -> dict[str, int]:
    return {"rounds": row.rounds, "last_round": row.last_round}
