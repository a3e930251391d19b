"""Routes of shared rounds: a player makes a link, and anyone who has it sees what a spectator saw."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from pitboss.house import entry_kinds
from pitboss.house.narrator import Narrator
from pitboss.house.people import house_rules as rule
from pitboss.house.replay import ReplayedRound, Step, replay_recorded
from pitboss.record.evidence import UnknownRound
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.round_links import link_key, opens
from pitboss.server.routes.rounds import in_record, own_replay, seen_at
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, network_from
from pitboss.server.schemas import rounds as shown
from pitboss.server.table_rules import rules_kept

router = APIRouter(prefix="/api")
NOT_HERE = Refusal("This house doesn't share rounds", rule.SHARED_ROUNDS)
NOT_OVER = Refusal("A round can be shared once it is over", rule.SHARED_ROUNDS, "round")
NO_LINK = Refusal("This link opens no round. Ask for a new one", rule.SHARED_ROUNDS, "round")
# Reports, disputes and returns name people; what is left happens in front of every spectator.
SHOWN = (
    entry_kinds.ROUND_BEGUN,
    entry_kinds.DECK_COMMITTED,
    entry_kinds.ORDER_FIXED,
    entry_kinds.SEAL_OPENED,
    entry_kinds.ROUND_ENDED,
)
Key = Annotated[str, Query(max_length=64)]


@router.post("/me/rounds/{round_id}/link", responses=REFUSED)
async def share_round(floor: Floor, person: Person, round_id: str) -> shown.RoundLink:
    """Make a link to a finished round that the caller played, where the house allows it."""
    if not floor.settings.shares_rounds:
        raise RefusedHere(NOT_HERE)
    found = await in_record(floor, person.share, lambda: own_replay(floor, person, round_id))
    if not found.is_over:
        raise RefusedHere(NOT_OVER)
    return shown.RoundLink(round=round_id, key=link_key(floor.house.keyring, round_id))


@router.get("/shared-rounds/{round_id}", responses=REFUSED)
async def shared_round(request: Request, floor: Floor, round_id: str, key: Key = "") -> shown.SharedRound:
    """Show a finished round to anyone who has its link, step by step as a spectator saw it, without names."""
    if not floor.settings.shares_rounds:
        raise RefusedHere(NOT_HERE)
    if not opens(floor.house.keyring, round_id, key):
        raise RefusedHere(NO_LINK, 404)
    return await in_record(floor, network_from(request), lambda: as_spectator(floor, round_id))


def as_spectator(floor: OpenFloor, round_id: str) -> shown.SharedRound:
    """Return a finished round as a spectator saw it."""
    found = replay_recorded(floor.store, round_id, floor.house.reading)
    if not found.is_over:  # its link was made in another record
        raise UnknownRound(NO_LINK.reason)
    return shown.SharedRound(
        round=found.round,
        table=found.table,
        rules=rules_kept(found.table, found.terms),
        steps=[public_step(found, step) for step in found.steps if step.event is not None or step.entry.kind in SHOWN],
    )


def public_step(found: ReplayedRound, step: Step) -> shown.OwnStep:
    """Return a step as a spectator saw it, without the players' names."""
    seen = seen_at(found, step)
    nameless = [seat.model_copy(update={"player": ""}) for seat in seen.seats]
    entry = step.entry
    return shown.OwnStep(
        sequence=entry.sequence,
        at=entry.at,
        kind=entry.kind,
        told=Narrator(step.play.rules).tell(*step),
        clause=entry.clause,
        seen=seen.model_copy(update={"seats": nameless}),
    )
