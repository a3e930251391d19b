"""The kinds of hands of a deck and their exact chances: poker categories, or the faces of three cards."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, STANDARD_DECK, SUITS, Deck, face

Integers = NDArray[np.int64]
# Five-card hands by category, high card first: the numbers that every poker book prints.
FIVE_CARD_HANDS = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)


@dataclass(frozen=True)
class HandKinds:
    """Hands of a size: how rows of card numbers are read, and how likely each kind is."""

    size: int
    chances: tuple[Fraction, ...]
    read: Callable[[Integers], Integers]


def kinds_of_hands(deck: Deck) -> HandKinds:
    """Return the kinds of hands of a deck."""
    return _poker() if deck.cards == STANDARD_DECK.cards else _faces(deck)


def _poker() -> HandKinds:
    from pitboss.odds.evaluator import CATEGORY, rank_hands

    kernel = np.array([4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in STANDARD_DECK.cards], np.uint8)
    total = math.comb(52, 5)
    assert sum(FIVE_CARD_HANDS) == total
    chances = tuple(Fraction(count, total) for count in FIVE_CARD_HANDS)
    return HandKinds(5, chances, lambda rows: CATEGORY[rank_hands(kernel[rows])].astype(np.int64))


def _faces(deck: Deck) -> HandKinds:
    names = list(deck.titles)
    of_card = np.array([names.index(face(card)) for card in deck.cards])
    copies = Counter(of_card.tolist())
    kinds = list(combinations_with_replacement(range(len(names)), 3))
    total = math.comb(len(deck), 3)
    chances = tuple(
        Fraction(math.prod(math.comb(copies[name], held) for name, held in Counter(kind).items()), total)
        for kind in kinds
    )
    place = np.zeros(len(names) ** 3, np.int64)
    for number, (low, middle, high) in enumerate(kinds):
        place[(low * len(names) + middle) * len(names) + high] = number

    def read(rows: Integers) -> Integers:
        low, middle, high = np.sort(of_card[rows], axis=1).T
        found: Integers = place[(low * len(names) + middle) * len(names) + high]
        return found

    return HandKinds(3, chances, read)
