"""The battery of a shuffle: a uniform one passes, and a biased one of a stated size is found."""

import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from pitboss.cards.deck import STANDARD_DECK, Card, Deck, face
from pitboss.cards.shuffle import TableShuffle
from pitboss.games import game
from pitboss.lab.hand_kinds import kinds_of_hands
from pitboss.lab.shuffle_battery import Battery, Orders, battery, drawn, numbered
from pitboss.odds.streams import deal

DRAGONS = game("dragon-poker").deck
DECKS = 3_000


def uniform(deck: Deck, seed: int, decks: int = DECKS) -> Orders:
    return deal(seed, 0, decks, cards=len(deck), drawn=len(deck)).astype(np.int64)


def failed(found: Battery) -> set[str]:
    return {test.name for test in found.tests if not test.passes}


@pytest.mark.parametrize("deck", [STANDARD_DECK, DRAGONS], ids=["standard", "dragons"])
def test_a_uniform_shuffle_passes(deck: Deck) -> None:
    assert failed(battery(deck, uniform(deck, 5), "a stream")) == set()
    assert len(failed(battery(deck, drawn(deck, TableShuffle().order, 600), "the table's shuffle"))) <= 1


def test_p_values_of_a_uniform_shuffle_are_uniform() -> None:
    found: dict[str, list[float]] = {}
    for seed in range(40):
        for test in battery(STANDARD_DECK, uniform(STANDARD_DECK, 100 + seed, 400), "a stream").tests:
            found.setdefault(test.name, []).append(test.p)
    for name, chances in found.items():
        # The mean of forty uniform numbers has a standard error of 0.046.
        assert 0.5 - 4 * 0.046 < sum(chances) / len(chances) < 0.5 + 4 * 0.046, name


def sticking(share: float) -> Orders:
    """Return decks whose top card stays the new deck's top card in this share of shuffles."""
    orders = uniform(STANDARD_DECK, 7, 10_000)
    rng = random.Random(3)
    for row in orders:
        if rng.random() < share:
            at = int(np.flatnonzero(row == 0)[0])
            row[0], row[at] = row[at], row[0]
    return orders


def test_a_top_card_that_sticks_once_in_a_hundred_shuffles_is_found() -> None:
    assert failed(battery(STANDARD_DECK, sticking(0.0), "decks")) == set()
    assert "top card" in failed(battery(STANDARD_DECK, sticking(0.01), "decks"))


def test_neighbors_that_stay_together_once_in_twenty_shuffles_are_found() -> None:
    orders = uniform(STANDARD_DECK, 8, 10_000)
    for row in orders[::20]:
        at, after = int(np.flatnonzero(row == 30)[0]), int(np.flatnonzero(row == 31)[0])
        place = (at + 1) % 52
        row[place], row[after] = row[after], row[place]
    assert failed(battery(STANDARD_DECK, orders, "decks")) & {
        "neighbors",
        "kept neighbors",
        "gap",
        "order of neighbors",
    }


def one_riffle(rng: random.Random) -> list[int]:
    left, right = list(range(26)), list(range(26, 52))
    found = []
    while left or right:
        found.append((left if rng.random() < len(left) / (len(left) + len(right)) else right).pop(0))
    return found


@pytest.mark.parametrize("riffles", [3, 5])
def test_too_few_riffles_are_found(riffles: int) -> None:
    rng = random.Random(4)
    orders = []
    for _ in range(600):
        order = list(range(52))
        for _ in range(riffles):
            order = [order[place] for place in one_riffle(rng)]
        orders.append(order)
    assert "runs" in failed(battery(STANDARD_DECK, np.array(orders, np.int64), "riffles"))


def test_decks_that_fit_too_well_are_found() -> None:
    orders = np.array([[(card + turn) % 52 for card in range(52)] for turn in range(520)], np.int64)
    assert {"positions", "top card"} <= failed(battery(STANDARD_DECK, orders, "turned decks"))


def test_a_naive_swap_shuffle_is_found() -> None:
    # Each place is swapped with any place, where only the places not done yet give every order equal chances.
    rng = random.Random(9)
    orders = []
    for _ in range(5_000):
        order = list(range(52))
        for at in range(52):
            other = rng.randrange(52)
            order[at], order[other] = order[other], order[at]
        orders.append(order)
    assert "positions" in failed(battery(STANDARD_DECK, np.array(orders, np.int64), "swaps"))


def test_faces_without_numbers_are_numbered_at_random_and_test_alike() -> None:
    orders = uniform(DRAGONS, 3, 1_000)
    shown: list[Sequence[Card]] = [[Card(face(DRAGONS.cards[card])) for card in row] for row in orders.tolist()]
    found = numbered(DRAGONS, shown)
    assert all(sorted(row) == list(range(53)) for row in found.tolist())
    assert [[face(DRAGONS.cards[card]) for card in row] for row in found.tolist()] == [list(row) for row in shown]
    assert failed(battery(DRAGONS, found, "faces")) == set()


@pytest.mark.parametrize("deck", [STANDARD_DECK, DRAGONS], ids=["standard", "dragons"])
def test_the_chances_of_hands_are_those_of_the_deck(deck: Deck) -> None:
    kinds = kinds_of_hands(deck)
    assert sum(kinds.chances) == 1
    counts = np.bincount(kinds.read(uniform(deck, 2, 20_000)[:, : kinds.size]), minlength=len(kinds.chances))
    likely = max(range(len(kinds.chances)), key=lambda kind: kinds.chances[kind])
    assert abs(int(counts[likely]) / 20_000 - float(kinds.chances[likely])) < 0.02
    assert max(kinds.chances) < Fraction(3, 5)


def test_the_correction_is_holm_s() -> None:
    found = battery(STANDARD_DECK, uniform(STANDARD_DECK, 5), "a stream")
    lowest = min(found.tests, key=lambda test: test.p)
    assert lowest.corrected == min(1.0, len(found.tests) * lowest.p)
    assert all(test.corrected >= test.p for test in found.tests)
    assert found.as_dict()["result"] == "pass"
