"""A slow ranking of poker hands, straight from the definitions, to test the fast ranking against."""

from itertools import combinations

from pitboss.cards import Card

ORDER = (
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
)
FACES = "23456789TJQKA"
Hand = tuple[Card, ...]
Ranked = tuple[int, tuple[int, ...]]


def straight_from(ranks: list[int]) -> int:
    """Return the highest rank of a straight, or -1; the ace is low with two to five only."""
    if sorted(ranks) == [0, 1, 2, 3, 12]:
        return 3
    return max(ranks) if len(set(ranks)) == 5 and max(ranks) - min(ranks) == 4 else -1


def ranked(cards: Hand) -> Ranked:
    """Rank at most five cards by counting them out."""
    ranks = [FACES.index(card[0]) for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = tuple(size for size, _ in groups)
    order = tuple(item for _, item in groups)
    top = straight_from(ranks) if len(cards) == 5 else -1
    suited = len(cards) == 5 and len({card[1] for card in cards}) == 1
    if suited and top >= 0:
        return (9 if top == 12 else 8), (top,)
    if shape[:1] == (4,):
        return 7, order
    if shape == (3, 2):
        return 6, order
    if suited:
        return 5, order
    if top >= 0:
        return 4, (top,)
    return {(3,): 3, (2, 2): 2, (2,): 1}.get(tuple(size for size in shape if size > 1), 0), order


def best_by_definition(cards: Hand) -> Ranked:
    """Rank the best five of any number of cards by trying all."""
    return max(ranked(five) for five in combinations(cards, 5)) if len(cards) > 5 else ranked(cards)
