"""Suit symmetry: one representative of the card sets that differ only in their suits, with its multiplicity.

A set is four masks of ranks, one per suit. It represents its kind if its masks do not increase.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, SUITS, Card

SUIT_PERMUTATIONS = np.array(list(permutations(range(4))), np.int64)


class Kinds(NamedTuple):
    """Representative sets, in increasing order of their key, and how many sets are of each kind."""

    masks: NDArray[np.int64]
    multiplicity: NDArray[np.int64]
    key: NDArray[np.int64]


def key_of(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one number for four masks."""
    first, second, third, fourth = np.moveaxis(masks, -1, 0)
    key: NDArray[np.int64] = ((first << 13 | second) << 13 | third) << 13 | fourth
    return key


@cache
def kinds(size: int) -> Kinds:
    """Return the sets of a given size that differ in more than their suits."""
    by_count = [np.array([mask for mask in range(1 << 13) if mask.bit_count() == n], np.int64) for n in range(size + 1)]
    found = []
    for split in _splits(size, 4):
        rows = np.zeros((1, 0), np.int64)
        for count in split:
            choices = by_count[count]
            rows = np.hstack([np.repeat(rows, len(choices), axis=0), np.tile(choices, len(rows))[:, None]])
            if rows.shape[1] > 1:
                rows = rows[rows[:, -1] <= rows[:, -2]]
        found.append(rows)
    masks = np.vstack(found)
    key = key_of(masks)
    order = np.argsort(key)
    masks, key = masks[order], key[order]
    return Kinds(masks, 24 // _stabiliser_size(masks), key)


def hands_by_kind(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield a representative hand of each kind, and how many hands are of that kind."""
    found = kinds(size)
    for masks, ways in zip(found.masks.tolist(), found.multiplicity.tolist(), strict=True):
        suited = zip(SUITS, masks, strict=True)
        yield tuple(Card(name + suit) for suit, mask in suited for at, name in enumerate(RANKS) if mask >> at & 1), ways


def suits_chosen(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return a hand with its suits changed to those of its kind's representative, each card in its place."""
    masks = {suit: sum(1 << RANKS.index(card[0]) for card in cards if card[1] == suit) for suit in SUITS}
    changed = dict(zip(sorted(SUITS, key=lambda suit: masks[suit], reverse=True), SUITS, strict=True))
    return tuple(Card(card[0] + changed[card[1]]) for card in cards)


def stabilisers(masks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which suit permutations leave each set unchanged."""
    unchanged: NDArray[np.bool_] = (masks[:, SUIT_PERMUTATIONS] == masks[:, None, :]).all(axis=2)
    return unchanged


def _stabiliser_size(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    sizes: NDArray[np.int64] = stabilisers(masks).sum(axis=1)
    return sizes


def _splits(left: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(left,)]
    return [(first, *rest) for first in range(left + 1) for rest in _splits(left - first, parts - 1)]


@cache
def hole_index() -> NDArray[np.int16]:
    """Return the number of a pair of cards, 0 to 1,325, by 52 times one card plus the other."""
    table = np.zeros((52, 52), np.int16)
    first, second = hole_cards()
    table[first, second] = table[second, first] = np.arange(first.size, dtype=np.int16)
    return table.ravel()


@cache
def hole_cards() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two cards of each pair, by the pair's number."""
    return np.triu_indices(52, 1)


@cache
def holes_permuted() -> NDArray[np.int64]:
    """Return, for each suit permutation, the number of each pair after its suits are changed."""
    table = hole_index().reshape(52, 52)
    first, second = hole_cards()
    cards = np.arange(52)
    moved = [(cards & ~3) | permutation[cards & 3] for permutation in SUIT_PERMUTATIONS]
    return np.array([table[card[first], card[second]] for card in moved], np.int64)


def deals(cards: int, drawn: int) -> int:
    """Return in how many ways a number of cards can be drawn."""
    return factorial(cards) // (factorial(drawn) * factorial(cards - drawn))
