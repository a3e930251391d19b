"""Odds and prizes, written and parsed."""

from fractions import Fraction

import pytest

from pitboss.rules.payoff import For, MeterShare, Payoff, Prize, Push, To, dollars, payoff


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 to 1", To(1)),
        ("3 to 2", To(3, 2)),
        ("10,000 to 1", To(10_000)),
        ("10000 to 1", To(10_000)),
        ("9 for 1", For(9)),
        ("$1,000,000", Prize(100_000_000)),
        ("$10.50", Prize(1050)),
        ("100 % of meter", MeterShare(100, "meter")),
        ("1 % of mega", MeterShare(1, "mega")),
        ("push", Push()),
    ],
)
def test_a_payoff_is_read_from_its_printed_form(text: str, meant: Payoff) -> None:
    assert payoff(text) == meant
    assert payoff(str(meant)) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 to 0",
        "-1 to 1",
        "1 to -1",
        "1.5 to 1",
        "1,5 to 1",
        "1,00 to 1",
        "$1,50",
        "1 too 1",
        "to 1",
        "1 to 1 ",
        "$",
        "$-5",
        "$1.5",
        "0 % of meter",
        "101 % of meter",
        "10 % of Meter",
        "10% of meter",
        "Push",
        "١ to ١",
    ],
)
def test_what_states_no_payoff_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a payoff\. Write it as"):
        payoff(text)


@pytest.mark.parametrize(
    ("cents", "shown"), [(0, "$0"), (5, "$0.05"), (100, "$1"), (123_456, "$1,234.56"), (-250, "-$2.50")]
)
def test_money_is_shown_in_dollars(cents: int, shown: str) -> None:
    assert dollars(cents) == shown


def test_units_are_exact() -> None:
    assert (To(3, 2).units, For(1, 3).units) == (Fraction(3, 2), Fraction(1, 3))
