"""How a wager ended, as a word or a paytable line, and how often it should end that way."""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.odds.outcomes import Counts
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.settlement import LOSE

NOT_PLACED = "not placed"  # a wager that an action would have placed
NOTHING = "nothing"  # a bonus without a stake of its own that was not won


def line_of(rules: RulesInForce, wager: str, facts: frozenset[str], cell: str | None) -> str:
    """Return the title of the line that priced a wager, or else win, push or lose."""
    verdict = rules.adjudicate(wager, facts, cell)
    if verdict.odds_cite is not None and cell is not None and wager in rules.paytables:
        line = rules.paytables[wager].by_cell.get(cell)
        if line is not None and line.cite == verdict.odds_cite:
            return line.title
    return NOTHING if wager in rules.bonuses and verdict.result == LOSE else verdict.result


def chances(rules: RulesInForce, wagers: tuple[str, ...], counts: Counts) -> Mapping[tuple[str, str], Fraction]:
    """Return how often each of these wagers should end with each line, from the counts."""
    found: dict[tuple[str, str], int] = {}
    for outcome in counts.outcomes:
        staked, cells = dict(outcome.stakes), dict(outcome.cells)
        for wager in wagers:
            line = line_of(rules, wager, outcome.facts, cells.get(wager)) if rules.lies(wager, staked) else NOT_PLACED
            found[wager, line] = found.get((wager, line), 0) + outcome.count
    return {line: Fraction(count, counts.total) for line, count in found.items()}
