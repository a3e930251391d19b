"""A strategy that a person can memorize: sections of plain rules, grids and exact costs."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from pitboss.cards.deck import Card

Hand = tuple[Card, ...]
Notation = Literal["short-hands", "multiples"]
SHORT_HANDS: Notation = "short-hands"  # two cards as players write them: AKs, 22+
MULTIPLES: Notation = "multiples"  # a raise by how many times the Ante it is: 4x


class Said(NamedTuple):
    """What a section says about one hand: the rule that applies, and the action or the discard that it gives."""

    rule: str
    action: str | None = None
    discard: Card | None = None


Says = Callable[[Hand, Hand], Said]  # about the player's cards and the face-up board


@dataclass(frozen=True)
class Grid:
    """Marks by row and column, and what each mark means."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    legend: Mapping[str, str] = field(default_factory=dict)  # the strongest mark first
    is_points: bool = False  # each cell is a number, not a mark

    @property
    def strengths(self) -> tuple[tuple[int, ...], ...]:
        """Return how strong each cell is, from 0 to 100, to color it by."""
        if self.is_points:
            # Points are colored by their rank, so that a few very high ones do not leave the rest pale.
            steps = sorted({int(cell) for row in self.cells for cell in row})
            most = max(len(steps) - 1, 1)
            return tuple(tuple(100 * steps.index(int(cell)) // most for cell in row) for row in self.cells)
        strongest = next(iter(self.legend), self.cells[0][0])
        return tuple(tuple(100 if cell == strongest else 0 for cell in row) for row in self.cells)


@dataclass(frozen=True)
class Section:
    """One decision: its rules in order, how many hands take each action, and the cost compared with optimal play."""

    title: str
    rules: tuple[str, ...]
    cost: Fraction  # in units of the Ante, over all hands; 0 if every hand is played optimally
    hands: Mapping[str, int] = field(default_factory=dict)
    grid: Grid | None = None
    notations: tuple[Notation, ...] = ()  # what its rules abbreviate
    asked: str = ""  # the question it answers
    says: Says | None = field(default=None, compare=False, repr=False)  # the same rules, applied to a hand

    def as_dict(self) -> dict[str, Any]:
        """Return the section as plain data, with its cost as a fraction in lowest terms."""
        grid = self.grid and {
            "rows": list(self.grid.rows),
            "columns": list(self.grid.columns),
            "cells": [list(row) for row in self.grid.cells],
            "legend": dict(self.grid.legend),
            "is_points": self.grid.is_points,
            "strengths": [list(row) for row in self.grid.strengths],
        }
        return {
            "title": self.title,
            "rules": list(self.rules),
            "cost": str(self.cost),
            "hands": dict(self.hands),
            "grid": grid,
            "notations": list(self.notations),
        }


@dataclass(frozen=True)
class Chart:
    """A whole strategy, with its decisions in order."""

    sections: tuple[Section, ...]

    @property
    def cost(self) -> Fraction:
        """Return what the strategy costs compared with optimal play, in units of the Ante."""
        return sum((section.cost for section in self.sections), Fraction(0))

    def said(self, asked: str, cards: Hand, board: Hand = ()) -> tuple[Said, ...]:
        """Return what the chart says about a hand at a question, one rule for each section that applies."""
        says = (section.says for section in self.sections if section.asked == asked)
        return tuple(found(cards, board) for found in says if found is not None)


def threshold_section(
    asked: str,
    hands: Sequence[tuple[Hand, int, Mapping[str, Fraction]]],
    value: Callable[[Hand], int],
    rule: Callable[[Hand], str],
    play: str,
    fold: str,
) -> Section:
    """Return the section that names the lowest hand to play; each hand has its count and its actions' values."""
    found = [(value(cards), ways, worths[play] - worths[fold]) for cards, ways, worths in hands]
    least, cost = best_threshold(found)
    sample = next(cards for cards, _, _ in hands if value(cards) == least)
    counts: Counter[str] = Counter()
    for made, ways, _ in found:
        counts[play if made >= least else fold] += ways
    told = rule(sample)

    def says(cards: Hand, board: Hand) -> Said:
        return Said(told, play if value(cards) >= least else fold)

    return Section(asked.capitalize(), (told,), cost / counts.total(), counts, asked=asked, says=says)


def best_threshold(hands: Iterable[tuple[int, int, Fraction]]) -> tuple[int, Fraction]:
    """Return the lowest value to play, and what that rule loses over all hands.

    A hand is its value, how many such hands there are, and what playing gains over not playing.
    """
    groups = [
        (value, [(ways, gain) for _, ways, gain in same]) for value, same in groupby(sorted(hands), key=itemgetter(0))
    ]
    cost = sum((ways * max(-gain, Fraction(0)) for _, same in groups for ways, gain in same), Fraction(0))
    best = groups[0][0], cost
    for (_, same), (value, _) in pairwise(groups):
        cost += sum((ways * gain for ways, gain in same), Fraction(0))
        if cost < best[1]:
            best = value, cost
    return best
