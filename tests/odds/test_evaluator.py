"""The compiled evaluator agrees with the plain ranking, and its tables with their definition."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pitboss.cards import poker
from pitboss.odds.enumerate import category_counts
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.evaluator_tables import build, card_at, card_number, tables


def random_hands(count: int, size: int, seed: int) -> np.ndarray:
    draws = np.random.default_rng(seed).random((count, 52))
    return np.argsort(draws, axis=1)[:, :size].astype(np.uint8)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_dense_value_names_the_same_hand(size: int) -> None:
    hands = random_hands(4000, size, seed=size)
    values = tables().poker_value[rank_hands(hands)]
    expected = [poker.best(tuple(card_at(int(card)) for card in hand)) for hand in hands]
    assert values.tolist() == expected


def test_every_class_of_five_cards_has_a_value() -> None:
    kept = tables()
    assert kept.poker_value.size == 7462
    assert (np.diff(kept.poker_value) > 0).all()
    assert kept.category.tolist() == [poker.category(int(value)) for value in kept.poker_value]


def test_the_kept_tables_are_those_the_definition_gives() -> None:
    pairs: Iterator[tuple[Any, Any]] = zip(tables(), build(), strict=True)
    for kept, built in pairs:
        assert kept.dtype == built.dtype
        assert np.array_equal(kept, built)


def test_counts_over_all_hands() -> None:
    assert category_counts(5) == (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
    assert category_counts(6)[3:] == (732160, 361620, 205792, 165984, 14664, 1656, 188)
    assert category_counts(7) == (
        23294460,
        58627800,
        31433400,
        6461620,
        6180020,
        4047644,
        3473184,
        224848,
        37260,
        4324,
    )


def test_cards_have_numbers_and_numbers_cards() -> None:
    assert [card_number(card_at(number)) for number in range(52)] == list(range(52))


def test_five_cards_of_every_third_number_are_ranked_as_at_a_table() -> None:
    hands = np.array(list(combinations(range(0, 52, 3), 5)), np.uint8)
    expected = [poker.best(tuple(card_at(int(card)) for card in hand)) for hand in hands]
    assert tables().poker_value[rank_hands(hands)].tolist() == expected
    assert rank_hands(hands.astype(np.int64)).tolist() == rank_hands(hands).tolist()
    assert rank_hands(np.empty((0, 7), np.uint8)).size == 0


@pytest.mark.parametrize(
    "hands",
    [
        np.zeros((2, 4), np.uint8),
        np.zeros(7, np.uint8),
        np.full((1, 5), 52, np.uint8),
        np.array([[0, 1, 2, 3, 4, 5, 255]], np.uint8),
        np.full((1, 7), 200, np.uint8),
        np.array([[0, 1, 2, 3, 256]]),
        np.array([[0, 1, 2, 3, -1]]),
    ],
)
def test_what_is_not_a_hand_is_refused_in_a_sentence(hands: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        rank_hands(hands)
