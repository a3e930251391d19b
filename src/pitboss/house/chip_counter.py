"""Chips that the cage sells and redeems for cash, without recording a name."""

from dataclasses import dataclass

from pitboss.house import entry_kinds
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.stream_balances import Moved, by_stream
from pitboss.house.money import transfers
from pitboss.house.money.ledger import outstanding
from pitboss.house.people import house_rules as rule
from pitboss.house.stream_names import MONEY
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class SellChips:
    """Sell chips for cash; on a floor with only free-play tables, they are play chips."""

    cents: int
    free_play: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeemChips:
    """Pay cash for outstanding chips; on a floor with only free-play tables, they are play chips."""

    cents: int
    free_play: bool | None = None


OfChips = SellChips | RedeemChips


def decided(command: OfChips, held: Moved, *, free_play: bool) -> tuple[Draft, ...] | Refusal:
    """Return what a sale or redemption of chips leads to, or why there are no such chips."""
    if command.cents <= 0:
        return Refusal(f"Enter an amount of at least 1 cent, not {command.cents}", rule.CHIPS, "cents")
    out = held.get(outstanding(free_play=free_play), 0)
    if isinstance(command, RedeemChips) and command.cents > out:
        reason = f"Only {dollars(out)} in chips is outstanding. Count the chips again"
        return Refusal(reason, rule.PATRONS, "cents")
    is_sale = isinstance(command, SellChips)
    make = transfers.chips_sold if is_sale else transfers.chips_redeemed
    moved = by_stream(make(command.cents, free_play=free_play).postings)[MONEY]
    body = {"cents": command.cents, "free_play": free_play, POSTINGS: dict(moved)}
    return (Draft(MONEY, entry_kinds.CHIPS_SOLD if is_sale else entry_kinds.CHIPS_REDEEMED, body, rule.PATRONS),)
