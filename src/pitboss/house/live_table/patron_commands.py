"""Commands of the dealer for patrons: bring chips, color up, and repeat wagers."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.chip_commands import not_an_amount, outside
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.patron_checks import may_play
from pitboss.house.live_table.play_commands import place
from pitboss.house.live_table.seat_commands import check_account
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.tray_commands import heap_of, is_tray_hidden
from pitboss.house.money import transfers
from pitboss.house.money.chips import Chips, payment, shown, total
from pitboss.house.money.ledger import outstanding
from pitboss.house.patrons import is_patron
from pitboss.house.people import house_rules as rule
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

_ENTERED = (
    asked.BuyIn,
    asked.BringChips,
    asked.ColorUp,
    asked.CashOut,
    asked.Tip,
    asked.PlaceWagers,
    asked.Act,
)
_BRINGS_OR_BETS = (asked.BuyIn, asked.BringChips, asked.PlaceWagers)


def check_patron(writer: EventWriter, command: asked.Command) -> Refusal | None:
    """Return why nothing may be entered for the patron at a seat: they left, or their account may no longer play."""
    if not isinstance(command, _ENTERED):
        return None
    patron = writer.live.seats.get(command.seat or 0, "")
    if not is_patron(patron):
        return None
    if patron in writer.live.gone:
        reason = f"The floor ruled that the player at seat {command.seat} left. Their chips stay until the round ends"
        return Refusal(reason, rule.DEPARTURES, "seat")
    refusal = check_account(writer, patron) if isinstance(command, _BRINGS_OR_BETS) else None
    return refusal and refusal.at("seat")


def bring(writer: EventWriter, command: asked.BringChips) -> Refusal | None:
    """Add outstanding chips that a patron brings to the table to their stack."""
    live, patron = writer.live, writer.player_at(command.seat)
    if not live.is_open:
        return Refusal("The table is closed", rule.TABLES)
    if command.cents <= 0:
        return not_an_amount(command.cents)
    refusal = may_play(writer, patron)
    if refusal:
        return refusal
    out = writer.means.money.get(outstanding(free_play=live.free_play), 0)
    if command.cents > out:
        reason = (
            f"Only {dollars(out)} in chips is outstanding, not {dollars(command.cents)}. "
            "Check the amount, or have the cage record the chips it sold"
        )
        return Refusal(reason, rule.PATRONS, "cents")
    brought = transfers.chips_brought(live.table, patron, command.cents, free_play=live.free_play)
    outside(writer, "ChipsBrought", patron, command.cents, brought)
    return writer.house(happened.ChipsBrought(player=patron, cents=command.cents), brought)


def color_up(writer: EventWriter, command: asked.ColorUp) -> Refusal | None:
    """Exchange a patron's chips for others from the tray, worth the same."""
    live, patron = writer.live, writer.player_at(command.seat)
    if not live.is_open:
        return Refusal("The table is closed", rule.TABLES)
    cents = total(command.chips)
    taken = heap_of(cents, command.chips)
    if isinstance(taken, Refusal):
        return taken.at("chips")
    if cents > live.stack_cents(patron):
        reason = f"Seat {command.seat} has {dollars(live.stack_cents(patron))} in chips, not {dollars(cents)}"
        return Refusal(reason, rule.PATRONS, "chips")
    given: Chips | Refusal = heap_of(cents, command.into) if command.into else payment(cents, live.tray)
    if isinstance(given, Refusal):
        is_hidden = is_tray_hidden(writer.means.controls, live) and not command.into
        reason = "The tray is short. Get a fill first" if is_hidden else given.reason
        return Refusal(reason, given.clause or rule.TRAYS, "into")
    if any(live.tray.get(denomination, 0) < number for denomination, number in given.items()):
        has = "" if is_tray_hidden(writer.means.controls, live) else f". It has {shown(live.tray)}"
        return Refusal(f"The tray doesn't have {shown(given)}{has}", rule.TRAYS, "into")
    return writer.house(happened.ChipsExchanged(player=patron, cents=cents, taken=taken, given=given))


def repeat(writer: EventWriter, command: asked.RepeatWagers) -> Refusal | None:
    """Place the patrons' bets of the last round again; a position whose wagers the rules refuse is left as it is."""
    seats = command.seats or repeatable(writer.live)
    first: Refusal | None = None
    placed = 0
    for seat in seats:
        stakes = writer.live.bet_before.get(seat)
        if not stakes or not is_patron(writer.live.seats.get(seat, "")):
            first = first or Refusal(f"Seat {seat} has no wagers to repeat", rule.PATRONS, "seats")
            continue
        trial = EventWriter(writer.live, writer.means)
        wagers = asked.PlaceWagers(seat=seat, stakes=stakes)
        refusal = check_account(writer, writer.live.seats[seat]) or place(trial, wagers) or place(writer, wagers)
        first = first or refusal
        placed += refusal is None
    if placed:
        return None
    return first or Refusal("No seat has wagers to repeat", rule.PATRONS, "seats")


def repeatable(live: LiveTable) -> tuple[int, ...]:
    """Return the positions of patrons who bet in the last round and have no wagers yet."""
    placed = live.play.players if live.play is not None and live.in_round else {}
    patrons = (seat for seat, player in sorted(live.seats.items()) if is_patron(player) and seat not in placed)
    return tuple(seat for seat in patrons if seat in live.bet_before)
