"""Commands that take two people: one proposes, another confirms from a session of their own."""

from collections.abc import Callable
from dataclasses import replace

from pitboss.house.desk import commands as asked
from pitboss.house.desk.events import Confirmed, Declined, Proposed
from pitboss.house.desk.pen import Pen
from pitboss.house.desk.permission import VOID_ROUND, check_pair, kind_of, place_of
from pitboss.house.desk.terms import AUTOMATIC_SUPERVISOR, AUTOMATON
from pitboss.house.people import house_rules as rule
from pitboss.house.people.allowed import check_first, check_second, clause_of, takes_two
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person

CarryOut = Callable[[Pen, asked.Command], Refusal | None]
SOMEBODY = "somebody"
OPEN_MS = 10 * 60_000  # how long a proposal waits


def with_two(pen: Pen, command: asked.Command, carry_out: CarryOut) -> Refusal | None:
    """Carry out a command, or keep it until a second person confirms it where it takes one."""
    # Roles before rules: what a rule refuses with may be for nobody else's eyes.
    kind = type(command).__name__
    refusal = _may_ask(pen, command, kind)
    if refusal:
        return refusal
    if not (takes_two(kind) or isinstance(command, asked.ReportIrregularity)):
        return carry_out(pen, command)
    trial = Pen(pen.desk, pen.means._replace(second=SOMEBODY))
    refusal = carry_out(trial, command)
    if refusal:
        return refusal
    kind = kind_of(command, trial.drafts)
    refusal = _may_ask(pen, command, kind)
    if refusal:
        return refusal
    if not takes_two(kind):
        return carry_out(pen, command)
    second = _at_hand(pen, command, kind)
    if second is None:
        return _propose(pen, command)
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
    if pen.means.at >= waiting.until:
        return Refusal("This proposal has run out; it is made again", clause_of(kind, place), "proposal")
    # Whoever proposed it may have been revoked, have lost the role or have been relieved since.
    refusal = pen.means.standing(first) or check_pair(first, pen.person, kind, place, waiting.token)
    if refusal:
        return refusal
    pen.house(Confirmed(proposal=command.proposal, proposed_by=waiting.by))
    pen.means = pen.means._replace(second=waiting.by)
    before = len(pen.drafts)
    refusal = carry_out(pen, proposed)
    if refusal:
        return refusal
    return check_pair(first, pen.person, kind_of(proposed, pen.drafts[before:]), place, waiting.token)


def decline(pen: Pen, command: asked.Decline) -> Refusal | None:
    """Drop a proposal, as whoever made it or one of the two it takes."""
    waiting = pen.desk.proposals.get(command.proposal)
    refusal = check_first(pen.person, "Decline", place_of(pen.desk, command, pen.means))
    if refusal or waiting is None:
        return refusal or _nothing_waits()
    if pen.means.actor != waiting.by:
        proposed = asked.command_of(waiting.command)
        refusal = _may_ask(pen, proposed, _kind_proposed(proposed))
        if refusal:
            return refusal
    return pen.house(Declined(proposal=command.proposal))


def _propose(pen: Pen, command: asked.Command) -> Refusal | None:
    means = pen.means
    for name, one in pen.desk.proposals.items():
        if means.at >= one.until:
            pen.house(Declined(proposal=name, has_lapsed=True))
    until = means.at + OPEN_MS
    return pen.house(Proposed(proposal=means.fresh(), command=asked.data_of(command), token=means.token, until=until))


def _kind_proposed(command: asked.Command) -> str:
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
    # At a table that deals itself a named supervisor stands in; a dealer's claim is made by settling.
    desk = pen.desk
    place = place_of(desk, command, pen.means)
    if check_first(pen.person, kind, place):
        return None
    if pen.means.role == AUTOMATON and place.is_self_dealing:
        return AUTOMATIC_SUPERVISOR
    holder = desk.lease.holder
    if isinstance(command, asked.ValidateMeter) and holder is not None and holder == desk.claimed_by:
        claimed = replace(place, token=desk.lease.token)
        return None if check_second(pen.person, Person(holder, DEALER), kind, claimed) else holder
    return None
