"""The chi-square test matches published tables, pools rare lines and rejects impossible ones."""

import math
from fractions import Fraction

import pytest

from pitboss.lab.chi_square import chance_of_more, fit


@pytest.mark.parametrize(
    ("statistic", "degrees", "chance"),
    # Critical values as they are tabulated everywhere.
    [(3.841, 1, 0.05), (6.635, 1, 0.01), (5.991, 2, 0.05), (18.307, 10, 0.05), (124.342, 100, 0.05), (2.558, 10, 0.99)],
)
def test_chances_are_those_of_the_tables(statistic: float, degrees: int, chance: float) -> None:
    assert chance_of_more(statistic, degrees) == pytest.approx(chance, rel=2e-3)


def test_two_degrees_are_an_exponential() -> None:
    for statistic in (0.0, 0.1, 1.0, 7.5, 80.0, 400.0):
        assert chance_of_more(statistic, 2) == pytest.approx(math.exp(-statistic / 2), rel=1e-9)


def test_counts_as_expected_fit_and_others_do_not() -> None:
    half = Fraction(1, 2)
    good, bad = fit([(500, half), (500, half)]), fit([(400, half), (600, half)])
    assert good is not None
    assert bad is not None
    assert (good.chi_square, good.degrees, good.p) == (0, 1, 1)
    assert bad.chi_square == pytest.approx(40)
    assert bad.p < 1e-9


def test_rare_kinds_are_pooled() -> None:
    chances = [Fraction(1, 1000)] * 4 + [Fraction(996, 1000)]
    found = fit([(1, chances[0]), (0, chances[1]), (3, chances[2]), (1, chances[3]), (1995, chances[4])])
    assert found is not None
    assert found.degrees == 1  # the four lines of two each pooled to eight, and the rest
    assert fit([(0, Fraction(1, 1000)), (10, Fraction(999, 1000))]) is None


def test_what_cannot_be_fits_nothing() -> None:
    found = fit([(1, Fraction(0)), (10_000, Fraction(1))])
    assert found is not None
    assert found.p == 0
