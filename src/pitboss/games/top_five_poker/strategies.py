"""The ways to play that have a name, and what each is worth."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from pitboss.cards.deck import RANKS, SUITS, Card
from pitboss.games.top_five_poker.exact import HIGH_RANKS, LOW_CARDS, MOST, action_worths
from pitboss.games.top_five_poker.play import Kind, kind_of
from pitboss.games.top_five_poker.readings import value_of
from pitboss.odds.named_strategies import mean_worth, player_by
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL, Answer, Sight, Strategy

ASK = "play or fold"
HIGH = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS[-HIGH_RANKS:])
ACE_JACK = value_of((Card("Ac"), Card("Jd")))
QUEEN_JACK = value_of((Card("Qc"), Card("Jd")))
STRATEGIES = (
    Strategy(OPTIMAL, "Takes the action of highest worth."),
    Strategy(
        "basic",
        "Plays ace-jack or better and folds anything less.",
        (Answer(ASK, "play", ("ace-jack-or-better",)), Answer(ASK, "fold")),
    ),
    Strategy(
        "mimic",
        "Plays what would qualify in the dealer's hand, queen-jack or better, and folds anything less.",
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
    """Return the exact worth of the main game under a strategy, in units of the Ante."""
    decide = player_by(strategy, sight(rules))
    return mean_worth(decide, ASK, _hands(), lambda cards: action_worths(rules, cards))


@cache
def _hands() -> tuple[tuple[tuple[Card, ...], int], ...]:
    # The cards that count of one hand of each kind, and how many hands are of it.
    found: dict[Kind, tuple[tuple[Card, ...], int]] = {}
    for size in range(MOST + 1):
        low = comb(LOW_CARDS, MOST - size)
        for cards in combinations(HIGH, size):
            kind = kind_of(cards)
            found[kind] = cards, found.get(kind, (cards, 0))[1] + low
    return tuple(found.values())
