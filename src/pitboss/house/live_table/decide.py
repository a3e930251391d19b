"""What a running table answers to a command: the drafts it leads to, or a refusal."""

from dataclasses import replace
from typing import get_args

from pitboss.house.live_table import (
    absent_players,
    approvals,
    card_commands,
    chip_commands,
    corrections,
    disputes,
    drawn_decks,
    irregularities,
    misread_cards,
    moments,
    play_commands,
    progressive_play,
    seat_commands,
    tray_commands,
)
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import Means, Pen
from pitboss.house.live_table.holds import held
from pitboss.house.live_table.state import Desk
from pitboss.house.people import house_rules as rule
from pitboss.house.people import leases
from pitboss.house.people.authorization import Place, clause_of, roles_for
from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ConfirmDuty

Decision = tuple[Draft, ...] | Refusal


def decide(desk: Desk, command: asked.Command, means: Means) -> Decision:
    """Return what a command leads to, or why it is refused: by the roles, the rules or the money."""
    if means.at < desk.at:
        return Refusal(f"The table's clock stands at {desk.at}; {means.at} is past", rule.ORDER, "at")
    pen = Pen(desk, means)
    absent_players.note_presence(pen)
    match command:
        case asked.Confirm():
            refusal = approvals.confirm(pen, command, _carried_out)
        case asked.Decline():
            refusal = approvals.decline(pen, command)
        case asked.CorrectRead():
            refusal = approvals.with_two(pen, misread_cards.sealed(pen, command), _carried_out)
        case _:
            refusal = approvals.with_two(pen, command, _carried_out)
    if refusal is None:
        return tuple(pen.drafts)
    # What no clause of its own speaks of rests on the one by which the command is given at all.
    return refusal if refusal.clause else replace(refusal, clause=clause_of(type(command).__name__, _place(desk)))


def decide_as(desk: Desk, command: asked.Command, means: Means, roles: tuple[str, ...]) -> tuple[Decision, Means]:
    """Return what a command leads to in the one of a person's roles that may give it here, and the means so changed."""
    decision = decide(desk, command, means)
    if not isinstance(decision, Refusal):
        return decision, means
    for role in roles_for(roles, type(command).__name__):
        other = means._replace(role=role)
        tried = decide(desk, command, other) if role != means.role else decision
        if not isinstance(tried, Refusal):
            return tried, other
    return decision, means


def _place(desk: Desk) -> Place:
    return Place(game=desk.terms.settings.game if desk.terms else None)


def _carried_out(pen: Pen, command: asked.Command) -> Refusal | None:
    refusal = held(pen.desk, command) or disputes.waits(pen.desk, command)
    if refusal:
        return refusal
    match command:
        case asked.ActivateSubmission():
            return seat_commands.activate(pen, command)
        case asked.OpenTable():
            return tray_commands.open_table(pen, command)
        case asked.CloseTable():
            return play_commands.call_off(pen) or tray_commands.close_table(pen, command)
        case leases.TakeLease() | leases.RenewLease() | leases.ReleaseLease() | leases.WithdrawLease():
            return seat_commands.lease(pen, command)
        case asked.TakeSeat():
            return seat_commands.take_seat(pen, command)
        case asked.LeaveSeat():
            return seat_commands.leave_seat(pen, command)
        case asked.BuyIn():
            return chip_commands.buy_in(pen, command)
        case asked.CashOut():
            return chip_commands.cash_out(pen, command)
        case asked.Tip():
            return chip_commands.tip(pen, command)
        case asked.Fill():
            return tray_commands.fill(pen, command)
        case asked.Credit():
            return tray_commands.credit(pen, command)
        case asked.CountInventory():
            return tray_commands.count(pen, command)
        case asked.Correct():
            return corrections.correct(pen, command)
        case asked.ReportDispute():
            return disputes.report(pen, command)
        case asked.ResolveDispute():
            return disputes.resolve(pen, command) or play_commands.see_off(pen)
        case _:
            return _played(pen, command)


def _played(pen: Pen, command: asked.Command) -> Refusal | None:
    desk = pen.desk
    if desk.terms is None or desk.cards is None:
        return Refusal("No submission is in force at this table yet", rule.SUBMISSIONS)
    if isinstance(command, get_args(asked.OfCards)):
        refusal = moments.check_moment(desk, command) if isinstance(command, ConfirmDuty) else None
        refusal = refusal or drawn_decks.check(pen, command) or irregularities.at_cards(pen, command)
        if refusal is None:
            drawn_decks.follow(pen)
        return refusal
    if not desk.is_open:
        return Refusal("The table is closed", rule.TABLES)
    if isinstance(command, asked.BeginRound):
        return play_commands.begin(pen, command)
    if not desk.in_round:
        return Refusal("No round is open", desk.terms.settings.game.bets.cite)
    match command:
        case asked.PlaceWagers():
            return play_commands.place(pen, command)
        case asked.WithdrawWagers():
            return play_commands.withdraw(pen, command)
        case asked.CloseBets():
            return play_commands.close_bets(pen, command)
        case asked.ReadCard():
            return irregularities.read(pen, command)
        case asked.CorrectRead():
            return misread_cards.correct(pen, command)
        case asked.DealCards():
            return card_commands.deal(pen)
        case asked.TurnCards():
            return card_commands.turn(pen)
        case asked.Act():
            return play_commands.act(pen, command)
        case asked.ActForAbsent():
            return absent_players.act_for_absent(pen, command)
        case asked.Settle():
            return play_commands.settle(pen)
        case asked.ValidateMeter():
            return progressive_play.validate(pen, command)
        case asked.ValidatePayout():
            return progressive_play.verify(pen, command)
        case asked.ReportIrregularity():
            return irregularities.report(pen, command)
        case asked.EndRound():
            return play_commands.end(pen)
        case _:
            raise AssertionError(f"{type(command).__name__} is a command nobody carries out")
