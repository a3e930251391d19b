"""Writes every table of a packet: CSV with the cells as the pages print them, JSON with exact figures."""

import csv
import io
import json
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.packet.cells import Cell, Table
from pitboss.sheets.spreadsheet_cell import safe_text


def as_data(table: Table) -> dict[str, Any]:
    """Return a table as plain data, its figures exact: fractions in lowest terms, money in cents."""
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, map(_exact, row), strict=True)) for row in table.rows]
    totals = dict(zip(names, map(_exact, table.totals), strict=True)) if table.totals else None
    return {
        "table": table.name,
        "title": table.title,
        "columns": [{"name": column.name, "title": column.title, "kind": column.kind} for column in table.columns],
        "rows": rows,
        "totals": totals,
        "notes": list(table.notes),
    }


def as_csv(table: Table) -> str:
    """Return a table as CSV, its cells as the page prints them, under the names of its columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in table.columns)
    writer.writerows([safe_text(str(cell)) for cell in row] for row in table.printed())
    return text.getvalue()


def write_tables(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write each table into a folder as NAME.csv and NAME.json, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in tables:
        for suffix, text in (
            ("csv", as_csv(table)),
            ("json", json.dumps(as_data(table), indent=2, ensure_ascii=False) + "\n"),
        ):
            path = folder / f"{table.name}.{suffix}"
            path.write_text(text, "utf-8")
            written.append(path)
    return written


def _exact(cell: Cell) -> str | int | None:
    return str(cell) if isinstance(cell, Fraction | Decimal) else cell
