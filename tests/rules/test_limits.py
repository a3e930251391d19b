"""The stakes a wager takes at a table."""

import pytest

from pitboss.games import game
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.limits import Limits


@pytest.mark.parametrize(
    ("limits", "cents", "says"),
    [
        (Limits(), 1, None),
        (Limits(5_00, 100_00), 5_00, None),
        (Limits(5_00, 100_00), 100_00, None),
        (Limits(5_00, 100_00), 4_99, "Ante must be at least $5 at this table, not $4.99"),
        (Limits(5_00, 100_00), 100_01, "Ante must be at most $100 at this table, not $100.01"),
        (Limits(5_00, 100_00, 5_00), 7_00, "Ante must be a multiple of $5 at this table; $7 isn't"),
        (Limits(fixed=(1_00, 5_00)), 5_00, None),
        (Limits(fixed=(1_00, 5_00)), 2_00, "Ante must be $1 or $5, not $2"),
    ],
)
def test_a_stake_outside_the_limits_is_explained(limits: Limits, cents: int, says: str | None) -> None:
    assert limits.objection("Ante", cents) == says


@pytest.mark.parametrize(
    ("limits", "least"),
    [
        (Limits(), 1),
        (Limits(5_00), 5_00),
        (Limits(5_00, None, 2_00), 6_00),
        (Limits(None, None, 2_00), 2_00),
        (Limits(fixed=(5_00, 1_00)), 1_00),
    ],
)
def test_the_lowest_stake_is_one_that_is_accepted(limits: Limits, least: int) -> None:
    assert limits.least == least
    assert limits.objection("Ante", least) is None


def test_a_table_s_limits_come_from_the_rulebook_and_the_choices() -> None:
    choices = Choices(limits={"ante": Limits(5_00, 50_00)}, steps={"ante": 5_00}, stakes={"progressive": 1_00})
    rules = RulesInForce(game("ultimate-texas-holdem"), choices)
    assert rules.limits("ante") == Limits(5_00, 50_00, 5_00)
    assert rules.limits("progressive") == Limits(fixed=(1_00,))
    assert RulesInForce(rules.game).limits("progressive") == Limits(fixed=(1_00, 5_00))
