"""Plays a named strategy line by line, and sums what it is worth where the player's own cards are all it sees."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

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
        raise AssertionError(f"{strategy.name} has no answer when asked {ask}")

    return decide


def mean_worth(
    decide: Decide, ask: str, hands: Iterable[tuple[Hand, int]], worths: Callable[[Hand], Mapping[str, Fraction]]
) -> Fraction:
    """Return what a player's answers to the one question of a game are worth over all hands, in units of the Ante."""
    total, count = Fraction(0), 0
    for cards, ways in hands:
        action, discard = decide(ask, cards, TableCards())
        total += ways * worths(cards)[action if discard is None else f"{action}, discard {discard}"]
        count += ways
    return total / count
