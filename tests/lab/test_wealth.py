"""Evidence is a mean of bettors' wealth, and thresholds share out one bound over all tests of a floor."""

import math

import numpy as np
import pytest

from pitboss.lab.wealth import FLOOR_ALPHA, SHARES, Bettors, RunningTest, RunningTests, threshold


def even(_: str) -> float:
    return 0.5


def test_the_chances_of_all_thresholds_add_up_to_the_bound() -> None:
    total = 4 * sum(1 / threshold(number, 4) for number in range(1, 100_001))
    assert FLOOR_ALPHA * 0.9999 < total < FLOOR_ALPHA


def test_wealth_multiplies_by_what_is_staked() -> None:
    bettors = Bettors.of(1)
    bettors.add([3.0])
    bettors.add([0.5])
    expected = np.mean([(1 + share * 2) * (1 - share / 2) for share in SHARES])
    assert math.exp(bettors.log) == pytest.approx(expected)


def test_evidence_is_the_weighted_mean_and_the_rest_is_kept() -> None:
    test = RunningTest(1, 4)
    test.add({"a": [3.0]}, even, "r1")
    assert math.exp(test.log) == pytest.approx(0.5 * np.mean([1 + 2 * share for share in SHARES]) + 0.5)


def test_an_alarm_is_raised_once_and_stays() -> None:
    test = RunningTest(1, 4)
    raised = [test.add({"a": [20.0]}, even, f"r{number}") for number in range(10)]
    assert raised.count(True) == 1
    assert test.alarm_round == f"r{raised.index(True)}"
    assert RunningTest.from_data(test.to_data()).to_data() == test.to_data()


def test_coin_flips_raise_no_more_alarms_than_the_bound() -> None:
    chance, alarms = np.random.default_rng(4), 0
    for _ in range(400):
        logs = np.cumsum(np.log1p(0.6 * (2 * chance.integers(0, 2, 2000) - 1.0)))
        alarms += bool(logs.max() >= math.log(20))
    assert alarms <= 400 / 20 + 4 * math.sqrt(400 / 20)


def test_tests_are_numbered_as_they_begin() -> None:
    tests = RunningTests(4)
    assert [tests.of((name,)).number for name in ("ada", "ben", "ada", "cy")] == [1, 2, 1, 3]
