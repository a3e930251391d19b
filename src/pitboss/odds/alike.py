"""Sets of cards as a game distinguishes them: cards that read alike share a number, and suits may be swapped."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import SUITS, Card, Deck, face
from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.symmetry import SUIT_PERMUTATIONS

Integers = NDArray[np.int64]

BITS = 62  # numbers for single cards that fit into a mask
KEYS = 1 << 62
SETS_MOST = 3_000_000  # of one size, held in memory


class Sets(NamedTuple):
    """All sets of one size in order, each a row of non-decreasing numbers."""

    rows: Integers
    masks: Integers  # a bit for each single card held
    repeats: Integers  # by set and repeated number: how many cards of it
    moved: NDArray[np.int32]  # by suit permutation: which set each becomes

    def kinds(self, ways: Integers, permutations: Integers) -> tuple[Integers, Integers]:
        """Return one set of each kind under these permutations, and in how many ways its kind can be drawn."""
        chosen = self.moved[permutations].min(axis=0)
        total = np.zeros(len(self.rows), np.int64)
        np.add.at(total, chosen, ways)
        found = np.flatnonzero(total)
        return found, total[found]


class Alike:
    """A deck numbered so that cards that read alike have the same number."""

    def __init__(self, deck: Deck, alike: Iterable[Sequence[Card]] = (), *, suits_alike: bool = True) -> None:
        groups: dict[str, list[Card]] = {}
        chosen = {card: f"alike {number}" for number, cards in enumerate(alike) for card in cards}
        for card in deck.cards:
            groups.setdefault(chosen.get(card, face(card)), []).append(card)
        self.cards = tuple(map(tuple, groups.values()))
        self.number = {card: number for number, cards in enumerate(self.cards) for card in cards}
        self.sizes = np.array([len(cards) for cards in self.cards], np.int64)
        self.permutations = self._permutations() if suits_alike else np.arange(len(self.cards))[None, :]
        single = [number for number, cards in enumerate(self.cards) if len(cards) == 1][:BITS]
        self._bit = np.zeros(len(self.cards), np.int64)
        self._bit[single] = 1 << np.arange(len(single), dtype=np.int64)
        self._repeated = np.flatnonzero(self._bit == 0)
        self._sets: dict[int, Sets] = {}

    @cached_property
    def choose(self) -> Integers:
        """Return the table of binomial coefficients that sets of these cards need."""
        most = int(self.sizes.max())
        return np.array([[comb(n, k) for k in range(17)] for n in range(most + 1)], np.int64)

    def sets(self, size: int) -> Sets:
        """Return every set of the given size."""
        if size not in self._sets:
            self._sets[size] = self._enumerated(size)
        return self._sets[size]

    def count(self, size: int) -> int:
        """Return the number of sets of the given size without enumerating them."""
        ways = [1] + [0] * size
        for copies in self.sizes.tolist():
            ways = [sum(ways[total - held] for held in range(min(copies, total) + 1)) for total in range(size + 1)]
        return ways[size]

    def counts(self, row: Iterable[int]) -> Integers:
        """Return how many cards of each number a row holds."""
        return np.bincount(np.array(tuple(row), np.int64), minlength=len(self.cards))

    def index(self, row: Iterable[int]) -> int:
        """Return the index of a set among those of its size."""
        ordered = sorted(row)
        rows = self._key(self.sets(len(ordered)).rows)
        return int(np.searchsorted(rows, self._key(np.array([ordered], np.int64))[0]))

    def keeping(self, *rows: Iterable[int]) -> Integers:
        """Return the suit permutations that leave all of these sets unchanged."""
        held = [np.array(sorted(row), np.int64) for row in rows]
        kept = [at for at, to in enumerate(self.permutations) if all((np.sort(to[row]) == row).all() for row in held)]
        return np.array(kept, np.int64)

    def chosen(self, *rows: Iterable[int]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """Return the suit permutation that turns these sets into the representatives of their kind, and those."""
        held = [np.array(tuple(row), np.int64) for row in rows]
        moved = [tuple(tuple(sorted(to[row].tolist())) for row in held) for to in self.permutations]
        found = min(range(len(moved)), key=moved.__getitem__)
        return found, moved[found]

    def row(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """Return the numbers of some cards, in order."""
        return tuple(sorted(self.number[card] for card in cards))

    def drawn(self, row: Iterable[int]) -> tuple[Card, ...]:
        """Return cards with these numbers."""
        used: dict[int, int] = {}
        found = []
        for number in row:
            found.append(self.cards[number][used.get(number, 0)])
            used[number] = used.get(number, 0) + 1
        return tuple(found)

    def ways(self, size: int, left: Integers, holding: Integers | None = None) -> Integers:
        """Return in how many ways each set can be drawn from the remaining cards, given the cards it already holds."""
        sets = self.sets(size)
        held = np.zeros(len(self.cards), np.int64) if holding is None else holding
        found = np.zeros(len(sets.rows), np.int64)
        _ways(sets.masks, sets.repeats, *self._split(left, held), self.choose, found)
        return found

    def tally(self, size: int, left: Integers, holding: Integers, named: Integers, names: int) -> Integers:
        """Return, by name, in how many ways a set with this name can be drawn from the remaining cards."""
        sets = self.sets(size)
        found = np.zeros(names, np.int64)
        _tally(sets.masks, sets.repeats, *self._split(left, holding), self.choose, named, found)
        return found

    def _split(self, left: Integers, held: Integers) -> tuple[int, int, Integers, Integers]:
        gone = int(self._bit[left == 0].sum())
        holding = int((self._bit * held).sum())
        return gone, holding, left[self._repeated], held[self._repeated]

    def _enumerated(self, size: int) -> Sets:
        numbers = range(len(self.cards))
        if self.count(size) > SETS_MOST or len(self.cards) ** size >= KEYS:
            most = f"{SETS_MOST:,}"
            raise NotCountable(
                f"There are {self.count(size):,} different hands of {size} cards; the general solver's limit is {most}."
            )
        if int(self.sizes.max()) == 1:
            rows = np.array(list(combinations(numbers, size)), np.int64)
        else:
            rows = np.array(list(combinations_with_replacement(numbers, size)), np.int64)
            for copies in sorted(set(self.sizes.tolist())):
                if copies < size:  # each number at most as often as it has cards
                    same = rows[:, copies:] == rows[:, : size - copies]
                    rows = rows[~(same & (self.sizes[rows[:, copies:]] == copies)).any(axis=1)]
        keys = self._key(rows)
        moved = [np.searchsorted(keys, self._key(np.sort(to[rows], axis=1))) for to in self.permutations]
        repeats = np.zeros((len(rows), len(self._repeated)), np.int64)
        for column, number in enumerate(self._repeated):
            repeats[:, column] = (rows == number).sum(axis=1)
        return Sets(rows, self._bit[rows].sum(axis=1), repeats, np.array(moved, np.int32))

    def _key(self, rows: Integers) -> Integers:
        size = rows.shape[1]
        powers = len(self.cards) ** np.arange(size, dtype=np.int64)[::-1]
        keys: Integers = rows @ powers
        return keys

    def _permutations(self) -> Integers:
        # A suit permutation counts only if it maps cards that read alike to cards that read alike.
        itself = np.arange(len(self.cards))[None, :]
        if any(card[1] not in SUITS or len(card) != 2 for card in self.number):
            return itself
        found = []
        for permutation in SUIT_PERMUTATIONS:
            moved = {card: self._moved(card, permutation) for card in self.number}
            to = [{moved[card] for card in cards} for cards in self.cards]
            if all(len(numbers) == 1 and -1 not in numbers for numbers in to):
                found.append([numbers.pop() for numbers in to])
        return np.array(found, np.int64)

    def _moved(self, card: Card, permutation: Integers) -> int:
        return self.number.get(Card(card[0] + SUITS[permutation[SUITS.index(card[1])]]), -1)


@inlined
def _ways_to_draw(
    at: int,
    masks: Integers,
    repeats: Integers,
    gone: int,
    holding: int,
    left: Integers,
    held: Integers,
    choose: Integers,
) -> int:
    ways = 1 if masks[at] & holding == holding and (masks[at] ^ holding) & gone == 0 else 0
    if ways:
        for number in range(left.size):
            drawn = repeats[at, number] - held[number]
            ways *= choose[left[number], drawn] if 0 <= drawn <= left[number] else 0
    return ways


@kernel
def _ways(
    masks: Integers,
    repeats: Integers,
    gone: int,
    holding: int,
    left: Integers,
    held: Integers,
    choose: Integers,
    found: Integers,
) -> None:
    for at in range(masks.size):
        found[at] = _ways_to_draw(at, masks, repeats, gone, holding, left, held, choose)


@kernel
def _tally(
    masks: Integers,
    repeats: Integers,
    gone: int,
    holding: int,
    left: Integers,
    held: Integers,
    choose: Integers,
    named: Integers,
    found: Integers,
) -> None:
    for at in range(masks.size):
        found[named[at]] += _ways_to_draw(at, masks, repeats, gone, holding, left, held, choose)
