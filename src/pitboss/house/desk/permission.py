"""Who may give a command at a running table: what the roles ask about, answered from the table's state."""

from collections.abc import Iterable
from dataclasses import replace

from pitboss.house.desk import commands as asked
from pitboss.house.desk.pen import Means
from pitboss.house.desk.state import Desk
from pitboss.house.desk.terms import AUTOMATON
from pitboss.house.people.accounts import NAME
from pitboss.house.people.allowed import Place, check_first, check_second
from pitboss.house.people.roles import PERMISSIONS
from pitboss.house.record import Draft
from pitboss.round.events import IrregularityRuled
from pitboss.rules.irregularity import FORFEIT, SETTLE_ONLY, VOID
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person
from pitboss.table.commands import ConfirmDuty

VOID_ROUND = "VoidRound"
_RULED = f"round.{IrregularityRuled.__name__}"


def kind_of(command: asked.Command, drafts: Iterable[Draft]) -> str:
    """Return what a command is to the roles: a report that voids wagers, or that rules, is more than a report."""
    if isinstance(command, asked.ReportIrregularity):
        if any(draft.kind == _RULED and draft.body["remedy"] in (VOID, SETTLE_ONLY) for draft in drafts):
            return VOID_ROUND
        if command.ruling is None and any(draft.body.get("remedy") == FORFEIT for draft in drafts):
            return VOID_ROUND  # a player's money is taken, so one person is not enough
        if command.ruling is not None:
            return "RuleIrregularity"
    return type(command).__name__


def place_of(desk: Desk, command: asked.Command, means: Means) -> Place:
    """Return what a permission may ask for at this table."""
    seat = getattr(command, "seat", None)
    concerns = desk.seats.get(seat) if isinstance(seat, int) else means.actor
    if isinstance(command, asked.TakeSeat):
        concerns = means.actor
    if isinstance(command, ConfirmDuty) and means.actor not in desk.seats.values():
        concerns = None  # what the players at the table do is nobody else's
    return Place(
        game=desk.terms.settings.game if desk.terms else None,
        is_self_dealing=_is_self_dealing(desk, command, means),
        lease=desk.lease,
        token=means.token,
        at=means.at,
        concerns=concerns,
        is_round_over=not desk.in_round,
        is_dealer_out=_is_dealer_out(desk, means),
    )


def check_pair(one: Person, other: Person, kind: str, place: Place, token: int | None) -> Refusal | None:
    """Return why two people may not do this together, or None; the place is the other's, the token the first one's."""
    first_place = replace(place, token=token)
    refusal = check_first(one, kind, first_place) or check_second(one, other, kind, place)
    if refusal is None:
        return None
    swapped = check_first(other, kind, place) or check_second(other, one, kind, first_place)
    # Whoever proposed as the second person is told what is wrong with them in that place.
    return swapped and (refusal if one.role in PERMISSIONS[kind].grants else swapped)


def _is_dealer_out(desk: Desk, means: Means) -> bool:
    holder = desk.lease.holder
    if holder is None or (desk.terms is not None and desk.terms.automatic):
        return False
    return means.standing(Person(holder, DEALER)) is not None


def _is_self_dealing(desk: Desk, command: asked.Command, means: Means) -> bool:
    if means.role == AUTOMATON and NAME.fullmatch(means.actor):
        return False  # somebody's account may be called so, and its purse is theirs
    if desk.terms is not None and not desk.terms.automatic:
        return False
    if not isinstance(command, asked.ActivateSubmission):
        return desk.terms is not None
    if means.role != AUTOMATON:
        return False  # people need their role for it, and a document is read only for those who have it
    try:
        return means.reading.read_terms(command.document).automatic
    except ValueError:
        return False  # the activation says what is wrong with it
