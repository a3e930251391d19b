"""The compiled loops of the leak test do what a few lines of plain Python say."""

import math
from itertools import pairwise

import numpy as np
import pytest

from pitboss.lab.suspicion_kernels import average, average_apart, complete, follow, price

# Three answers: one line, two lines, and another line by itself.
LINES, STARTS, HINDSIGHT = np.array([3, 0, 2, 1]), np.array([0, 1, 3, 4]), 0.5


def plainly_worth(deals: list[list[float]]) -> list[float]:
    """Return what each answer is worth over some deals, each given by the net of its lines."""
    found = []
    for first, end in pairwise(STARTS):
        mine = LINES[first:end].tolist()
        best_line = max(sum(deal[line] for deal in deals) / len(deals) for line in mine)
        best_each = sum(max(deal[line] for line in mine) for deal in deals) / len(deals)
        found.append(best_line if len(mine) == 1 else HINDSIGHT * best_each + (1 - HINDSIGHT) * best_line)
    return found


@pytest.mark.parametrize("known", [0, 1, 2, 5])
def test_hidden_cards_are_the_candidates_and_then_the_patterns(known: int) -> None:
    rng = np.random.default_rng(7)
    rounds, candidates, size = 3, 20, 6
    unseen = np.stack([np.sort(rng.choice(52, 30, replace=False)) for _ in range(rounds)]).astype(np.uint8)
    pattern = np.stack([rng.choice(30, size, replace=False) for _ in range(24)])
    hands = np.stack([[rng.choice(row, known, replace=False) for _ in range(candidates)] for row in unseen])
    found = complete(unseen, pattern, hands.astype(np.uint8))
    gave_way = 0
    for row, candidate, number in np.ndindex(found.shape[:3]):
        cards, held = found[row, candidate, number].tolist(), hands[row, candidate].tolist()
        laid = unseen[row, pattern[number]].tolist()
        assert cards[:known] == held
        assert len(set(cards)) == size
        rest = [card for card in laid if card not in held]
        if known == 1:  # the place of a card that the candidate holds is taken by the card it replaces
            assert cards[1:] == [laid[0] if card == held[0] else card for card in laid[1:]]
        else:
            assert cards[known:] == rest[: size - known]
        gave_way += len(rest) < size
    assert bool(gave_way) == bool(known)


def test_worths_are_means_over_the_deals() -> None:
    rng = np.random.default_rng(7)
    nets = rng.normal(size=(3, 4, 11, 5))
    found = average(nets, LINES, STARTS, HINDSIGHT)
    for row, candidate in np.ndindex(3, 4):
        assert found[row, candidate].tolist() == pytest.approx(plainly_worth(nets[row, candidate].tolist()))


def test_deals_that_share_a_card_with_a_hand_do_not_count_beside_it() -> None:
    rng = np.random.default_rng(7)
    nets = rng.normal(size=(2, 40, 5))
    dealt = np.array([[1 << card for card in row] for row in rng.integers(0, 6, (2, 40))], np.uint64)
    held = np.array([[0b1, 0b110, 0, 0b111111]] * 2, np.uint64)
    found = average_apart(nets, dealt, held, LINES, STARTS, HINDSIGHT)
    for row, candidate in np.ndindex(2, 3):
        apart = [nets[row, at].tolist() for at in range(40) if not int(dealt[row, at]) & int(held[row, candidate])]
        assert 0 < len(apart) <= 40
        assert found[row, candidate].tolist() == pytest.approx(plainly_worth(apart))
    assert (found[:, 3] == 0).all()  # no deal is left


def test_a_seat_follows_worths_as_sharply_as_it_is_taken_to() -> None:
    rng = np.random.default_rng(7)
    worths = rng.normal(size=(2, 3, 4))
    found = follow(worths, 2, np.array([1.5, 8.0]), 0.03)
    for row, candidate, at in np.ndindex(2, 3, 2):
        powers = [math.exp((1.5, 8.0)[at] * worth) for worth in worths[row, candidate]]
        assert found[row, candidate, at] == pytest.approx(0.97 * powers[2] / sum(powers) + 0.03 / 4)
    assert sum(follow(worths, answer, np.array([8.0]), 0.03)[0, 0, 0] for answer in range(4)) == pytest.approx(1)


def test_a_code_without_a_price_is_noticed() -> None:
    prices = np.array([[1.0, 2.0], [np.nan, np.nan]])
    found = np.zeros((2, 3))
    assert price(np.array([0, 0]), prices, np.array([2, 0]), found)
    assert found.tolist() == [[2.0, 0.0, 1.0]] * 2
    assert not price(np.array([0, 1]), prices, np.array([2, 0]), found)
    assert not price(np.array([0, 2]), prices, np.array([2, 0]), found)
