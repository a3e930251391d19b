"""The named strategies and their exact values."""

from fractions import Fraction

from pitboss.cards.deck import Card
from pitboss.cards.poker import rank
from pitboss.games.colorado_holdem.exact import SOLVER
from pitboss.games.colorado_holdem.readings import SEVEN, TEN, instant_winner
from pitboss.odds.named_strategies import player_by
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL, Answer, Sight, Strategy

Hand = tuple[Card, ...]

REQUIRED, PERMISSIBLE = "play, fold or declare", "bet, check or declare"
ODD_ONE = "outside the pair, else outside two suited cards ten or higher, else the lowest"
DECLARE = tuple(Answer(ask, "declare", ("instant-winner",)) for ask in (REQUIRED, PERMISSIBLE))
STRATEGIES = (
    Strategy(OPTIMAL, "Takes the action and the discard that are worth the most."),
    Strategy(
        "basic",
        "Declares an instant winner; bets a pair and keeps it; else keeps two suited cards ten or higher, or the two"
        " highest, and bets unless all three are below seven, or checks where checking is allowed.",
        (
            *DECLARE,
            Answer(REQUIRED, "fold", ("no-pair", "all-below-seven")),
            Answer(REQUIRED, "bet", (), ODD_ONE),
            Answer(PERMISSIBLE, "bet", ("pair",), ODD_ONE),
            Answer(PERMISSIBLE, "check", (), ODD_ONE),
        ),
    ),
    Strategy(
        "pairs-only",
        "Declares an instant winner, bets a pair, and folds anything else, or checks where checking is allowed.",
        (
            *DECLARE,
            *(Answer(ask, "bet", ("pair",), ODD_ONE) for ask in (REQUIRED, PERMISSIBLE)),
            Answer(REQUIRED, "fold"),
            Answer(PERMISSIBLE, "check", (), ODD_ONE),
        ),
    ),
    Strategy(
        "always-bet",
        "Declares an instant winner and bets every other hand, keeping cards as in the basic strategy.",
        (*DECLARE, *(Answer(ask, "bet", (), ODD_ONE) for ask in (REQUIRED, PERMISSIBLE))),
    ),
)


def sight(rules: RulesInForce) -> Sight:
    """Return what the strategies look for, and how they discard."""
    ace_low = rules.options["ace-low-three-card"] == "yes"
    return Sight(
        {
            "instant-winner": lambda cards, shown: instant_winner(cards, ace_low=ace_low) is not None,
            "pair": lambda cards, shown: _has_pair(cards),
            "no-pair": lambda cards, shown: not _has_pair(cards),
            "all-below-seven": lambda cards, shown: max(map(rank, cards)) < SEVEN,
        },
        {ODD_ONE: _odd_one},
    )


def worth(rules: RulesInForce, strategy: Strategy) -> Fraction:
    """Return the exact value of the main game under a strategy, in units of the Ante."""
    return SOLVER.mean_worth(rules, player_by(strategy, sight(rules)))


def _has_pair(cards: Hand) -> bool:
    return len({card[0] for card in cards}) < len(cards)


def _odd_one(cards: Hand) -> Card:
    if not _has_pair(cards):
        for card in sorted(cards, key=rank):
            first, second = (other for other in cards if other != card)
            if first[1] == second[1] and min(rank(first), rank(second)) >= TEN:
                return card
    ranks = [card[0] for card in cards]
    return min(cards, key=lambda card: (ranks.count(card[0]), rank(card), card[1]))
