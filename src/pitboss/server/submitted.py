"""The versions of a table's rules that were submitted, for the two people who put one of them in force."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pitboss.house.people import house_rules as rule
from pitboss.house.people.allowed import role_for
from pitboss.house.running import FLOOR
from pitboss.rules.refusal import Refusal
from pitboss.server.api import REFUSED, Floor, Person, RefusedHere
from pitboss.server.floor import OpenFloor

router = APIRouter(prefix="/api")
SUBMITTED = f"{FLOOR}.RulesSubmitted"


class SubmittedRules(BaseModel):
    """A version of a table's rules that can be put in force there."""

    version: str = Field(examples=["3f0c9a1be2d44a70"])
    at: int = Field(description="when it was submitted last, in UTC milliseconds")
    by: str
    in_force: bool
    document: dict[str, Any]


@router.get("/tables/{table}/submitted", responses=REFUSED)
async def submitted_rules(floor: Floor, person: Person, table: str) -> list[SubmittedRules]:
    """List the versions submitted for a table, the newest first."""
    if role_for(person.roles, "ActivateSubmission") is None:
        raise RefusedHere(Refusal("Submitted rules are for those who put them in force", rule.SUBMISSIONS, "by"))
    terms = floor.house.desk(table).terms
    in_force = terms.version if terms else None
    return await floor.beside(lambda: _found(floor, table, in_force))


def _found(floor: OpenFloor, table: str, in_force: str | None) -> list[SubmittedRules]:
    found: dict[str, SubmittedRules] = {}
    for entry in floor.store.read(FLOOR, kinds=(SUBMITTED,)):
        version = str(entry.body["version"])
        if entry.body["table"] == table:
            found[version] = SubmittedRules(
                version=version,
                at=entry.at,
                by=entry.actor,
                in_force=version == in_force,
                document=dict(entry.body["document"]),
            )
    return sorted(found.values(), key=lambda one: -one.at)
