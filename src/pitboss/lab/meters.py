"""A progressive's meters: what they show, how they grow, how often they are hit and where they break even."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.lab.nets import net_of
from pitboss.odds.outcomes import Counts
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import MeterShare


@dataclass(frozen=True, slots=True)
class MeterCourse:
    """One meter at a rate: what each wager adds, and how often a wager wins all or part of it."""

    name: str
    rate: Fraction  # the share of each stake that feeds it
    reset_cents: int
    growth_cents: Fraction  # for each wager made
    whole_hit: Fraction  # the probability that a wager wins all of it
    any_hit: Fraction
    taken: Fraction  # the share of it that a wager wins on average

    @property
    def wagers_between_hits(self) -> Fraction | None:
        """Return the average number of wagers until the whole meter is won."""
        return 1 / self.whole_hit if self.whole_hit else None

    @property
    def mean_cents_at_hit(self) -> Fraction | None:
        """Return what the meter shows on average when part or all of it is won, ignoring its floor at the reset."""
        # It grows with each wager; a win takes its share, and a full win sets it to its reset.
        if not self.taken:
            return None
        return (self.whole_hit * self.reset_cents + self.growth_cents) / self.taken

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, as fractions in lowest terms."""
        interval, mean = self.wagers_between_hits, self.mean_cents_at_hit
        return {
            "meter": self.name,
            "rate": str(self.rate),
            "reset": self.reset_cents,
            "growth": str(self.growth_cents),
            "whole_hit": str(self.whole_hit),
            "any_hit": str(self.any_hit),
            "wagers_between_hits": None if interval is None else str(interval),
            "mean_at_hit": None if mean is None else str(mean),
        }


def meters_at(rules: RulesInForce, wager: str, given: Mapping[str, int]) -> dict[str, int]:
    """Return what each meter of a wager shows: the given amount, or its reset, or the rulebook's minimum."""
    progressive = rules.game.progressive
    if progressive is None or progressive.wager != wager:
        return {}
    table = rules.paytables[wager]
    least = {meter.name: meter.minimum_cents for meter in progressive.meters.get(table.letter or "", ())}
    return {name: given.get(name, rules.choices.resets.get(name, least.get(name, 0))) for name in table.meters}


def courses(
    rules: RulesInForce, wager: str, counts: Counts, rates: Mapping[str, Fraction], *, stake_cents: int
) -> tuple[MeterCourse, ...]:
    """Return the figures of each meter of a wager that has a rate."""
    resets = meters_at(rules, wager, {})
    found = []
    for name in (reset for reset in resets if reset in rates):
        shares = [(percent, count) for meter, percent, count in _shares(rules, wager, counts) if meter == name]
        found.append(
            MeterCourse(
                name=name,
                rate=rates[name],
                reset_cents=resets[name],
                growth_cents=rates[name] * stake_cents,
                whole_hit=Fraction(sum(count for percent, count in shares if percent == 100), counts.total),
                any_hit=Fraction(sum(count for _, count in shares), counts.total),
                taken=Fraction(sum(percent * count for percent, count in shares), 100 * counts.total),
            )
        )
    return tuple(found)


def envy_each(rules: RulesInForce, wager: str, counts: Counts, *, stake_cents: int) -> Fraction:
    """Return the envy value of one other player's hand, per unit staked; 0 at a stake without envy."""
    progressive = rules.game.progressive
    if progressive is None or progressive.wager != wager or stake_cents not in progressive.envy_cents:
        return Fraction(0)
    letter = rules.choices.envy or rules.paytables[wager].letter
    amounts = progressive.envy_cents[stake_cents].get(letter or "", {})
    won = sum(
        outcome.count * amounts[cell][0]
        for outcome in counts.outcomes
        if (cell := dict(outcome.cells).get(wager, "")) in progressive.envy_cells and cell in amounts
    )
    return Fraction(won, stake_cents * counts.total)


def break_even(
    rules: RulesInForce, wager: str, counts: Counts, meters: Mapping[str, int], *, stake_cents: int, envy: Fraction
) -> int | None:
    """Return the lowest amount of the highest meter at which the house has no edge, with the others unchanged."""
    # The value is linear in the highest meter except for cents lost to rounding down, so the lowest amount that
    # brings the player to zero is searched for from below.
    if not meters:
        return None
    top = next(iter(meters))
    parts = sum(percent * count for meter, percent, count in _shares(rules, wager, counts) if meter == top)
    if not parts:
        return None

    def ev(amount: int) -> Fraction:
        shown = {**meters, top: amount}
        nets = (
            outcome.count * net_of(rules, outcome, stake_cents=stake_cents, meters=shown) for outcome in counts.outcomes
        )
        return sum(nets, Fraction(0)) / counts.total + envy

    amount = max(0, math.floor(-ev(0) * counts.total * stake_cents * 100 / parts))
    while ev(amount) < 0:
        amount += 1
    while amount > 0 and ev(amount - 1) >= 0:
        amount -= 1
    return amount


def _shares(rules: RulesInForce, wager: str, counts: Counts) -> list[tuple[str, int, int]]:
    # For every outcome that wins from a meter: which one, how many hundredths of it, and how often.
    found = []
    for outcome in counts.outcomes:
        payoff = rules.adjudicate(wager, outcome.facts, dict(outcome.cells).get(wager)).payoff
        if isinstance(payoff, MeterShare):
            found.append((payoff.meter, payoff.percent, outcome.count))
    return found
