"""Reaction route: a seated player says something from a fixed list."""

from fastapi import APIRouter, Request, Response

from pitboss.server.live.table_reactions import TOO_MANY, Reactions
from pitboss.server.routes.tables import REFUSED, Person, RefusedHere
from pitboss.server.schemas.tables import Reaction

router = APIRouter(prefix="/api")


@router.post("/tables/{table}/reactions", status_code=204, response_class=Response, responses=REFUSED)
async def react(request: Request, person: Person, table: str, said: Reaction) -> None:
    """Show a reaction at the caller's seat to everyone at the table; it isn't recorded."""
    reactions: Reactions = request.app.state.reactions
    refusal = await reactions.react(table, person.name, said.reaction)
    if refusal is not None:
        raise RefusedHere(refusal, 429 if refusal is TOO_MANY else 409)
