"""Corrections at a live table: two people reverse a manual booking once, for a reason."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.chip_commands import carry_away
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import ChipsBought, ChipsCarriedAway, Corrected, TipGiven, TrayCredited, TrayFilled
from pitboss.house.live_table.evolve import HOUSE
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import MONEY, LiveTable
from pitboss.house.live_table.stream_balances import by_stream
from pitboss.house.money import transfers
from pitboss.house.money.ledger import HOUSE as EQUITY
from pitboss.house.money.ledger import Posting, Transfer, drop, inventory, purse
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Draft, Entry
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

# A round is never corrected: an open round is voided under its clause, and a settled one is disputed.
BOOKED_BY_HAND = tuple(
    f"{HOUSE}.{kind.__name__}" for kind in (TrayFilled, TrayCredited, TipGiven, ChipsBought, ChipsCarriedAway)
)
_TIPPED, _CARRIED = f"{HOUSE}.{TipGiven.__name__}", f"{HOUSE}.{ChipsCarriedAway.__name__}"


def correct(writer: EventWriter, command: asked.Correct) -> Refusal | None:
    """Reverse what an entry of this table booked."""
    live, second = writer.live, writer.means.second
    if not live.is_open or live.in_round:
        return Refusal("A correction is booked between rounds of a table that is open", rule.CORRECTIONS)
    if command.entry in live.corrected:
        return Refusal(f"Entry {command.entry} was corrected before", rule.CORRECTIONS, "entry")
    wrong = writer.means.entry(command.entry) if 0 < command.entry <= live.head.sequence else None
    if wrong is None or wrong.kind not in BOOKED_BY_HAND or not wrong.body.get(POSTINGS):
        reason = f"Entry {command.entry} of this table booked no fill, credit, tip, purchase or redemption of chips"
        return Refusal(reason, rule.CORRECTIONS, "entry")
    if command.entry < live.counted and inventory(live.table) in wrong.body[POSTINGS]:
        reason = f"The tray was counted since, by entry {live.counted}; what was amiss was put right then"
        return Refusal(reason, rule.CORRECTIONS, "entry")
    player = wrong.body.get("player", "")
    is_gone = bool(player) and not live.seats_of(player)
    if is_gone and wrong.kind == _CARRIED:
        return Refusal(f"{player} holds no seat to have the chips back at", rule.CORRECTIONS, "entry")
    assert second is not None, "a correction takes two people"
    booked = Transfer(wrong.kind, _booked(live, wrong))
    turned = transfers.correction(booked, command.reason, writer.means.actor, second)
    if isinstance(turned, Refusal):
        return Refusal(turned.reason, rule.CORRECTIONS, turned.field)
    outside = by_stream(turned.postings).get(MONEY, {})
    for account, cents in outside.items():
        held = writer.means.money.get(account, 0)
        if account != EQUITY and held + cents < 0:
            reason = f"{account} holds {dollars(held)}, and {dollars(-cents)} would have to come back from it"
            return Refusal(reason, rule.CORRECTIONS, "entry")
    if outside:
        body = {"table": live.table, "entry": command.entry, "reason": command.reason, POSTINGS: dict(outside)}
        writer.other(Draft(MONEY, "money.Corrected", body, rule.CORRECTIONS))
    corrected = Corrected(
        entry=command.entry,
        kind=wrong.kind,
        reason=command.reason,
        second=second,
        drop_cents=outside.get(drop(live.table), 0),
    )
    refusal = writer.house(corrected, turned)
    if refusal is None and is_gone and wrong.kind == _TIPPED:
        return carry_away(writer, player, wrong.body["cents"])
    return refusal


def _booked(live: LiveTable, wrong: Entry) -> tuple[Posting, ...]:
    # The part that moved to the purse and the box is in the money stream; it is the same amount.
    here = [Posting(account, cents) for account, cents in wrong.body[POSTINGS].items()]
    if wrong.kind == f"{HOUSE}.{ChipsBought.__name__}":
        cents = wrong.body["cents"]
        return (
            *here,
            Posting(purse(wrong.body["player"], free_play=live.free_play), -cents),
            Posting(drop(live.table), cents),
        )
    if wrong.kind == _CARRIED:
        cents = wrong.body["cents"]
        return (*here, Posting(purse(wrong.body["player"], free_play=live.free_play), cents), Posting(EQUITY, -cents))
    return tuple(here)
