"""Commands that take two people: one proposes, another confirms from their own session."""

from collections.abc import Callable
from dataclasses import replace

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import irregularities
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import Confirmed, Declined
from pitboss.house.live_table.holds import HELD, NOT_WITHDRAWN, about_report, turn_down
from pitboss.house.live_table.kept_commands import propose
from pitboss.house.live_table.permissions import (
    DRAW_AGAIN,
    RULE_ABSENCE,
    TAKE_MUCH_CASH,
    VOID_ROUND,
    asked_as,
    check_pair,
    kind_of,
    place_of,
)
from pitboss.house.live_table.table_terms import AUTOMATIC_SUPERVISOR, AUTOMATON
from pitboss.house.narrator import irregularity_title
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import check_first, check_second, clause_of, takes_two
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person
from pitboss.table.commands import DirectShuffle, OrderRecut

CarryOut = Callable[[EventWriter, asked.Command], Refusal | None]
SOMEBODY = "(somebody)"  # no account can have this name


def with_two(writer: EventWriter, command: asked.Command, carry_out: CarryOut) -> Refusal | None:
    """Carry out a command, or keep it until a second person confirms it if it takes one."""
    # Roles before rules: a rule's reason for refusal may be confidential to those with the role.
    kind = asked_as(writer.live, command)
    refusal = _may_ask(writer, command, kind)
    if refusal:
        return refusal
    if not (takes_two(kind) or isinstance(command, asked.ReportIrregularity)):
        return carry_out(writer, command)
    trial = EventWriter(writer.live, writer.means._replace(second=SOMEBODY))
    refusal = carry_out(trial, command)
    if refusal:
        return refusal
    kind = kind_of(command, trial.drafts, writer.live, writer.means.actor)
    refusal = _may_ask(writer, command, kind)
    if refusal:
        return refusal
    if not takes_two(kind):
        return carry_out(writer, command)
    second = _at_hand(writer, command, kind)
    if second is None:
        noted = irregularities.note(writer, command) if isinstance(command, asked.ReportIrregularity) else None
        return noted or propose(writer, command)
    writer.means = writer.means._replace(second=second)
    return carry_out(writer, command)


def may_give(writer: EventWriter, command: asked.Command) -> Refusal | None:
    """Return why the sender may not give a command that takes one person, or None."""
    return _may_ask(writer, command, type(command).__name__)


def confirm(writer: EventWriter, command: asked.Confirm, carry_out: CarryOut) -> Refusal | None:
    """Carry out another person's proposal, by the rules as they are now."""
    waiting = writer.live.proposals.get(command.proposal)
    refusal = check_first(writer.person, "Confirm", place_of(writer.live, command, writer.means))
    if refusal or waiting is None:
        return refusal or _nothing_waits()
    proposed, first = asked.command_of(waiting.command), Person(waiting.by, waiting.role)
    kind = _kind_proposed(proposed)
    place = place_of(writer.live, proposed, writer.means)
    is_held = command.proposal in about_report(writer.live)
    if writer.means.at >= waiting.until and not is_held:
        return Refusal("This request expired. Send it again", clause_of(kind, place), "proposal")
    # The proposer may have been revoked, lost the role or been relieved since.
    refusal = (
        writer.means.standing(first)
        or check_pair(first, writer.person, kind, place, waiting.token)
        or writer.means.are_two(first.name, writer.person.name)
    )
    if refusal:
        return refusal
    writer.house(Confirmed(proposal=command.proposal, proposed_by=waiting.by))
    writer.means = writer.means._replace(second=waiting.by)
    before, live = len(writer.drafts), writer.live
    refusal = carry_out(writer, proposed)
    if refusal:
        return refusal
    kind = kind_of(proposed, writer.drafts[before:], live, waiting.by)
    return check_pair(first, writer.person, kind, place, waiting.token)


def decline(writer: EventWriter, command: asked.Decline) -> Refusal | None:
    """Drop a proposal, as its proposer or one of the two it takes; a report, as someone other than its reporter."""
    live = writer.live
    waiting = live.proposals.get(command.proposal)
    refusal = check_first(writer.person, "Decline", place_of(live, command, writer.means))
    is_report = live.trouble is not None and command.proposal in (live.trouble.incident, *about_report(live))
    if refusal is None and is_report:
        return _may_answer(writer) or turn_down(writer, command.reason)
    if refusal or waiting is None:
        return refusal or _nothing_waits()
    if writer.means.actor != waiting.by:
        proposed = asked.command_of(waiting.command)
        refusal = _may_ask(writer, proposed, _kind_proposed(proposed))
        if refusal:
            return refusal
    return writer.house(Declined(proposal=command.proposal, reason=command.reason))


def _may_answer(writer: EventWriter) -> Refusal | None:
    trouble = writer.live.trouble
    assert trouble is not None
    is_reporter = writer.means.actor == trouble.by
    if is_reporter and trouble.irregularity in NOT_WITHDRAWN:
        title = irregularity_title(trouble.irregularity)
        reason = f"You made this report ({title}), so a floorperson other than you has to answer it"
        return Refusal(reason, HELD, "proposal")
    if is_reporter:
        return None
    if trouble.irregularity in NOT_WITHDRAWN or trouble.role != DEALER:
        # A dealer can't judge what the floor saw at the dealer's own table.
        place = place_of(writer.live, asked.Decline(proposal=""), writer.means)
        return check_first(writer.person, "RuleIrregularity", place)
    said = asked.ReportIrregularity(irregularity=trouble.irregularity, seat=trouble.seat)
    return _may_ask(writer, said, VOID_ROUND)


def _kind_proposed(command: asked.Command) -> str:
    if isinstance(command, asked.ActForAbsent):
        return RULE_ABSENCE
    if isinstance(command, asked.BuyIn):
        return TAKE_MUCH_CASH
    if isinstance(command, OrderRecut | DirectShuffle):
        return DRAW_AGAIN
    return VOID_ROUND if isinstance(command, asked.ReportIrregularity) else type(command).__name__


def _nothing_waits() -> Refusal:
    return Refusal("No such request is waiting for a second person", rule.ROLES, "proposal")


def _may_ask(writer: EventWriter, command: asked.Command, kind: str) -> Refusal | None:
    place = place_of(writer.live, command, writer.means)
    refusal = check_first(writer.person, kind, place)
    if refusal and takes_two(kind) and check_second(Person(SOMEBODY, ""), writer.person, kind, place) is None:
        return None  # the person who may be second may also be the one who proposes
    return refusal


def _at_hand(writer: EventWriter, command: asked.Command, kind: str) -> str | None:
    # At an automatic table a named supervisor takes the place; a dealer claims by settling, and states that a player
    # is gone by reporting it.
    live = writer.live
    place = place_of(live, command, writer.means)
    if check_first(writer.person, kind, place):
        return None
    if writer.means.role == AUTOMATON and place.is_self_dealing:
        return AUTOMATIC_SUPERVISOR
    holder, reporter = live.lease.holder, live.trouble.by if live.trouble is not None and kind == RULE_ABSENCE else None
    is_claim = isinstance(command, asked.ValidateMeter | asked.ValidatePayout)
    if holder is not None and holder == (live.claimed_by if is_claim else reporter):
        claimed = replace(place, token=live.lease.token)
        refusal = check_second(writer.person, Person(holder, DEALER), kind, claimed)
        return None if refusal or writer.means.are_two(writer.person.name, holder) else holder
    return None
