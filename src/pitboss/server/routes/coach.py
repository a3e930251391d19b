"""Coach routes: what each action is worth to the player who is asked, using only what that player sees."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fastapi import APIRouter

from pitboss.house.people import house_rules as rule
from pitboss.rules.dealing import BOARD
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal
from pitboss.server.lab.worker_pool import Unanswered, warming_up
from pitboss.server.live.views import table_view
from pitboss.server.routes.lab import LAB, Lab
from pitboss.server.routes.tables import Floor, Person, RefusedHere
from pitboss.server.schemas import lab as shown

router = APIRouter(prefix="/api")
FREE_PLAY_ALONE = Refusal("The coach works only at free-play tables", rule.COACH, "table")


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as the player who faces it sees it."""

    seat: int
    cards: tuple[str, ...]
    board: tuple[str, ...]
    stakes: Mapping[str, int]
    actions: tuple[str, ...]


def decision_of(view: Mapping[str, Any], person: str) -> Decision | None:
    """Return the decision a person faces, using only that person's view."""
    asked = next((seat for seat in view["seats"] if seat["seat"] == view["seat_asked"]), None)
    if asked is None or asked["player"] != person or None in asked["cards"]:
        return None
    board = tuple(card for card in view["cards"].get(BOARD, ()) if card is not None)
    return Decision(asked["seat"], tuple(asked["cards"]), board, dict(asked["stakes"]), tuple(view["actions"]))


@router.get("/tables/{table}/coach", responses=LAB)
async def coach(floor: Floor, lab: Lab, person: Person, table: str) -> shown.Coached:
    """Return what each action is worth to the player who is asked; empty while someone else is asked."""
    live = floor.house.live(table)
    view = table_view(floor, live, person.name)
    if live.terms is None or not view["free_play"]:
        raise RefusedHere(FREE_PLAY_ALONE)
    decision = decision_of(view, person.name)
    if decision is None:
        return _coached(view)
    body = {"game": view["game"], "document": dict(live.terms.document)}
    question = {**body, "cards": decision.cards, "board": decision.board}
    try:
        if not lab.is_warm(live.terms.version, body):
            raise warming_up(lab.state)
        advice = await lab.answer("strategy", question, by=person.share)
    except Unanswered as fault:
        raise RefusedHere(fault.refusal, fault.status) from None
    return _advised(view, decision, advice, _ante(live.terms.settings.game, decision))


def _ante(game: GameDefinition, decision: Decision) -> int:
    # Worths are in units of the wager that every player places and whose stake no other wager decides.
    unit = next(wager.name for wager in game.wagers if wager.required and wager.equals is None)
    return decision.stakes[unit]


def _advised(view: Mapping[str, Any], decision: Decision, advice: Mapping[str, Any], ante: int) -> shown.Coached:
    open_now = [action for action in advice["actions"] if action["move"] in decision.actions]
    actions = [shown.CoachedAction(**action, cost_cents=round(ante * Fraction(action["cost"]))) for action in open_now]
    return _coached(view).model_copy(
        update={
            "seat": decision.seat,
            "asked": advice["asked"],
            "cards": list(decision.cards),
            "board": list(decision.board),
            "ante_cents": ante,
            "best": actions[0].action if actions else None,
            "actions": actions,
            "line": advice["line"] and shown.Quoted(**advice["line"]),
            "marks": [shown.Marked(**mark) for mark in advice["marks"]],
        }
    )


def _coached(view: Mapping[str, Any]) -> shown.Coached:
    return shown.Coached(
        table=view["table"],
        round_id=view["round_id"],
        sequence=view["sequence"],
        seat=None,
        asked=None,
        cards=[],
        board=[],
        ante_cents=None,
        best=None,
        actions=[],
        line=None,
        marks=[],
    )
