"""Actual against theory: what wagers won the house, what they should have won, and how far apart the two are."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import hypot, sqrt
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.money.postings import is_paid_by_meter
from pitboss.house.reports.table_facts import Followed, follow_table, is_free_play
from pitboss.record.entries import Body, Entry
from pitboss.round.events import SETTLED as ROUND_SETTLED
from pitboss.round.events import WagerResult
from pitboss.rules.payoff import For, To, dollars, payoff

BAND_95 = 1.959963984540054
ALERT_ERRORS = 4
ALERT_CHANCE = 3.167e-5  # the chance that a normal sum is four errors off on that side
CHANCE_FROM_ERRORS = 2.5  # closer than this, no sum of a thousand rounds is as unlikely
ALERT_ROUNDS = 1_000
RAREST = 1e-9  # smaller chances are shown as less than this
# Rare prizes say little about a game and hide what does. So an alert uses wins capped at a multiple of their stake, in
# theory and in fact, and the exact distribution of their sum. Where that isn't known, as for several wagers together,
# it takes four errors, and waits until the largest win is small next to the error.
COUNTED_TO = 20
LARGEST_IN_AN_ERROR = 4


class Counted(NamedTuple):
    """What a base wager is worth per unit if each wager's win is capped at a multiple of its stake."""

    expected: Fraction
    variance: Fraction
    largest: Fraction  # the largest net result
    nets: tuple[tuple[Fraction, Fraction], ...] = ()  # the capped net results, lowest first, and the chance of each


class NetResult(NamedTuple):
    """A result of a base wager and those played with it, to the player."""

    units: Fraction  # for each unit staked
    cents: Fraction  # paid regardless of the stake
    chance: Fraction


class Theory(NamedTuple):
    """What a base wager and those played with it are worth to the player: per unit, and in cents each time."""

    wager: str  # the base wager, whose stake is the unit
    expected: Fraction
    variance: Fraction
    counted: Counted | None  # None if it depends on the stake
    together: tuple[str, ...] = ()  # the other wagers included in these figures
    expected_cents: Fraction = Fraction(0)  # of prizes that don't grow with the stake
    variance_cents: Fraction = Fraction(0)
    nets: tuple[NetResult, ...] = ()  # every result there can be


# Returns the totals between which 95 of 100 sums of that many results lie, from the results in units and their chances.
RangeOf = Callable[[tuple[tuple[Fraction, Fraction], ...], int], tuple[float, float]]
# Returns the chances that such a sum is at most this total, and at least this total.
ChanceOf = Callable[[tuple[tuple[Fraction, Fraction], ...], int, float], tuple[float, float]]
Theories = Mapping[str, tuple[Theory, ...]]  # by the version of the rules they were computed for


class Compared(NamedTuple):
    """A line of the report: the house's win compared with the expected win."""

    table: str  # empty if the line is for all tables
    game: str
    rules: str  # their version; empty if the line is for several
    wager: str  # empty if the line is for all wagers that theory covers
    rounds: int
    handle_cents: int  # on the base wagers
    win_cents: int  # before a payout limit, and without what meters paid
    expected_cents: Fraction
    error_cents: float  # the standard error
    counted_off_cents: float  # how far the win is above the expected one, with wins capped at a multiple of their stake
    counted_error_cents: float
    is_enough: bool  # whether there are enough rounds for an alert
    below_cents: float  # from the expected win down to the lower end of the range that holds it 95 times out of 100
    above_cents: float  # and up to the upper end
    free_play: bool = False  # play money, which is never added to money
    counted_chance: float | None = None  # of capped wins as far off on this side or farther, where it's known

    @property
    def z(self) -> float | None:
        """Return how many standard errors the win is above the expected one."""
        return float(self.win_cents - self.expected_cents) / self.error_cents if self.error_cents else None

    @property
    def counted_z(self) -> float | None:
        """Return the same for capped wins, which alerts use."""
        return self.counted_off_cents / self.counted_error_cents if self.counted_error_cents else None

    @property
    def band_cents(self) -> tuple[float, float]:
        """Return the range that contains the win at least 95 times out of 100."""
        return float(self.expected_cents) - self.below_cents, float(self.expected_cents) + self.above_cents

    @property
    def is_outside(self) -> bool:
        """Say whether the win is so far off that someone has to look."""
        if self.counted_chance is not None:
            return self.counted_chance < ALERT_CHANCE
        return self.is_enough and self.counted_z is not None and abs(self.counted_z) > ALERT_ERRORS


@dataclass(slots=True)
class Results:
    """A wager's totals at a table, in settled rounds."""

    # Seats in a round share cards. Their stakes are squared together, as if they always won and lost together: within a
    # round standard deviations add, between rounds variances do, and the band is never too narrow.
    rounds: int = 0
    times: int = 0  # how often it was made
    handle_cents: int = 0
    net_cents: int = 0  # the players', before a payout limit, and without what meters paid
    counted_cents: int = 0  # the same with each win capped at a multiple of its stake
    squares: int = 0  # of each round's total stakes
    times_squares: int = 0  # of how often it was made in each round
    products: int = 0  # of the two


class Key(NamedTuple):
    """What results belong to: a table, a game, a version of its rules and a wager."""

    table: str
    game: str
    rules: str
    wager: str


Summed = Mapping[Key, Results]


class Actual:
    """Follows the tables' streams and sums results by table, rules and wager."""

    def __init__(self) -> None:
        self._tables: dict[str, Followed] = {}
        self._open: dict[str, dict[str, list[int]]] = {}  # by table: stake, net, capped net and times of wagers
        self._ended: dict[str, dict[str, list[int]]] = {}  # the same for rounds already in the results
        self._disputed: set[str] = set()  # tables where a dispute may still change such a round
        self.results: dict[Key, Results] = {}
        self.rounds: dict[str, int] = {}
        self.documents: dict[str, Body] = {}  # by the version under which results were made

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        followed = follow_table(self._tables, entry)
        if followed is None:
            return
        table = followed.table
        if entry.kind in (entry_kinds.WAGERS_SETTLED, entry_kinds.WAGERS_REVERSED):
            is_counted = table in self._disputed and table in self._ended
            sums = self._ended[table] if is_counted else self._open.setdefault(table, {})
            sign = 1 if entry.kind == entry_kinds.WAGERS_SETTLED else -1
            if is_counted:
                self._count(followed, sums, -1)
            for result in followed.decided(entry):
                stake, net = result.stake, _priced_net(result)
                before = sums.get(result.wager, (0, 0, 0, 0))
                now = (stake, net, min(net, COUNTED_TO * stake), 1)
                sums[result.wager] = [total + sign * more for total, more in zip(before, now, strict=True)]
            if is_counted:
                self._count(followed, sums)
        elif entry.kind == entry_kinds.ROUND_BEGUN:
            self._open.pop(table, None)
            self._ended.pop(table, None)
        elif entry.kind == entry_kinds.ROUND_ENDED:
            sums = self._open.pop(table, {})
            if entry.body["outcome"] == ROUND_SETTLED:  # a voided round isn't a result
                self._count(followed, sums)
                self._ended[table] = sums
                self.rounds[table] = self.rounds.get(table, 0) + 1
        elif entry.kind == entry_kinds.DISPUTE_REPORTED:
            self._disputed.add(table)
        elif entry.kind == entry_kinds.DISPUTE_RESOLVED:
            self._disputed.discard(table)
        elif entry.kind == entry_kinds.SUBMISSION_ACTIVATED:
            self.documents[followed.rules] = entry.body["document"]

    def rules_at(self, table: str) -> str:
        """Return the version of the rules in force at a table."""
        return self._tables[table].rules if table in self._tables else ""

    def of(self, table: str, rules: str) -> dict[Key, Results]:
        """Return a table's current totals under a version of its rules."""
        return {
            key: replace(result) for key, result in self.results.items() if (key.table, key.rules) == (table, rules)
        }

    def to_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "tables": [followed.to_data() for followed in self._tables.values()],
            "open": {table: dict(sums) for table, sums in self._open.items()},
            "ended": {table: dict(sums) for table, sums in self._ended.items()},
            "disputed": sorted(self._disputed),
            "results": summed_data(self.results),
            "rounds": dict(self.rounds),
            "documents": dict(self.documents),
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the sums from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self._open, self._ended = (
            {table: {wager: list(sums) for wager, sums in of_table.items()} for table, of_table in data[name].items()}
            for name in ("open", "ended")
        )
        self._disputed = set(data["disputed"])
        self.results = summed_from(data["results"])
        self.rounds = dict(data["rounds"])
        self.documents = dict(data["documents"])

    def _count(self, followed: Followed, sums: Mapping[str, list[int]], sign: int = 1) -> None:
        for wager, (stake, net, counted, times) in sums.items():
            if not times:  # it was returned at every seat
                continue
            key = Key(followed.table, followed.game, followed.rules, wager)
            results = self.results.get(key) or self.results.setdefault(key, Results())
            results.rounds += sign
            results.times += sign * times
            results.handle_cents += sign * stake
            results.net_cents += sign * net
            results.counted_cents += sign * counted
            results.squares += sign * stake * stake
            results.times_squares += sign * times * times
            results.products += sign * times * stake
            if not results.rounds:
                del self.results[key]


def _priced_net(result: WagerResult) -> int:
    # Only what odds pay on chips: a meter's payment depends on its display, a payout limit on other wins, and
    # what a coupon won isn't a result of the stake.
    from_meter = result.paid if result.paid and is_paid_by_meter(result) else 0
    return result.net + result.cut - from_meter - _won_by_coupon(result)


def _won_by_coupon(result: WagerResult) -> int:
    odds = payoff(result.odds) if result.coupon and result.odds is not None else None
    if not isinstance(odds, To | For):
        return 0  # it was taken without a win, or the prize doesn't grow with the stake
    return result.paid + result.cut - result.stake * odds.win // odds.per


def summed_data(results: Summed) -> list[list[Any]]:
    """Return sums as plain data."""
    return [[*key, asdict(figures)] for key, figures in results.items()]


def summed_from(data: Iterable[Any]) -> dict[Key, Results]:
    """Return sums from plain data."""
    return {Key(*key): Results(**figures) for *key, figures in data}


def compared(
    results: Summed,
    theories: Theories,
    free_play: Collection[str] = (),
    *,
    tables_together: bool = True,
    range_of: RangeOf | None = None,
    chance_of: ChanceOf | None = None,
) -> tuple[Compared, ...]:
    """Return a line per table and wager, per table, and per wager at all tables with the same kind of money."""
    places = sorted({key[:3] for key in results})
    lines = [
        line._replace(free_play=line.rules in free_play)
        for place in places
        for line in _lines(results, Key(*place, ""), theories, range_of, chance_of)
    ]
    of_tables = [_summed(found, wager="") for place in places if len(found := _of(lines, place)) > 1]
    wagers = dict.fromkeys(map(_pool_of, lines)) if tables_together else {}
    of_wagers = [_pooled([line for line in lines if _pool_of(line) == key]) for key in wagers]
    return (*lines, *of_tables, *of_wagers)


def played_free(documents: Mapping[str, Body]) -> frozenset[str]:
    """Return the versions of the rules that tables play by for play money."""
    return frozenset(rules for rules, document in documents.items() if is_free_play(document))


def _pool_of(line: Compared) -> tuple[str, str, bool]:
    return line.game, line.wager, line.free_play


def _lines(
    results: Summed, place: Key, theories: Theories, range_of: RangeOf | None, chance_of: ChanceOf | None
) -> Iterable[Compared]:
    for theory in theories.get(place.rules, ()):
        base = results.get(place._replace(wager=theory.wager))
        if base is not None:
            others = (results.get(place._replace(wager=wager)) for wager in theory.together)
            played = [base, *(result for result in others if result is not None)]
            line = _line(place, theory, base, played, range_of)
            yield line if chance_of is None else line._replace(counted_chance=_chance(theory, base, line, chance_of))


def _line(place: Key, theory: Theory, base: Results, played: list[Results], range_of: RangeOf | None) -> Compared:
    scaled, fixed = sqrt(theory.variance), sqrt(theory.variance_cents)
    # The two parts depend on the same cards, so their deviations add.
    variance = base.squares * theory.variance + base.times_squares * theory.variance_cents
    expected = theory.expected * base.handle_cents + theory.expected_cents * base.times
    counted = theory.counted or Counted(Fraction(0), Fraction(0), Fraction(0))
    off = counted.expected * base.handle_cents - sum(result.counted_cents for result in played)
    error = sqrt(base.squares * counted.variance)
    largest = float(counted.largest * base.handle_cents / base.rounds)
    deviation = sqrt(float(variance) + 2 * scaled * fixed * base.products)
    half = BAND_95 * deviation
    below, above = _reach(theory, base, range_of) if range_of is not None and theory.nets else (half, half)
    return Compared(
        *place[:3],
        theory.wager,
        base.rounds,
        base.handle_cents,
        -sum(result.net_cents for result in played),
        -expected,
        deviation,
        float(off) if theory.counted else 0.0,
        error,
        base.rounds >= ALERT_ROUNDS and largest * LARGEST_IN_AN_ERROR <= error,
        below,
        above,
    )


def _chance(theory: Theory, base: Results, line: Compared, chance_of: ChanceOf) -> float | None:
    counted, errors = theory.counted, line.counted_z
    if counted is None or not counted.nets or errors is None or base.rounds < ALERT_ROUNDS:
        return None
    if abs(errors) < CHANCE_FROM_ERRORS:
        return 1.0
    # As many rounds with equal stakes as have the same handle and variance, as for the range.
    rounds = max(1, base.handle_cents**2 // base.squares)
    total = float(counted.expected * rounds) - line.counted_off_cents * rounds / base.handle_cents  # the players'
    at_most, at_least = chance_of(counted.nets, rounds, total)
    return at_most if errors > 0 else at_least


def _reach(theory: Theory, base: Results, range_of: RangeOf) -> tuple[float, float]:
    # As many rounds with equal stakes as have the same handle and, as nearly as a whole number can, the same variance:
    # so no end of the range is beyond what could be won or lost. A fixed prize is rounded to whole stakes.
    rounds = max(1, base.handle_cents**2 // base.squares)
    stake = Fraction(base.handle_cents, rounds)
    chances: dict[Fraction, Fraction] = {}
    for result in theory.nets:
        net = result.units + round(result.cents * base.times / base.handle_cents)
        chances[net] = chances.get(net, Fraction(0)) + result.chance
    nets = tuple(sorted(chances.items()))
    low, high = range_of(nets, rounds)
    mean = float(sum(net * chance for net, chance in nets) * rounds)
    return max(0.0, high - mean) * float(stake), max(0.0, mean - low) * float(stake)


def _of(lines: Iterable[Compared], place: tuple[str, ...]) -> list[Compared]:
    return [line for line in lines if (line.table, line.game, line.rules) == place]


def _summed(lines: list[Compared], *, wager: str) -> Compared:
    # Wagers in one round depend on the same cards: their errors add.
    return lines[0]._replace(
        wager=wager,
        rounds=max(line.rounds for line in lines),
        handle_cents=sum(line.handle_cents for line in lines),
        win_cents=sum(line.win_cents for line in lines),
        expected_cents=sum((line.expected_cents for line in lines), Fraction(0)),
        error_cents=sum(line.error_cents for line in lines),
        counted_off_cents=sum(line.counted_off_cents for line in lines),
        counted_error_cents=sum(line.counted_error_cents for line in lines),
        is_enough=all(line.is_enough for line in lines),
        counted_chance=None,
        below_cents=sum(line.below_cents for line in lines),
        above_cents=sum(line.above_cents for line in lines),
    )


def _pooled(lines: list[Compared]) -> Compared:
    # Tables are dealt from separate decks: their variances add, and so do the squares of both parts of their ranges.
    together = _summed(lines, wager=lines[0].wager)
    rounds = sum(line.rounds for line in lines)
    error = sqrt(sum(line.error_cents**2 for line in lines))
    counted = sqrt(sum(line.counted_error_cents**2 for line in lines))
    return together._replace(
        table="",
        rules="",
        rounds=rounds,
        error_cents=error,
        counted_error_cents=counted,
        below_cents=hypot(*(line.below_cents for line in lines)),
        above_cents=hypot(*(line.above_cents for line in lines)),
    )


def said_of_hold(line: Compared) -> str:
    """Say how far a win is from theory."""
    what = f"the win on {line.wager or 'all wagers'} is {dollars(line.win_cents)} after {line.rounds} rounds"
    expected = dollars(round(line.expected_cents))
    if line.counted_chance is not None:
        rare = f"1 in {round(1 / max(line.counted_chance, RAREST)):,}"
        rare = rare if line.counted_chance > RAREST else f"less than {rare}"
        return f"{what}, against {expected} expected: the chance of that is {rare}"
    return f"{what}, against {expected} expected: {line.counted_z:+.1f} standard errors off"
