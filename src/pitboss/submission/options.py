"""Checks the options a table states, the options it must state, and its payout limit."""

from collections.abc import Iterator
from fractions import Fraction

from pitboss.rules.payoff import For, Payoff, Prize, To, dollars
from pitboss.rules.play import Ask
from pitboss.rules.wager import MoneyOption, Wager
from pitboss.submission.case import Case
from pitboss.submission.fault import Fault
from pitboss.submission.toml_keys import listed, nearest, shown


def option_faults(case: Case) -> Iterator[Fault]:
    """Yield what is wrong with the options."""
    amounts = {money_option.name: money_option for money_option in case.game.money_options}
    for name, value in case.table.options.items():
        if name in case.game.options_by_name:
            option = case.game.options_by_name[name]
            if str(value) not in option.values:
                reason = f"{name} must be {listed(option.values)}, not {shown(str(value))}"
                yield case.fault(("options", name), reason, option.cite)
        elif name in amounts:
            yield from _amount(case, amounts[name], value)
        else:
            known = (*case.game.options_by_name, *amounts)
            reason = f"{case.game.title} has no option called {shown(name)}; {nearest(name, known)}"
            yield case.fault(("options", name), reason)
    for option in case.game.options:
        value = case.options[option.name]
        needed = option.dealing.get(value)
        if needed and case.table.dealing not in (None, needed):
            reason = (
                f"{option.name} can be {value} only with {needed} dealing; "
                f"choose {listed(other for other in option.values if other not in option.dealing)}"
            )
            yield case.fault(("options", option.name), reason, option.cite)
        if option.must_state and case.is_offered(option.must_state) and option.name not in case.table.options:
            title = case.game.wagers_by_name[option.must_state].title
            reason = f"A table that offers {title} must state {option.name}; choose {listed(option.values)}"
            yield case.fault(("options", option.name), reason, option.cite)


def _amount(case: Case, option: MoneyOption, value: str | int) -> Iterator[Fault]:
    path, clause = ("options", option.name), case.cite(option.cites)
    if not isinstance(value, int):
        yield case.fault(path, f"{option.name} must be an amount in cents, without quotes", clause)
        return
    least, why = option.minimum_cents, f"Set {option.name} to at least {dollars(option.minimum_cents)}"
    limit = case.game.payout_limit
    if limit and limit.option == option.name and limit.at_least_best_win:
        best = best_win_cents(case)
        if best > least:
            won = f"A player can win {dollars(best)} with minimum bets"
            least, why = best, f"{won}; set {option.name} to at least that"
    if value < least:
        yield case.fault(path, f"{why}, not {dollars(value)}", clause)


def best_win_cents(case: Case) -> int:
    """Return the most the payout limit's wagers can win together when each is staked at its minimum."""
    # Every wager counts at its best line; if two best lines exclude each other, this errs in the players' favor.
    limit = case.game.payout_limit
    if limit is None:
        return 0
    fact = next(fact for fact in limit.covers if case.holds(fact))
    covered = [case.game.wagers_by_name[name] for name in limit.covers[fact] if case.is_offered(name)]
    return sum(
        max((_won(payoff, _least_stake(case, wager)) for payoff in case.payoffs(wager)), default=0) for wager in covered
    )


def _least_stake(case: Case, wager: Wager) -> int:
    if not wager.by_action:
        return case.minimum(wager) or 0
    # The best hand is played for the largest multiple that the player may choose, at the minimum wager.
    return max(
        (
            action.stakes.times * (case.minimum(case.game.wagers_by_name[action.stakes.of]) or 0)
            for step in case.game.play
            if isinstance(step, Ask) and case.holds(step.when)
            for action in step.actions
            if action.stakes and action.stakes.wager == wager.name and case.holds(action.when)
        ),
        default=0,
    )


def _won(pays: Payoff, stake_cents: int) -> int:
    if isinstance(pays, To | For):
        return int(Fraction(stake_cents) * pays.units)
    return pays.cents if isinstance(pays, Prize) else 0
