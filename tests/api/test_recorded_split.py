"""Alerts of the ledger: luck that chance doesn't explain is told with its amount, and plain chance is not."""

import random
from fractions import Fraction

from lab.test_split_sums import seat
from pitboss.api.recorded_split import luck_alerts
from pitboss.lab.split import Parts
from pitboss.lab.split_sums import SplitSums

ROUNDS = 400


def table(*, dealer: float, decisions: int = 0, prize: int = 0) -> SplitSums:
    """Return the sums of a table whose dealer's cards favor the players by so many cents a round."""
    chance, sums = random.Random(5), SplitSums()
    for number in range(ROUNDS):
        luck = chance.choice((-100, 100)) + round(dealer)
        won = prize if number == 7 else 0
        split = Parts(
            edge=Fraction(-4), decisions=Fraction(decisions * (number % 2)), dealer=Fraction(luck), cards=Fraction(won)
        )
        sums.add([(seat(int(split.total)), split)])
    return sums


def test_luck_that_is_never_even_is_told_with_its_amount_and_the_win_without_it() -> None:
    (alert,) = luck_alerts("t", 9, table(dealer=30, decisions=-10))
    assert (alert.table, alert.about, alert.at) == ("t", "luck:dealer", 9)
    assert alert.as_dict()["kind"] == "hold-out"
    assert alert.says.startswith("the luck of the dealer's cards cost the house $")
    assert "standard errors; without luck the win is $36, give or take $1.96" in alert.says
    assert alert.says.endswith("times as many rounds")


def test_bad_play_is_not_luck() -> None:
    assert list(luck_alerts("t", 9, table(dealer=0, decisions=-200))) == []


def test_one_large_prize_is_not_an_alert() -> None:
    assert list(luck_alerts("t", 9, table(dealer=0, prize=100_000))) == []


def test_sums_are_the_same_after_they_were_saved() -> None:
    sums = table(dealer=30, decisions=-10)
    assert SplitSums.from_data(sums.to_data()) == sums
