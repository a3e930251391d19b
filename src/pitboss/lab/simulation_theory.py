"""What a simulation is compared with: the exact value of each wager as it was staked and played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pitboss.games.parts import part_of
from pitboss.lab.exact_counts import MAIN, NotAnalysed, counts_of, main_wagers
from pitboss.lab.lines import chances
from pitboss.lab.played import unit_of
from pitboss.lab.players import strategy_of
from pitboss.lab.session_spread import Nets, nets_of
from pitboss.lab.worth import worth_of
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import For, MeterShare, Payoff, Prize, To
from pitboss.rules.play import FOLDED
from pitboss.rules.strategy import OPTIMAL

FOLD_FACTS = frozenset({FOLDED})


@dataclass(frozen=True, slots=True)
class Theory:
    """The exact value per unit; for a named strategy, only its mean may be known."""

    ev: Fraction
    variance: Fraction | None = None
    hit_frequency: Fraction | None = None
    average_wager: Fraction | None = None
    lines: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)  # how often each wager ends with each line
    meters: Mapping[str, Fraction] = field(default_factory=dict)  # how often a hand wins from each meter
    nets: Nets = ()  # the results of a hand without envy, in units, and the chance of each


def theory_of(
    rules: RulesInForce,
    group: str,
    stakes: Mapping[str, int],
    *,
    strategy: str = OPTIMAL,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
) -> Theory | None:
    """Return what is known exactly about `main` or one wager as staked and played here; None if nothing is."""
    # The exact value includes a payout limit only for the main game, which is paid first, and only for optimal play.
    if (group != MAIN or strategy != OPTIMAL) and cut_may_apply(rules, group, stakes):
        return None
    try:
        if strategy != OPTIMAL and group == MAIN:
            ev = worth_of_strategy(rules, strategy)
            return None if ev is None else Theory(ev)
        if strategy != OPTIMAL and depends_on_play(rules, group):
            return None
        stake = unit_of(stakes, rules, group)
        worth = worth_of(rules, group, stake_cents=stake, meters=meters, others=others)
        counts = counts_of(rules, group)
    except NotAnalysed:
        return None
    names = tuple(wager for wager in main_wagers(rules) if wager in rules.offered) if group == MAIN else (group,)
    drawn: dict[str, int] = {}
    for outcome in counts.outcomes if group != MAIN else ():
        payoff = rules.adjudicate(group, outcome.facts, dict(outcome.cells).get(group)).payoff
        if isinstance(payoff, MeterShare):
            drawn[payoff.meter] = drawn.get(payoff.meter, 0) + outcome.count
    return Theory(
        worth.ev,
        worth.variance,
        worth.hit_frequency,
        worth.average_wager,
        chances(rules, names, counts),
        {name: Fraction(count, counts.total) for name, count in drawn.items()},
        nets_of(worth.distribution, worth.total),
    )


def worth_of_strategy(rules: RulesInForce, strategy: str) -> Fraction | None:
    """Return the exact value of the main game under a named strategy, if the game's folder has it."""
    module = part_of(rules.game.name, "strategies")
    chosen = strategy_of(rules.game.name, strategy)
    found: Fraction | None = module.worth(rules, chosen) if module else None
    return found


def depends_on_play(rules: RulesInForce, wager: str) -> bool:
    """Return whether a wager's result depends on the player's actions."""
    for outcome in counts_of(rules, wager).outcomes:
        if not outcome.facts <= FOLD_FACTS:
            return True
        cell = dict(outcome.cells).get(wager)
        here, unfolded = (rules.adjudicate(wager, facts, cell) for facts in (outcome.facts, frozenset[str]()))
        if (here.result, here.payoff) != (unfolded.result, unfolded.payoff):
            return True
    return False


def cut_may_apply(rules: RulesInForce, group: str, stakes: Mapping[str, int]) -> bool:
    """Return whether a payout limit could reduce what these stakes win."""
    if rules.limit_cents is None:
        return False
    names = main_wagers(rules) if group == MAIN else (group,)
    if rules.limit_covers.isdisjoint(names):
        return False
    most = sum(_most_cents(rules, wager, stakes) for wager in rules.limit_covers if wager in rules.offered)
    return most > rules.limit_cents


def _most_cents(rules: RulesInForce, wager: str, stakes: Mapping[str, int]) -> Fraction:
    placed = (action.stakes for actions in rules.actions.values() for action in actions.values())
    stake = max(
        [
            stakes.get(rules.bonuses.get(wager, wager), 0),
            *(extra.times * stakes[extra.of] for extra in placed if extra and extra.wager == wager),
        ]
    )
    payoffs = [row.odds for row in rules.game.settlement[wager] if row.odds is not None]
    if wager in rules.paytables:
        payoffs += [line.payoff for line in rules.paytables[wager].lines]
    return max((_paid_cents(payoff, stake) for payoff in payoffs), default=Fraction(0))


def _paid_cents(payoff: Payoff, stake: int) -> Fraction:
    if isinstance(payoff, To | For):
        return payoff.units * stake
    return Fraction(payoff.cents) if isinstance(payoff, Prize) else Fraction(0)
