"""A report as a controller signs it: facility, title, interval, when and by whom it was made, and its lines."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

from pitboss.house.controls.gaming_day import clock_time
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.reports.csv_and_json import table_of
from pitboss.rules.payoff import dollars
from pitboss.sheets.spreadsheet_cell import safe_text

NO_ACTIVITY = "No activity"
_CENTS, _PERCENT, _TIME = "cents", "_percent", ("at", "opened_at", "closed_at", "began_at", "ended_at")
_NEAREST = "_nearest_cents"
_EXACT = ("hold", "won_of_handle")  # fractions, which the data files keep
_NARROW = ("day", "shift", "number", "status")
_SENTENCE = "what"  # where a report has one, it is what wraps


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedReport:
    """A report and everything its first lines say."""

    name: str
    title: str
    settings: HouseSettings
    since_ms: int
    until_ms: int | None
    made_at: int
    made_by: str
    rows: tuple[Mapping[str, Any], ...]

    @property
    def header(self) -> dict[str, str]:
        """Return the lines above the report, in order."""
        begins = clock_time(self.settings, self.since_ms) if self.since_ms else "the first entry"
        ends = clock_time(self.settings, self.made_at if self.until_ms is None else self.until_ms)
        return {
            "Facility": self.settings.facility or "(not set)",
            "Report": self.title,
            "Interval": f"{begins} to {ends}",
            "Made": clock_time(self.settings, self.made_at),
            "Made by": self.made_by,
            "Keep for": f"{self.settings.retention_years} years",
        }

    def to_data(self) -> dict[str, Any]:
        """Return the report as plain data; without lines it says so."""
        note = {} if self.rows else {"note": NO_ACTIVITY}
        return {"header": self.header, "lines": list(self.rows), **note}

    def as_csv(self) -> str:
        """Return the report as CSV: its header, an empty line, then its lines."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerows([name, safe_text(text)] for name, text in self.header.items())
        writer.writerow([])
        if not self.rows:
            writer.writerow([NO_ACTIVITY])
            return out.getvalue()
        writer.writerow(list(self.rows[0]))
        writer.writerows([_plain_cell(value) for value in row.values()] for row in self.rows)
        return out.getvalue()

    def printed(self) -> dict[str, Any]:
        """Return the report as its printed pages need it: every cell as text."""
        names = _printed_names(self.rows[0]) if self.rows else []
        return {
            "header": self.header,
            "columns": [
                {
                    "title": _heading(name),
                    "left": all(isinstance(row[name], str | NoneType) for row in self.rows),
                    "wide": name == _SENTENCE if _SENTENCE in names else name not in _NARROW,
                }
                for name in names
            ],
            "rows": [[self._cell(name, row[name]) for name in names] for row in self.rows],
            "empty": NO_ACTIVITY,
        }

    def _cell(self, name: str, value: Any) -> str:
        if value is None:
            return ""
        if name.endswith(_PERCENT):
            return f"{value:.2f}%"
        if name.endswith(_CENTS) and isinstance(value, int):
            return dollars(value)
        if name in _TIME and isinstance(value, int):
            return clock_time(self.settings, value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value)


def signed_rows(rows: Iterable[Any]) -> tuple[Mapping[str, Any], ...]:
    """Return a report's lines as rows; columns that hold lists are left to the data files."""
    return tuple(table_of(rows))


def _printed_names(row: Mapping[str, Any]) -> list[str]:
    # An exact amount is printed to the nearest cent, in its own place.
    nearest = {name: f"{name.removesuffix(f'_{_CENTS}')}{_NEAREST}" for name in row}
    of_exact = [name for name in nearest.values() if name in row]
    left_out = (*_EXACT, *of_exact)
    return [nearest[name] if nearest[name] in of_exact else name for name in row if name not in left_out]


def _heading(name: str) -> str:
    plain = name.removesuffix(_NEAREST).removesuffix(f"_{_CENTS}")
    return (plain if name != _CENTS else "amount").replace("_", " ").capitalize()


def _plain_cell(value: Any) -> Any:
    return safe_text(value) if isinstance(value, str) else "" if value is None else value
