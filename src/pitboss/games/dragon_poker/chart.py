"""The strategy a person can memorize: the lowest hand to play, found from the exact value of every three faces."""

from pitboss.cards.deck import Card
from pitboss.games.dragon_poker.exact import SOLVER
from pitboss.games.dragon_poker.readings import CHARACTERS, HIGH_CARD, hand_name, value_of
from pitboss.odds.charts import Chart
from pitboss.rules.in_force import RulesInForce


def chart(rules: RulesInForce) -> Chart:
    """Return the rule for playing or folding, checked against every hand."""
    return SOLVER.threshold_chart(
        rules, value_of, lambda cards: f"Play {hand_words(cards)} or better; fold anything less."
    )


def hand_words(cards: tuple[Card, ...]) -> str:
    """Return a hand as a rule names it: all its cards if it is no pair."""
    value = value_of(cards)
    if value >> 12 != HIGH_CARD:
        return hand_name(value)
    return "-".join(CHARACTERS[(value >> shift & 15) - 1] for shift in (8, 4, 0))
