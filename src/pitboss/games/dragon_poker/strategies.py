"""The named strategies and their exact values."""

from fractions import Fraction

from pitboss.cards.deck import Card
from pitboss.games.dragon_poker.exact import SOLVER
from pitboss.games.dragon_poker.readings import HIGH_CARD, value_of
from pitboss.odds.named_strategies import player_by
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL, Answer, Sight, Strategy

ASK = "play or fold"
LEAST = value_of((Card("Ph"), Card("Pa"), Card("Ra")))
STRATEGIES = (
    Strategy(OPTIMAL, "Takes the action that is worth the most."),
    Strategy(
        "basic",
        "Plays phoenix-panda-rabbit or better and folds anything less.",
        (Answer(ASK, "play", ("phoenix-panda-rabbit-or-better",)), Answer(ASK, "fold")),
        plays_the_chart=True,
    ),
    Strategy(
        "pairs-only",
        "Plays a pair or trips and folds anything less.",
        (Answer(ASK, "play", ("pair-or-better",)), Answer(ASK, "fold")),
    ),
    Strategy("always-play", "Plays every hand.", (Answer(ASK, "play"),)),
)


def sight(rules: RulesInForce) -> Sight:
    """Return what the strategies look for."""
    return Sight(
        {
            "phoenix-panda-rabbit-or-better": lambda cards, shown: value_of(cards) >= LEAST,
            "pair-or-better": lambda cards, shown: value_of(cards) >> 12 != HIGH_CARD,
        }
    )


def worth(rules: RulesInForce, strategy: Strategy) -> Fraction:
    """Return the exact value of the main game under a strategy, in units of the Ante."""
    return SOLVER.mean_worth(rules, player_by(strategy, sight(rules)))
