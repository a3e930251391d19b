"""Which stakes a table takes: the bounds of each wager, what leans on what, and a first set of stakes."""

from collections.abc import Mapping

from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import Wager

SUGGESTED_STAKE_CENTS = 10_00


def placed(rules: RulesInForce) -> tuple[Wager, ...]:
    """Return the wagers that are placed before the deal."""
    return tuple(one for one in rules.game.wagers if one.name in rules.offered and not one.by_action)


def step(rules: RulesInForce, wager: Wager) -> int:
    """Return the cents of which every stake on a wager is a multiple."""
    return rules.choices.steps.get(wager.name, 1)


def only_stakes(rules: RulesInForce, wager: Wager) -> tuple[int, ...]:
    """Return the stakes a wager takes where they are fixed, else nothing."""
    chosen = rules.choices.stakes.get(wager.name)
    return (chosen,) if chosen else wager.stakes_cents


def least_stake(rules: RulesInForce, wager: Wager) -> int:
    """Return the lowest stake a wager takes at this table."""
    fixed = only_stakes(rules, wager)
    if fixed:
        return min(fixed)
    least, each = rules.limits(wager.name).minimum or 1, step(rules, wager)
    return -(-least // each) * each


def bounds_words(rules: RulesInForce, wager: Wager) -> str:
    """Return what a wager may be staked with, in words."""
    if wager.equals:
        return f"as the {rules.game.wagers_by_name[wager.equals].title}"
    fixed = only_stakes(rules, wager)
    if fixed:
        return " or ".join(map(dollars, fixed))
    limits = rules.limits(wager.name)
    least = dollars(least_stake(rules, wager))
    return f"from {least}" if limits.maximum is None else f"{least} to {dollars(limits.maximum)}"


def stake_fault(rules: RulesInForce, wager: Wager, cents: int) -> Refusal | None:
    """Return why a stake cannot lie on a wager by itself, in dollars, or None."""
    fixed = only_stakes(rules, wager)
    if fixed:
        if cents in fixed:
            return None
        return Refusal(
            f"{wager.title} is {' or '.join(map(dollars, fixed))}, not {dollars(cents)}",
            wager.stakes_cite or wager.cite,
        )
    limits, each = rules.limits(wager.name), step(rules, wager)
    if limits.minimum is not None and cents < limits.minimum:
        return Refusal(f"{wager.title} is at least {dollars(limits.minimum)} here, not {dollars(cents)}", wager.cite)
    if limits.maximum is not None and cents > limits.maximum:
        return Refusal(f"{wager.title} is at most {dollars(limits.maximum)} here, not {dollars(cents)}", wager.cite)
    if cents % each:
        return Refusal(f"{wager.title} goes in steps of {dollars(each)}, so {dollars(cents)} cannot be staked")
    return None


def missing_links(rules: RulesInForce, stakes: Mapping[str, int]) -> tuple[Refusal, ...]:
    """Return what the stakes lean on and lack, each with its clause."""
    titles = {one.name: one.title for one in rules.game.wagers}
    return tuple(
        Refusal(f"{wager.title} needs {titles[needed]} as well", wager.needs_cite or wager.cite, wager.name)
        for wager in placed(rules)
        if wager.name in stakes
        for needed in wager.needs
        if needed not in stakes
    )


def linked(rules: RulesInForce, stakes: Mapping[str, int]) -> dict[str, int]:
    """Return the stakes in the layout's order, each that must equal another made equal to it."""
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
            fixed = bool(only_stakes(rules, wager))
            found[wager.name] = stake_cents if stake_cents and not fixed else _usual(rules, wager)
    return linked(rules, found)


def least_stakes(rules: RulesInForce) -> dict[str, int]:
    """Return the required wagers at the least they may be."""
    return linked(rules, {one.name: least_stake(rules, one) for one in placed(rules) if one.required})


def _usual(rules: RulesInForce, wager: Wager) -> int:
    least, most = least_stake(rules, wager), rules.limits(wager.name).maximum
    if (
        only_stakes(rules, wager)
        or least >= SUGGESTED_STAKE_CENTS
        or (most is not None and most < SUGGESTED_STAKE_CENTS)
    ):
        return least
    return SUGGESTED_STAKE_CENTS if SUGGESTED_STAKE_CENTS % step(rules, wager) == 0 else least
