"""Plays a named strategy line by line."""

from pitboss.cards.deck import Card
from pitboss.odds.deciding import Decide
from pitboss.rules.reading import TableCards
from pitboss.rules.strategy import Sight, Strategy

Hand = tuple[Card, ...]


def player_by(strategy: Strategy, sight: Sight) -> Decide:
    """Return the player who follows a strategy."""

    def decide(ask: str, cards: Hand, shown: TableCards) -> tuple[str, Card | None]:
        for answer in strategy.answers:
            if answer.ask == ask and all(sight.facts[fact](cards, shown) for fact in answer.sees):
                return answer.action, sight.discards[answer.discards](cards) if answer.discards else None
        raise AssertionError(f"{strategy.name} has no answer to the question {ask}")

    return decide
