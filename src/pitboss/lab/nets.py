"""The net of one counted outcome in units, reduced by a payout limit if there is one."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pitboss.odds.outcomes import Outcome
from pitboss.odds.pricing import net_units, with_bonuses
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import For, Payoff, To
from pitboss.rules.settlement import WIN

NOTHING = Fraction(0)


def net_of(
    rules: RulesInForce,
    outcome: Outcome,
    *,
    stake_cents: int,
    meters: Mapping[str, int],
    wagers: Iterable[str] | None = None,
) -> Fraction:
    """Return the net of an outcome in units of the stake, for all its wagers or those named."""
    cells = dict(outcome.cells)
    counted = dict(with_bonuses(rules, outcome.stakes)).keys() if wagers is None else set(wagers)
    left = None if rules.limit_cents is None else Fraction(rules.limit_cents, stake_cents)
    net = NOTHING
    for name, units in _in_order(rules, outcome):
        verdict = rules.adjudicate(name, outcome.facts, cells.get(name))
        gained = units * net_units(rules, name, verdict, stake_cents=stake_cents, meters=meters)
        if left is not None and verdict.result == WIN and name in rules.limit_covers:
            paid = gained + (units if isinstance(verdict.payoff, For) else 0)
            over = max(paid - left, NOTHING)
            gained -= over
            left -= paid - over
        if name in counted:
            net += gained
    return net


def limit_matters(rules: RulesInForce, stake_cents: int) -> bool:
    """Return whether the wagers under the payout limit can together win more than it, each at this stake."""
    if rules.limit_cents is None:
        return False
    most = sum((_most(rules, name) for name in rules.limit_covers if name in rules.offered), NOTHING)
    return most * stake_cents > rules.limit_cents


def _in_order(rules: RulesInForce, outcome: Outcome) -> Iterable[tuple[str, int]]:
    # A limit is used up in the order of settlement; without one the order doesn't matter.
    stakes = with_bonuses(rules, outcome.stakes)
    if rules.limit_cents is None:
        return stakes
    return sorted(stakes, key=lambda stake: rules.settlement_order.index(stake[0]))


def _most(rules: RulesInForce, wager: str) -> Fraction:
    table = rules.paytables.get(wager)
    payoffs: list[Payoff | None] = [row.odds for row in rules.game.settlement[wager]]
    payoffs += [line.payoff for line in table.lines] if table else []
    times = [
        action.stakes.times
        for actions in rules.actions.values()
        for action in actions.values()
        if action.stakes and action.stakes.wager == wager
    ]
    units = (payoff.units for payoff in payoffs if isinstance(payoff, To | For))
    return max(times, default=1) * max(units, default=NOTHING)
