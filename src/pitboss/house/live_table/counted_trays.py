"""Trays under money controls: blind counts to open and close a table, and slips that arrive at it or leave it."""

from pitboss.house.controls import events as counted
from pitboss.house.controls.decide import (
    INVENTORY_SERIES,
    check_at_table,
    check_chips,
    variance,
    written,
)
from pitboss.house.controls.events import CLOSER, CREDIT, FILL, OPENER
from pitboss.house.controls.state import Chips, Slip, TrayCount
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.tray_commands import close_with, is_controlled, may_close, may_open, tell_opening
from pitboss.house.money import controlled_transfers as moving
from pitboss.house.money.chips import shown, total
from pitboss.house.money.ledger import locked
from pitboss.house.people import house_rules as rule
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal


def count_tray(writer: EventWriter, command: asked.CountTray) -> Refusal | None:
    """Enter one person's count; with the second one, open or close the table, or have it counted again."""
    live, means, controls = writer.live, writer.means, writer.means.controls
    moment = CLOSER if live.is_open else OPENER
    refusal = _off(writer) or (may_close(writer) if live.is_open else may_open(writer)) or check_chips(command.chips)
    if refusal:
        return refusal
    if any(slip.table == live.table and slip.stage != "requested" for slip in controls.slips.values()):
        return Refusal("A slip for this table isn't finished. Finish or void it first", rule.SLIPS)
    before = controls.trays.get(live.table, TrayCount(moment))
    if means.actor in before.counts:
        return Refusal("You already counted. Another person has to count too", rule.TRAY_COUNTS, "by")
    refusal = next((wrong for other in before.counts if (wrong := means.are_two(other, means.actor))), None)
    if refusal:
        return refusal
    side = "dealer" if means.role == DEALER else "floor"
    if any(_side(role) == side for role in before.roles.values()):
        other = "a floorperson" if side == "dealer" else "the table's dealer"
        return Refusal(f"One of you counted already. Now {other} has to count", rule.TRAY_COUNTS, "by")
    entered = counted.TrayCountEntered(
        table=live.table, moment=moment, chips=command.chips, by=means.actor, role=means.role
    )
    writer.other(written(entered))
    if not before.counts:
        return None
    (first, chips), people = next(iter(before.counts.items())), (*before.counts, means.actor)
    if dict(chips) != dict(command.chips):
        writer.other(written(counted.TrayCountsDiffered(table=live.table, moment=moment, people=people)))
        return None
    dealer, floor = (means.actor, first) if side == "dealer" else (first, means.actor)
    return _agreed(writer, command.chips, before, (dealer, floor))


def _agreed(writer: EventWriter, chips: Chips, before: TrayCount, people: tuple[str, str]) -> Refusal | None:
    live, controls = writer.live, writer.means.controls
    expected = live.tray if live.is_open else controls.closers.get(live.table, {})
    over = total(chips) - total(expected)
    is_off = over != 0 or (not live.is_open and dict(chips) != dict(expected))
    is_final = before.is_recount or not is_off
    form = controls.next_number(INVENTORY_SERIES)
    slip = counted.InventorySlipWritten(
        form=form,
        table=live.table,
        moment=before.moment,
        chips=chips,
        expected_chips=expected,
        over_cents=over,
        dealer=people[0],
        floorperson=people[1],
        is_final=is_final,
    )
    writer.other(written(slip))
    if not is_final:
        return None  # reported at once, and counted again on a new slip
    for found in variance(controls, form, before.moment, live.table, over):
        writer.other(found)
    if live.is_open:
        return close_with(writer, chips, is_locked=True)
    tell_opening(writer)
    left = live.balances.get(locked(live.table), 0)
    moved = moving.tray_opened(live.table, left, total(chips)) if left or chips else None
    return writer.house(happened.TableOpened(tray_cents=total(chips), chips=chips), moved)


def receive_fill(writer: EventWriter, command: asked.ReceiveFill) -> Refusal | None:
    """Put a fill's chips into the tray, as its slip says."""
    slip = _slip(writer, command, FILL)
    if isinstance(slip, Refusal):
        return slip
    moved = moving.fill_received(command.slip, writer.live.table, total(slip.chips))
    writer.other(written(counted.SlipAtTable(slip=command.slip, by=writer.means.actor), moved))
    filled = happened.TrayFilled(cents=total(slip.chips), second=slip.signed["prepared"], chips=slip.chips)
    return writer.house(filled, moved, rule.SLIPS)


def send_credit(writer: EventWriter, command: asked.SendCredit) -> Refusal | None:
    """Take a credit's chips out of the tray, as its slip says."""
    live = writer.live
    slip = _slip(writer, command, CREDIT)
    if isinstance(slip, Refusal):
        return slip
    if any(live.tray.get(cents, 0) < number for cents, number in slip.chips.items()):
        # Not what it has: the tray is counted blind.
        return Refusal(f"By the books, the tray doesn't have {shown(slip.chips)}. Call the floor", rule.TRAYS, "chips")
    moved = moving.credit_sent(command.slip, live.table, total(slip.chips))
    writer.other(written(counted.SlipAtTable(slip=command.slip, by=writer.means.actor), moved))
    credited = happened.TrayCredited(cents=total(slip.chips), second=slip.signed["prepared"], chips=slip.chips)
    return writer.house(credited, moved, rule.SLIPS)


def _slip(writer: EventWriter, command: asked.ReceiveFill | asked.SendCredit, kind: str) -> Slip | Refusal:
    live, means = writer.live, writer.means
    slip = _off(writer) or check_at_table(
        means.controls, command.slip, live.table, command.chips, means.actor, means.are_two
    )
    if isinstance(slip, Refusal):
        return slip
    if slip.kind != kind or not live.is_open:
        return Refusal(f"This slip isn't a {kind}, or the table is closed", rule.SLIPS, "slip")
    return slip


def _off(writer: EventWriter) -> Refusal | None:
    if is_controlled(writer):
        return None
    reason = "Money controls are off for this table. Use the usual fills, credits and counts"
    return Refusal(reason, rule.SETTINGS)


def _side(role: str) -> str:
    return "dealer" if role == DEALER else "floor"
