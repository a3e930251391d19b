"""Which stakes a table takes: the bounds of each wager, what leans on what, and a first set of stakes."""

from collections.abc import Mapping

from pitboss.cli.play.terms import TableTerms
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import Wager

USUAL_STAKE_CENTS = 10_00


def only_stakes(terms: TableTerms, wager: Wager) -> tuple[int, ...]:
    """Return the stakes a wager takes where they are fixed, else nothing."""
    chosen = terms.rules.choices.stakes.get(wager.name)
    return (chosen,) if chosen else wager.stakes_cents


def least_stake(terms: TableTerms, wager: Wager) -> int:
    """Return the lowest stake a wager takes at this table."""
    fixed = only_stakes(terms, wager)
    if fixed:
        return min(fixed)
    least, step = terms.rules.limits(wager.name).minimum or 1, terms.step(wager)
    return -(-least // step) * step


def bounds_words(terms: TableTerms, wager: Wager) -> str:
    """Return what a wager may be staked with, in words."""
    if wager.equals:
        return f"as the {terms.game.wagers_by_name[wager.equals].title}"
    fixed = only_stakes(terms, wager)
    if fixed:
        return " or ".join(map(dollars, fixed))
    limits = terms.rules.limits(wager.name)
    least = dollars(least_stake(terms, wager))
    return f"from {least}" if limits.maximum is None else f"{least} to {dollars(limits.maximum)}"


def stake_fault(terms: TableTerms, wager: Wager, cents: int) -> Refusal | None:
    """Return why a stake cannot lie on a wager by itself, in dollars, or None."""
    fixed = only_stakes(terms, wager)
    if fixed:
        if cents in fixed:
            return None
        return Refusal(
            f"{wager.title} is {' or '.join(map(dollars, fixed))}, not {dollars(cents)}",
            wager.stakes_cite or wager.cite,
        )
    limits, step = terms.rules.limits(wager.name), terms.step(wager)
    if limits.minimum is not None and cents < limits.minimum:
        return Refusal(f"{wager.title} is at least {dollars(limits.minimum)} here, not {dollars(cents)}", wager.cite)
    if limits.maximum is not None and cents > limits.maximum:
        return Refusal(f"{wager.title} is at most {dollars(limits.maximum)} here, not {dollars(cents)}", wager.cite)
    if cents % step:
        return Refusal(f"{wager.title} goes in steps of {dollars(step)}, so {dollars(cents)} cannot be staked")
    return None


def missing_links(terms: TableTerms, stakes: Mapping[str, int]) -> tuple[Refusal, ...]:
    """Return what the stakes lean on and lack, each with its clause."""
    titles = {one.name: one.title for one in terms.game.wagers}
    return tuple(
        Refusal(f"{wager.title} needs {titles[needed]} as well", wager.needs_cite or wager.cite, wager.name)
        for wager in terms.placed
        if wager.name in stakes
        for needed in wager.needs
        if needed not in stakes
    )


def linked(terms: TableTerms, stakes: Mapping[str, int]) -> dict[str, int]:
    """Return the stakes in the layout's order, each that must equal another made equal to it."""
    found = dict(stakes)
    for wager in terms.placed:
        if wager.equals in found and (wager.required or wager.name in found):
            found[wager.name] = found[wager.equals]
    return {wager.name: found[wager.name] for wager in terms.placed if wager.name in found}


def opening_stakes(terms: TableTerms, stake_cents: int | None = None) -> dict[str, int]:
    """Return the required wagers at the given stake, or at the usual one brought within the table's limits."""
    found: dict[str, int] = {}
    for wager in terms.placed:
        if wager.required and not wager.equals:
            fixed = bool(only_stakes(terms, wager))
            found[wager.name] = stake_cents if stake_cents and not fixed else _usual(terms, wager)
    return linked(terms, found)


def least_stakes(terms: TableTerms) -> dict[str, int]:
    """Return the required wagers at the least they may be."""
    return linked(terms, {one.name: least_stake(terms, one) for one in terms.placed if one.required})


def _usual(terms: TableTerms, wager: Wager) -> int:
    least, most = least_stake(terms, wager), terms.rules.limits(wager.name).maximum
    if only_stakes(terms, wager) or least >= USUAL_STAKE_CENTS or (most is not None and most < USUAL_STAKE_CENTS):
        return least
    return USUAL_STAKE_CENTS if USUAL_STAKE_CENTS % terms.step(wager) == 0 else least
