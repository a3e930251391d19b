"""A verdict in units of the stake: what the rules in force pay, as an exact fraction."""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.rules.in_force import RulesInForce, Verdict
from pitboss.rules.payoff import For, MeterShare, Prize, To
from pitboss.rules.settlement import LOSE, PUSH


def main_wagers(rules: RulesInForce) -> tuple[str, ...]:
    """Return the wagers played together: those every player places, and those an action places."""
    return tuple(wager.name for wager in rules.game.wagers if wager.required or wager.by_action)


def with_bonuses(rules: RulesInForce, stakes: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Return the wagers staked, and after them the bonuses that pay on their stakes."""
    if not rules.bonuses:
        return stakes
    units = dict(stakes)
    return (*stakes, *((bonus, units[base]) for bonus, base in rules.bonuses.items() if base in units))


def net_units(
    rules: RulesInForce,
    wager: str,
    verdict: Verdict,
    *,
    stake_cents: int = 100,
    meters: Mapping[str, int] | None = None,
) -> Fraction:
    """Return what a wager gains or loses for each unit staked."""
    if verdict.result == LOSE:
        return Fraction(0 if wager in rules.bonuses else -1)  # a bonus has no stake of its own to lose
    payoff = verdict.payoff
    if verdict.result == PUSH or payoff is None:
        return Fraction(0)
    if isinstance(payoff, To):
        return payoff.units
    if isinstance(payoff, For):
        return payoff.units - 1
    if isinstance(payoff, Prize):
        return Fraction(payoff.cents, stake_cents)
    assert isinstance(payoff, MeterShare)
    paid = (meters or {})[payoff.meter] * payoff.percent // 100
    return Fraction(paid, stake_cents) - (0 if rules.stake_returned_on_meter(wager) else 1)
