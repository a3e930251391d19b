"""Optimal play: the answer and the discard of highest worth, found once for all hands that differ by suits alone."""

from pitboss.cards.deck import SUITS, Card
from pitboss.cards.poker import rank
from pitboss.games.colorado_holdem.exact import action_worths
from pitboss.odds.deciding import Decide
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards

Hand = tuple[Card, ...]


def player(rules: RulesInForce) -> Decide:
    """Return the player who always takes the action of highest worth."""
    known: dict[Hand, tuple[str, Card | None]] = {}

    def decide(ask: str, cards: Hand, shown: TableCards) -> tuple[str, Card | None]:
        suits = sorted(SUITS, key=lambda suit: _mask(cards, suit), reverse=True)
        there, back = dict(zip(suits, SUITS, strict=True)), dict(zip(SUITS, suits, strict=True))
        kind = tuple(sorted(_in_suits(card, there) for card in cards))
        if kind not in known:
            known[kind] = _best(rules, kind)
        action, discard = known[kind]
        return action, None if discard is None else _in_suits(discard, back)

    return decide


def _best(rules: RulesInForce, cards: Hand) -> tuple[str, Card | None]:
    action, _, discard = next(iter(action_worths(rules, cards))).partition(", discard ")
    return action, Card(discard) if discard else None


def _mask(cards: Hand, suit: str) -> int:
    return sum(1 << rank(card) for card in cards if card[1] == suit)


def _in_suits(card: Card, suits: dict[str, str]) -> Card:
    return Card(card[0] + suits[card[1]])
