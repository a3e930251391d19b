"""How results display: aligned text at a prompt, a table in a notebook, a data frame on request."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from pitboss.sheets.extras import brought_by

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A title, a table and the sentences below it."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    numbers: frozenset[str] = frozenset()  # the right-aligned columns
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the sheet as aligned text."""
        table = [self.columns, *self.rows] if self.columns else []
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if name in self.numbers else cell.ljust(width)
                for name, cell, width in zip(self.columns, row, widths, strict=True)
            ).rstrip()
            for row in table
        ]
        parts = ([self.title] if self.title else [], lines, self.notes)
        return "\n\n".join("\n".join(part) for part in parts if part)

    def html(self) -> str:
        """Return the sheet as an HTML table with its sentences below."""
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(f"<tr>{self._html_cells(row)}</tr>" for row in self.rows)
        table = (
            f"<table><caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
        first = table if self.columns else f"<p><b>{escape(self.title)}</b></p>"
        return first + "".join(f"<p>{escape(note)}</p>" for note in self.notes)

    def _html_cells(self, row: tuple[str, ...]) -> str:
        from html import escape

        return "".join(
            f'<td style="text-align: {"right" if name in self.numbers else "left"}">{escape(cell)}</td>'
            for name, cell in zip(self.columns, row, strict=True)
        )


class Shown(ABC):
    """Something that a prompt shows as text and a notebook as tables, both from its sheets."""

    @abstractmethod
    def sheets(self) -> tuple[Sheet, ...]:
        """Return the sheets to show."""

    def __repr__(self) -> str:
        return "\n\n".join(sheet.text() for sheet in self.sheets())

    def _repr_html_(self) -> str:
        return "".join(sheet.html() for sheet in self.sheets())


class Rows(Shown, Sequence[Row], Generic[Row]):
    """Results in order, shown as one table."""

    def __init__(
        self,
        title: str,
        columns: Sequence[str],
        rows: Iterable[Row],
        *,
        cells: Callable[[Row], Sequence[str]],
        data: Callable[[Row], dict[str, Any]],
        numbers: frozenset[str] = frozenset(),
        notes: Sequence[str] = (),
    ) -> None:
        self.title = title
        self._columns, self._rows = tuple(columns), tuple(rows)
        self._cells, self._data, self._numbers, self._notes = cells, data, numbers, tuple(notes)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> "Rows[Row]": ...

    def __getitem__(self, index: int | slice) -> "Row | Rows[Row]":
        if isinstance(index, int):
            return self._rows[index]
        kept = self._rows[index]
        return Rows(self.title, self._columns, kept, cells=self._cells, data=self._data, numbers=self._numbers)

    def sheets(self) -> tuple[Sheet, ...]:
        """Return the rows as one table."""
        rows = tuple(tuple(self._cells(row)) for row in self._rows)
        return (Sheet(self.title, self._columns, rows, self._numbers, self._notes),)

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return each row as plain data, with exact figures as fractions in lowest terms."""
        return [self._data(row) for row in self._rows]

    def to_polars(self) -> Any:
        """Return the rows as a polars data frame; a value that is a mapping or a list is written as JSON."""
        polars = brought_by("data", "polars", "Data frames")
        rows = self.as_dicts()
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [_plain(row.get(name)) for row in rows] for name in names}
        return polars.DataFrame(columns, strict=False)


def _plain(value: object) -> object:
    import json

    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping | list | tuple) else value
