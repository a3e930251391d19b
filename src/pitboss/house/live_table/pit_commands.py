"""Commands of the pit around play: call the floor, change limits, reserve seats, and leave notes for the next shift."""

from collections.abc import Mapping

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.state import LiveTable
from pitboss.house.patrons import account_of_patron
from pitboss.house.people import house_rules as rule
from pitboss.rules.limits import Limits
from pitboss.rules.procedure import PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person

NOTE_LONGEST = 500
RESERVED_MINUTES_MOST = 120


def call(writer: EventWriter, command: asked.CallFloor) -> Refusal | None:
    """Call a floorperson, once until somebody answers."""
    if writer.live.called_at:
        return Refusal("The floor was already called. Wait until somebody answers", rule.ALERTS)
    if len(command.reason) > NOTE_LONGEST:
        return _too_long("reason")
    return writer.house(happened.FloorCalled(reason=command.reason.strip()))


def answer(writer: EventWriter) -> Refusal | None:
    """Record that somebody from the floor came."""
    if not writer.live.called_at:
        return Refusal("Nobody at this table has called the floor", rule.ALERTS)
    return writer.house(happened.CallAnswered(called_at=writer.live.called_at))


def change_limits(writer: EventWriter, command: asked.ChangeLimits) -> Refusal | None:
    """Take stakes within these limits from now on; they lie within the submitted ones, and no bet is down."""
    live = writer.live
    if live.terms is None:
        return Refusal("No rules are in force at this table yet", rule.SUBMISSIONS)
    if not live.terms.is_dealt_by_people:
        return Refusal("This table deals by itself. Its limits are those of its rules", rule.TABLE_LIMITS)
    if live.in_round and live.play is not None and live.play.players:
        return Refusal("Bets are down. Change the limits between rounds", rule.TABLE_LIMITS)
    for wager, limits in command.limits.items():
        refusal = _check_range(live, wager, tuple(limits))
        if refusal:
            return refusal
    asked_for = {wager: (limits[0], limits[1]) for wager, limits in command.limits.items()}
    if asked_for == dict(live.limits):
        return Refusal("These limits are already in force", rule.TABLE_LIMITS, "limits")
    assert writer.means.second is not None, "limits take two people"
    changed = happened.LimitsChanged(limits=asked_for, before=_before(live, asked_for), second=writer.means.second)
    return writer.house(changed)


def _before(live: LiveTable, asked_for: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    # What the floor never changed is as submitted; 0 where nothing is set.
    assert live.terms is not None
    submitted = {wager: live.terms.settings.rules.limits(wager) for wager in asked_for}
    ranges = {wager: (limits.minimum or 0, limits.maximum or 0) for wager, limits in submitted.items()}
    return {**ranges, **live.limits}


def _check_range(live: LiveTable, wager: str, limits: tuple[int, ...]) -> Refusal | None:
    assert live.terms is not None
    rules = live.terms.settings.rules
    known = next((each for each in rules.game.wagers if each.name == wager), None)
    if known is None or wager not in rules.offered or known.by_action:
        return Refusal(f"This table takes no bets on {wager}", rule.TABLE_LIMITS, "limits")
    submitted = rules.limits(wager)
    if submitted.fixed:
        return Refusal(f"{known.title} has fixed stakes", rule.TABLE_LIMITS, "limits")
    if len(limits) != 2 or not 0 < limits[0] <= limits[1]:
        return Refusal(f"Enter a minimum and a maximum for {known.title}", rule.TABLE_LIMITS, "limits")
    for cents in limits:
        objection = submitted.objection(known.title, cents)
        if objection:
            return Refusal(f"{objection}, as submitted", rule.TABLE_LIMITS, "limits")
    return None


def check_stakes(live: LiveTable, command: asked.PlaceWagers) -> Refusal | None:
    """Return why stakes are outside the limits that the floor set, or None."""
    if not live.limits or live.terms is None:
        return None
    titles = {wager.name: wager.title for wager in live.terms.settings.game.wagers}
    for wager, cents in command.stakes.items():
        least, most = live.limits.get(wager, (None, None))
        objection = Limits(minimum=least, maximum=most).objection(titles.get(wager, wager), cents)
        if objection:
            return Refusal(objection, rule.TABLE_LIMITS, wager)
    return None


def limits_now(live: LiveTable, wager: str, submitted: Limits) -> Limits:
    """Return what a wager takes now: as submitted, or within it as the floor set it."""
    least, most = live.limits.get(wager, (submitted.minimum, submitted.maximum))
    return Limits(least, most, submitted.step, submitted.fixed)


def reserve(writer: EventWriter, command: asked.ReserveSeat) -> Refusal | None:
    """Keep a free seat for somebody."""
    live, seat = writer.live, command.seat
    if live.terms is None or not live.is_open:
        return Refusal("The table is closed", rule.TABLES)
    if not 1 <= seat <= live.terms.settings.rules.seats_most:
        return Refusal(f"There is no seat {seat}", rule.RESERVATIONS, "seat")
    if seat in live.seats or is_reserved(live, seat, writer.means.at):
        return Refusal(f"Seat {seat} is {'taken' if seat in live.seats else 'reserved'}", rule.RESERVATIONS, "seat")
    if not 1 <= command.minutes <= RESERVED_MINUTES_MOST:
        reason = f"A seat is reserved for 1 to {RESERVED_MINUTES_MOST} minutes"
        return Refusal(reason, rule.RESERVATIONS, "minutes")
    refusal = writer.means.standing(Person(command.player, PLAYER)) if command.player else None
    if refusal:
        return refusal.at("player")
    until = writer.means.at + command.minutes * 60_000
    return writer.house(happened.SeatReserved(seat=seat, player=command.player, until=until))


def end_reservation(writer: EventWriter, command: asked.EndReservation) -> Refusal | None:
    """Free a reserved seat."""
    if not is_reserved(writer.live, command.seat, writer.means.at):
        return Refusal(f"Seat {command.seat} isn't reserved", rule.RESERVATIONS, "seat")
    return writer.house(happened.ReservationEnded(seat=command.seat))


def is_reserved(live: LiveTable, seat: int, at: int) -> bool:
    """Say whether a free seat is still kept for somebody."""
    kept = live.reserved.get(seat)
    return kept is not None and at < kept.until


def check_reserved(writer: EventWriter, command: asked.TakeSeat, player: str) -> Refusal | None:
    """Return why somebody else may not take a reserved seat, or None; without a name, the dealer seats someone."""
    live = writer.live
    if not is_reserved(live, command.seat, writer.means.at):
        return None
    kept = live.reserved[command.seat].player
    is_theirs = kept == (account_of_patron(player) or player) if kept else writer.means.role != PLAYER
    if is_theirs:
        return None
    return Refusal(f"Seat {command.seat} is reserved. Choose another one", rule.RESERVATIONS, "seat")


def note(writer: EventWriter, command: asked.NoteShift) -> Refusal | None:
    """Leave a note for the people who work this table next."""
    text = command.text.strip()
    if not text:
        return Refusal("Enter a note", rule.RECALL, "text")
    return _too_long("text") if len(text) > NOTE_LONGEST else writer.house(happened.ShiftNoted(text=text))


def _too_long(field: str) -> Refusal:
    return Refusal(f"A note has at most {NOTE_LONGEST} characters", rule.RECALL, field)
