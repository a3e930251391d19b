"""Prices in units of the stake: what the rules in force pay, as an exact fraction."""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.odds.outcomes import Cells, Stakes
from pitboss.rules.in_force import RulesInForce, Verdict
from pitboss.rules.payoff import For, MeterShare, Prize, To
from pitboss.rules.play import Action
from pitboss.rules.settlement import LOSE, PUSH


def main_wagers(rules: RulesInForce) -> tuple[str, ...]:
    """Return the wagers played together: the required ones and those placed by an action."""
    return tuple(wager.name for wager in rules.game.wagers if wager.required or wager.by_action)


def required_stakes(rules: RulesInForce) -> Stakes:
    """Return a unit on each required wager."""
    return tuple((wager.name, 1) for wager in rules.game.wagers if wager.required)


def stakes_after(stakes: Stakes, action: Action) -> Stakes:
    """Return the stakes plus what an action places."""
    if action.stakes is None:
        return stakes
    units = dict(stakes)
    units[action.stakes.wager] = units.get(action.stakes.wager, 0) + action.stakes.times * units[action.stakes.of]
    return tuple(units.items())


def facts_asked_for(rules: RulesInForce, wager: str) -> frozenset[str]:
    """Return the facts of a round that the settlement of a wager asks for."""
    rows = rules.game.settlement[wager]
    return frozenset(fact for row in rows for fact in row.facts if "=" not in fact)


def with_bonuses(rules: RulesInForce, stakes: Stakes) -> Stakes:
    """Return the wagers staked, and after them the bonuses that pay on their stakes."""
    if not rules.bonuses:
        return stakes
    units = dict(stakes)
    return (*stakes, *((bonus, units[base]) for bonus, base in rules.bonuses.items() if base in units))


def net_of_stakes(rules: RulesInForce, stakes: Stakes, facts: frozenset[str], cells: Cells) -> Fraction:
    """Return the net of all stakes together, in units."""
    cell = dict(cells)
    nets = (
        units * net_units(rules, wager, rules.adjudicate(wager, facts, cell.get(wager)))
        for wager, units in with_bonuses(rules, stakes)
    )
    return sum(nets, Fraction(0))


def net_units(
    rules: RulesInForce,
    wager: str,
    verdict: Verdict,
    *,
    stake_cents: int = 100,
    meters: Mapping[str, int] | None = None,
) -> Fraction:
    """Return the net of a wager for each unit staked."""
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
