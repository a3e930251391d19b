"""A running total is followed across any block boundaries, with its swings and its streaks."""

import random
from itertools import groupby

import numpy as np
import pytest

from pitboss.lab.runs import Path, Row, Rows, Swing, path_of


def test_a_path_knows_its_swings_and_where_they_were() -> None:
    path = path_of(np.array([5, -3, -9, 4, 12, -20, 6], np.int64))
    assert path == Path(
        rounds=7,
        total=-5,
        lowest=-11,
        lowest_after=6,
        highest=9,
        highest_after=5,
        drawdown=Swing(20, 5, 6),
        rise=Swing(16, 3, 5),
    )
    assert (path.fall, path.climb) == (20, 16)


@pytest.mark.parametrize("number", range(200))
def test_a_path_goes_on_where_another_ended(number: int) -> None:
    # Small steps, so that extremes are met more than once and the first of them must be found.
    source = random.Random(number)
    results = np.array([source.randint(-2, 2) for _ in range(source.randint(1, 30))], np.int64)
    cuts = sorted(source.randint(0, len(results)) for _ in range(3))
    path = Path()
    for part in np.split(results, cuts):
        path = path.then(path_of(part))
    assert path == path_of(results)


def plain_rows(signs: np.ndarray, wanted: int) -> Row:
    found = [Row()]
    for seat in range(signs.shape[1]):
        last = 0
        for sign, rounds in groupby(signs[:, seat].tolist()):
            length = len(list(rounds))
            last += length
            if sign == wanted:
                found.append(Row(length, seat + 1, last))
    return min(found, key=lambda item: (-item.rounds, item.last_round, item.seat))


@pytest.mark.parametrize("number", range(60))
def test_the_longest_row_is_found_across_blocks(number: int) -> None:
    source = random.Random(number)
    signs = np.array([[source.randint(-1, 1) for _ in range(3)] for _ in range(40)], np.int8)
    rows = Rows(3)
    first = 0
    for part in np.split(signs, sorted(source.sample(range(1, 40), 3))):
        rows.follow(part, first)
        first += len(part)
    assert rows.lost == plain_rows(signs, -1)
    assert rows.won == plain_rows(signs, 1)


def test_nobody_who_never_lost_has_a_row_of_losses() -> None:
    rows = Rows(1)
    rows.follow(np.ones((5, 1), np.int8), 0)
    assert (rows.won, rows.lost) == (Row(5, 1, 5), Row())
