"""A paytable: which cells of a hand each line covers, what it pays and the clause that says so."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from pitboss.rules.payoff import MeterShare, Payoff, payoff

# A cell is the finest kind of outcome that any paytable of a wager tells apart. Readings of a hand
# name its cell, the lab counts cells, and a line prices the cells it covers.
Cells = Mapping[str, tuple[str, ...]]

LETTERS = tuple("abcdefghijklm")
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a hand, the cells it covers, its payoff and its clause."""

    hand: str
    cells: tuple[str, ...]
    payoff: Payoff
    cite: str

    @property
    def title(self) -> str:
        return self.hand.replace("-", " ")


@dataclass(frozen=True)
class Paytable:
    """Lines in the rulebook's order; where several fit, the first one pays (ruling G-1)."""

    letter: str | None
    cite: str
    lines: tuple[Line, ...]
    when: str | None = None

    @cached_property
    def by_cell(self) -> Mapping[str, Line]:
        """Map each covered cell to the line that pays it."""
        found: dict[str, Line] = {}
        for line in self.lines:
            for cell in line.cells:
                found.setdefault(cell, line)
        return found

    @cached_property
    def meters(self) -> tuple[str, ...]:
        """Return the meters this table draws on, in the order of its lines."""
        return tuple(dict.fromkeys(line.payoff.meter for line in self.lines if isinstance(line.payoff, MeterShare)))

    def with_odds(self, odds: Mapping[str, Payoff]) -> "Paytable":
        """Return this table with some lines paying other odds."""
        lines = tuple(Line(line.hand, line.cells, odds.get(line.hand, line.payoff), line.cite) for line in self.lines)
        return Paytable(self.letter, self.cite, lines, self.when)


def paytable(
    letter: str | None,
    cite: str,
    lines: Mapping[str, str],
    *,
    covers: Cells | None = None,
    items: Iterable[str] = LETTERS,
    printed: Mapping[str, str] | None = None,
    wager: str = "",
    when: str | None = None,
) -> Paytable:
    """Build a paytable from hand and payoff, citing each line as an item of `cite`, or by its printed name."""
    covers = covers or {}
    suffix = f" {wager}" if wager else ""
    built = []
    if printed is not None:
        items = [""] * len(lines)
    for (hand, pays), item in zip(lines.items(), items, strict=False):
        marker, _, again = item.partition(" ")
        place = f"{cite}({marker}){' ' + again if again else ''}{suffix}"
        if printed is not None:
            place = f"{cite} {printed[hand]}"
        built.append(Line(hand, covers.get(hand, (hand,)), payoff(pays), place))
    assert len(built) == len(lines), "every line has an item to be cited by"
    return Paytable(letter, cite + suffix, tuple(built), when)
