"""The strategy a person can hold: the least hand to play, found from the exact worth of every three faces."""

from collections import Counter
from fractions import Fraction

from pitboss.games.dragon_poker import exact
from pitboss.games.dragon_poker.deck import COPIES
from pitboss.games.dragon_poker.readings import CHARACTERS, HIGH_CARD, hand_name, value_of
from pitboss.odds.charts import Chart, Section, best_threshold
from pitboss.rules.in_force import RulesInForce


def chart(rules: RulesInForce) -> Chart:
    """Return the rule for playing or folding, checked against every hand."""
    found = []
    for cards, ways in exact.hands_left(COPIES):
        worths = exact.action_worths(rules, cards)
        found.append((value_of(cards), ways, worths["play"] - worths["fold"]))
    least, cost = best_threshold(found)
    hands: Counter[str] = Counter()
    for value, ways, _ in found:
        hands["play" if value >= least else "fold"] += ways
    rule = f"Play {_named(least)} or better; fold anything less."
    return Chart((Section("Play or fold", (rule,), cost * Fraction(1, exact.HANDS), hands),))


def _named(value: int) -> str:
    if value >> 12 != HIGH_CARD:
        return hand_name(value)
    return "-".join(CHARACTERS[(value >> shift & 15) - 1] for shift in (8, 4, 0))
