"""The strategy a person can memorize: the lowest hand to play, found from the exact value of every kind of hand."""

from pitboss.cards.deck import RANK_TITLES, Card
from pitboss.cards.poker import rank
from pitboss.games.top_five_poker.exact import SOLVER
from pitboss.games.top_five_poker.readings import value_of
from pitboss.odds.charts import Chart
from pitboss.rules.in_force import RulesInForce


def chart(rules: RulesInForce) -> Chart:
    """Return the rule for playing or folding, checked against every kind of hand."""
    return SOLVER.threshold_chart(rules, value_of, _rule)


def _rule(least: tuple[Card, ...]) -> str:
    named = "-".join(RANK_TITLES[high - 1] for high in sorted(map(rank, least), reverse=True))
    return f"Play {named} or better (more counted cards, or the same number ranked higher). Fold anything less."
