"""Checks stakes: minimum, maximum, the steps between them, and that every step can be paid exactly."""

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm

from pitboss.rules.payoff import For, To, dollars
from pitboss.rules.play import Ask
from pitboss.rules.wager import Wager
from pitboss.submission.case import Case
from pitboss.submission.document import WHOLE_DOLLARS
from pitboss.submission.fault import Fault

# Ruling G-9. A stake is a multiple of its step, and the odds on one step must come out in whole cents; if
# the table states its smallest chip they must come out in whole chips, since nothing smaller can be handed over.
EXACT_PAYMENT_RULING = "G-9"
_TABLE: tuple[str, ...] = ()


def limit_faults(case: Case) -> Iterator[Fault]:
    """Yield what is wrong with the table's stakes."""
    clause = next((wager.cite for wager in case.offered if wager.required), None)
    yield from _range(case, _TABLE, case.table.minimum, case.table.maximum, clause)
    yield from _multiples(case, _TABLE, case.table.minimum, case.table.maximum, case.table.step)
    main = tuple(wager for wager in case.offered if wager.required or wager.by_action)
    yield from _exact(case, ("step",), main)
    for wager in case.offered:
        if wager not in main:
            yield from _side_limits(case, wager)


def _side_limits(case: Case, wager: Wager) -> Iterator[Fault]:
    stated, path = case.stated(wager), ("wagers", wager.name)
    if case.takes_one_stake(wager):
        yield from _exact(case, (*path, "stake"), (wager,))
        return
    yield from _exact(case, (*path, "step"), (wager,))
    if stated.minimum or stated.maximum:
        yield from _range(case, path, case.minimum(wager), case.maximum(wager), wager.cite)
    if stated.minimum or stated.maximum or stated.step:
        yield from _multiples(case, path, case.minimum(wager), case.maximum(wager), case.step(wager))


def _range(
    case: Case, path: tuple[str, ...], minimum: int | None, maximum: int | None, clause: str | None
) -> Iterator[Fault]:
    if minimum and maximum and minimum > maximum:
        reason = f"The minimum of {dollars(minimum)} is above the maximum of {dollars(maximum)}; change one of them"
        yield case.fault((*path, "minimum"), reason, clause)


def _multiples(
    case: Case, path: tuple[str, ...], minimum: int | None, maximum: int | None, step: int | None
) -> Iterator[Fault]:
    step = step or WHOLE_DOLLARS
    for key, amount in (("minimum", minimum), ("maximum", maximum)):
        if amount and amount % step:
            reason = f"{dollars(amount)} is not a multiple of the step of {dollars(step)}; change it or the step"
            yield case.fault((*path, key), reason)


def _exact(case: Case, path: tuple[str, ...], wagers: tuple[Wager, ...]) -> Iterator[Fault]:
    chip = case.table.chip or 1
    step = case.step(wagers[0])
    needed, odds = chip, ""
    for wager in wagers:
        times = _times(case, wager)
        for payoff in case.payoffs(wager):
            if isinstance(payoff, To | For):
                exact = Fraction(payoff.win * times, payoff.per * chip).denominator
                needed, odds = lcm(needed, exact), odds or (f"{wager.title} at {payoff}" if step % exact else "")
    if step % needed == 0:
        return
    unit = f"chips of {dollars(chip)}" if case.table.chip else "cents"
    what = (
        f"With bets in steps of {dollars(step)}, {odds} cannot be paid"
        if odds
        else f"Bets in steps of {dollars(step)} cannot be made"
    )
    yield case.fault(path, f"{what} in whole {unit}; use multiples of {dollars(needed)}")


def _times(case: Case, wager: Wager) -> int:
    # A wager placed by an action is a multiple of another wager, so its steps are larger by that multiple.
    multiples = [
        action.stakes.times
        for step in case.game.play
        if isinstance(step, Ask) and case.holds(step.when)
        for action in step.actions
        if action.stakes and action.stakes.wager == wager.name and case.holds(action.when)
    ]
    return gcd(*multiples) or 1
