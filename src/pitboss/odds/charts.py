"""What a strategy looks like when a person is to hold it: sections of plain words, grids and exact costs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any


@dataclass(frozen=True)
class Grid:
    """Marks by row and column, and what each mark means."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    legend: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """One decision: its rules in order, how many hands take which action, what the rules cost against optimal play."""

    title: str
    rules: tuple[str, ...]
    cost: Fraction  # in units of the Ante, over all hands; 0 where the rules are complete
    hands: Mapping[str, int] = field(default_factory=dict)
    grid: Grid | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the section as plain data, its cost as a fraction in lowest terms."""
        grid = self.grid and {
            "rows": list(self.grid.rows),
            "columns": list(self.grid.columns),
            "cells": [list(row) for row in self.grid.cells],
            "legend": dict(self.grid.legend),
        }
        return {
            "title": self.title,
            "rules": list(self.rules),
            "cost": str(self.cost),
            "hands": dict(self.hands),
            "grid": grid,
        }


@dataclass(frozen=True)
class Chart:
    """A whole strategy, in the order in which its decisions come."""

    sections: tuple[Section, ...]

    @property
    def cost(self) -> Fraction:
        """Return what the strategy costs against optimal play, in units of the Ante."""
        return sum((one.cost for one in self.sections), Fraction(0))


def best_threshold(hands: Iterable[tuple[int, int, Fraction]]) -> tuple[int, Fraction]:
    """Return the least value to play from, and what playing by it loses over all hands.

    A hand is its value, how many there are of it and what playing gains over not playing.
    """
    groups = [
        (value, [(ways, gain) for _, ways, gain in same])
        for value, same in groupby(sorted(hands), key=lambda one: one[0])
    ]
    cost = sum((ways * max(-gain, Fraction(0)) for _, same in groups for ways, gain in same), Fraction(0))
    best = groups[0][0], cost
    for (_, same), (value, _) in pairwise(groups):
        cost += sum((ways * gain for ways, gain in same), Fraction(0))
        if cost < best[1]:
            best = value, cost
    return best
