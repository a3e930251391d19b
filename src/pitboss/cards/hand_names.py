"""Full names of poker hands, with the kickers that decide between two of them."""

from collections.abc import Sequence
from itertools import combinations

from pitboss.cards.deck import RANK_TITLES, Card
from pitboss.cards.poker import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    PLURALS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    best,
    category,
)

# How many of a hand's ranks its short name gives; the rest are kickers.
_NAMED = {HIGH_CARD: 1, PAIR: 1, TWO_PAIR: 2, THREE: 1, FLUSH: 1, FULL_HOUSE: 2, FOUR: 1}


def full_name(value: int, ranks_named: int = 0) -> str:
    """Return a hand's full name, such as "seven-high straight", with at least this many of its ranks."""
    kind, ranks = category(value), _ranks(value)
    if kind == ROYAL:
        return "royal flush"
    if kind in (STRAIGHT, STRAIGHT_FLUSH):
        return f"{RANK_TITLES[ranks[0] - 1]}-high {'straight' if kind == STRAIGHT else 'straight flush'}"
    named = max(_NAMED[kind], ranks_named)
    if kind in (HIGH_CARD, FLUSH):
        high = "-".join(RANK_TITLES[rank - 1] for rank in ranks[:named])
        return (f"{high}-high flush" if kind == FLUSH else f"{high} high") if ranks else "no cards"
    made = _made(kind, [PLURALS[rank - 1] for rank in ranks])
    kickers = [RANK_TITLES[rank - 1] for rank in ranks[_NAMED[kind] : named]]
    return f"{made}, {'-'.join(kickers)} {'kicker' if len(kickers) == 1 else 'kickers'}" if kickers else made


def told_apart(value: int, other: int) -> tuple[str, str]:
    """Return the full names of two hands, with as many kickers as it takes to tell them apart."""
    ranks = 0
    names = full_name(value), full_name(other)
    while names[0] == names[1] and value != other:
        ranks += 1
        names = full_name(value, ranks), full_name(other, ranks)
    return names


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of the best five-card hand among the cards, in their order; all of them if there are fewer."""
    if len(cards) <= 5:
        return tuple(cards)
    value = best(cards)
    return next(five for five in combinations(cards, 5) if best(five) == value)


def _made(kind: int, plurals: list[str]) -> str:
    if kind == TWO_PAIR:
        return f"two pair, {plurals[0]} and {plurals[1]}"
    if kind == FULL_HOUSE:
        return f"full house, {plurals[0]} over {plurals[1]}"
    return f"{ {PAIR: 'pair of', THREE: 'three', FOUR: 'four'}[kind] } {plurals[0]}"


def _ranks(value: int) -> list[int]:
    return [rank for shift in (16, 12, 8, 4, 0) if (rank := value >> shift & 15)]
