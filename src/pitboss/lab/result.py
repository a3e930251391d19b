"""What a simulation came to: each wager's hold beside theory, the house's way, runs, shifts and meters."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pitboss.lab.block_sums import MeterPaid, Shifts, Sums
from pitboss.lab.chi_square import Fit, fit
from pitboss.lab.runs import Path, Row, Swing
from pitboss.lab.simulation_theory import Theory

BAND = 1.96  # standard errors to either side of 95 % of results


@dataclass(frozen=True)
class LineHits:
    """How often a wager ended by a line, and how often it should."""

    wager: str
    line: str
    hands: int
    chance: Fraction | None


@dataclass(frozen=True)
class Hold:
    """What one wager, or `main` for those played together, came to; nets are the players'."""

    wager: str
    hands: int
    rounds: int
    stake_cents: int
    sums: Sums
    theory: Theory | None
    lines: tuple[LineHits, ...] = ()

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
    def theoretical_hold(self) -> float | None:
        """Return the part of the money staked that the house should have kept."""
        return None if self.theoretical_cents is None else -self.theoretical_cents / self.sums.staked

    @property
    def theoretical_cents(self) -> float | None:
        """Return the net that the exact worth expects."""
        return float(self.theory.ev * self.hands * self.stake_cents) if self.theory else None

    @property
    def standard_error_cents(self) -> float | None:
        """Return the standard error of the net: from the exact variance of a hand and the measured covariance of the
        hands of a round; all of it measured where no exact variance is known."""
        if self.theory is None:
            return None
        seats = self.hands // self.rounds
        mean = Fraction(self.sums.net, self.rounds)
        of_rounds = Fraction(self.sums.round_squares, self.rounds) - mean * mean
        if self.theory.variance is not None:
            unseen = self.theory.variance * self.stake_cents**2 - self._hand_variance()
            # A payment too rare to have been met may be shared by the whole table: no sample tells that it is not, so
            # what is missing of the exact variance counts as if every seat won it together.
            of_rounds += (seats * seats if unseen > 0 else seats) * unseen
        return math.sqrt(max(of_rounds, Fraction(0)) * self.rounds)

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

    @property
    def fit(self) -> Fit | None:
        """Return how well the lines fit their chances; hands of one round are not independent, so of one seat only."""
        if self.hands != self.rounds or len({line.wager for line in self.lines}) != 1:
            return None
        found = [(line.hands, line.chance) for line in self.lines if line.chance is not None]
        return fit(found) if len(found) == len(self.lines) else None

    def _hand_variance(self) -> Fraction:
        mean = Fraction(self.sums.net, self.hands)
        return Fraction(self.sums.squares, self.hands) - mean * mean

    def as_dict(self) -> dict[str, Any]:
        """Return the row a script reads."""
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
    """A meter over all rounds: what it began with, was fed, paid and shows, and how long its hits took."""

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
        """Return how many rounds each hit took, from the first round or from the hit before."""
        rounds = [0, *(payment.round for payment in self.paid)]
        return tuple(after - before for before, after in pairwise(rounds))

    @property
    def expected_wait(self) -> float | None:
        """Return in how many rounds one hit is expected."""
        return float(1 / (self.chance * self.seats)) if self.chance else None

    def as_dict(self) -> dict[str, Any]:
        """Return the row a script reads, amounts in cents, exact ones as fractions."""
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
        """Return what the house should have won, where every wager's worth is known."""
        nets = [wager.theoretical_cents for wager in self.wagers]
        return None if None in nets else -sum(net for net in nets if net is not None)

    def as_dict(self) -> dict[str, Any]:
        """Return everything a script reads, money in cents."""
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
