"""The strategy behind the main game, as rules and grids for printing."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.odds.charts import Chart, Grid, Section
from pitboss.packet.cells import COUNT, PERCENT, Column, Table

# A hand is identified by its row and column, so each cell is its own column.


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the strategy: its rules, how many hands take which action, its cost and its grid."""

    title: str
    rules: Table
    hands: Table | None
    cost: Fraction  # in units of the Ante
    grid: Table | None
    tones: tuple[tuple[int, ...], ...]  # how strongly each cell is colored, in hundredths
    legend: tuple[str, ...]


def decisions_of(chart: Chart, name: str) -> tuple[Decision, ...]:
    """Return each decision of a chart, in order."""
    return tuple(_decision(section, f"{name}-{number}") for number, section in enumerate(chart.sections, 1))


def _decision(section: Section, name: str) -> Decision:
    rules = Table(
        f"{name}-rules",
        section.title,
        (Column("number", "", COUNT), Column("rule", "Rule")),
        tuple(enumerate(section.rules, 1)),
    )
    hands = None
    if section.hands:
        every = sum(section.hands.values())
        rows = tuple((action, count, Fraction(count, every)) for action, count in section.hands.items())
        columns = (Column("action", "Action"), Column("hands", "Hands", COUNT), Column("share", "Share", PERCENT))
        hands = Table(f"{name}-hands", f"{section.title}: hands", columns, rows)
    if section.grid is None:
        return Decision(section.title, rules, hands, section.cost, None, (), ())
    grid = section.grid
    legend = tuple(f"{mark}: {meaning}" for mark, meaning in grid.legend.items())
    return Decision(section.title, rules, hands, section.cost, _grid(grid, section.title, name), grid.strengths, legend)


def _grid(grid: Grid, title: str, name: str) -> Table:
    columns = (Column("row", ""), *(Column(column, column) for column in grid.columns))
    rows = tuple((head, *cells) for head, cells in zip(grid.rows, grid.cells, strict=True))
    return Table(f"{name}-grid", title, columns, rows)
