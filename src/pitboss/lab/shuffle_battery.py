"""The statistical battery of a shuffle: shuffled decks against uniform ones, test by test, with one verdict.

Cards are numbered in the order of a new deck. Where a deck repeats a face and only faces were observed, each face's
copies are numbered at random: of a uniform shuffle that is a uniform shuffle of all cards.
"""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card, Deck, face
from pitboss.lab.chi_square import chance_of_more, fit
from pitboss.lab.hand_kinds import kinds_of_hands

Orders = NDArray[np.int64]  # a deck a row, the top card first
CONFIDENCE = 0.99
CLASSES = 5  # of nearly as many cards each, for the poker and the coupon collector's test
LAGS = (1, 2, 3, 4)
BLOCK = 4  # cards whose order is compared


@dataclass(frozen=True, slots=True)
class Test:
    """One test: its statistic, the probability of one at least as unusual, and that corrected for all the tests."""

    __test__ = False  # not one of pytest's

    name: str
    asks: str
    statistic: float
    degrees: int | None  # of a chi-square; None for a standard normal
    p: float
    corrected: float = 1.0

    @property
    def passes(self) -> bool:
        """Say whether the decks look uniform to this test."""
        return self.corrected >= 1 - CONFIDENCE

    def as_dict(self) -> dict[str, Any]:
        """Return the test as plain data."""
        return {
            "test": self.name,
            "asks": self.asks,
            "statistic": self.statistic,
            "degrees": self.degrees,
            "p": self.p,
            "corrected_p": self.corrected,
            "result": "pass" if self.passes else "fail",
        }


@dataclass(frozen=True, slots=True)
class Battery:
    """The tests of a sample of decks, and what the sample was."""

    source: str
    deck: str
    cards: int
    decks: int
    sha256: str  # of the sample: a byte for each card's number, deck after deck
    tests: tuple[Test, ...]

    @property
    def passes(self) -> bool:
        """Say whether no test failed; a uniform shuffle fails one in a hundred batteries at most."""
        return all(test.passes for test in self.tests)

    def as_dict(self) -> dict[str, Any]:
        """Return the battery as plain data."""
        return {
            "source": self.source,
            "deck": self.deck,
            "cards": self.cards,
            "decks": self.decks,
            "sha256": self.sha256,
            "confidence": CONFIDENCE,
            "correction": "Holm",
            "tests": [test.as_dict() for test in self.tests],
            "result": "pass" if self.passes else "fail",
        }


def least_decks(deck: Deck) -> int:
    """Return how many decks a battery needs: five of each card at each position."""
    return 5 * len(deck)


def numbered(deck: Deck, orders: Iterable[Sequence[Card]]) -> Orders:
    """Return shuffled decks as card numbers; cards given by their face get a number at random among its copies."""
    exact = {card: number for number, card in enumerate(deck.cards)}
    copies = {name: [exact[card] for card in deck.of_face(name)] for name in deck.titles}
    rng = random.SystemRandom()
    found = []
    for order in orders:
        if all(card in exact for card in order):
            found.append([exact[card] for card in order])
            continue
        left = {name: rng.sample(numbers, len(numbers)) for name, numbers in copies.items()}
        found.append([left[face(card)].pop() for card in order])
    return np.array(found, np.int64)


def battery(deck: Deck, orders: Orders, source: str) -> Battery:
    """Run every test on decks of card numbers, and correct for how many tests there are."""
    assert orders.shape[1] == len(deck), "every deck is whole"
    assert len(orders) >= least_decks(deck), "there are enough decks"
    digest = hashlib.sha256(orders.astype(np.uint8).tobytes()).hexdigest()
    tests = tuple(_corrected(list(_tests(deck, orders))))
    return Battery(source, deck.name, len(deck), len(orders), digest, tests)


def _corrected(tests: list[Test]) -> Iterator[Test]:
    # Holm's correction: the chance that any test fails a uniform shuffle stays below one in a hundred.
    adjusted: dict[int, float] = {}
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(tests)), key=lambda at: tests[at].p)):
        highest = max(highest, min(1.0, (len(tests) - rank) * tests[at].p))
        adjusted[at] = highest
    for at, test in enumerate(tests):
        yield Test(test.name, test.asks, test.statistic, test.degrees, test.p, adjusted[at])


def _tests(deck: Deck, orders: Orders) -> Iterator[Test]:
    cards = orders.shape[1]
    yield _positions(orders)
    for name, at in (("top card", 0), ("bottom card", cards - 1)):
        counts = np.bincount(orders[:, at], minlength=cards)
        yield _fit(name, f"Each card is equally often the {name}.", counts, [Fraction(1, cards)] * cards)
    yield _mean("fixed cards", "Cards stay where they were no more often than by chance.", _fixed(orders), 1.0, 1.0)
    before = (orders[1:] == orders[:-1]).sum(axis=1)
    yield _mean("deck to deck", "A deck does not repeat positions of the deck before it.", before, 1.0, 1.0)
    yield from _adjacent(orders)
    kept = (orders[:, 1:] == orders[:, :-1] + 1).sum(axis=1)
    mean = (cards - 1) / cards
    yield _mean(
        "kept neighbors",
        "Cards that follow each other in a new deck do so no more often than by chance.",
        kept,
        mean,
        (cards - 2) / cards + mean - mean * mean,
    )
    falls = (orders[:, 1:] < orders[:, :-1]).sum(axis=1)
    yield _mean("runs", "There are as many rising runs as by chance.", falls, (cards - 1) / 2, (cards + 1) / 12)
    for lag in LAGS:
        yield _serial(orders, lag)
    yield _gaps(orders)
    yield _permutations(orders)
    yield from _classes(orders)
    yield from _hands(deck, orders)


def _positions(orders: Orders) -> Test:
    # The counts of one deck are a permutation matrix; n - 1 over n makes the sum a chi-square of (n - 1) squared.
    count, cards = orders.shape
    found = np.zeros((cards, cards))
    for at in range(cards):
        found[:, at] = np.bincount(orders[:, at], minlength=cards)
    expected = count / cards
    statistic = float(((found - expected) ** 2).sum() / expected) * (cards - 1) / cards
    return _chi_square("positions", "Each card is equally often at each position.", statistic, (cards - 1) ** 2)


def _adjacent(orders: Orders) -> Iterator[Test]:
    # Which card follows which, around the deck: a random cycle. Its symmetric and antisymmetric parts are independent,
    # with variances p and p n / (n - 2) for each cell, p being 1 over n - 1.
    count, cards = orders.shape
    after = np.roll(orders, -1, axis=1)
    found = np.bincount((orders * cards + after).ravel(), minlength=cards * cards).reshape(cards, cards).astype(float)
    chance = 1 / (cards - 1)
    off = found - count * chance
    np.fill_diagonal(off, 0)
    together, ordered = (off + off.T) / 2, (off - off.T) / 2
    near = float((together**2).sum()) / (count * chance)
    yield _chi_square("neighbors", "Every two cards are neighbors equally often.", near, cards * (cards - 3) // 2)
    order = float((ordered**2).sum()) / (count * chance * cards / (cards - 2))
    asks = "Of two neighbors, either is equally often first."
    yield _chi_square("order of neighbors", asks, order, (cards - 1) * (cards - 2) // 2)


def _fixed(orders: Orders) -> NDArray[np.int64]:
    found: NDArray[np.int64] = (orders == np.arange(orders.shape[1])).sum(axis=1)
    return found


def _serial(orders: Orders, lag: int) -> Test:
    # The products of each deck's cards at a distance; decks are independent, so their own spread is the error.
    cards = orders.shape[1]
    values = orders - (cards - 1) / 2
    products = (values * np.roll(values, -lag, axis=1)).sum(axis=1)
    mean = -float(((np.arange(cards) - (cards - 1) / 2) ** 2).sum()) / (cards - 1)
    asks = f"Cards {lag} apart are not correlated." if lag > 1 else "Cards next to each other are not correlated."
    return _mean(f"serial correlation, lag {lag}", asks, products, mean, float(products.var(ddof=1)))


def _gaps(orders: Orders) -> Test:
    cards = orders.shape[1]
    place = np.argsort(orders, axis=1)
    first, second = place[:, 0 : cards - 1 : 2], place[:, 1:cards:2]
    counts = np.bincount(((second - first) % cards).ravel(), minlength=cards)[1:]
    asks = "Cards that were neighbors in a new deck are equally often any distance apart."
    return _fit("gap", asks, counts, [Fraction(1, cards - 1)] * (cards - 1))


def _permutations(orders: Orders) -> Test:
    cards = orders.shape[1]
    blocks = orders[:, : cards // BLOCK * BLOCK].reshape(-1, BLOCK)
    ranks = np.argsort(np.argsort(blocks, axis=1), axis=1)
    codes = (ranks * BLOCK ** np.arange(BLOCK)).sum(axis=1)
    found = Counter(codes.tolist())
    ways = math.factorial(BLOCK)
    counts = [*found.values(), *[0] * (ways - len(found))]
    return _fit("permutation", f"{BLOCK} cards are equally often in any order.", counts, [Fraction(1, ways)] * ways)


def _classes(orders: Orders) -> Iterator[Test]:
    cards = orders.shape[1]
    of_card = np.arange(cards) * CLASSES // cards
    sizes = np.bincount(of_card).tolist()
    classes = of_card[orders]
    seen = 1 << classes
    different = np.bitwise_count(np.bitwise_or.reduce(seen[:, :CLASSES], axis=1))
    counts = np.bincount(different, minlength=CLASSES + 1)[1:]
    chances = [_chance_of_kinds(sizes, CLASSES, kinds) for kinds in range(1, CLASSES + 1)]
    asks = f"The top {CLASSES} cards come from as many of {CLASSES} classes as by chance."
    yield _fit("poker", asks, counts, chances)
    complete = (np.bitwise_or.accumulate(seen, axis=1) == (1 << CLASSES) - 1).argmax(axis=1) + 1
    by = [_chance_of_kinds(sizes, drawn, CLASSES) for drawn in range(cards + 1)]
    waits = [after - before for before, after in pairwise(by)]
    asks = f"All {CLASSES} classes of cards have come up as early as by chance."
    yield _fit("coupon collector", asks, np.bincount(complete, minlength=cards + 1)[1:], waits)


def _chance_of_kinds(sizes: Sequence[int], drawn: int, kinds: int) -> Fraction:
    # How likely this many cards are of exactly this many classes, by counting draws from each class.
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for size in sizes:
        after: dict[tuple[int, int], int] = {}
        for (taken, met), count in ways.items():
            for own in range(min(size, drawn - taken) + 1):
                key = taken + own, met + (own > 0)
                after[key] = after.get(key, 0) + count * math.comb(size, own)
        ways = after
    return Fraction(ways.get((drawn, kinds), 0), math.comb(sum(sizes), drawn))


def _hands(deck: Deck, orders: Orders) -> Iterator[Test]:
    kinds = kinds_of_hands(deck)
    cards = orders.shape[1]
    for name, start in (("hands from the top", 0), ("hands from the middle", cards // 2)):
        counts = np.bincount(kinds.read(orders[:, start : start + kinds.size]), minlength=len(kinds.chances))
        yield _fit(name, f"Hands of {kinds.size} cards are as frequent as an exact count says.", counts, kinds.chances)


def _fit(name: str, asks: str, counts: Iterable[Any], chances: Sequence[Fraction]) -> Test:
    found = fit((int(count), chance) for count, chance in zip(counts, chances, strict=True))
    assert found is not None, "every test has two kinds of outcome or more"
    return _chi_square(name, asks, found.chi_square, found.degrees)


def _chi_square(name: str, asks: str, statistic: float, degrees: int) -> Test:
    # Both tails: decks that fit too well are no more random than decks that don't fit.
    more = chance_of_more(statistic, degrees) if math.isfinite(statistic) else 0.0
    return Test(name, asks, statistic, degrees, min(1.0, 2 * min(more, 1 - more)))


def _mean(name: str, asks: str, values: NDArray[Any], mean: float, variance: float) -> Test:
    # Decks that are all alike have no spread of their own.
    z = (float(values.mean()) - mean) / math.sqrt(max(variance, 1e-9) / len(values))
    return Test(name, asks, z, None, math.erfc(abs(z) / math.sqrt(2)))


Shuffle = Callable[[Deck], Sequence[Card]]


def drawn(deck: Deck, shuffle: Shuffle, decks: int) -> Orders:
    """Return decks from a shuffle, each in a fresh order."""
    return numbered(deck, (shuffle(deck) for _ in range(decks)))
