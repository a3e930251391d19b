"""Balances by the stream that keeps each account, and what an account of a live table lacks."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.ledger import HOUSE, Posting, netted, stack_holder
from pitboss.house.money.postings import FillNeeded
from pitboss.house.patrons import is_patron
from pitboss.house.people import house_rules as rule
from pitboss.house.stream_names import ACCOUNTS, CONTROLS, account_stream, progressive_stream, stream_of
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

_AT_A_TABLE = ("stack", "felt", "inventory", "tips", "coupons", "locked")
_OUTSIDE = ("purse", "deposit", "drop", "outstanding")
_CONTROLLED = ("cash", "chips", "transit", "box")

Moved = Mapping[str, int]  # cents by account


def stream_keeping(account: str) -> str | None:
    """Return the stream whose entries move an account, or None for the cage and the house, which any may move."""
    kind, _, rest = account.partition(":")
    if kind in _AT_A_TABLE:
        return stream_of(rest.partition(":")[0])
    if kind in _OUTSIDE:
        return account_stream(account)
    if kind in _CONTROLLED:
        return CONTROLS
    return progressive_stream(rest) if kind == "pool" else None


def by_stream(postings: Iterable[Posting]) -> dict[str, Moved]:
    """Return postings by the stream that keeps their account, each part balanced to zero through the house."""
    parts: dict[str, list[Posting]] = {}
    loose: list[Posting] = []
    for posting in postings:
        stream = stream_keeping(posting.account)
        (loose if stream is None else parts.setdefault(stream, [])).append(posting)
    assert parts or not loose, "a transfer touches at least one stream's accounts"
    for part in parts.values():
        part += loose  # all of them with the first stream
        loose = []
        part.append(Posting(HOUSE, -sum(cents for _, cents in part)))
    moved = {stream: dict(netted(part)) for stream, part in parts.items()}
    return {stream: part for stream, part in moved.items() if part}


def away_from_tables(postings: Iterable[Posting]) -> dict[str, Moved]:
    """Return the part of the postings that moves accounts away from the tables, by the account's own stream."""
    return {stream: part for stream, part in by_stream(postings).items() if stream.startswith(ACCOUNTS)}


def account_drafts(
    kind: str, body: Mapping[str, Any], postings: Iterable[Posting], clause: str | None
) -> tuple[Draft, ...]:
    """Return one entry for each account away from the tables that the postings move."""
    moved = away_from_tables(postings)
    return tuple(Draft(stream, kind, {**body, POSTINGS: dict(part)}, clause) for stream, part in moved.items())


def overdrawn(live: LiveTable, *, is_tray_hidden: bool) -> Refusal | None:
    """Return the refusal if a table account would fall below zero; without an amount for a tray counted blind."""
    for account, cents in live.balances.items():
        if cents >= 0:
            continue
        if is_patron(stack_holder(account) or ""):
            reason = f"The player is {dollars(-cents)} short. Enter a buy-in, chips they brought, or a smaller amount"
            return Refusal(reason, rule.PATRONS)
        if account.startswith("stack:"):
            reason = f"You're {dollars(-cents)} short at this table. Buy in or bet less"
            return Refusal(reason, rule.CHIPS)
        if account.startswith("inventory:"):
            short = "short" if is_tray_hidden else f"{dollars(-cents)} short"
            reason = f"The tray is {short}. Fill it first"
            return FillNeeded(reason, rule.TRAYS, "fill", -cents)
        if account.startswith("tips:"):
            return Refusal(f"The tip box is {dollars(-cents)} short because tips were paid out", rule.CHIPS)
        raise AssertionError(f"{account} would hold {cents} cents")
    return None
