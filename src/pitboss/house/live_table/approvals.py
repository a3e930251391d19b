"""Commands that take two people: one proposes, another confirms from a session of their own."""

from collections.abc import Callable
from dataclasses import replace

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import irregularities
from pitboss.house.live_table.event_writer import Pen
from pitboss.house.live_table.events import Confirmed, Declined
from pitboss.house.live_table.holds import HELD, NOT_WITHDRAWN, about_report, turn_down
from pitboss.house.live_table.kept_commands import propose
from pitboss.house.live_table.permissions import (
    DRAW_AGAIN,
    RULE_ABSENCE,
    VOID_ROUND,
    asked_as,
    check_pair,
    kind_of,
    place_of,
)
from pitboss.house.live_table.table_terms import AUTOMATIC_SUPERVISOR, AUTOMATON
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import check_first, check_second, clause_of, takes_two
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person
from pitboss.table.commands import DirectShuffle, OrderRecut

CarryOut = Callable[[Pen, asked.Command], Refusal | None]
SOMEBODY = "somebody"


def with_two(pen: Pen, command: asked.Command, carry_out: CarryOut) -> Refusal | None:
    """Carry out a command, or keep it until a second person confirms it where it takes one."""
    # Roles before rules: what a rule refuses with may be for nobody else's eyes.
    kind = asked_as(pen.desk, command)
    refusal = _may_ask(pen, command, kind)
    if refusal:
        return refusal
    if not (takes_two(kind) or isinstance(command, asked.ReportIrregularity)):
        return carry_out(pen, command)
    trial = Pen(pen.desk, pen.means._replace(second=SOMEBODY))
    refusal = carry_out(trial, command)
    if refusal:
        return refusal
    kind = kind_of(command, trial.drafts, pen.desk)
    refusal = _may_ask(pen, command, kind)
    if refusal:
        return refusal
    if not takes_two(kind):
        return carry_out(pen, command)
    second = _at_hand(pen, command, kind)
    if second is None:
        noted = irregularities.note(pen, command) if isinstance(command, asked.ReportIrregularity) else None
        return noted or propose(pen, command)
    pen.means = pen.means._replace(second=second)
    return carry_out(pen, command)


def confirm(pen: Pen, command: asked.Confirm, carry_out: CarryOut) -> Refusal | None:
    """Carry out what another person proposed, by the rules as they are now."""
    waiting = pen.desk.proposals.get(command.proposal)
    refusal = check_first(pen.person, "Confirm", place_of(pen.desk, command, pen.means))
    if refusal or waiting is None:
        return refusal or _nothing_waits()
    proposed, first = asked.command_of(waiting.command), Person(waiting.by, waiting.role)
    kind = _kind_proposed(proposed)
    place = place_of(pen.desk, proposed, pen.means)
    is_held = command.proposal in about_report(pen.desk)
    if pen.means.at >= waiting.until and not is_held:
        return Refusal("This proposal has run out; it is made again", clause_of(kind, place), "proposal")
    # Whoever proposed it may have been revoked, have lost the role or have been relieved since.
    refusal = pen.means.standing(first) or check_pair(first, pen.person, kind, place, waiting.token)
    if refusal:
        return refusal
    pen.house(Confirmed(proposal=command.proposal, proposed_by=waiting.by))
    pen.means = pen.means._replace(second=waiting.by)
    before, desk = len(pen.drafts), pen.desk
    refusal = carry_out(pen, proposed)
    if refusal:
        return refusal
    return check_pair(first, pen.person, kind_of(proposed, pen.drafts[before:], desk), place, waiting.token)


def decline(pen: Pen, command: asked.Decline) -> Refusal | None:
    """Drop a proposal, as its proposer or one of the two it takes; a report by somebody else than its reporter."""
    desk = pen.desk
    waiting = desk.proposals.get(command.proposal)
    refusal = check_first(pen.person, "Decline", place_of(desk, command, pen.means))
    is_report = desk.trouble is not None and command.proposal in (desk.trouble.incident, *about_report(desk))
    if refusal is None and is_report:
        return _may_answer(pen) or turn_down(pen, command.reason)
    if refusal or waiting is None:
        return refusal or _nothing_waits()
    if pen.means.actor != waiting.by:
        proposed = asked.command_of(waiting.command)
        refusal = _may_ask(pen, proposed, _kind_proposed(proposed))
        if refusal:
            return refusal
    return pen.house(Declined(proposal=command.proposal, reason=command.reason))


def _may_answer(pen: Pen) -> Refusal | None:
    trouble = pen.desk.trouble
    assert trouble is not None
    if trouble.irregularity in NOT_WITHDRAWN:
        if pen.means.actor == trouble.by:
            reason = f"{trouble.irregularity} was reported by you; a floorperson confirms it or declines it"
            return Refusal(reason, HELD, "proposal")
        return check_first(pen.person, "RuleIrregularity", place_of(pen.desk, asked.Decline(proposal=""), pen.means))
    if pen.means.actor == trouble.by:
        return None
    said = asked.ReportIrregularity(irregularity=trouble.irregularity, seat=trouble.seat)
    return _may_ask(pen, said, VOID_ROUND)


def _kind_proposed(command: asked.Command) -> str:
    if isinstance(command, asked.ActForAbsent):
        return RULE_ABSENCE
    if isinstance(command, OrderRecut | DirectShuffle):
        return DRAW_AGAIN
    return VOID_ROUND if isinstance(command, asked.ReportIrregularity) else type(command).__name__


def _nothing_waits() -> Refusal:
    return Refusal("Nothing of this name waits for a second person", rule.ROLES, "proposal")


def _may_ask(pen: Pen, command: asked.Command, kind: str) -> Refusal | None:
    place = place_of(pen.desk, command, pen.means)
    refusal = check_first(pen.person, kind, place)
    if refusal and takes_two(kind) and check_second(Person(SOMEBODY, ""), pen.person, kind, place) is None:
        return None  # the one who may be the second may also be the one who proposes
    return refusal


def _at_hand(pen: Pen, command: asked.Command, kind: str) -> str | None:
    # At a table that deals itself a named supervisor stands in; a dealer's claim is made by settling, and their word
    # that a player is gone by reporting it.
    desk = pen.desk
    place = place_of(desk, command, pen.means)
    if check_first(pen.person, kind, place):
        return None
    if pen.means.role == AUTOMATON and place.is_self_dealing:
        return AUTOMATIC_SUPERVISOR
    holder, reporter = desk.lease.holder, desk.trouble.by if desk.trouble is not None and kind == RULE_ABSENCE else None
    is_claim = isinstance(command, asked.ValidateMeter | asked.ValidatePayout)
    if holder is not None and holder == (desk.claimed_by if is_claim else reporter):
        claimed = replace(place, token=desk.lease.token)
        return None if check_second(pen.person, Person(holder, DEALER), kind, claimed) else holder
    return None
