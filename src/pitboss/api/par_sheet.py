"""How a priced wager prints at a prompt or in a notebook: its PAR sheet, best result first, with its total."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction

from pitboss.games import game
from pitboss.lab.exact_counts import MAIN
from pitboss.lab.worth import LINES_SHOWN, Line, Worth
from pitboss.sheets.sheet import Sheet

SIDE_COLUMNS = ("hand", "pays", "combinations", "probability", "contribution")
MAIN_COLUMNS = ("result", "staked", "net", "combinations", "probability", "contribution")


@dataclass(frozen=True, repr=False)
class Priced(Worth):
    """A wager's exact value, which prints as a readable PAR sheet."""

    def sheet(self) -> Sheet:
        """Return the PAR sheet, sorted by net; if there are too many lines, the rarest are summed into one."""
        columns = MAIN_COLUMNS if self.wager == MAIN else SIDE_COLUMNS
        often = sorted(self.lines, key=lambda line: -line.combinations)
        shown, rare = sorted(often[:LINES_SHOWN], key=_order), often[LINES_SHOWN:]
        rows = [(*self._named_line(line), *_figures((line,))) for line in shown]
        blank = ("",) * (len(columns) - 4)
        if rare:
            rows.append((f"{len(rare)} rarer results, all in .lines", *blank, *_figures(rare)))
        if self.envy:
            rows.append(("envy bonuses on other players' hands", *blank, "", "", f"{float(self.envy):+.6f}"))
        rows.append(("total", *blank, f"{self.total:,}", f"{1:.6%}", f"{float(self.ev):+.6f}"))
        figures = (
            f"House edge {float(self.house_edge):.4%}, element of risk {float(self.element_of_risk):.4%}, "
            f"hits {float(self.hit_frequency):.4%}, standard deviation {self.standard_deviation:.4f}; "
            f"exactly {self.ev} per unit."
        )
        numbers = frozenset(columns[1:]) - {"pays"}
        return Sheet(self._named(), columns, tuple(rows), numbers, (figures, *self.notes))

    def _named_line(self, line: Line) -> tuple[str, ...]:
        if self.wager != MAIN:
            return line.hand, line.odds
        stakes, _, told = line.hand.partition(": ")
        told, _, hand = told.partition(", ")
        words = dict.fromkeys(filter(None, (hand, *_facts(self.game, told))))
        staked = sum(int(word) for word in stakes.split() if word.isdigit())
        return ", ".join(words), str(staked), f"{float(_net(line)):+g}"


def priced(worth: Worth) -> Priced:
    """Return the same worth in the form that prints as a PAR sheet."""
    return Priced(**{field.name: getattr(worth, field.name) for field in fields(worth)})


def _order(line: Line) -> tuple[Fraction, int]:
    return -_net(line), -line.combinations


def _net(line: Line) -> Fraction:
    return line.contribution / line.probability if line.probability else Fraction(0)


def _figures(lines: Iterable[Line]) -> tuple[str, str, str]:
    lines = tuple(lines)
    chance = sum((line.probability for line in lines), Fraction(0))
    worth = sum((line.contribution for line in lines), Fraction(0))
    return f"{sum(line.combinations for line in lines):,}", f"{float(chance):.6%}", f"{float(worth):+.6f}"


def _facts(name: str, told: str) -> list[str]:
    # A line lists its facts without separators; the settlement knows where each one ends.
    rows = (row for settled in game(name).settlement.values() for row in settled)
    known = {fact.replace("-", " ") for row in rows for fact in row.facts if "=" not in fact}
    pattern = "|".join(re.escape(fact) for fact in sorted(known, key=len, reverse=True))
    return [part.strip() for part in re.split(rf"\b({pattern})\b", told) if part.strip()]
