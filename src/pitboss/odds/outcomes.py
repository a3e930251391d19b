"""What kernels hand over: how often each outcome happens, by name and without any price."""

from dataclasses import dataclass


class NotCountable(ArithmeticError):
    """Payoffs beyond what exact counting can hold; the sentence says where the bound lies."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One kind of outcome: what was staked in units, the facts, the cell of each priced wager, and how often."""

    stakes: tuple[tuple[str, int], ...]
    facts: frozenset[str]
    cells: tuple[tuple[str, str], ...]
    count: int


@dataclass(frozen=True)
class Counts:
    """Every outcome of a wager, or of wagers played together, and the number of deals they add up to."""

    total: int
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        assert sum(one.count for one in self.outcomes) == self.total, "every deal has one outcome"
