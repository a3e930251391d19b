"""The submitted versions of a table's rules, for the two people who put one in force."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pitboss.house.compliance.filings import Filing, filings_at
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import role_for
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now

router = APIRouter(prefix="/api")


class NoticeShown(BaseModel):
    """A notice of a rule change given to players."""

    at: int = Field(description="when it was posted, in UTC milliseconds")
    by: str
    days: int
    until: int = Field(description="when the notice period ends")


class SubmittedRules(BaseModel):
    """A submitted version of a table's rules that can be put in force."""

    version: str = Field(examples=["3f0c9a1be2d44a70"])
    at: int = Field(description="when it was last filed, in UTC milliseconds")
    by: str
    in_force: bool
    approval: str | None = Field(description="the commission's approval reference, if one was recorded")
    notice: NoticeShown | None = Field(description="the notice given to players")
    document: dict[str, Any]


@router.get("/tables/{table}/submitted", responses=REFUSED)
async def submitted_rules(floor: Floor, person: Person, table: str) -> list[SubmittedRules]:
    """List the versions submitted for a table, newest first."""
    if role_for(roles_now(floor, person), "ActivateSubmission") is None:
        raise RefusedHere(
            Refusal("Only people who can put rules in force can list submitted rules", rule.SUBMISSIONS, "by")
        )
    terms = floor.house.live(table).terms
    in_force = terms.version if terms else None
    return await floor.beside(lambda: _found(floor, table, in_force), person.share)


def _found(floor: OpenFloor, table: str, in_force: str | None) -> list[SubmittedRules]:
    return [
        SubmittedRules(
            version=filing.version,
            at=filing.at,
            by=filing.by,
            in_force=filing.version == in_force,
            approval=filing.approval,
            notice=notice_of(filing),
            document=dict(filing.document),
        )
        for filing in filings_at(floor.store, table)
    ]


def notice_of(filing: Filing) -> NoticeShown | None:
    """Return the notice given of a version, in its wire form."""
    notice = filing.notice
    return NoticeShown(at=notice.at, by=notice.by, days=notice.days, until=notice.until) if notice else None
