"""Actual against theory: how far each table's and wager's results lie from what the odds expect of them."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from pitboss.house.record import Entry
from pitboss.house.reports.tables import TABLES, Followed

BAND_95 = 1.959963984540054
ALERT_ERRORS = 4
ALERT_ROUNDS = 1_000
# A wager whose rare prize moves the win by more than a quarter of a standard error has not met it often enough yet:
# its results are far from normal, and luck alone would pass four errors.
PRIZES_IN_AN_ERROR = 4
_SETTLED, _ENDED, _BEGUN = "round.WagersSettled", "house.RoundEnded", "house.RoundBegun"


class Theory(NamedTuple):
    """What one unit on the base wager is worth to the player, with the wagers that are played together with it."""

    game: str
    wager: str  # the base, whose stake is the unit
    expected: Fraction
    variance: Fraction
    together: tuple[str, ...] = ()  # the other wagers whose results are in these figures
    largest: Fraction = Fraction(0)  # the greatest net result


class Compared(NamedTuple):
    """A line of the report: the house's win against the win that was expected."""

    table: str  # nothing where the line is of all tables
    game: str
    wager: str  # nothing where the line is of all wagers that theory covers
    rounds: int
    handle_cents: int  # on the base wagers
    win_cents: int
    expected_cents: Fraction
    error_cents: float  # the standard error
    is_enough: bool  # whether there are enough rounds for an alert

    @property
    def z(self) -> float | None:
        """Return by how many standard errors the win lies above what was expected."""
        return float(self.win_cents - self.expected_cents) / self.error_cents if self.error_cents else None

    @property
    def band_cents(self) -> tuple[float, float]:
        """Return between what the win lies 95 times of 100, or more often."""
        half = BAND_95 * self.error_cents
        return float(self.expected_cents) - half, float(self.expected_cents) + half

    @property
    def is_outside(self) -> bool:
        """Say whether the win is so far off that somebody has to look."""
        return self.is_enough and self.z is not None and abs(self.z) > ALERT_ERRORS


@dataclass(slots=True)
class Results:
    """What a wager came to at a table, in rounds that were settled."""

    # Seats of a round share cards. Their stakes are squared together, as if they always won and lost together: within a
    # round standard deviations add, between rounds variances do, and the band is never too narrow.
    rounds: int = 0
    handle_cents: int = 0
    squares: int = 0  # of each round's stakes together
    net_cents: int = 0  # the players'


class Actual:
    """Follows the tables' streams and sums results by table, game and wager."""

    def __init__(self) -> None:
        self._tables: dict[str, Followed] = {}
        self._open: dict[str, dict[str, list[int]]] = {}  # by table: stake and net of the round's wagers
        self.results: dict[tuple[str, str, str], Results] = {}
        self.rounds: dict[str, int] = {}

    def add(self, entry: Entry) -> None:
        """Take in the next entry of any stream."""
        if not entry.stream.startswith(TABLES):
            return
        table = entry.stream[len(TABLES) :]
        followed = self._tables.get(table) or self._tables.setdefault(table, Followed(table))
        followed.follow(entry)
        if entry.kind == _SETTLED:
            sums = self._open.setdefault(table, {})
            for one in entry.body["results"]:
                both = sums.setdefault(one["wager"], [0, 0])
                both[0] += one["stake"]
                both[1] += one["net"]
        elif entry.kind == _BEGUN:
            self._open.pop(table, None)
        elif entry.kind == _ENDED:
            sums = self._open.pop(table, {})
            if entry.body["outcome"] == "settled":  # what was voided is no result
                self._count(table, followed.game, sums)

    def to_data(self) -> dict[str, Any]:
        """Return what was summed as plain data."""
        return {
            "tables": [one.to_data() for one in self._tables.values()],
            "open": {table: dict(sums) for table, sums in self._open.items()},
            "results": [[*key, asdict(one)] for key, one in self.results.items()],
            "rounds": dict(self.rounds),
        }

    def take_up(self, data: Mapping[str, Any]) -> None:
        """Go on from what was summed before."""
        self._tables = {one[0]: Followed(*one) for one in data["tables"]}
        self._open = {
            table: {wager: list(both) for wager, both in sums.items()} for table, sums in data["open"].items()
        }
        self.results = {(table, game, wager): Results(**one) for table, game, wager, one in data["results"]}
        self.rounds = dict(data["rounds"])

    def _count(self, table: str, game: str, sums: Mapping[str, list[int]]) -> None:
        self.rounds[table] = self.rounds.get(table, 0) + 1
        for wager, (stake, net) in sums.items():
            key = (table, game, wager)
            one = self.results.get(key) or self.results.setdefault(key, Results())
            one.rounds += 1
            one.handle_cents += stake
            one.squares += stake * stake
            one.net_cents += net


def compared(actual: Actual, theories: Iterable[Theory], table: str | None = None) -> tuple[Compared, ...]:
    """Return a line for each table and wager, for each table, and for each wager at all tables, or of one table."""
    known = tuple(theories)
    places = sorted({key[:2] for key in actual.results if table in (None, key[0])})
    lines = [line for place in places for one in known if (line := _line(actual, place, one)) is not None]
    of_tables = [_summed(found, wager="") for place in places if len(found := _of(lines, place)) > 1]
    wagers = dict.fromkeys((one.game, one.wager) for one in lines)
    of_wagers = [_pooled([one for one in lines if (one.game, one.wager) == key]) for key in wagers if table is None]
    return (*lines, *of_tables, *of_wagers)


def _line(actual: Actual, place: tuple[str, str], theory: Theory) -> Compared | None:
    table, game = place
    base = actual.results.get((table, game, theory.wager)) if game == theory.game else None
    if base is None:
        return None
    others = (actual.results.get((table, game, one)) for one in theory.together)
    net = base.net_cents + sum(one.net_cents for one in others if one is not None)
    variance = theory.variance * base.squares
    largest = theory.largest * base.handle_cents / base.rounds
    return Compared(
        table,
        game,
        theory.wager,
        base.rounds,
        base.handle_cents,
        -net,
        -theory.expected * base.handle_cents,
        sqrt(variance),
        base.rounds >= ALERT_ROUNDS and (largest * PRIZES_IN_AN_ERROR) ** 2 <= variance,
    )


def _of(lines: Iterable[Compared], place: tuple[str, str]) -> list[Compared]:
    return [one for one in lines if (one.table, one.game) == place]


def _summed(lines: list[Compared], *, wager: str) -> Compared:
    # Wagers of one round hang on the same cards: their errors add.
    return lines[0]._replace(
        wager=wager,
        rounds=max(one.rounds for one in lines),
        handle_cents=sum(one.handle_cents for one in lines),
        win_cents=sum(one.win_cents for one in lines),
        expected_cents=sum((one.expected_cents for one in lines), Fraction(0)),
        error_cents=sum(one.error_cents for one in lines),
        is_enough=all(one.is_enough for one in lines),
    )


def _pooled(lines: list[Compared]) -> Compared:
    # Tables are dealt from decks of their own: their variances add.
    together = _summed(lines, wager=lines[0].wager)
    rounds = sum(one.rounds for one in lines)
    error = sqrt(sum(one.error_cents**2 for one in lines))
    return together._replace(table="", rounds=rounds, error_cents=error)
