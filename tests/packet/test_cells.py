"""Each kind of cell is printed one way, rounded from its exact value and never from a float."""

from decimal import Decimal
from fractions import Fraction

import pytest

from pitboss.packet.cells import (
    COUNT,
    EXACT,
    MONEY,
    NET,
    NUMBER,
    PERCENT,
    PROBABILITY,
    SHARE,
    TEXT,
    UNITS,
    Cell,
    Column,
    Table,
    decimal,
    printed,
)
from pitboss.packet.par import root, rounded


@pytest.mark.parametrize(
    ("kind", "cell", "expected"),
    [
        (TEXT, "royal flush", "royal flush"),
        (TEXT, None, ""),
        (COUNT, 27_813_810_024_000, "27,813,810,024,000"),
        (COUNT, Fraction(23_426, 2), "11,713"),
        (COUNT, Fraction(5, 3), "2"),
        (PROBABILITY, Fraction(1, 3), "0.33333333"),
        (PROBABILITY, Fraction(1), "1.00000000"),
        (UNITS, Fraction(2, 3), "+0.66666667"),
        (UNITS, Fraction(-59, 663), "-0.08898944"),
        (UNITS, Fraction(0), "0.00000000"),
        (NUMBER, Decimal("4.939284719284"), "4.9393"),
        (PERCENT, Fraction(-1, 800), "-0.1250%"),
        (SHARE, Fraction(12_345, 1_000), "1,234.50%"),
        (NET, Fraction(5, 2), "+2.5"),
        (NET, Fraction(-6), "-6"),
        (NET, Fraction(0), "0"),
        (NET, Fraction(1, 3), "+0.3333"),
        (MONEY, 1_050, "$10.50"),
        (MONEY, Fraction(12), "$0.12"),
        (MONEY, Fraction(1, 3), "$0.0033"),
        (EXACT, Fraction(-59, 663), "-59/663"),
    ],
)
def test_a_cell_is_printed_by_its_kind(kind: str, cell: Cell, expected: str) -> None:
    assert printed(kind, cell) == expected


def test_a_decimal_is_rounded_from_the_exact_value() -> None:
    just_below = Fraction(1, 2) - Fraction(1, 10**30)
    assert decimal(just_below, 0) == "0"
    assert decimal(just_below + Fraction(2, 10**30), 0) == "1"


def test_what_rounds_to_nothing_has_no_sign() -> None:
    assert decimal(Fraction(-1, 10**9), 4) == "0.0000"


def test_a_root_is_exact_to_twelve_decimals() -> None:
    assert root(Fraction(2)) == Decimal("1.414213562373")
    assert root(Fraction(9, 4)) == Decimal("1.5")
    assert rounded(Fraction(-1, 3)) == Decimal("-0.333333333333")


def test_rows_that_do_not_fit_their_columns_are_a_fault_of_ours() -> None:
    with pytest.raises(AssertionError):
        Table("t", "T", (Column("a", "A"),), (("one", "two"),))


def test_the_totals_are_printed_last() -> None:
    table = Table("t", "T", (Column("a", "A"), Column("n", "N", COUNT)), (("x", 1_000),), ("total", 1_000))
    assert table.printed() == (("x", "1,000"), ("total", "1,000"))
