"""Cards, decks, the generic poker ranking and the shuffle."""

from pitboss.cards.deck import STANDARD_DECK, Card, Deck, UnknownCard
from pitboss.cards.shuffle import SeededShuffle, TableShuffle

__all__ = ["STANDARD_DECK", "Card", "Deck", "SeededShuffle", "TableShuffle", "UnknownCard"]
