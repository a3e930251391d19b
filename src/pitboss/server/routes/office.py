"""Back office routes: money, meters, submissions, people, proposals and queries."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from pitboss.house import entry_kinds
from pitboss.house.back_office import agreed_on
from pitboss.house.live_table.permissions import VOID_ROUND
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import check_standing
from pitboss.house.people.authorization import HOUSE, Place, allowed, clause_of, may_propose, role_for, takes_two
from pitboss.house.people.events import PasswordSet
from pitboss.house.people.passwords import Password
from pitboss.house.running_tables import Asked
from pitboss.rules.refusal import Refusal
from pitboss.server.console_locks import is_locked
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.tables import (
    REFUSED,
    Floor,
    Person,
    PersonOrLocked,
    RefusedHere,
    me_of,
    source_of,
    told_of,
)
from pitboss.server.schemas import tables as schemas
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")
_KEPT_BACK = ("digest", "credential")  # of a proposed link or password; nobody reads them
Name = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9._-]*$")]


@router.post("/office/commands", responses=REFUSED)
async def office_command(floor: Floor, person: Person, asked: schemas.OfficeCommand) -> schemas.Settled:
    """Give a back office command; a repeated id counts once."""
    answer = await floor.at_office(Asked(asked.id, person.name, person.roles, asked.body))
    told_of(person, asked.body, answer)
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    proposed = any(entry.kind == entry_kinds.PEOPLE_PROPOSED for entry in answer.entries)
    return schemas.Settled(id=asked.id, again=answer.again, proposal=asked.id if proposed else None)


@router.get("/office/proposals", responses=REFUSED)
async def office_proposals(floor: Floor, person: Person) -> list[schemas.Waiting]:
    """List back office commands that wait for a second person, for people who could be one of the two."""
    return [
        schemas.Waiting(
            proposal=name,
            by=proposal.by,
            role=proposal.role,
            body={name: value for name, value in proposal.body.items() if name not in _KEPT_BACK},
            until=proposal.until,
            clause=proposal.clause,
            digest=agreed_on(proposal.kind, proposal.body),
            permission=proposal.kind,
        )
        for name, proposal in floor.office.people.proposals.items()
        if _may_be_either(floor, person, proposal.kind)
    ]


@router.get("/tables/{table}/proposals", responses=REFUSED)
async def table_proposals(floor: Floor, person: Person, table: str) -> list[schemas.Waiting]:
    """List commands at a table that wait for a second person."""
    may(floor, person, "Decline")
    live = floor.house.live(table)
    return [
        schemas.Waiting(
            proposal=name,
            by=proposal.by,
            role=proposal.role,
            body=dict(proposal.command),
            until=proposal.until,
            clause=clause_of(
                _permission(proposal.command), Place(game=live.terms.settings.game if live.terms else None)
            ),
            digest=None,
        )
        for name, proposal in live.proposals.items()
    ]


@router.post("/people/{name}/link", responses=REFUSED)
async def give_link(floor: Floor, person: Person, name: Name) -> schemas.Link:
    """Return a sign-in link for a person; if a proposal is returned, a second administrator confirms it first."""
    given = await floor.access.give_link(_giving(floor, person, "GiveLink"), name)
    if isinstance(given, Refusal):
        raise RefusedHere(given)
    token, waits = given
    return schemas.Link(person=name, path=f"/links/{token}", proposal=waits)


@router.post("/people/{name}/password", responses=REFUSED)
async def give_password(floor: Floor, person: Person, name: Name, asked: schemas.GivenPassword) -> schemas.AccessGiven:
    """Give another person a new password; if a proposal is returned, a second administrator confirms it first."""
    waits = await floor.access.give_password(_giving(floor, person, "GivePassword"), name, Password(asked.password))
    if isinstance(waits, Refusal):
        raise RefusedHere(waits)
    return schemas.AccessGiven(person=name, proposal=waits)


@router.post("/me/password", status_code=204, response_class=Response, responses=REFUSED)
async def change_password(floor: Floor, person: Person, asked: schemas.NewPassword) -> None:
    """Change your own password; all your sessions end, including this one."""
    by = _as(person, "ChangeOwnPassword")
    recorded = await floor.office.change_own_password(by, Password(asked.old), Password(asked.password))
    if isinstance(recorded, Refusal):
        raise RefusedHere(recorded)
    if not any(isinstance(event, PasswordSet) for event in recorded):
        raise RefusedHere(Refusal("The current password is wrong", rule.SIGN_IN, "old"))


@router.post("/me/pin", status_code=204, response_class=Response, responses=REFUSED)
async def set_pin(floor: Floor, person: Person, asked: schemas.NewPin) -> None:
    """Set the PIN that unlocks your console."""
    recorded = await floor.office.set_pin(_as(person, "SetPin"), Password(asked.password), asked.pin)
    if isinstance(recorded, Refusal):
        raise RefusedHere(recorded)


@router.post("/unlock", responses=REFUSED)
async def unlock(request: Request, floor: Floor, person: PersonOrLocked, asked: schemas.Pin) -> schemas.Me:
    """Unlock your console with your PIN; after three wrong ones the session ends."""
    if is_locked(floor, person.kept):
        by = Somebody(person.name, person.roles[0])
        refusal = await floor.office.unlock(by, person.kept, asked.pin, source_of(request))
        if refusal:
            raise RefusedHere(refusal, 401 if person.session not in floor.office.people.sessions else 409)
    return me_of(floor, person)


def may(floor: OpenFloor, person: Guest, kind: str) -> None:
    """Raise a refusal if a person may not give a command that concerns no table."""
    by = _as(person, kind)
    refusal = check_standing(floor.office.people, by) or allowed(by, kind, HOUSE)
    if refusal:
        raise RefusedHere(refusal)


def _giving(floor: OpenFloor, person: Guest, kind: str) -> Asked:
    return Asked(floor.fresh(), person.name, person.roles, {"kind": kind})


def _permission(command: Mapping[str, Any]) -> str:
    # A report is proposed only if its ruling voids wagers.
    kind = str(command["kind"])
    return kind if takes_two(kind) else VOID_ROUND


def _as(person: Guest, kind: str) -> Somebody:
    return Somebody(person.name, role_for(person.roles, kind) or person.roles[0])


def _may_be_either(floor: OpenFloor, person: Guest, kind: str) -> bool:
    by = _as(person, kind)
    return (check_standing(floor.office.people, by) or may_propose(by, kind)) is None
