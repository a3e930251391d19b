"""The strategy a person can hold: the least hand to play, found from the exact worth of every kind of hand."""

from collections import Counter
from fractions import Fraction

from pitboss.cards.deck import RANK_TITLES
from pitboss.cards.poker import rank
from pitboss.games.top_five_poker import exact
from pitboss.odds.charts import Chart, Section, best_threshold
from pitboss.rules.in_force import RulesInForce


def chart(rules: RulesInForce) -> Chart:
    """Return the rule for playing or folding, checked against every kind of hand."""
    kinds = exact.all_kinds()
    values, ways = kinds.value.tolist(), exact.player_hands(kinds)
    choices = [exact.choices_of(rules, row, "more") for row in exact.all_ends().tolist()]
    gains = [one["play"].worth - one["fold"].worth for one in choices]
    least, cost = best_threshold(zip(values, ways, gains, strict=True))
    sample = exact.cards_of(int(kinds.sample[values.index(least)]))
    hands: Counter[str] = Counter()
    for value, count in zip(values, ways, strict=True):
        hands["play" if value >= least else "fold"] += count
    highest = sorted((rank(card) for card in sample), reverse=True)
    named = "-".join(RANK_TITLES[one - 1] for one in highest)
    rule = f"Play {named} or better: more counted cards, or as many that rank higher; fold anything less."
    return Chart((Section("Play or fold", (rule,), cost * Fraction(1, exact.HANDS), hands),))
