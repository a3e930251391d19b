"""Balances by the stream that keeps each account, and what an account of a live table lacks."""

from collections.abc import Iterable, Mapping

from pitboss.house.live_table.state import MONEY, LiveTable, progressive_stream, stream_of
from pitboss.house.money.ledger import HOUSE, Posting
from pitboss.house.money.postings import FillNeeded
from pitboss.house.people import house_rules as rule
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

_AT_A_TABLE = ("stack", "felt", "inventory", "tips", "coupons")
_OUTSIDE = ("purse", "deposit", "drop")

Moved = Mapping[str, int]  # cents by account


def stream_keeping(account: str) -> str | None:
    """Return the stream whose entries move an account, or None for the cage and the house, which any may move."""
    kind, _, rest = account.partition(":")
    if kind in _AT_A_TABLE:
        return stream_of(rest.partition(":")[0])
    if kind in _OUTSIDE:
        return MONEY
    return progressive_stream(rest) if kind == "pool" else None


def by_stream(postings: Iterable[Posting]) -> dict[str, Moved]:
    """Return postings by the stream that keeps their account, each part balanced to zero through the house."""
    parts: dict[str, dict[str, int]] = {}
    loose: list[Posting] = []
    for posting in postings:
        stream = stream_keeping(posting.account)
        if stream is None:
            loose.append(posting)
        else:
            _add(parts.setdefault(stream, {}), posting)
    assert parts or not loose, "a transfer touches at least one stream's accounts"
    for posting in loose:
        _add(next(iter(parts.values())), posting)
    for part in parts.values():
        rest = sum(part.values())
        if rest:
            _add(part, Posting(HOUSE, -rest))
    return {stream: part for stream, part in parts.items() if part}


def _add(part: dict[str, int], posting: Posting) -> None:
    part[posting.account] = part.get(posting.account, 0) + posting.cents
    if not part[posting.account]:
        del part[posting.account]


def overdrawn(live: LiveTable) -> Refusal | None:
    """Return what is missing if an account of the table would fall below zero."""
    for account, cents in live.balances.items():
        if cents >= 0:
            continue
        if account.startswith("stack:"):
            reason = f"You're {dollars(-cents)} short at this table. Buy in or bet less"
            return Refusal(reason, rule.CHIPS)
        if account.startswith("inventory:"):
            reason = f"The tray is {dollars(-cents)} short. Fill it first"
            return FillNeeded(reason, rule.TRAYS, "fill", -cents)
        if account.startswith("tips:"):
            return Refusal(f"The tip box is {dollars(-cents)} short because tips were paid out", rule.CHIPS)
        raise AssertionError(f"{account} would hold {cents} cents")
    return None
