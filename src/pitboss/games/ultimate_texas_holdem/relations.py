"""Short rules for a player who sees cards too early: which cards in hand, compared with those seen, to raise with."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.exposure import Rule
from pitboss.odds.short_rules import Sorted, by_kind, sums_of_kind
from pitboss.odds.symmetry import hole_cards

CARDS = 52

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]
Relation = tuple[str, Booleans]


class Relations:
    """What a raise before the flop gains, by how the player's cards compare with the card or the two cards seen."""

    def __init__(self, *, is_dealer_seen: bool) -> None:
        self.is_dealer_seen = is_dealer_seen
        self.gains: dict[str, tuple[int, int]] = {}

    def add(self, gains: Integers, board: int | None) -> None:
        """Add gains by hole and dealer's card, with a card of this rank on the board if one is seen."""
        for words, hands in self._relations(board):
            total, most = sums_of_kind(gains[hands])
            before = self.gains.get(words, (0, 0))
            self.gains[words] = before[0] + total, before[1] + most

    def rule(self, multiple: int, total: int) -> Rule | None:
        """Return the rule, and what it costs over all deals."""
        if not self.gains:
            return None
        return _rule(by_kind(self.gains), "those you see", multiple, total)

    def _relations(self, board: int | None) -> Iterator[Relation]:
        card = (np.arange(CARDS) >> 2)[None, :] if self.is_dealer_seen else None
        if board is None:
            return iter(()) if card is None else _beside(card)
        return _on_board(board) if card is None else _on_board_against(board, card)


def rule_against_hole(gains: Integers, multiple: int, total: int) -> Rule:
    """Return the rule of a player who sees both of the dealer's cards; gains are by hole and the dealer's hole."""
    found = {words: sums_of_kind(gains[hands]) for words, hands in _of_holes()}
    return _rule(by_kind(found), "the dealer's", multiple, total)


def _rule(found: Sorted, others: str, multiple: int, total: int) -> Rule:
    lines = (
        f"Compare your cards with {others}. Raise {multiple}x with {'; '.join(found.play)}.",
        f"Check with {'; '.join(found.leave)}. Later streets as in best play.",
    )
    return Rule(lines, Fraction(found.lost, total))


def _holes() -> tuple[Integers, Integers, Booleans]:
    first, second = hole_cards()
    low, high = (first >> 2)[:, None], (second >> 2)[:, None]
    return low, high, low == high


def _beside(card: Integers) -> Iterator[Relation]:
    low, high, paired = _holes()
    above = (low > card) * 1 + (high > card)
    level = (low == card) | (high == card)
    yield "a pair above it", paired & (above == 2)
    yield "a pair of its rank", paired & level
    yield "a pair below it", paired & (above == 0) & ~level
    yield "two cards above it", ~paired & (above == 2)
    yield "a card above it and one of its rank", ~paired & (above == 1) & level
    yield "a card above it and one below", ~paired & (above == 1) & ~level
    yield "a card of its rank and one below", ~paired & (above == 0) & level
    yield "two cards below it", ~paired & (above == 0) & ~level


def _on_board(board: int) -> Iterator[Relation]:
    low, high, paired = _holes()
    level = (low == board) | (high == board)
    yield "a card that pairs it", level
    yield "a pair above it", paired & (low > board)
    yield "a pair below it", paired & (low < board)
    yield "an ace", ~paired & ~level & (high == 12)
    yield "a king", ~paired & ~level & (high == 11)
    yield "a queen", ~paired & ~level & (high == 10)
    yield "a jack or lower as the higher card", ~paired & ~level & (high < 10)


def _on_board_against(board: int, card: Integers) -> Iterator[Relation]:
    low, high, paired = _holes()
    theirs = card == board
    level = (low == board) | (high == board)
    made = paired | level
    pair = np.where(level, board, low) * np.ones_like(card)
    over = (low > card) * 1 + (high > card)
    yield "a pair of the board's card, if the dealer has one too", theirs & level
    yield "a higher pair than the dealer's", theirs & paired & ~level & (low > board)
    yield "a lower pair than the dealer's", theirs & paired & ~level & (low < board)
    yield "no pair against a pair", theirs & ~made
    yield "a pair above the dealer's card", ~theirs & made & (pair > card)
    yield "a pair of the dealer's card or below", ~theirs & made & (pair <= card)
    yield "no pairs and two cards above the dealer's", ~theirs & ~made & (over == 2)
    yield "no pairs and a card above the dealer's", ~theirs & ~made & (over == 1)
    yield "no pairs and no card above the dealer's", ~theirs & ~made & (over == 0)


def _of_holes() -> Iterator[Relation]:
    low, high, paired = _holes()
    below, above, their_pair = low.T, high.T, paired.T
    over = (low > above) * 1 + (high > above)
    yield "a pair, against a lower pair", paired & their_pair & (low > below)
    yield "a pair, against a pair as high or higher", paired & their_pair & (low <= below)
    yield "no pair, against a pair", ~paired & their_pair
    yield "a pair above both cards", paired & ~their_pair & (low > above)
    yield "a pair of the rank of a card", paired & ~their_pair & ((low == above) | (low == below))
    yield "a pair between their cards", paired & ~their_pair & (low < above) & (low > below)
    yield "a pair below both cards", paired & ~their_pair & (low < below)
    yield "two cards above both", ~paired & ~their_pair & (over == 2)
    yield "one card above both", ~paired & ~their_pair & (over == 1)
    yield "the same high card and a higher second one", ~paired & ~their_pair & (high == above) & (low > below)
    yield "the same two ranks", ~paired & ~their_pair & (high == above) & (low == below)
    yield "the same high card and a lower second one", ~paired & ~their_pair & (high == above) & (low < below)
    yield "no card as high as their higher one", ~paired & ~their_pair & (high < above)
