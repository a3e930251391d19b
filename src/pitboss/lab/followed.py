"""Plays a simulation in stretches, so that a viewer sees the house's total as it goes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.lab.plan import Plan, work_of
from pitboss.lab.players import strategy_of
from pitboss.lab.result import Simulation
from pitboss.lab.simulate import ledger_of, result_of
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL

STRETCHES = 250  # the number of points at which a simulation is shown


@dataclass(frozen=True, slots=True)
class Point:
    """The house's total after a number of rounds."""

    rounds: int
    house_cents: int


class Followed:
    """A simulation that can be watched while it runs and stopped at any point."""

    def __init__(
        self,
        rules: RulesInForce,
        rounds: int,
        *,
        seats: int = 1,
        seed: int = 1,
        strategy: str = OPTIMAL,
        rates: Mapping[str, Fraction] | None = None,
    ) -> None:
        strategy_of(rules.game.name, strategy)
        self._rules, self._asked = rules, rounds
        self._plan = Plan(rules.game.name, rules.choices, seats, seed, strategy)
        self._table = self._plan.table()
        self._ledger = ledger_of(rules, seats, rates=rates)
        self._began = {name: meter.amount for name, meter in self._ledger.meters.items()}

    def points(self) -> Iterator[Point]:
        """Play on, and yield the house's total after each stretch."""
        table, plan = self._table, self._plan
        # Results do not depend on how long a stretch is.
        size = min(plan.block_rounds, max(1, -(-self._asked // STRETCHES)))
        for first, rounds in work_of(self._asked, size):
            self._ledger.add(table.block(plan.seed, first, rounds))
            yield Point(self._ledger.rounds, self._ledger.house.total)

    def result(self) -> Simulation:
        """Return the result of the rounds played so far."""
        plan = self._plan
        return result_of(
            self._rules,
            self._ledger,
            seats=plan.seats,
            seed=plan.seed,
            strategy=plan.strategy,
            asked=self._asked,
            began=self._began,
        )
