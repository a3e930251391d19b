"""PAR sheets: each line of a wager with its odds, clause, combinations, probability and contribution."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from pitboss.lab.lines import NOTHING
from pitboss.lab.risk import CONFIDENCE, excess_kurtosis, rounds_to_overcome, skewness
from pitboss.lab.worth import Worth
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units, with_bonuses
from pitboss.packet.cells import (
    CLAUSE,
    COUNT,
    EXACT,
    NUMBER,
    ODDS,
    PERCENT,
    PROBABILITY,
    UNITS,
    Cell,
    Column,
    Table,
    one_row,
)
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When

_DIGITS = 12
_NOT_PLACED = 4
_GROUPS = {BY_PAYTABLE: 0, PAY: 1, PUSH: 2}  # what loses comes third, what is not placed last


@dataclass(frozen=True, slots=True)
class Sheet:
    """A wager's PAR sheet: its figures if it is priced separately, its lines and remarks."""

    wager: str
    title: str
    paytable: str | None
    clause: str | None
    figures: Table | None
    lines: Table
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, order=True)
class _Place:
    """The place of a line on the sheet, which identifies it."""

    group: int
    index: int
    units: int  # the larger stake first


@dataclass
class _Sum:
    hand: str
    pays: str
    clause: str | None
    units: int
    combinations: int = 0
    net: Fraction = Fraction(0)


def lines_of(
    rules: RulesInForce,
    wager: str,
    counts: Counts,
    name: str,
    *,
    stake_cents: int = 100,
    meters: Mapping[str, int] | None = None,
) -> Table:
    """Return every line of one wager, in the order of its paytable, wins before pushes before losses."""
    found: dict[_Place, _Sum] = {}
    for outcome in counts.outcomes:
        units = dict(with_bonuses(rules, outcome.stakes)).get(wager, 0)
        place, line = _line(rules, wager, outcome, units)
        line = found.setdefault(place, line)
        line.combinations += outcome.count
        if units:
            verdict = rules.adjudicate(wager, outcome.facts, dict(outcome.cells).get(wager))
            net = net_units(rules, wager, verdict, stake_cents=stake_cents, meters=meters)
            line.net += outcome.count * units * net
    sums = [found[place] for place in sorted(found)]
    many = any(line.units > 1 for line in sums)
    total = counts.total
    rows = tuple(
        (
            result.hand,
            *((result.units,) if many else ()),
            result.pays,
            result.clause,
            result.combinations,
            Fraction(result.combinations, total),
            result.net * Fraction(1, total),
        )
        for result in sums
    )
    columns = (
        Column("hand", "Outcome"),
        *((Column("units", "Units", COUNT),) if many else ()),
        Column("pays", "Pays", ODDS),
        Column("clause", "Clause", CLAUSE),
        Column("combinations", "Combinations", COUNT),
        Column("probability", "Probability", PROBABILITY),
        Column("contribution", "Contribution", UNITS),
    )
    worth = sum((line.net for line in sums), Fraction(0)) * Fraction(1, total)
    totals: tuple[Cell, ...] = ("total", *((None,) if many else ()), None, None, total, Fraction(1), worth)
    title = rules.game.wagers_by_name[wager].title
    return Table(name, title, columns, rows, totals)


def _line(rules: RulesInForce, wager: str, outcome: Outcome, units: int) -> tuple[_Place, _Sum]:
    if not units:
        return _Place(_NOT_PLACED, 0, 0), _Sum("not placed", "", None, 0)
    cell = dict(outcome.cells).get(wager)
    verdict = rules.adjudicate(wager, outcome.facts, cell)
    index, row = next(_fitting(rules, wager, outcome))
    if row.then == BY_PAYTABLE and verdict.odds_cite is not None:
        table = rules.paytables[wager]
        line = table.by_cell[cell or ""]
        place = _Place(_GROUPS[BY_PAYTABLE], table.lines.index(line), -units)
        return place, _Sum(line.title, str(line.payoff), line.cite, units)
    then = PAY if verdict.payoff else verdict.result
    place = _Place(_GROUPS.get(then, 3), index, -units)
    pays = str(verdict.payoff) if verdict.payoff else verdict.result
    if wager in rules.bonuses and verdict.result == LOSE:
        pays = NOTHING  # it has no stake to lose
    return place, _Sum(_words(row), pays, verdict.odds_cite or verdict.cite, units)


def _fitting(rules: RulesInForce, wager: str, outcome: Outcome) -> Iterator[tuple[int, When]]:
    holds = outcome.facts | rules.option_facts
    for index, row in enumerate(rules.game.settlement[wager]):
        if holds.issuperset(row.facts):
            yield index, row


def _words(row: When) -> str:
    facts = [fact.replace("-", " ") for fact in row.facts if "=" not in fact]
    if row.then == BY_PAYTABLE:
        facts.append("any other hand" if facts else "all other hands")
    return ", ".join(facts) or "all other hands"


def figures_of(worth: Worth, name: str, title: str) -> Table:
    """Return the figures of a wager's whole distribution."""
    return one_row(
        name,
        title,
        {
            Column("house_edge", "House edge", PERCENT): worth.house_edge,
            Column("element_of_risk", "Element of risk", PERCENT): worth.element_of_risk,
            Column("hit_frequency", "Hit frequency", PERCENT): worth.hit_frequency,
            Column("average_wager", "Average wager", NUMBER): worth.average_wager,
            Column("standard_deviation", "Standard deviation", NUMBER): root(worth.variance),
            Column("volatility_index_90", "Volatility, 90%", NUMBER): _reach(worth, "90%"),
            Column("volatility_index", "Volatility, 95%", NUMBER): _reach(worth, "95%"),
            Column("volatility_index_99", "Volatility, 99%", NUMBER): _reach(worth, "99%"),
            Column("skewness", "Skewness", NUMBER): rounded(Fraction(skewness(worth))),
            Column("excess_kurtosis", "Excess kurtosis", NUMBER): excess_kurtosis(worth),
            Column("n0", "N0, rounds", COUNT): rounds_to_overcome(worth),
            Column("ev", "Expected value per unit", EXACT): worth.ev,
            Column("variance", "Exact variance", EXACT): worth.variance,
        },
    )


def _reach(worth: Worth, share: str) -> Decimal:
    return root(worth.variance * CONFIDENCE[share] ** 2)


def root(value: Fraction) -> Decimal:
    """Return a square root to twelve decimals."""
    scaled = math.isqrt(value.numerator * 10 ** (2 * _DIGITS) // value.denominator)
    return rounded(Fraction(scaled, 10**_DIGITS))


def rounded(value: Fraction) -> Decimal:
    """Return a figure that is not an exact fraction, to twelve decimals."""
    with localcontext(prec=100):
        return Decimal(round(value * 10**_DIGITS)).scaleb(-_DIGITS)
