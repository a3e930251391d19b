"""An even shuffle raises no alarm; one that keeps cards in place or together does, and fails the laboratory's test."""

import math

import numpy as np
import pytest

from pitboss.lab.shuffle_watch import AS_BEFORE, IN_ORDER, OUTCOMES, SAME_PLACE, ShuffleWatch
from pitboss.lab.wealth import RunningTest

CARDS, DEALT = 52, 19


def watched(rounds: int, shuffle, seed: int = 1) -> ShuffleWatch:  # type: ignore[no-untyped-def]
    chance, watch = np.random.default_rng(seed), ShuffleWatch(CARDS, RunningTest(1, 4))
    order = np.arange(CARDS)
    for number in range(rounds):
        order = shuffle(chance, order)
        watch.add(order[:DEALT].tolist(), f"r{number}")
    return watch


def even(chance: np.random.Generator, order: np.ndarray) -> np.ndarray:
    return chance.permutation(CARDS)


def test_an_even_shuffle_raises_no_alarm() -> None:
    watch = watched(600, even)
    assert not watch.test.alarm_round
    assert watch.test.log < math.log(20)


def sticky(part: float):  # type: ignore[no-untyped-def]
    """Return a shuffle that leaves this part of its pairs of neighbors together."""

    def shuffle(chance: np.random.Generator, order: np.ndarray) -> np.ndarray:
        groups: list[list[int]] = [[order[0]]]
        for card in order[1:]:
            if chance.random() < part:
                groups[-1].append(card)
            else:
                groups.append([card])
        chance.shuffle(groups)
        return np.array([card for group in groups for card in group])

    return shuffle


def test_neighbors_that_stay_together_are_found() -> None:
    watch = watched(400, sticky(0.05))
    assert watch.test.alarm_round
    assert watch.test.leading == AS_BEFORE


@pytest.mark.parametrize(("kept", "suspicion"), [(0.1, SAME_PLACE), (0.1, IN_ORDER)])
def test_cards_that_stay_in_place_or_in_order_are_found(kept: float, suspicion: str) -> None:
    def shuffle(chance: np.random.Generator, order: np.ndarray) -> np.ndarray:
        new = chance.permutation(CARDS)
        if chance.random() < kept:
            new = order.copy() if suspicion == SAME_PLACE else np.arange(CARDS)
        return new

    watch = watched(300, shuffle)
    assert watch.test.alarm_round


def test_a_card_that_comes_first_too_often_is_found_and_fails_the_laboratory() -> None:
    # The ace of spades lies on top in 7% of rounds, not in 1.9%.
    def shuffle(chance: np.random.Generator, order: np.ndarray) -> np.ndarray:
        new = chance.permutation(CARDS)
        if chance.random() < 0.05:
            at = int(np.flatnonzero(new == 51)[0])
            new[0], new[at] = new[at], new[0]
        return new

    watch = watched(1500, shuffle)
    assert watch.test.alarm_round
    assert watch.laboratory is None


@pytest.mark.slow
def test_ten_thousand_rounds_are_tested_at_99_percent() -> None:
    assert watched(OUTCOMES, even).laboratory.passes
    found = watched(OUTCOMES, sticky(0.02)).laboratory
    assert found is not None
    restored = ShuffleWatch(CARDS, RunningTest(1, 4))
    watch = watched(3, even)
    restored.restore(watch.to_data())
    assert restored.to_data() == watch.to_data()
