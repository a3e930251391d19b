"""Back office routes: money, meters, submissions, people, proposals and queries."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

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
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, told_of
from pitboss.server.schemas import tables as schemas
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")
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
            body=dict(proposal.body),
            until=proposal.until,
            clause=proposal.clause,
            digest=agreed_on(proposal.kind, proposal.body),
        )
        for name, proposal in floor.office.people.proposals.items()
        if _may_be_either(person, proposal.kind)
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
    """Return a sign-in link for a person; an earlier unused link becomes void."""
    link = await floor.office.issue_link(_as(person, "IssueLink"), name)
    if isinstance(link, Refusal):
        raise RefusedHere(link)
    return schemas.Link(person=name, path=f"/links/{link.token}")


@router.post("/people/{name}/password", status_code=204, response_class=Response, responses=REFUSED)
async def give_password(floor: Floor, person: Person, name: Name, asked: schemas.GivenPassword) -> None:
    """Give another person a new password."""
    by = _as(person, "SetPassword")
    refusal = check_standing(floor.office.people, by) or allowed(by, "SetPassword")
    recorded = refusal or await floor.office.set_password(by, name, Password(asked.password))
    if isinstance(recorded, Refusal):
        raise RefusedHere(recorded)


@router.post("/me/password", status_code=204, response_class=Response, responses=REFUSED)
async def change_password(floor: Floor, person: Person, asked: schemas.NewPassword) -> None:
    """Change your own password; all your sessions end, including this one."""
    by = _as(person, "ChangeOwnPassword")
    recorded = await floor.office.change_own_password(by, Password(asked.old), Password(asked.password))
    if isinstance(recorded, Refusal):
        raise RefusedHere(recorded)
    if not any(isinstance(event, PasswordSet) for event in recorded):
        raise RefusedHere(Refusal("The current password is wrong", rule.SIGN_IN, "old"))


def may(floor: OpenFloor, person: Guest, kind: str) -> None:
    """Raise a refusal if a person may not give a command that concerns no table."""
    by = _as(person, kind)
    refusal = check_standing(floor.office.people, by) or allowed(by, kind, HOUSE)
    if refusal:
        raise RefusedHere(refusal)


def _permission(command: Mapping[str, Any]) -> str:
    # A report is proposed only if its ruling voids wagers.
    kind = str(command["kind"])
    return kind if takes_two(kind) else VOID_ROUND


def _as(person: Guest, kind: str) -> Somebody:
    return Somebody(person.name, role_for(person.roles, kind) or person.roles[0])


def _may_be_either(person: Guest, kind: str) -> bool:
    return may_propose(_as(person, kind), kind) is None
