"""What a wager is worth: its counts priced by the rules in force, exactly."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.lab.exact import MAIN, counts_of, main_wagers
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import MeterShare


@dataclass(frozen=True)
class Line:
    """One line of a PAR sheet: an outcome by name, what it pays, how often, and its part of the worth."""

    hand: str
    odds: str
    clause: str | None
    combinations: int
    probability: Fraction
    contribution: Fraction


@dataclass(frozen=True)
class Worth:
    """A wager's exact worth per unit: of the Ante for the main game, of its own stake for the others."""

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

    @property
    def ev(self) -> Fraction:
        """Return the mean net result per unit, envy included."""
        return sum((net * count for net, count in self.distribution.items()), Fraction(0)) / self.total + self.envy

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        return -self.ev / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """Return the chance of a net gain from the player's own cards."""
        return Fraction(sum(count for net, count in self.distribution.items() if net > 0), self.total)

    @property
    def variance(self) -> Fraction:
        """Return the variance of the net result, other players' envy hands aside."""
        mean = self.ev - self.envy
        square = sum((net * net * count for net, count in self.distribution.items()), Fraction(0)) / self.total
        return square - mean * mean

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    def as_dict(self) -> dict[str, Any]:
        """Return the row a script reads: exact figures as fractions in lowest terms."""
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
        return row


def worth_of(
    rules: RulesInForce,
    wager: str,
    *,
    ties: str = "more",
    stake_cents: int = 100,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    options: Mapping[str, Any] | None = None,
    recompute: bool = False,
) -> Worth:
    """Return the worth of one wager, or of `main`, under the rules in force."""
    counts = counts_of(rules, wager, ties, recompute=recompute)
    shown = meters_at(rules, wager, meters or {})
    distribution: dict[Fraction, int] = {}
    staked = 0
    for outcome in counts.outcomes:
        net = _net(rules, outcome, stake_cents, shown)
        distribution[net] = distribution.get(net, 0) + outcome.count
        staked += outcome.count * sum(units for _, units in outcome.stakes)
    return Worth(
        game=rules.game.name,
        wager=wager,
        paytable=_letter(rules, wager),
        options=options or {},
        distribution=distribution,
        total=counts.total,
        average_wager=Fraction(staked, counts.total),
        lines=tuple(_lines(rules, wager, counts, stake_cents, shown)),
        envy=_envy(rules, wager, counts, stake_cents, others),
        break_even_meter=_break_even(rules, wager, counts, stake_cents, shown, others),
        stake_cents=stake_cents,
    )


def meters_at(rules: RulesInForce, wager: str, given: Mapping[str, int]) -> dict[str, int]:
    """Return what each meter of a wager shows: as given, else its reset, else the rulebook's least."""
    progressive = rules.game.progressive
    if progressive is None or progressive.wager != wager:
        return {}
    table = rules.paytables[wager]
    least = {meter.name: meter.minimum_cents for meter in progressive.meters.get(table.letter or "", ())}
    return {name: given.get(name, rules.choices.resets.get(name, least.get(name, 0))) for name in table.meters}


def _net(rules: RulesInForce, outcome: Outcome, stake_cents: int, meters: Mapping[str, int]) -> Fraction:
    cells = dict(outcome.cells)
    net = Fraction(0)
    for name, units in outcome.stakes:
        verdict = rules.adjudicate(name, outcome.facts, cells.get(name))
        net += units * net_units(rules, name, verdict, stake_cents=stake_cents, meters=meters)
    return net


def _letter(rules: RulesInForce, wager: str) -> str | None:
    names = main_wagers(rules) if wager == MAIN else (wager,)
    return next((table.letter for name in names if (table := rules.paytables.get(name)) and table.letter), None)


def _lines(
    rules: RulesInForce, wager: str, counts: Counts, stake_cents: int, meters: Mapping[str, int]
) -> Iterator[Line]:
    found: dict[tuple[str, str, str | None], list[Fraction | int]] = {}
    for outcome in counts.outcomes:
        name, odds, clause = _named(rules, wager, outcome)
        entry = found.setdefault((name, odds, clause), [0, Fraction(0)])
        entry[0] += outcome.count
        entry[1] += outcome.count * _net(rules, outcome, stake_cents, meters)
    for (name, odds, clause), (count, net) in found.items():
        probability = Fraction(int(count), counts.total)
        yield Line(name, odds, clause, int(count), probability, Fraction(net) / counts.total)


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


def _envy(rules: RulesInForce, wager: str, counts: Counts, stake_cents: int, others: int) -> Fraction:
    progressive = rules.game.progressive
    if progressive is None or progressive.wager != wager or not others or not progressive.envy_cells:
        return Fraction(0)
    letter = rules.choices.envy or rules.paytables[wager].letter
    amounts = progressive.envy_cents[stake_cents][letter or ""]
    each = sum(
        (
            outcome.count * Fraction(amounts[cell][0], stake_cents)
            for outcome in counts.outcomes
            if (cell := dict(outcome.cells).get(wager, "")) in progressive.envy_cells
        ),
        Fraction(0),
    )
    return others * each / counts.total


def _break_even(
    rules: RulesInForce, wager: str, counts: Counts, stake_cents: int, meters: Mapping[str, int], others: int
) -> int | None:
    # The worth is linear in the highest meter but for the cents a share is rounded down by; the least amount
    # that brings the player to zero is searched from below.
    if not meters:
        return None
    top = next(iter(meters))

    def ev(amount: int) -> Fraction:
        shown = {**meters, top: amount}
        net = sum((one.count * _net(rules, one, stake_cents, shown) for one in counts.outcomes), Fraction(0))
        return net / counts.total + _envy(rules, wager, counts, stake_cents, others)

    share = sum(
        (
            Fraction(one.count * verdict.payoff.percent, 100)
            for one in counts.outcomes
            if isinstance(
                (verdict := rules.adjudicate(wager, one.facts, dict(one.cells).get(wager))).payoff, MeterShare
            )
            and verdict.payoff.meter == top
        ),
        Fraction(0),
    )
    if not share:
        return None
    amount = max(0, math.floor(-ev(0) * counts.total * stake_cents / share))
    while ev(amount) < 0:
        amount += 1
    while amount > 0 and ev(amount - 1) >= 0:
        amount -= 1
    return amount
