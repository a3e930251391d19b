"""Totals of split results: what was staked, edge, decisions and luck, and the bands of a win with and without luck."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

from pitboss.lab.split import NOTHING, Parts, SettledSeat

BAND_95 = 1.959963984540054
APART_MS = 600_000  # two rounds further apart than this aren't one stretch of play
HOUR_MS = 3_600_000
LUCK = ("cards", "board", "dealer")
BESIDES = ("rounding", "limit", "coupons", "meters", "ruling")


@dataclass(slots=True)
class SplitSums:
    """The sums of a player, table, dealer or game; a round's seats are added together, because they share cards."""

    rounds: int = 0
    hands: int = 0
    net_cents: int = 0  # the players'
    staked_cents: dict[str, int] = field(default_factory=dict)  # by wager
    times: dict[str, int] = field(default_factory=dict)  # by wager: how often it was made
    parts: dict[str, Fraction] = field(default_factory=dict)  # by name, as `Parts.flat` names them
    win_squares: float = 0.0  # of each round's win
    without_luck_squares: float = 0.0
    luck_squares: dict[str, float] = field(default_factory=dict)  # by kind of luck
    played_ms: int = 0
    intervals: int = 0  # between two rounds, that `played_ms` adds up
    last_began_ms: int | None = None

    def add(self, seats: Iterable[tuple[SettledSeat, Parts]], began_ms: int = 0) -> None:
        """Add the seats of one round, the rounds of a table in their order."""
        win = without_luck = NOTHING
        luck = dict.fromkeys((*LUCK, "sides"), NOTHING)
        for seat, parts in seats:
            self.hands += 1
            for result in seat.results:
                self.staked_cents[result.wager] = self.staked_cents.get(result.wager, 0) + result.stake
                self.times[result.wager] = self.times.get(result.wager, 0) + 1
            for name, part in parts.flat().items():
                if part:
                    self.parts[name] = self.parts.get(name, NOTHING) + part
            total = parts.total
            self.net_cents += int(total)
            win -= total
            without_luck -= parts.expected + parts.besides
            for name in LUCK:
                luck[name] += getattr(parts, name)
            luck["sides"] += sum((side.luck for side in parts.sides.values()), NOTHING)
        self.rounds += 1
        self.win_squares += float(win) ** 2
        self.without_luck_squares += float(without_luck) ** 2
        for name, part in luck.items():
            self.luck_squares[name] = self.luck_squares.get(name, 0.0) + float(part) ** 2
        self._time(began_ms)

    def line(self, of: Mapping[str, Any]) -> "SplitLine":
        """Return these sums as a line of a report."""
        luck = sum((self._part(name) for name in LUCK), NOTHING)
        sides = self._sides("luck")
        theoretical = self._part("edge") + self._sides("edge")
        decisions = self._part("decisions") + self._sides("decisions")
        besides = sum((self._part(name) for name in BESIDES), NOTHING)
        win = -self.net_cents
        without_luck = -(theoretical + decisions + besides)
        return SplitLine(
            of=of,
            rounds=self.rounds,
            hands=self.hands,
            staked_cents=sum(self.staked_cents.values()),
            average_bets={wager: Fraction(cents, self.times[wager]) for wager, cents in self.staked_cents.items()},
            played_ms=self.played_ms,
            intervals=self.intervals,
            net_cents=self.net_cents,
            edge_cents=theoretical,
            decisions_cents=decisions,
            cards_cents=self._part("cards"),
            board_cents=self._part("board"),
            dealer_cents=self._part("dealer"),
            sides_cents=sides,
            luck_cents=luck + sides,
            besides_cents=besides,
            without_luck_cents=without_luck,
            win_error_cents=_error(self.win_squares, float(win), self.rounds),
            without_luck_error_cents=_error(self.without_luck_squares, float(without_luck), self.rounds),
        )

    def _part(self, name: str) -> Fraction:
        return self.parts.get(name, NOTHING)

    def _sides(self, kind: str) -> Fraction:
        return sum((part for name, part in self.parts.items() if name.endswith(f" {kind}")), NOTHING)

    def _time(self, began_ms: int) -> None:
        # From one round's beginning to the next one's, if play went on.
        if self.last_began_ms is not None and 0 <= began_ms - self.last_began_ms <= APART_MS:
            self.played_ms += began_ms - self.last_began_ms
            self.intervals += 1
        self.last_began_ms = began_ms


@dataclass(frozen=True, slots=True)
class SplitLine:
    """A line of the luck-and-skill report; parts are the players' and wins are the house's."""

    of: Mapping[str, Any]
    rounds: int
    hands: int
    staked_cents: int
    average_bets: Mapping[str, Fraction]  # by wager, in cents
    played_ms: int
    intervals: int
    net_cents: int
    edge_cents: Fraction
    decisions_cents: Fraction
    cards_cents: Fraction
    board_cents: Fraction
    dealer_cents: Fraction
    sides_cents: Fraction  # luck of side wagers
    luck_cents: Fraction
    besides_cents: Fraction  # rounding, payout limits, coupons, meters, rulings
    without_luck_cents: Fraction  # the house's win without luck
    win_error_cents: float
    without_luck_error_cents: float

    @property
    def theoretical_loss_cents(self) -> Fraction:
        """Return what the players could expect to lose, playing as they did."""
        return -(self.edge_cents + self.decisions_cents)

    @property
    def comp_base_cents(self) -> Fraction:
        """Return what a comp may be based on: the theoretical loss at this skill, if it is a loss."""
        return max(self.theoretical_loss_cents, NOTHING)

    @property
    def rounds_an_hour(self) -> Fraction | None:
        """Return the pace, if the times of rounds are known."""
        return Fraction(self.intervals * HOUR_MS, self.played_ms) if self.played_ms else None

    @property
    def fewer_rounds(self) -> float | None:
        """Return how many times fewer rounds the win without luck needs for the same relative error."""
        if not self.without_luck_error_cents:
            return None
        return (self.win_error_cents / self.without_luck_error_cents) ** 2

    def as_dict(self) -> dict[str, Any]:
        """Return the line as plain data: exact amounts as fractions of a cent."""
        pace, fewer = self.rounds_an_hour, self.fewer_rounds
        low, high = (
            float(self.without_luck_cents) + side * BAND_95 * self.without_luck_error_cents for side in (-1, 1)
        )
        return {
            **self.of,
            "rounds": self.rounds,
            "hands": self.hands,
            "staked_cents": self.staked_cents,
            "average_bets_cents": {wager: str(cents) for wager, cents in self.average_bets.items()},
            "played_minutes": round(self.played_ms / 60_000, 1),
            "rounds_an_hour": None if pace is None else round(float(pace), 1),
            "net_cents": self.net_cents,
            "edge_cents": str(self.edge_cents),
            "decisions_cents": str(self.decisions_cents),
            "luck_cents": str(self.luck_cents),
            "cards_cents": str(self.cards_cents),
            "board_cents": str(self.board_cents),
            "dealer_cents": str(self.dealer_cents),
            "sides_cents": str(self.sides_cents),
            "besides_cents": str(self.besides_cents),
            "theoretical_loss_cents": str(self.theoretical_loss_cents),
            "comp_base_cents": str(self.comp_base_cents),
            "win_without_luck_cents": str(self.without_luck_cents),
            "without_luck_low_cents": round(low, 2),
            "without_luck_high_cents": round(high, 2),
            "win_error_cents": round(self.win_error_cents, 2),
            "without_luck_error_cents": round(self.without_luck_error_cents, 2),
            "fewer_rounds": None if fewer is None else round(fewer, 1),
        }


def _error(squares: float, total: float, rounds: int) -> float:
    # The standard error of a sum of rounds, from their own spread.
    if rounds < 2:
        return 0.0
    return sqrt(max(squares - total * total / rounds, 0.0) * rounds / (rounds - 1))
