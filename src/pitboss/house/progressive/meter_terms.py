"""The terms of a progressive: its meters' amounts and rates, and the clauses of each linked table's rulebook."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import PROGRESSIVE_MISMATCH
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """One meter: its initial and reset amounts, and which part of a stake feeds it."""

    name: str
    initial_cents: int
    reset_cents: int
    rate: Fraction
    clause: str
    reserve_rate: Fraction = NOTHING  # a further part of the stake, hidden until the next reset
    limit_cents: int | None = None  # the meter stops here; anything above it waits for the next reset


class Stake(NamedTuple):
    """An accepted progressive wager."""

    seat: int
    cents: int


@dataclass(frozen=True, slots=True)
class Link:
    """A table whose progressive wagers feed the meters, with the clauses of its rulebook."""

    table: str
    wager: str
    meters: tuple[str, ...]  # those that its paytable pays from
    closed_clause: str
    mismatch_clause: str
    validation_clause: str


def link_of(table: str, rules: RulesInForce) -> Link | None:
    """Return a table's link to a progressive; None if it offers no wager that draws on a meter."""
    progressive = rules.game.progressive
    if progressive is None or progressive.wager not in rules.offered or not rules.draws_on_meter(progressive.wager):
        return None
    cite = rules.game.wagers_by_name[progressive.wager].cite
    remedy = rules.remedy(PROGRESSIVE_MISMATCH, (rules.choices.dealing,))
    return Link(
        table,
        progressive.wager,
        tuple(rules.paytables[progressive.wager].meters),
        rules.game.bets.closed_cite,
        remedy.cite if remedy else cite,
        progressive.validation_cite or cite,
    )


def faults(meters: tuple[MeterTerms, ...]) -> Iterator[Refusal]:
    """Yield everything that is wrong with the terms of a progressive's meters."""
    names = [meter.name for meter in meters]
    if not names:
        yield Refusal("A progressive needs at least one meter", None, "meters")
    if len(set(names)) < len(names):
        yield Refusal("Two meters of a progressive can't have the same name", None, "meters")
    for meter in meters:
        yield from _faults_of(meter)
    if sum((meter.rate + meter.reserve_rate for meter in meters), NOTHING) >= 1:
        reason = "The meters' rates add up to the whole stake or more. Lower them"
        yield Refusal(reason, meters[0].clause, "rate")


def _faults_of(meter: MeterTerms) -> Iterator[Refusal]:
    name, clause = meter.name, meter.clause
    if meter.reset_cents <= 0:
        yield Refusal(f"The reset amount of the meter {name} must be more than $0", clause, "reset")
    if meter.initial_cents < meter.reset_cents:
        reason = f"The meter {name} starts below its reset amount. Raise initial or lower reset"
        yield Refusal(reason, clause, "initial")
    if meter.rate <= 0:
        yield Refusal(f"The meter {name} needs a rate above 0", clause, "rate")
    if meter.reserve_rate < 0:
        yield Refusal(f"The reserve rate of the meter {name} can't be negative", clause, "reserve_rate")
    if meter.limit_cents is not None and meter.limit_cents < meter.initial_cents:
        reason = (
            f"The meter {name} starts at {dollars(meter.initial_cents)}, above its limit. Raise limit or lower initial"
        )
        yield Refusal(reason, clause, "limit")
