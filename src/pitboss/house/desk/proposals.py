"""Commands that take two people: one proposes, another confirms from a session of their own."""

from collections.abc import Callable
from dataclasses import replace

from pitboss.house.desk import commands as asked
from pitboss.house.desk.events import Confirmed, Declined, Proposed
from pitboss.house.desk.pen import Pen
from pitboss.house.desk.permission import check_pair, kind_of, place_of
from pitboss.house.desk.terms import AUTOMATIC_SUPERVISOR, AUTOMATON
from pitboss.house.people.allowed import check_first, check_second, takes_two
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person

CarryOut = Callable[[Pen, asked.Command], Refusal | None]
SOMEBODY = "somebody"


def with_two(pen: Pen, command: asked.Command, carry_out: CarryOut) -> Refusal | None:
    """Carry out a command, or keep it until a second person confirms it where it takes one."""
    # Roles before rules: what a rule refuses with may be for nobody else's eyes.
    refusal = _may_ask(pen, command, type(command).__name__)
    if refusal:
        return refusal
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
        return pen.house(Proposed(proposal=pen.means.fresh(), command=asked.data_of(command)))
    pen.means = pen.means._replace(second=second)
    return carry_out(pen, command)


def confirm(pen: Pen, command: asked.Confirm, carry_out: CarryOut) -> Refusal | None:
    """Carry out what another person proposed."""
    waiting = pen.desk.proposals.get(command.proposal)
    if waiting is None:
        return Refusal("Nothing of this name waits for a second person", None, "proposal")
    proposed = asked.command_of(waiting.command)
    pen.house(Confirmed(proposal=command.proposal, proposed_by=waiting.by))
    pen.means = pen.means._replace(second=waiting.by)
    before = len(pen.drafts)
    refusal = carry_out(pen, proposed)
    if refusal:
        return refusal
    kind = kind_of(proposed, pen.drafts[before:])
    place = place_of(pen.desk, proposed, pen.means)
    return check_pair(Person(waiting.by, waiting.role), pen.person, kind, place)


def decline(pen: Pen, command: asked.Decline) -> Refusal | None:
    """Drop a proposal."""
    waiting = pen.desk.proposals.get(command.proposal)
    if waiting is None:
        return Refusal("Nothing of this name waits for a second person", None, "proposal")
    refusal = check_first(pen.person, "Decline", place_of(pen.desk, command, pen.means))
    return refusal or pen.house(Declined(proposal=command.proposal))


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
    if isinstance(command, asked.ValidateMeter) and holder is not None and holder != pen.means.actor:
        claimed = replace(place, token=desk.lease.token)
        return None if check_second(pen.person, Person(holder, DEALER), kind, claimed) else holder
    return None
