"""Tables of the packet: exact cells in typed columns, and how each kind of cell is printed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from pitboss.rules.payoff import dollars

TEXT = "text"
CLAUSE = "clause"
ODDS = "odds"  # what a line pays, in words
COUNT = "count"  # a whole number, or the nearest one
PROBABILITY = "probability"
UNITS = "units"  # signed, in units staked
NUMBER = "number"
PERCENT = "percent"
SHARE = "share"  # a percentage with few decimals
NET = "net"  # signed, in units, with no more decimals than it needs
MONEY = "money"  # in cents
EXACT = "exact"  # a fraction in lowest terms, printed as it is

LEFT = (TEXT, CLAUSE)
_PLACES = {COUNT: 0, PROBABILITY: 8, UNITS: 8, NUMBER: 4, PERCENT: 4, SHARE: 2}

Cell = str | int | Fraction | Decimal | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name for scripts, its heading, its kind and the heading it shares with its neighbors."""

    name: str
    title: str
    kind: str = TEXT
    group: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of exact cells; totals, if any, are a last row with the same columns."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    totals: tuple[Cell, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        width = len(self.columns)
        assert all(len(row) == width for row in (*self.rows, self.totals or (None,) * width)), "rows fit the columns"

    def printed(self) -> tuple[tuple[str, ...], ...]:
        """Return the rows as printed, the totals last."""
        rows = (*self.rows, self.totals) if self.totals else self.rows
        return tuple(
            tuple(printed(column.kind, cell) for column, cell in zip(self.columns, row, strict=True)) for row in rows
        )


def printed(kind: str, cell: Cell) -> str:
    """Return a cell as printed."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if kind == MONEY:
        return _money(Fraction(cell))
    if kind == EXACT:
        return str(cell)
    value = Fraction(cell)
    if kind in (PERCENT, SHARE):
        return f"{decimal(100 * value, _PLACES[kind])}%"
    if kind == NET:
        return f"{'+' if value > 0 else ''}{decimal(value, _needed(value))}"
    return f"{'+' if kind == UNITS and value > 0 else ''}{decimal(value, _PLACES[kind])}"


def decimal(value: Fraction, places: int) -> str:
    """Return a fraction rounded to a number of decimals, with commas between thousands."""
    whole, rest = divmod(abs(round(value * 10**places)), 10**places)
    sign = "-" if value < 0 and (whole or rest) else ""
    return f"{sign}{whole:,}.{rest:0{places}d}" if places else f"{sign}{whole:,}"


def _needed(value: Fraction) -> int:
    return next((places for places in range(4) if (value * 10**places).denominator == 1), 4)


def _money(cents: Fraction) -> str:
    if cents.denominator == 1:
        return dollars(cents.numerator)
    return f"{'-' if cents < 0 else ''}${decimal(abs(cents) * Fraction(1, 100), 4)}"


def one_row(name: str, title: str, figures: Mapping[Column, Cell], notes: tuple[str, ...] = ()) -> Table:
    """Return figures by column as a table of one row."""
    return Table(name, title, tuple(figures), (tuple(figures.values()),), notes=notes)
