"""Reports as CSV and JSON: the same columns in both, money in cents, exact fractions as text."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.house.reports.hold import HoldRow
from pitboss.house.reports.theory import Compared
from pitboss.house.reports.voids import Voids
from pitboss.sheets.spreadsheet_cell import safe_text

# Spreadsheets run a cell that begins like this as a formula, and people choose the names.
_CENTS = "_cents"  # how an amount's name ends; an exact one is given to the nearest cent as well
Row = Mapping[str, Any]


def table_of(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return a report's lines as rows that JSON can hold."""
    return [_row(row) for row in rows]


def as_json(rows: Iterable[Any]) -> str:
    """Return a report as JSON."""
    return json.dumps(table_of(rows), indent=2, ensure_ascii=False)


def as_csv(rows: Iterable[Any]) -> str:
    """Return a report as CSV with a header line; empty if it has no lines."""
    table = table_of(rows)
    if not table:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(table[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in table)
    return out.getvalue()


def _row(line: Any) -> dict[str, Any]:
    if isinstance(line, Mapping):  # a row that something was added to
        return dict(line)
    data: dict[str, Any] = line._asdict() if hasattr(line, "_asdict") else dict(_fields(line))
    if isinstance(line, HoldRow):
        data = {**data.pop("of"), **data}
        data |= {"hold_percent": _percent(line.hold), "won_percent": _percent(line.won_of_handle)}
    elif isinstance(line, Compared):
        low, high = line.band_cents
        data |= {"error_cents": round(line.error_cents, 2), "low_cents": round(low, 2), "high_cents": round(high, 2)}
        data |= {name: round(data[name], 2) for name in ("counted_off_cents", "counted_error_cents")}
        data = {name: value for name, value in data.items() if name not in ("below_cents", "above_cents")}
        data |= {"z": _rounded(line.z), "counted_z": _rounded(line.counted_z), "is_outside": line.is_outside}
    elif isinstance(line, Voids):
        data |= {"expected_lost": round(line.expected_lost, 3), "z": _rounded(line.z)}
        data["is_suspicious"] = line.is_suspicious
    exact = {name: value for name, value in data.items() if isinstance(value, Fraction) and name.endswith(_CENTS)}
    data |= {f"{name.removesuffix(_CENTS)}_nearest_cents": round(value) for name, value in exact.items()}
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in data.items()}


def _fields(line: Any) -> Iterable[tuple[str, Any]]:
    return ((name, getattr(line, name)) for name in line.__dataclass_fields__)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _percent(part: Fraction | None) -> float | None:
    return None if part is None else round(float(100 * part), 3)


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return safe_text(value)
    return "" if value is None else value
