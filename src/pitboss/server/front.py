"""The way in with a browser: links that sign somebody in."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from pitboss.rules.refusal import Refusal
from pitboss.server.api import RefusedHere, floor_of, give_cookie

router = APIRouter(include_in_schema=False)


@router.get("/links/{token}")
async def follow(request: Request, token: str) -> RedirectResponse:
    """Sign in whoever holds a link, once."""
    answer = await floor_of(request).office.follow_link(token)
    if isinstance(answer, Refusal):
        raise RefusedHere(answer, 401)
    response = RedirectResponse("/", 303)
    give_cookie(request, response, answer.token)
    return response
