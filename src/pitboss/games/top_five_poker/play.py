"""Optimal play: the answer of highest worth, found once for each kind of hand."""

from pitboss.cards.deck import Card
from pitboss.games.top_five_poker.exact import HIGH_RANKS, action_worths
from pitboss.games.top_five_poker.readings import counted
from pitboss.odds.deciding import Decide
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards

Kind = tuple[str, int, bool]  # the ranks that count, how many suits they are of, whether they hold a royal flush


def player(rules: RulesInForce) -> Decide:
    """Return the player who always takes the action of highest worth."""
    known: dict[Kind, str] = {}

    def decide(ask: str, cards: tuple[Card, ...], shown: TableCards) -> tuple[str, Card | None]:
        kind = kind_of(counted(cards))
        if kind not in known:
            known[kind] = next(iter(action_worths(rules, cards)))
        return known[kind], None

    return decide


def kind_of(cards: tuple[Card, ...]) -> Kind:
    """Return what of the cards that count decides how a hand is best played."""
    suits = [card[1] for card in cards]
    ranks = "".join(sorted(card[0] for card in cards))
    return ranks, len(set(suits)), any(suits.count(suit) == HIGH_RANKS for suit in set(suits))
