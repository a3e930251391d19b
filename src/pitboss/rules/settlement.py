"""Settlement as data: under which facts a wager loses, is returned or is paid, and by which clause."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pitboss.rules.payoff import Payoff

# How a wager ends.
Result = Literal["win", "push", "lose"]
# What a row orders: to lose, to have the stake back, or to be paid, at fixed odds or by the paytable.
Order = Literal["lose", "push", "pay", "by-paytable"]
WIN: Final = "win"
LOSE: Final = "lose"
PUSH: Final = "push"
PAY: Final = "pay"
BY_PAYTABLE: Final = "by-paytable"


@dataclass(frozen=True, slots=True)
class When:
    """One row: if all facts hold, do this. The first row that fits decides."""

    facts: tuple[str, ...]
    then: Order
    cite: str
    odds: Payoff | None = None
    odds_cite: str | None = None
    push_cite: str | None = None  # the paytable's line says push
    lose_cite: str | None = None  # no line of the paytable covers the cell
    push_without_line: bool = False  # a winner the paytable doesn't list gets its stake back


Settlement = Mapping[str, tuple[When, ...]]
