"""The way in with a browser: links that sign somebody in, and a list of the floor's tables."""

from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal
from pitboss.server.api import RefusedHere, floor_of, give_cookie
from pitboss.server.guests import COOKIE, guest_of
from pitboss.server.views import table_summary

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


@router.get("/")
async def lobby(request: Request) -> HTMLResponse:
    """List the tables."""
    floor = floor_of(request)
    guest = guest_of(floor, request.cookies.get(COOKIE))
    rows = []
    for running in floor.house.tables.values():
        one = table_summary(floor, running.desk)
        limits = f"{dollars(one.minimum_cents or 0)} to {dollars(one.maximum_cents or 0)}"
        meters = ", ".join(f"{name} {dollars(cents)}" for name, cents in one.meters.items())
        cells = (one.title, limits, f"{len(one.players)} of {one.seats}", one.phase or "between rounds", meters)
        rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    who = f"Signed in as {escape(guest.name)}." if guest else "Nobody is signed in; follow a link that was printed."
    head = "<tr><th>Table</th><th>Limits</th><th>Seats taken</th><th>Now</th><th>Meters</th></tr>"
    page = f"<h1>Pitboss</h1><p>{who}</p><table>{head}{''.join(rows)}</table>"
    return HTMLResponse(f"<!doctype html><html lang=en><title>Pitboss</title><meta charset=utf-8>{page}</html>")
