"""Corrections at a live table: two people reverse a manual booking once, for a reason."""

from collections.abc import Iterable

from pitboss.house import entry_kinds
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.chip_commands import carry_away
from pitboss.house.live_table.disputes import disputed_cents
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import (
    ChipsBought,
    ChipsBrought,
    ChipsCarriedAway,
    Corrected,
    TipGiven,
    TrayCredited,
    TrayFilled,
)
from pitboss.house.live_table.evolve import HOUSE
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.stream_balances import account_drafts, away_from_tables
from pitboss.house.live_table.tray_commands import is_controlled
from pitboss.house.money import transfers
from pitboss.house.money.ledger import HOUSE as EQUITY
from pitboss.house.money.ledger import Posting, Transfer, drop, inventory, outstanding, purse, stack_holder, title
from pitboss.house.patron_controls.play_totals import account_at
from pitboss.house.patrons import is_patron
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Entry
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

# A round is never corrected: an open round is voided under its clause, and a settled one is disputed.
BOOKED_BY_HAND = tuple(
    f"{HOUSE}.{kind.__name__}"
    for kind in (TrayFilled, TrayCredited, TipGiven, ChipsBought, ChipsBrought, ChipsCarriedAway)
)


def correct(writer: EventWriter, command: asked.Correct) -> Refusal | None:
    """Reverse what an entry of this table booked."""
    live, second = writer.live, writer.means.second
    if not live.is_open or live.in_round:
        return Refusal("Corrections are made between rounds, while the table is open", rule.CORRECTIONS)
    if command.entry in live.corrected:
        return Refusal(f"Entry {command.entry} has already been corrected", rule.CORRECTIONS, "entry")
    wrong = writer.means.entry(command.entry) if 0 < command.entry <= live.head.sequence else None
    if wrong is None or wrong.kind not in BOOKED_BY_HAND or not wrong.body.get(POSTINGS):
        reason = f"Entry {command.entry} isn't a fill, credit, tip, buy-in or cash-out at this table"
        return Refusal(reason, rule.CORRECTIONS, "entry")
    if command.entry < live.counted and inventory(live.table) in wrong.body[POSTINGS]:
        reason = (
            f"The tray was counted after this entry, in entry {live.counted}. That count already corrected the "
            "difference"
        )
        return Refusal(reason, rule.CORRECTIONS, "entry")
    is_of_tray = wrong.kind in (entry_kinds.TRAY_FILLED, entry_kinds.TRAY_CREDITED)
    if is_of_tray and (wrong.clause == rule.SLIPS or is_controlled(writer)):
        # Two people would undo what four signed, and the chips would be missing neither in the tray nor in the cage.
        reason = "Chips move between the tray and the cage by slip only. Request a slip for the other direction"
        return Refusal(reason, rule.SLIPS, "entry")
    player = wrong.body.get("player", "")
    is_gone = bool(player) and not live.seats_of(player)
    if is_gone and wrong.kind == entry_kinds.CHIPS_CARRIED_AWAY:
        return Refusal(f"{player} no longer has a seat here to return the chips to", rule.CORRECTIONS, "entry")
    assert second is not None, "a correction takes two people"
    booked = Transfer(wrong.kind, _booked(live, wrong))
    turned = transfers.correction(booked, command.reason, writer.means.actor, second)
    if isinstance(turned, Refusal):
        return Refusal(turned.reason, rule.CORRECTIONS, turned.field)
    refusal = _check_dispute(live, turned.postings)
    if refusal:
        return refusal
    outside = dict(posting for part in away_from_tables(turned.postings).values() for posting in part.items())
    outside.pop(EQUITY, None)
    for account, cents in outside.items():
        held = writer.means.money.get(account, 0)
        if held + cents < 0:
            reason = f"{title(account)} has only {dollars(held)}, and this correction would take {dollars(-cents)}"
            return Refusal(reason, rule.CORRECTIONS, "entry")
    if outside:
        body = {"table": live.table, "entry": command.entry, "reason": command.reason}
        for draft in account_drafts(entry_kinds.MONEY_CORRECTED, body, turned.postings, rule.CORRECTIONS):
            writer.other(draft)
    corrected = Corrected(
        entry=command.entry,
        kind=wrong.kind,
        reason=command.reason,
        second=second,
        drop_cents=outside.get(drop(live.table), 0) if _is_boxed(wrong) else -wrong.body["cents"],
    )
    refusal = writer.house(corrected, turned)
    if refusal is None and is_gone and wrong.kind == entry_kinds.TIP_GIVEN:
        return carry_away(writer, player, wrong.body["cents"])
    return refusal


def _check_dispute(live: LiveTable, postings: Iterable[Posting]) -> Refusal | None:
    for account, cents in postings:
        player = stack_holder(account)
        disputed = disputed_cents(live, player) if player is not None else 0
        if player is not None and cents < 0 and live.stack_cents(player) + cents < disputed:
            reason = f"{dollars(disputed)} of {player}'s chips are in dispute. Resolve the dispute first"
            return Refusal(reason, rule.CORRECTIONS, "entry")
    return None


def _booked(live: LiveTable, wrong: Entry) -> tuple[Posting, ...]:
    # The part that moved to the balance and the box is in the streams of those accounts; it is the same amount.
    here = [Posting(account, cents) for account, cents in wrong.body[POSTINGS].items()]
    player = wrong.body.get("player", "")
    if wrong.kind == entry_kinds.CHIPS_BOUGHT:
        cents = wrong.body["cents"]
        paid_from = EQUITY if is_patron(player) else purse(player, free_play=live.free_play)
        paid_into = drop(live.table) if _is_boxed(wrong) else EQUITY
        return (*here, Posting(paid_from, -cents), Posting(paid_into, cents))
    if wrong.kind == entry_kinds.CHIPS_CARRIED_AWAY:
        cents = wrong.body["cents"]
        return (*here, Posting(_taken_to(live, wrong, player), cents), Posting(EQUITY, -cents))
    if wrong.kind == entry_kinds.CHIPS_BROUGHT:
        cents = wrong.body["cents"]
        return (*here, Posting(outstanding(free_play=live.free_play), -cents), Posting(EQUITY, cents))
    return tuple(here)


def _is_boxed(wrong: Entry) -> bool:
    return bool(wrong.body.get("is_boxed", True))


def _taken_to(live: LiveTable, wrong: Entry, player: str) -> str:
    if wrong.clause == rule.EXCLUSIONS:  # the house holds the chips of an excluded person in a deposit account
        return purse(account_at(player) or live.held[player], free_play=False)
    return outstanding(free_play=live.free_play) if is_patron(player) else purse(player, free_play=live.free_play)
