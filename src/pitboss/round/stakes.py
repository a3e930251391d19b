"""Stakes before the deal: which wagers, their limits as text, and a default set of stakes."""

from collections.abc import Mapping

from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.wager import Wager

SUGGESTED_STAKE_CENTS = 10_00


def placed(rules: RulesInForce) -> tuple[Wager, ...]:
    """Return the wagers that are placed before the deal."""
    return tuple(wager for wager in rules.game.wagers if wager.name in rules.offered and not wager.by_action)


def bounds_words(rules: RulesInForce, wager: Wager) -> str:
    """Return the stakes a wager takes, as text."""
    if wager.equals:
        return f"same as {rules.game.wagers_by_name[wager.equals].title}"
    limits = rules.limits(wager.name)
    if limits.fixed:
        return " or ".join(map(dollars, limits.fixed))
    least = dollars(limits.least)
    return f"{least} or more" if limits.maximum is None else f"{least} to {dollars(limits.maximum)}"


def linked(rules: RulesInForce, stakes: Mapping[str, int]) -> dict[str, int]:
    """Return the stakes in the layout's order, with linked stakes made equal."""
    found = dict(stakes)
    for wager in placed(rules):
        if wager.equals in found and (wager.required or wager.name in found):
            found[wager.name] = found[wager.equals]
    return {wager.name: found[wager.name] for wager in placed(rules) if wager.name in found}


def opening_stakes(rules: RulesInForce, stake_cents: int | None = None) -> dict[str, int]:
    """Return the required wagers at the given stake, or at the usual one brought within the table's limits."""
    found: dict[str, int] = {}
    for wager in placed(rules):
        if wager.required and not wager.equals:
            is_free = not rules.limits(wager.name).fixed
            found[wager.name] = stake_cents if stake_cents and is_free else _usual(rules, wager)
    return linked(rules, found)


def least_stakes(rules: RulesInForce) -> dict[str, int]:
    """Return the required wagers at their minimum stakes."""
    return linked(rules, {wager.name: rules.limits(wager.name).least for wager in placed(rules) if wager.required})


def _usual(rules: RulesInForce, wager: Wager) -> int:
    is_taken = rules.check_stake(wager.name, SUGGESTED_STAKE_CENTS) is None
    return SUGGESTED_STAKE_CENTS if is_taken else rules.limits(wager.name).least
