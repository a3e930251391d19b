"""The exact value of a wager: its counts priced under the rules in force."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.lab.exact_counts import MAIN, counts_of, counts_with_main, main_wagers
from pitboss.lab.meters import break_even, envy_each, meters_at
from pitboss.lab.nets import limit_matters, net_of
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.sheets.sheet import Sheet

__all__ = ["LINES_SHOWN", "Line", "Worth", "meters_at", "worth_of"]

LINES_SHOWN = 40


@dataclass(frozen=True)
class Line:
    """One line of a PAR sheet: an outcome, what it pays, how often, and its contribution to the value."""

    hand: str
    odds: str
    clause: str | None
    combinations: int
    probability: Fraction
    contribution: Fraction


@dataclass(frozen=True)
class Worth:
    """A wager's exact value per unit: of the Ante for the main game, of its own stake for the others."""

    game: str
    wager: str
    paytable: str | None
    options: Mapping[str, Any]
    distribution: Mapping[Fraction, int]  # net units to combinations
    total: int
    average_wager: Fraction
    lines: tuple[Line, ...]
    envy: Fraction = Fraction(0)
    break_even_meter: int | None = None
    method: str = "exact"
    stake_cents: int = field(default=100, repr=False)
    envy_each: Fraction = Fraction(0)  # the envy value of one other player's hand
    notes: tuple[str, ...] = ()  # what a payout limit does to these figures

    def __repr__(self) -> str:
        return f"<Worth of {self._named()}: {self.ev}>"

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().html()

    def _named(self) -> str:
        return " ".join(filter(None, (self.game, self.wager, self.paytable)))

    def sheet(self) -> Sheet:
        """Return the PAR sheet for display, with its longest part shortened."""
        shown = tuple(
            (
                line.hand,
                line.odds,
                f"{line.combinations:,}",
                f"{float(line.probability):.6%}",
                f"{float(line.contribution):+.6f}",
            )
            for line in self.lines[:LINES_SHOWN]
        )
        more = len(self.lines) - len(shown)
        figures = (
            f"House edge {float(self.house_edge):.4%}, element of risk {float(self.element_of_risk):.4%}, "
            f"hits {float(self.hit_frequency):.4%}, standard deviation {self.standard_deviation:.4f}; "
            f"exactly {self.ev} per unit."
        )
        columns = ("hand", "pays", "combinations", "probability", "contribution")
        notes = (*((f"{more} more lines are in .lines.",) if more else ()), figures, *self.notes)
        return Sheet(self._named(), columns, shown, frozenset(columns[2:]), notes)

    @property
    def ev(self) -> Fraction:
        """Return the expected net result per unit, including envy."""
        return sum((net * count for net, count in self.distribution.items()), Fraction(0)) / self.total + self.envy

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        return -self.ev / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """Return the probability of a net win from the player's own cards."""
        return Fraction(sum(count for net, count in self.distribution.items() if net > 0), self.total)

    @property
    def variance(self) -> Fraction:
        """Return the variance of the net result, without envy from other players' hands."""
        mean = self.ev - self.envy
        square = sum((net * net * count for net, count in self.distribution.items()), Fraction(0)) / self.total
        return square - mean * mean

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data: exact ones as fractions in lowest terms."""
        row: dict[str, Any] = {
            "game": self.game,
            "wager": self.wager,
            "paytable": self.paytable,
            "options": dict(self.options),
            "ev": str(self.ev),
            "house_edge": float(self.house_edge),
            "hit_frequency": str(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
            "element_of_risk": float(self.element_of_risk),
            "average_wager": float(self.average_wager),
            "method": self.method,
        }
        if self.break_even_meter is not None:
            row["break_even_meter"] = self.break_even_meter
        if self.notes:
            row["notes"] = list(self.notes)
        return row

    def spread(self) -> list[dict[str, Any]]:
        """Return the whole distribution, lowest net first: units, combinations, probability."""
        return [
            {"net": str(net), "combinations": count, "probability": str(Fraction(count, self.total))}
            for net, count in sorted(self.distribution.items())
        ]


def worth_of(
    rules: RulesInForce,
    wager: str,
    *,
    ties: str = "more",
    stake_cents: int = 100,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    options: Mapping[str, Any] | None = None,
    played_as: RulesInForce | None = None,
    recompute: bool = False,
) -> Worth:
    """Return the value of one wager, or of `main`, under the rules in force, with optimal play under them or others."""
    counts, notes = _counted(played_as or rules, wager, ties, stake_cents, recompute=recompute)
    shown = meters_at(rules, wager, meters or {})
    names = main_wagers(rules) if wager == MAIN else (wager,)
    priced = [
        (outcome, net_of(rules, outcome, stake_cents=stake_cents, meters=shown, wagers=names))
        for outcome in counts.outcomes
    ]
    distribution: dict[Fraction, int] = {}
    staked = 0
    for outcome, net in priced:
        distribution[net] = distribution.get(net, 0) + outcome.count
        staked += outcome.count * sum(units for name, units in outcome.stakes if name in names)
    each = envy_each(rules, wager, counts, stake_cents=stake_cents)
    envy = others * each
    return Worth(
        game=rules.game.name,
        wager=wager,
        paytable=letter_of(rules, wager),
        options=options or {},
        distribution=distribution,
        total=counts.total,
        average_wager=Fraction(staked, counts.total),
        lines=tuple(_lines(rules, wager, priced, counts.total)),
        envy=envy,
        break_even_meter=break_even(rules, wager, counts, shown, stake_cents=stake_cents, envy=envy),
        stake_cents=stake_cents,
        envy_each=each,
        notes=notes,
    )


def _counted(
    rules: RulesInForce, wager: str, ties: str, stake_cents: int, *, recompute: bool
) -> tuple[Counts, tuple[str, ...]]:
    covered = wager == MAIN or wager in rules.limit_covers
    if not covered or not limit_matters(rules, stake_cents):
        return counts_of(rules, wager, ties, recompute=recompute), ()
    limit, stake = dollars(rules.limit_cents or 0), dollars(stake_cents)
    counted = f"The payout limit of {limit} is included, at {stake} a wager"
    if wager == MAIN:
        note = f"{counted}; the play is optimal without a limit."
        return counts_of(rules, wager, ties, recompute=recompute), (note,)
    together = counts_with_main(rules, wager, ties, recompute=recompute)
    if together is not None:
        note = f"{counted}, after the wagers paid earlier use their part of it; the play is optimal without a limit."
        return together, (note,)
    note = f"{counted}, for this wager only; wagers paid earlier may use part of the limit, which is not included."
    return counts_of(rules, wager, ties, recompute=recompute), (note,)


def letter_of(rules: RulesInForce, wager: str) -> str | None:
    """Return the letter of the paytable that prices a wager."""
    names = main_wagers(rules) if wager == MAIN else (wager,)
    return next((table.letter for name in names if (table := rules.paytables.get(name)) and table.letter), None)


def _lines(rules: RulesInForce, wager: str, priced: Sequence[tuple[Outcome, Fraction]], total: int) -> Iterator[Line]:
    found: dict[tuple[str, str, str | None], list[Fraction]] = {}
    for outcome, net in priced:
        entry = found.setdefault(_named(rules, wager, outcome), [Fraction(0), Fraction(0)])
        entry[0] += outcome.count
        entry[1] += outcome.count * net
    for (name, odds, clause), (count, won) in found.items():
        yield Line(name, odds, clause, int(count), count / total, won / total)


def _named(rules: RulesInForce, wager: str, outcome: Outcome) -> tuple[str, str, str | None]:
    if wager == MAIN:
        stakes = " ".join(f"{name} {units}" for name, units in outcome.stakes)
        hand = "".join(f", {cell}" for _, cell in outcome.cells[:1])
        return f"{stakes}: {' '.join(sorted(outcome.facts))}{hand}".replace("-", " "), "", None
    cell = dict(outcome.cells).get(wager)
    verdict = rules.adjudicate(wager, outcome.facts, cell)
    if verdict.odds_cite is None or cell is None:
        return "all other hands", verdict.result, None
    line = rules.paytables[wager].by_cell[cell]
    return line.title, str(line.payoff), line.cite
