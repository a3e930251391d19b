"""What a live table answers to a command: the drafts it leads to, or a refusal."""

from dataclasses import replace
from typing import get_args

from pitboss.house.live_table import (
    absent_players,
    approvals,
    bet_sensors,
    card_commands,
    card_readers,
    chip_commands,
    corrections,
    counted_trays,
    disputes,
    drawn_decks,
    duty_order,
    irregularities,
    misread_cards,
    patron_commands,
    pit_commands,
    play_commands,
    progressive_play,
    resettled_pays,
    seat_commands,
    tray_commands,
)
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import EventWriter, Means
from pitboss.house.live_table.holds import held
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.house.people import leases
from pitboss.house.people.authorization import Place, clause_of, roles_for
from pitboss.record.entries import Draft
from pitboss.rules.procedure import PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ConfirmDuty

Decision = tuple[Draft, ...] | Refusal
_OF_CARDS = get_args(asked.OfCards)


def decide(live: LiveTable, command: asked.Command, means: Means) -> Decision:
    """Return what a command leads to, or why it is refused: by the roles, the rules or the money."""
    written = decide_state(live, command, means)
    return written if isinstance(written, Refusal) else tuple(written.drafts)


def decide_state(live: LiveTable, command: asked.Command, means: Means) -> EventWriter | Refusal:
    """Return the table as a command leaves it with the drafts that lead there, or why it is refused."""
    if means.at < live.at:
        return Refusal(f"The time {means.at} is before the table's last entry, at {live.at}", rule.ORDER, "at")
    writer = EventWriter(live, means)
    absent_players.note_presence(writer)
    match command:
        case asked.Confirm():
            refusal = approvals.confirm(writer, command, _carried_out)
        case asked.Decline():
            refusal = approvals.decline(writer, command)
        case asked.ReaderSaw():
            refusal = approvals.may_give(writer, command) or card_readers.saw(writer, command, _carried_out)
        case asked.SensorSaw():
            refusal = approvals.may_give(writer, command) or bet_sensors.saw(writer, command, _carried_out)
        case asked.CorrectRead():
            refusal = approvals.with_two(writer, misread_cards.sealed(writer, command), _carried_out)
        case _:
            refusal = approvals.with_two(writer, command, _carried_out)
    if refusal is None:
        return writer
    # An event without its own clause cites the one that permits the command.
    return refusal if refusal.clause else replace(refusal, clause=clause_of(type(command).__name__, _place(live)))


def decide_as(
    live: LiveTable, command: asked.Command, means: Means, roles: tuple[str, ...]
) -> tuple[EventWriter | Refusal, Means]:
    """Return what a command leads to in the first of a person's roles that may give it here, with the means used."""
    decision = decide_state(live, command, means)
    if not isinstance(decision, Refusal):
        return decision, means
    for role in roles_for(roles, type(command).__name__):
        other = means._replace(role=role)
        tried = decide_state(live, command, other) if role != means.role else decision
        if not isinstance(tried, Refusal):
            return tried, other
    return decision, means


def _place(live: LiveTable) -> Place:
    return Place(game=live.terms.settings.game if live.terms else None)


def _carried_out(writer: EventWriter, command: asked.Command) -> Refusal | None:
    refusal = held(writer.live, command) or disputes.waits(writer.live, command)
    if refusal is None and writer.means.role != PLAYER:
        refusal = patron_commands.check_patron(writer, command)
    if refusal:
        return refusal
    match command:
        case asked.ActivateSubmission():
            return seat_commands.activate(writer, command)
        case asked.OpenTable():
            return tray_commands.open_table(writer, command)
        case asked.CloseTable():
            return play_commands.call_off(writer) or tray_commands.close_table(writer, command)
        case leases.TakeLease() | leases.RenewLease() | leases.ReleaseLease() | leases.WithdrawLease():
            return seat_commands.lease(writer, command)
        case asked.TakeSeat():
            return seat_commands.take_seat(writer, command)
        case asked.LeaveSeat():
            return seat_commands.leave_seat(writer, command)
        case asked.BuyIn():
            return chip_commands.buy_in(writer, command)
        case asked.BringChips():
            return patron_commands.bring(writer, command)
        case asked.ColorUp():
            return patron_commands.color_up(writer, command)
        case asked.CashOut():
            return chip_commands.cash_out(writer, command)
        case asked.Tip():
            return chip_commands.tip(writer, command)
        case asked.Fill():
            return tray_commands.fill(writer, command)
        case asked.Credit():
            return tray_commands.credit(writer, command)
        case asked.CountTray():
            return counted_trays.count_tray(writer, command)
        case asked.ReceiveFill():
            return counted_trays.receive_fill(writer, command)
        case asked.SendCredit():
            return counted_trays.send_credit(writer, command)
        case asked.CountInventory():
            return tray_commands.count(writer, command)
        case asked.Correct():
            return corrections.correct(writer, command)
        case asked.EnrollReader():
            return card_readers.enroll(writer, command)
        case asked.RetireReader():
            return card_readers.retire(writer, command)
        case asked.SwitchKeyboard():
            return card_readers.switch(writer, command)
        case asked.ReportDispute():
            return disputes.report(writer, command)
        case asked.ResolveDispute():
            refusal = resettled_pays.pay(writer, command) or disputes.resolve(writer, command)
            return refusal or play_commands.see_off(writer)
        case asked.RecordHandPay():
            return resettled_pays.record(writer, command)
        case asked.EnrollSensor() | asked.RetireSensor():
            return _sensor(writer, command)
        case asked.CallFloor() | asked.AnswerCall() | asked.ChangeLimits() | asked.NoteShift():
            return _pit(writer, command)
        case asked.ReserveSeat():
            return pit_commands.reserve(writer, command)
        case asked.EndReservation():
            return pit_commands.end_reservation(writer, command)
        case _:
            return _played(writer, command)


def _sensor(writer: EventWriter, command: asked.EnrollSensor | asked.RetireSensor) -> Refusal | None:
    if isinstance(command, asked.EnrollSensor):
        return bet_sensors.enroll(writer, command)
    return bet_sensors.retire(writer, command)


def _pit(
    writer: EventWriter, command: asked.CallFloor | asked.AnswerCall | asked.ChangeLimits | asked.NoteShift
) -> Refusal | None:
    match command:
        case asked.CallFloor():
            return pit_commands.call(writer, command)
        case asked.AnswerCall():
            return pit_commands.answer(writer)
        case asked.ChangeLimits():
            return pit_commands.change_limits(writer, command)
        case asked.NoteShift():
            return pit_commands.note(writer, command)


def _played(writer: EventWriter, command: asked.Command) -> Refusal | None:
    live = writer.live
    if live.terms is None or live.cards is None:
        return Refusal("No rules are in force at this table yet", rule.SUBMISSIONS)
    if isinstance(command, _OF_CARDS):
        refusal = duty_order.check_moment(live, command) if isinstance(command, ConfirmDuty) else None
        refusal = refusal or drawn_decks.check(writer, command) or irregularities.at_cards(writer, command)
        if refusal is None:
            drawn_decks.follow(writer)
        return refusal
    if not live.is_open:
        return Refusal("The table is closed", rule.TABLES)
    if isinstance(command, asked.BeginRound):
        return play_commands.begin(writer, command)
    if not live.in_round:
        return Refusal("No round is open", live.terms.settings.game.bets.cite)
    match command:
        case asked.PlaceWagers():
            return play_commands.place(writer, command)
        case asked.RepeatWagers():
            return patron_commands.repeat(writer, command)
        case asked.WithdrawWagers():
            return play_commands.withdraw(writer, command)
        case asked.CloseBets():
            return play_commands.close_bets(writer, command)
        case asked.ReadCard():
            return irregularities.read(writer, command)
        case asked.CorrectRead():
            return misread_cards.correct(writer, command)
        case asked.DealCards():
            return card_commands.deal(writer)
        case asked.TurnCards():
            return card_commands.turn(writer)
        case asked.Act():
            return play_commands.act(writer, command)
        case asked.ActForAbsent():
            return absent_players.act_for_absent(writer, command)
        case asked.GiveTime():
            return absent_players.give_time(writer, command)
        case asked.Settle():
            return play_commands.settle(writer)
        case asked.ValidateMeter():
            return progressive_play.validate(writer, command)
        case asked.ValidatePayout():
            return progressive_play.verify(writer, command)
        case asked.ReportIrregularity():
            return irregularities.report(writer, command)
        case asked.EndRound():
            return play_commands.end(writer)
        case _:
            raise AssertionError(f"no handler for {type(command).__name__}")
