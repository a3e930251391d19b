"""Checks money in the record: every transfer adds up to zero, and no account ends overdrawn."""

from collections.abc import Iterator
from typing import Any

from pitboss_verify.entries import Entry
from pitboss_verify.report import Report, Unsound

MAY_OWE = ("house", "cage")  # the house's own: they balance what players, tables and pools hold


class Money:
    """Adds up every posting of a record."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._balances: dict[str, int] = {}

    def take(self, entry: Entry) -> None:
        """Check that an entry's postings sum to zero, or raise Unsound."""
        written = entry.body.get("postings")
        if written is None:
            return
        total = 0
        for account, cents in _postings(written):
            self._balances[account] = self._balances.get(account, 0) + cents
            total += cents
        if total:
            raise Unsound(f"moves money that adds up to {total} cents instead of zero")
        self._report.transfers += 1

    def overdrawn(self) -> str | None:
        """Return a sentence about the first account that ends below zero, if there is one."""
        for account in sorted(self._balances):
            if self._balances[account] < 0 and account not in MAY_OWE:
                return f"account {account} ends below zero, at {self._balances[account]} cents"
        return None


def _postings(written: Any) -> Iterator[tuple[str, int]]:
    rows = list(written.items()) if isinstance(written, dict) else written
    if not isinstance(rows, list):
        raise Unsound("has postings that cannot be read")
    for row in rows:
        account, cents = (row.get("account"), row.get("cents")) if isinstance(row, dict) else _pair(row)
        if type(account) is not str or type(cents) is not int:
            raise Unsound("has postings that cannot be read")
        yield account, cents


def _pair(row: Any) -> tuple[Any, Any]:
    return (row[0], row[1]) if isinstance(row, list | tuple) and len(row) == 2 else (None, None)
