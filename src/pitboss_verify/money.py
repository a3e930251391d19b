"""Checks money in the record: every transfer adds up to zero, and no account is overdrawn."""

from collections.abc import Iterator
from typing import Any

from pitboss_verify.entries import Entry
from pitboss_verify.report import Report, Unsound

MAY_OWE = ("house", "cage")  # the house's own: they balance what players, tables and pools hold
ALL_ACCOUNTS = "money"  # the one stream of money in records from before each account had its own
OWN_STREAM = "money/"  # followed by the account's name
_OWN_STREAMS_OF = ("purse", "deposit", "drop", "outstanding")


class Money:
    """Adds up every posting of a record."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._balances: dict[str, int] = {}
        self._moved: dict[str, int] = {}  # by account: what the entries of its own stream moved
        self._lowest: dict[str, int] = {}  # by account: the lowest that this has been

    def take(self, entry: Entry) -> None:
        """Check that an entry's postings sum to zero, in the stream they belong to, or raise Unsound."""
        written = entry.body.get("postings")
        if written is None:
            return
        total = 0
        for account, cents in _postings(written):
            self._balances[account] = self._balances.get(account, 0) + cents
            total += cents
            self._follow(entry.stream, account, cents)
        if total:
            raise Unsound(f"moves money that adds up to {total} cents instead of zero")
        self._report.transfers += 1

    def _follow(self, stream: str, account: str, cents: int) -> None:
        own = f"{OWN_STREAM}{account}"
        if account.partition(":")[0] in _OWN_STREAMS_OF:
            if stream not in (ALL_ACCOUNTS, own):
                raise Unsound(f"moves account {account} outside the stream {own}")
        elif stream.startswith(OWN_STREAM) and account not in MAY_OWE:
            raise Unsound(f"moves account {account} in the stream of another account")
        if stream == own:
            self._moved[account] = after = self._moved.get(account, 0) + cents
            self._lowest[account] = min(self._lowest.get(account, 0), after)

    def overdrawn(self) -> str | None:
        """Return a sentence about the first account that ends below zero or ever was below it, if there is one."""
        for account in sorted(self._balances):
            if self._balances[account] < 0 and account not in MAY_OWE:
                return f"account {account} ends below zero, at {self._balances[account]} cents"
        for account, lowest in sorted(self._lowest.items()):
            # What an older record left in the account came before the first entry of its own stream.
            at_first = self._balances[account] - self._moved[account]
            if at_first + lowest < 0:
                return f"account {account} falls below zero, to {at_first + lowest} cents"
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
