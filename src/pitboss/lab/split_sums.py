"""Totals of split results: what was staked, edge, decisions and luck, and the bands of a win with and without luck."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from pitboss.lab.split import NOTHING, Parts, SettledSeat

BAND_95 = 1.959963984540054
APART_MS = 600_000  # two rounds further apart than this aren't one stretch of play
HOUR_MS = 3_600_000
LUCK = ("cards", "board", "dealer")
SIDES = "sides"
EXACT, EXACT_BY_NAME = ("win_squares", "without_luck_squares"), ("parts", "luck_squares")
BESIDES = ("rounding", "limit", "coupons", "meters", "ruling")


class LuckOff(NamedTuple):
    """The players' luck of one kind, its standard error and the largest of a round, in cents."""

    cents: float
    error: float
    largest: float

    @property
    def errors(self) -> float:
        """Return how many standard errors it is from zero."""
        return self.cents / self.error


@dataclass(slots=True)
class SplitSums:
    """The sums of a player, table, dealer or game; a round's seats are added together, because they share cards."""

    rounds: int = 0
    hands: int = 0
    net_cents: int = 0  # the players'
    staked_cents: dict[str, int] = field(default_factory=dict)  # by wager
    times: dict[str, int] = field(default_factory=dict)  # by wager: how often it was made
    parts: dict[str, Fraction] = field(default_factory=dict)  # by name, as `Parts.flat` names them
    # Exact sums, so that they don't depend on the order in which rounds of different tables are added.
    win_squares: Fraction = NOTHING  # of each round's win
    without_luck_squares: Fraction = NOTHING
    luck_squares: dict[str, Fraction] = field(default_factory=dict)  # by kind of luck
    luck_largest: dict[str, float] = field(default_factory=dict)  # by kind of luck: the largest of a round, either way
    played_ms: int = 0
    intervals: int = 0  # between two rounds, that `played_ms` adds up
    last_began_ms: dict[str, int] = field(default_factory=dict)  # by table

    def add(self, seats: Iterable[tuple[SettledSeat, Parts]], began_ms: int = 0, table: str = "") -> None:
        """Add the seats of one round, the rounds of each table in their order."""
        win = without_luck = NOTHING
        luck = dict.fromkeys((*LUCK, SIDES), NOTHING)
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
            luck[SIDES] += sum((side.luck for side in parts.sides.values()), NOTHING)
        self.rounds += 1
        self.win_squares += _square(win)
        self.without_luck_squares += _square(without_luck)
        for name, part in luck.items():
            self.luck_squares[name] = self.luck_squares.get(name, NOTHING) + _square(part)
            self.luck_largest[name] = max(self.luck_largest.get(name, 0.0), abs(float(part)))
        self._time(began_ms, table)

    def to_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        exact = {name: str(getattr(self, name)) for name in EXACT}
        by_name = {name: {of: str(part) for of, part in getattr(self, name).items()} for name in EXACT_BY_NAME}
        return {**asdict(self), **exact, **by_name}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "SplitSums":
        """Return the sums from plain data, which stays as it is while rounds are added."""
        own: dict[str, Any] = deepcopy(dict(data))
        exact = {name: Fraction(data[name]) for name in EXACT}
        by_name = {name: {of: Fraction(part) for of, part in data[name].items()} for name in EXACT_BY_NAME}
        return cls(**{**own, **exact, **by_name})

    def luck_off(self, kind: str) -> "LuckOff | None":
        """Return how far one kind of luck is from zero, its average at any skill; None without any."""
        squares = self.luck_squares.get(kind, NOTHING)
        cents = float(self._sides("luck") if kind == SIDES else self._part(kind))
        return LuckOff(cents, sqrt(squares), self.luck_largest[kind]) if squares else None

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

    def _time(self, began_ms: int, table: str) -> None:
        # From one round's beginning to the next one's at the same table, if play went on there.
        last = self.last_began_ms.get(table)
        if last is not None and 0 <= began_ms - last <= APART_MS:
            self.played_ms += began_ms - last
            self.intervals += 1
        self.last_began_ms[table] = began_ms


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


def _square(part: Fraction) -> Fraction:
    return Fraction(float(part) ** 2)  # rounded once: the parts' own denominators would grow with every round


def _error(squares: Fraction, total: float, rounds: int) -> float:
    # The standard error of a sum of rounds, from their own spread.
    if rounds < 2:
        return 0.0
    return sqrt(max(float(squares) - total * total / rounds, 0.0) * rounds / (rounds - 1))
