"""What kernels return: how often each outcome happens, by name and without a price."""

from dataclasses import dataclass

Stakes = tuple[tuple[str, int], ...]  # the units on each wager
Cells = tuple[tuple[str, str], ...]  # the cell of each priced wager


class NotCountable(ArithmeticError):
    """Payoffs too large for exact counting; the message names the limit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One kind of outcome: the stakes in units, the facts, the cell of each priced wager, and how often it happens."""

    stakes: Stakes
    facts: frozenset[str]
    cells: Cells
    count: int


@dataclass(frozen=True)
class Counts:
    """Every outcome of a wager, or of wagers played together, and the number of deals they add up to."""

    total: int
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        assert sum(outcome.count for outcome in self.outcomes) == self.total, "every deal has one outcome"
