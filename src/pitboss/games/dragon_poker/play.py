"""Optimal play: the answer of highest worth, found once for each three faces."""

from pitboss.cards.deck import Card, face
from pitboss.games.dragon_poker.exact import action_worths
from pitboss.odds.deciding import Decide
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards


def player(rules: RulesInForce) -> Decide:
    """Return the player who always takes the action of highest worth."""
    known: dict[tuple[str, ...], str] = {}

    def decide(ask: str, cards: tuple[Card, ...], shown: TableCards) -> tuple[str, Card | None]:
        kind = tuple(sorted(map(face, cards)))
        if kind not in known:
            known[kind] = next(iter(action_worths(rules, cards)))
        return known[kind], None

    return decide
