"""The named strategies and their exact values."""

from fractions import Fraction

from pitboss.cards.deck import Card
from pitboss.games.top_five_poker.exact import SOLVER
from pitboss.games.top_five_poker.readings import value_of
from pitboss.odds.named_strategies import player_by
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL, Answer, Sight, Strategy

ASK = "play or fold"
ACE_JACK = value_of((Card("Ac"), Card("Jd")))
QUEEN_JACK = value_of((Card("Qc"), Card("Jd")))
STRATEGIES = (
    Strategy(OPTIMAL, "Takes the action that is worth the most."),
    Strategy(
        "basic",
        "Plays ace-jack or better and folds anything less.",
        (Answer(ASK, "play", ("ace-jack-or-better",)), Answer(ASK, "fold")),
        plays_the_chart=True,
    ),
    Strategy(
        "mimic",
        "Plays any hand the dealer would qualify with, queen-jack or better, and folds anything less.",
        (Answer(ASK, "play", ("queen-jack-or-better",)), Answer(ASK, "fold")),
    ),
    Strategy("always-play", "Plays every hand.", (Answer(ASK, "play"),)),
)


def sight(rules: RulesInForce) -> Sight:
    """Return what the strategies look for."""
    return Sight(
        {
            "ace-jack-or-better": lambda cards, shown: value_of(cards) >= ACE_JACK,
            "queen-jack-or-better": lambda cards, shown: value_of(cards) >= QUEEN_JACK,
        }
    )


def worth(rules: RulesInForce, strategy: Strategy) -> Fraction:
    """Return the exact value of the main game under a strategy, in units of the Ante."""
    return SOLVER.mean_worth(rules, player_by(strategy, sight(rules)))
