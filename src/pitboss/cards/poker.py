"""The value of the best five-card poker hand among up to seven cards, as one integer that compares.

A value holds the category in its top bits and up to five ranks, highest first, four bits each below it.
Rank 2 is 1 and the ace is 13; 0 means there is no card.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from pitboss.cards.deck import RANK_TITLES, RANKS, STANDARD_DECK, SUITS, Card

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
CATEGORIES = (
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
PLURALS = (
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
    "aces",
)
_CATEGORY_SHIFT = 20

# Each card adds one to its rank's three-bit counter and to its suit's four-bit counter. Suit counters
# start at three, so that the fifth card of a suit sets the counter's top bit: one sum finds a flush.
_SUITS_AT = 3 * len(RANKS)
_KEY = {
    Card(rank + suit): 1 << 3 * r | 1 << _SUITS_AT + 4 * s
    for s, suit in enumerate(SUITS)
    for r, rank in enumerate(RANKS)
}
_START = sum(3 << _SUITS_AT + 4 * s for s in range(4))
_FLUSH_BITS = sum(8 << _SUITS_AT + 4 * s for s in range(4))
_COUNTS = (1 << _SUITS_AT) - 1
_RANK = {card: RANKS.index(card[0]) + 1 for card in STANDARD_DECK.cards}

_by_counts: dict[int, int] = {}


def rank(card: Card) -> int:
    """Return the card's rank, 1 for a two up to 13 for an ace."""
    return _RANK[card]


def best(cards: Sequence[Card]) -> int:
    """Return the value of the best five-card hand among the cards; fewer than five form what they can."""
    total = sum(map(_KEY.__getitem__, cards), _START)
    if total & _FLUSH_BITS:
        return _flush_value(total, cards)
    counts = total & _COUNTS
    value = _by_counts.get(counts)
    if value is None:
        value = _by_counts[counts] = _value_of_counts(counts)
    return value


def category(value: int) -> int:
    """Return the category of a value, HIGH_CARD to ROYAL."""
    return value >> _CATEGORY_SHIFT


def category_name(value: int) -> str:
    """Return the category's identifier, such as "full-house"."""
    return CATEGORIES[value >> _CATEGORY_SHIFT]


def first_rank(value: int) -> int:
    """Return the rank that counts most: of the pair, the three, the highest card."""
    return value >> 16 & 15


@cache  # a few thousand values
def describe(value: int) -> str:
    """Return the value as a dealer announces it."""
    kind = category(value)
    if kind == HIGH_CARD:
        highest = first_rank(value)
        return f"{RANK_TITLES[highest - 1]} high" if highest else "no cards"
    if kind == PAIR:
        return f"pair of {PLURALS[first_rank(value) - 1]}"
    return CATEGORIES[kind].replace("-", " ")


def _pack(kind: int, ranks: Iterable[int]) -> int:
    value = kind
    taken = tuple(ranks)[:5]
    for taken_rank in taken + (0,) * (5 - len(taken)):
        value = value << 4 | taken_rank
    return value


def _straight_top(ranks: Iterable[int]) -> int:
    present = set(ranks)
    for top in range(13, 4, -1):
        if all(top - step in present for step in range(5)):
            return top
    return 4 if {13, 1, 2, 3, 4} <= present else 0


def _flush_value(total: int, cards: Sequence[Card]) -> int:
    # Among at most seven cards a flush leaves no room for four of a kind or a full house.
    suit = next(SUITS[s] for s in range(4) if total & 8 << _SUITS_AT + 4 * s)
    ranks = sorted((_RANK[card] for card in cards if card[1] == suit), reverse=True)
    top = _straight_top(ranks)
    if top:
        return _pack(ROYAL if top == 13 else STRAIGHT_FLUSH, (top,))
    return _pack(FLUSH, ranks)


def _value_of_counts(counts: int) -> int:
    held = {r + 1: counts >> 3 * r & 7 for r in range(13) if counts >> 3 * r & 7}
    order = sorted(held, key=lambda r: (held[r], r), reverse=True)
    sizes = [held[r] for r in order]

    def others(*used: int) -> list[int]:
        return sorted((r for r in held if r not in used), reverse=True)

    if sizes[:1] == [4]:
        return _pack(FOUR, (order[0], *others(order[0])[:1]))
    if sizes[:1] == [3] and sizes[1:2] in ([3], [2]):
        return _pack(FULL_HOUSE, order[:2])
    top = _straight_top(held)
    if top:
        return _pack(STRAIGHT, (top,))
    if sizes[:1] == [3]:
        return _pack(THREE, (order[0], *others(order[0])[:2]))
    if sizes[:2] == [2, 2]:
        return _pack(TWO_PAIR, (order[0], order[1], *others(order[0], order[1])[:1]))
    if sizes[:1] == [2]:
        return _pack(PAIR, (order[0], *others(order[0])[:3]))
    return _pack(HIGH_CARD, order)
