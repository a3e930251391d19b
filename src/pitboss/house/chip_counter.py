"""Chips that the cage sells and redeems for cash, with a name where cash has to be reported."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.house import entry_kinds
from pitboss.house.live_table.stream_balances import Moved, account_drafts
from pitboss.house.money import transfers
from pitboss.house.money.ledger import outstanding
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class SellChips:
    """Sell chips for cash; on a floor with only free-play tables, they are play chips."""

    cents: int
    free_play: bool | None = None
    person: str = ""  # an account, or a full name as a document shows it
    chips: Mapping[int, int] = field(default_factory=dict)  # by denomination; by default the fewest


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeemChips:
    """Pay cash for outstanding chips; on a floor with only free-play tables, they are play chips."""

    cents: int
    free_play: bool | None = None
    person: str = ""  # an account, or a full name as a document shows it
    chips: Mapping[int, int] = field(default_factory=dict)  # by denomination; by default the fewest


NAME_LONGEST = 120
OfChips = SellChips | RedeemChips


def decided(command: OfChips, held: Moved, *, free_play: bool) -> tuple[Draft, ...] | Refusal:
    """Return what a sale or redemption of chips leads to, or why there are no such chips."""
    if command.cents <= 0:
        return Refusal(f"Enter an amount of at least 1 cent, not {command.cents}", rule.CHIPS, "cents")
    if len(command.person) > NAME_LONGEST or (command.person and not command.person.strip()):
        return Refusal(f"Enter a name of at most {NAME_LONGEST} characters", rule.CHIPS, "person")
    out = held.get(outstanding(free_play=free_play), 0)
    if isinstance(command, RedeemChips) and command.cents > out:
        reason = f"Only {dollars(out)} in chips is outstanding. Count the chips again"
        return Refusal(reason, rule.PATRONS, "cents")
    is_sale = isinstance(command, SellChips)
    make = transfers.chips_sold if is_sale else transfers.chips_redeemed
    moved = make(command.cents, free_play=free_play)
    body = {"cents": command.cents, "free_play": free_play, **({"person": command.person} if command.person else {})}
    kind = entry_kinds.CHIPS_SOLD if is_sale else entry_kinds.CHIPS_REDEEMED
    return account_drafts(kind, body, moved.postings, rule.PATRONS)
