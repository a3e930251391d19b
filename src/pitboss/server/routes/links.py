"""Browser sign-in with a one-time link."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from pitboss.house.people.decide import SECOND_NEEDED
from pitboss.house.people.people_office import SecondAsked
from pitboss.rules.refusal import Refusal
from pitboss.server.routes.callers import guest_of
from pitboss.server.routes.tables import RefusedHere, floor_of, source_of
from pitboss.server.session_cookie import give_cookie, token_of

router = APIRouter(include_in_schema=False)


@router.get("/links/{token}")
async def follow(request: Request, token: str) -> RedirectResponse:
    """Sign in the holder of a link, once."""
    answer = await floor_of(request).office.follow_link(token, source_of(request))
    if isinstance(answer, SecondAsked):
        if "text/html" not in request.headers.get("accept", ""):
            raise RefusedHere(SECOND_NEEDED, 401)
        return RedirectResponse(f"/sign-in#{token}", 303)  # a fragment, which no log of a proxy shows
    if isinstance(answer, Refusal):
        if "text/html" not in request.headers.get("accept", ""):
            raise RefusedHere(answer, 401)
        # A browser gets a page: the tables if it is already signed in, else the sign-in page with the reason.
        is_in = guest_of(floor_of(request), token_of(request)) is not None
        return RedirectResponse("/" if is_in else "/sign-in?link=refused", 303)
    response = RedirectResponse("/", 303)
    give_cookie(request, response, answer.token)
    return response
