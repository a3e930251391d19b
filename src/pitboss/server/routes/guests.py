"""Guest routes: play at once without an account, sit down in time, and get new play money."""

from fastapi import APIRouter, Request, Response

from pitboss.rules.refusal import Refusal
from pitboss.server.guest_accounts import admit_guest, refill
from pitboss.server.routes.tables import NOT_SIGNED_IN, REFUSED, Floor, Person, RefusedHere, admitted, me_of, source_of
from pitboss.server.schemas import tables as schemas

router = APIRouter(prefix="/api")


@router.post("/guests", responses=REFUSED)
async def be_guest(request: Request, floor: Floor, response: Response) -> schemas.Me:
    """Make a guest account with play money, and sign in with it."""
    answer = await admit_guest(floor, source_of(request))
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    return admitted(request, response, answer)


@router.post("/tables/{table}/arrival", status_code=204, response_class=Response, responses=REFUSED)
async def arrive(floor: Floor, person: Person, table: str) -> None:
    """Say that the caller is choosing a seat, so that the bots' next round waits a moment."""
    floor.house.live(table)
    floor.sockets.arrive(table, floor.clock.now_ms())


@router.post("/me/refill", responses={**REFUSED, **NOT_SIGNED_IN})
async def refill_purse(floor: Floor, person: Person) -> schemas.Me:
    """Give the caller new play money, once theirs is nearly gone."""
    refusal = await refill(floor, person.name)
    if refusal is not None:
        raise RefusedHere(refusal)
    return me_of(floor, person)
