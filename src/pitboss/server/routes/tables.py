"""Table routes: sign-in, lists, views and commands, each answered only after it is on disk."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from pitboss.house import entry_kinds
from pitboss.house.back_office import KINDS as OFFICE_KINDS
from pitboss.house.fair_turns import TooManyWaiting
from pitboss.house.live_table import commands
from pitboss.house.live_table.deck_order import commitment_of
from pitboss.house.people.accounts import check_standing
from pitboss.house.people.decide import SECOND_NEEDED
from pitboss.house.people.passwords import Password
from pitboss.house.people.people_office import SecondAsked
from pitboss.house.people.second_factors import Given, Site
from pitboss.house.people.sessions import LOCKED
from pitboss.house.people.sign_in import Admitted
from pitboss.house.running_tables import Answer, Asked, Done, NotHere
from pitboss.house.stream_names import stream_of
from pitboss.record.store import StoreFault
from pitboss.rules.refusal import Refusal
from pitboss.server.absent_guests import is_guest
from pitboss.server.connections import network_of
from pitboss.server.console_locks import lock_ms
from pitboss.server.live.tiles import all_summaries
from pitboss.server.live.views import summaries, table_view
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import Guest, caller_of, guest_of, held_by
from pitboss.server.schemas import tables as schemas
from pitboss.server.session_cookie import give_cookie, take_cookie, token_of
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")
LOCKED_STATUS = 423
IDLE = "x-pitboss-idle"  # sent by a page that nobody has used for a while
log = logging.getLogger("pitboss.commands")
NOT_SIGNED_IN: dict[int | str, dict[str, Any]] = {
    401: {"model": schemas.RefusedAnswer, "description": "Not signed in"},
    LOCKED_STATUS: {"model": schemas.RefusedAnswer, "description": "The console is locked"},
}
REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": schemas.RefusedAnswer, "description": "Refused because of a rule, a role or a balance"},
    404: {"model": schemas.RefusedAnswer, "description": "There is no such table"},
    422: {"model": schemas.RefusedAnswer, "description": "The request is malformed"},
    429: {"model": schemas.RefusedAnswer, "description": "Too many requests"},
    **NOT_SIGNED_IN,
}


def floor_of(request: Request) -> OpenFloor:
    """Return the floor this server has open."""
    floor: OpenFloor = request.app.state.floor
    return floor


def is_idle(request: Request) -> bool:
    """Say whether a page asks this by itself, while nobody uses it."""
    return IDLE in request.headers


def source_of(request: Request) -> str:
    """Return the address a request came from."""
    return request.client.host if request.client is not None else ""


def network_from(request: Request) -> str:
    """Return the network a request came from, which counts as one visitor."""
    return network_of(source_of(request))


def site_of(request: Request) -> Site:
    """Return where the caller's browser is; the origin was checked against the allowed ones before."""
    origin = request.headers.get("origin") or f"{request.url.scheme}://{request.url.netloc}"
    return Site(urlsplit(origin).hostname or "", origin)


def shown_in(asked: schemas.SecondShown) -> Given:
    """Return what a request shows as a second factor."""
    return Given(asked.code, asked.passkey)


async def signed_in(request: Request) -> Guest:
    """Return the signed-in caller, or refuse."""
    caller = caller_of(floor_of(request), token_of(request), is_idle=is_idle(request))
    if caller == LOCKED:
        raise RefusedHere(LOCKED, LOCKED_STATUS)
    if isinstance(caller, Refusal):
        raise HTTPException(401, "Sign in first")
    return replace(caller, network=network_from(request)) if is_guest(caller.name) else caller


async def signed_in_or_locked(request: Request) -> Guest:
    """Return the signed-in caller, even if the session is locked, or refuse."""
    floor, token = floor_of(request), token_of(request)
    guest = guest_of(floor, token, is_idle=is_idle(request)) or held_by(floor, token)
    if guest is None:
        raise HTTPException(401, "Sign in first")
    return guest


async def commander(request: Request, asked: schemas.Command) -> Guest:
    """Return who gives a command at a table; a console keeps its lease by itself, which is no use of the session."""
    if not is_kept_up(asked):
        return await signed_in(request)
    floor, token = floor_of(request), token_of(request)
    guest = guest_of(floor, token, is_idle=True) or held_by(floor, token)
    if guest is None:
        raise HTTPException(401, "Sign in first")
    return guest


async def _the_floor(request: Request) -> OpenFloor:
    return floor_of(request)  # async, because a plain function would run in its own thread


Floor = Annotated[OpenFloor, Depends(_the_floor)]
Person = Annotated[Guest, Depends(signed_in)]
Commander = Annotated[Guest, Depends(commander)]
PersonOrLocked = Annotated[Guest, Depends(signed_in_or_locked)]


@router.post("/sign-in", responses=REFUSED)
async def sign_in(request: Request, floor: Floor, asked: schemas.SignIn, response: Response) -> schemas.Me:
    """Sign in with a name and a password, and a second factor if the person has one."""
    answer = await floor.office.sign_in(
        asked.name, Password(asked.password), source_of(request), shown_in(asked), site_of(request)
    )
    return admitted(request, response, answer)


@router.post("/links", responses=REFUSED)
async def follow_link(request: Request, floor: Floor, asked: schemas.FollowLink, response: Response) -> schemas.Me:
    """Sign in with a one-time link, and a second factor if the person has one."""
    answer = await floor.office.follow_link(asked.token, source_of(request), shown_in(asked), site_of(request))
    return admitted(request, response, answer)


@router.post("/sign-out", status_code=204, response_class=Response, responses=NOT_SIGNED_IN)
async def sign_out(request: Request, floor: Floor, person: PersonOrLocked, response: Response) -> None:
    """End the session."""
    await floor.office.put(person.signing_out(floor.clock.now_ms()))
    take_cookie(request, response)


@router.get("/me", responses=NOT_SIGNED_IN)
async def me(floor: Floor, person: Person) -> schemas.Me:
    """Return who is signed in."""
    return me_of(floor, person)


@router.get("/session")
async def session(request: Request, floor: Floor) -> schemas.Session:
    """Return who is signed in, if anyone."""
    guest = guest_of(floor, token_of(request), is_idle=is_idle(request))
    locked, settings = None if guest else held_by(floor, token_of(request)), floor.settings
    return schemas.Session(
        locked=schemas.LockedSession(name=locked.name, has_pin=has_pin(floor, locked.name)) if locked else None,
        me=me_of(floor, guest) if guest else None,
        admits_guests=settings.admits_guests,
        shares_rounds=settings.shares_rounds,
        allows_reactions=settings.allows_reactions,
    )


@router.get("/tables")
async def tables(floor: Floor) -> list[schemas.TableSummary]:
    """List the tables of the floor."""
    return await all_summaries(floor)


@router.get("/tables/{table}", responses=REFUSED)
async def table(floor: Floor, request: Request, table: str, *, watching: bool = False) -> schemas.TableView:
    """Show a table as the caller may see it; `watching` says that they follow it, so that bots play for them."""
    caller = caller_of(floor, token_of(request), is_idle=is_idle(request))
    if caller == LOCKED:
        raise RefusedHere(LOCKED, LOCKED_STATUS)
    guest = None if isinstance(caller, Refusal) else caller
    live = floor.house.live(table)
    if guest is None and live.terms is not None and not live.free_play:
        raise HTTPException(401, "Sign in first")
    if watching:  # the lobby doesn't count as watching: a round begun for it would leave a newcomer out
        floor.sockets.look(table, floor.clock.now_ms())
    return schemas.TableView.model_validate(table_view(floor, live, guest.name if guest else None))


@router.get("/tables/{table}/commitments", responses=REFUSED)
async def commitments(floor: Floor, table: str) -> schemas.Commitments:
    """List the commitments to the deck's order for the current or last round, and for each waiting deck."""
    live = floor.house.live(table)
    known = live.commitments
    return schemas.Commitments(
        round_id=live.round,
        commitment=commitment_of(known),
        commitments=list(known),
        decks=[
            schemas.DeckCommitments(
                deck=deck,
                shuffle=order.shuffle,
                cut_cards=order.cut_cards,
                commitment=commitment_of(order.commitments),
                commitments=list(order.commitments),
            )
            for deck, order in live.orders.items()
        ],
    )


@router.post("/tables/{table}/commands", responses=REFUSED)
async def command(floor: Floor, person: Commander, table: str, asked: schemas.Command) -> schemas.Acknowledged:
    """Give a command at a table; a repeated id counts once."""
    answer = await ask(floor, person, table, asked)
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    return schemas.Acknowledged.model_validate(acknowledgement(floor, table, asked.id, answer))


@router.post("/tables/{table}/ticket", responses=REFUSED)
async def ticket(request: Request, floor: Floor, person: Person, table: str) -> schemas.Ticket:
    """Return a ticket that opens one socket to a table."""
    floor.house.live(table)
    issued: str = request.app.state.tickets.issue(person, table)
    return schemas.Ticket(ticket=issued)


def is_kept_up(asked: schemas.Command) -> bool:
    """Say whether a command only keeps a dealer's lease, which a locked console may do."""
    return asked.body.get("kind") == "RenewLease"


def has_pin(floor: OpenFloor, name: str) -> bool:
    """Say whether a person has a PIN for a locked console."""
    return floor.office.people.accounts[name].pin is not None


def roles_now(floor: OpenFloor, person: Guest) -> tuple[str, ...]:
    """Return the roles a person may act in: one that takes a second factor doesn't count for a person without one."""
    people = floor.office.people
    return tuple(role for role in person.roles if check_standing(people, Somebody(person.name, role)) is None)


async def ask(floor: OpenFloor, person: Guest, table: str, asked: schemas.Command) -> Answer:
    """Pass a person's command to the house."""
    roles = roles_now(floor, person)
    given = Asked(asked.id, person.name, roles, asked.body, asked.token, asked.seen)
    reason = None if roles else check_standing(floor.office.people, Somebody(person.name, person.roles[0]))
    answer = reason or await floor.do(table, given)
    told_of(person, asked.body, answer, table)
    return answer


def told_of(person: Guest, body: Mapping[str, Any], answer: Answer, table: str | None = None) -> None:
    """Log who sent which command and its outcome."""
    known = str(body.get("kind"))
    kind = known if known in commands.KINDS or known in OFFICE_KINDS else "unknown"
    said = {"person": person.name, "kind": kind, "table": table}
    if isinstance(answer, Refusal):
        log.info("command refused", extra={**said, "clause": answer.clause})
    else:
        log.info("command done", extra=said)


def acknowledgement(floor: OpenFloor, table: str, command_id: str, answer: Done) -> dict[str, Any]:
    """Return the acknowledgement of a command that is on disk, with the fields of its schema."""
    bodies = {entry.kind: entry.body for entry in answer.entries}
    return {
        "id": command_id,
        "sequence": floor.house.running(table).reaches,
        "again": answer.again,
        "entries": summaries(stream_of(table), answer.entries),
        "proposal": bodies.get(entry_kinds.PROPOSED, {}).get("proposal"),
        "lease": bodies.get(entry_kinds.LEASE_TAKEN, {}).get("token"),
    }


class RefusedHere(Exception):
    """Carries a refusal to the exception handler."""

    def __init__(self, refusal: Refusal, status: int = 409, more: Mapping[str, Any] | None = None) -> None:
        super().__init__(refusal.reason)
        self.more = more or {}
        self.refusal = refusal
        self.status = status


def refused(refusal: Refusal, status: int = 409, more: Mapping[str, Any] | None = None) -> JSONResponse:
    """Return a refusal as a response."""
    return JSONResponse({"refused": {**refusal.as_dict(), **(more or {})}}, status)


async def on_refusal(request: Request, fault: Exception) -> JSONResponse:
    """Answer with a refusal."""
    assert isinstance(fault, RefusedHere)
    return refused(fault.refusal, fault.status, fault.more)


async def on_not_here(request: Request, fault: Exception) -> JSONResponse:
    """Answer that a table doesn't run here."""
    return refused(Refusal("There is no such table", None, "table"), 404)


async def on_http(request: Request, fault: Exception) -> JSONResponse:
    """Answer the framework's own errors in the form of a refusal."""
    assert isinstance(fault, StarletteHTTPException)
    return refused(Refusal(str(fault.detail)), fault.status_code)


async def on_fault(request: Request, fault: Exception) -> JSONResponse:
    """Answer that the record can't be written."""
    log.error("record unavailable", exc_info=fault)
    return refused(Refusal("Storage is unavailable. Your last action may not have been saved"), 503)


async def on_too_many(request: Request, fault: Exception) -> JSONResponse:
    """Answer that the caller already has too many requests waiting."""
    answer = refused(Refusal("Too many of your requests are waiting. Wait a moment and try again"), 429)
    answer.headers["retry-after"] = "2"
    return answer


async def on_bug(request: Request, fault: Exception) -> JSONResponse:
    """Answer a bug of ours without its own message, which might name a card or a person; the log has it."""
    return refused(Refusal("Something went wrong. Try again, and report it if it happens again"), 500)


HANDLERS = (
    (TooManyWaiting, on_too_many),
    (RefusedHere, on_refusal),
    (NotHere, on_not_here),
    (StarletteHTTPException, on_http),
    (StoreFault, on_fault),
    (Exception, on_bug),
)


def admitted(request: Request, response: Response, answer: Admitted | Refusal | SecondAsked) -> schemas.Me:
    """Return who has signed in and give them their cookie, or raise the refusal."""
    if isinstance(answer, SecondAsked):
        raise RefusedHere(SECOND_NEEDED, 401, {"passkey": answer.passkey})
    if isinstance(answer, Refusal):
        raise RefusedHere(answer, 401)
    give_cookie(request, response, answer.token)
    guest = guest_of(floor_of(request), answer.token)
    assert guest is not None, "a person who signed in has a session"
    return me_of(floor_of(request), guest)


def me_of(floor: OpenFloor, guest: Guest) -> schemas.Me:
    """Return a person and what they hold."""
    held = floor.house.money.state
    return schemas.Me(
        name=guest.name,
        roles=list(guest.roles),
        purse_cents=held.get(f"purse:{guest.name}", 0),
        deposit_cents=held.get(f"deposit:{guest.name}", 0),
        has_pin=has_pin(floor, guest.name),
        locks_after_ms=lock_ms(floor, guest.name),
    )
