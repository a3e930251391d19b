"""Text that a spreadsheet shows and never runs as a formula, and tables of such cells."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

STARTS = ("=", "+", "-", "@", "\t", "\r")  # how a spreadsheet recognizes a formula
_NUMBER = re.compile(r"[-+−]?[$€]?[\d.,:/ ]+ ?%?")


def safe_text(text: str) -> str:
    """Return a cell's text, marked as text if a spreadsheet would take it for a formula; numbers stay as they are."""
    return f"'{text}" if text.startswith(STARTS) and not _NUMBER.fullmatch(text) else text


def csv_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows with the same columns as CSV; what is unknown is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([safe_text(cell) if isinstance(cell, str) else cell for cell in row.values()] for row in rows)
    return text.getvalue()
