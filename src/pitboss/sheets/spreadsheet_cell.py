"""Text that a spreadsheet shows and never runs as a formula."""

import re

STARTS = ("=", "+", "-", "@", "\t", "\r")  # how a spreadsheet recognizes a formula
_NUMBER = re.compile(r"[-+−]?[$€]?[\d.,:/ ]+ ?%?")


def safe_text(text: str) -> str:
    """Return a cell's text, marked as text if a spreadsheet would take it for a formula; numbers stay as they are."""
    return f"'{text}" if text.startswith(STARTS) and not _NUMBER.fullmatch(text) else text
