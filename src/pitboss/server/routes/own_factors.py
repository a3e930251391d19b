"""Your own second factors: apps that show codes, passkeys and recovery codes."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from pitboss.house.people.passwords import Password
from pitboss.house.people.sign_in import OwnProof
from pitboss.rules.refusal import Refusal
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, shown_in, site_of
from pitboss.server.schemas import own_factors as schemas
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api/me/factors")
Factor = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


@router.get("", responses=REFUSED)
async def own_factors(floor: Floor, person: Person) -> schemas.OwnFactors:
    """List your second factors."""
    people = floor.office.people
    account = people.accounts[person.name]
    return schemas.OwnFactors(
        factors=[
            schemas.OwnFactor(factor=name, kind=factor.kind, label=factor.label)
            for name, factor in account.factors.items()
        ],
        recovery_codes=len(account.recovery),
        is_required=any(role in people.needs_factor for role in person.roles),
    )


@router.post("/code", responses=REFUSED)
async def begin_code(floor: Floor, person: Person) -> schemas.NewCode:
    """Return a secret for an app that shows codes; it isn't in force yet."""
    made = floor.office.begin_code(_as(person))
    return schemas.NewCode(ticket=made.ticket, secret=made.secret, uri=made.uri)


@router.post("/passkey", responses=REFUSED)
async def begin_passkey(request: Request, floor: Floor, person: Person) -> schemas.BrowserOptions:
    """Return the options with which your browser makes a passkey."""
    return schemas.BrowserOptions(options=await floor.office.begin_passkey(_as(person), site_of(request)))


@router.post("/challenge", responses=REFUSED)
async def ask_passkey(request: Request, floor: Floor, person: Person) -> schemas.BrowserOptions:
    """Return the options with which your browser answers with a passkey you have."""
    return schemas.BrowserOptions(options=await floor.office.ask_passkey(_as(person), site_of(request)))


@router.post("", responses=REFUSED)
async def add_factor(
    request: Request, floor: Floor, person: Person, asked: schemas.AddedFactor
) -> schemas.RecoveryCodes:
    """Put a new second factor in force; the first one comes with recovery codes."""
    answer = await floor.office.add_factor(
        _as(person),
        asked.label,
        _own(request, asked),
        ticket=asked.ticket,
        code=asked.new_code,
        made=asked.new_passkey,
    )
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    return schemas.RecoveryCodes(codes=list(answer))


@router.post("/{factor}/remove", status_code=204, response_class=Response, responses=REFUSED)
async def remove_factor(
    request: Request, floor: Floor, person: Person, factor: Factor, asked: schemas.OwnProof
) -> None:
    """Remove a second factor."""
    answer = await floor.office.remove_factor(_as(person), factor, _own(request, asked))
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)


@router.post("/recovery-codes", responses=REFUSED)
async def new_recovery_codes(
    request: Request, floor: Floor, person: Person, asked: schemas.OwnProof
) -> schemas.RecoveryCodes:
    """Replace your recovery codes."""
    answer = await floor.office.new_recovery_codes(_as(person), _own(request, asked))
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    return schemas.RecoveryCodes(codes=list(answer))


def _as(person: Guest) -> Somebody:
    return Somebody(person.name, person.roles[0])


def _own(request: Request, asked: schemas.OwnProof) -> OwnProof:
    return OwnProof(Password(asked.password), shown_in(asked), site_of(request))
