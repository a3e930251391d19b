"""Meter routes: the floor's progressives, for the two people who open, change and link meters."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pitboss.house.back_office import CHANGE_PROGRESSIVE
from pitboss.house.compliance.filed_meters import drawing_on
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import may_propose, role_for
from pitboss.house.progressive import MeterTerms, ProgressiveState
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")


class TermsOfMeter(BaseModel):
    """A meter's terms, with the field names of `OpenMeters` and `ChangeTerms`."""

    name: str
    initial_cents: int
    reset_cents: int
    rate: str = Field(description="a fraction of the stake", examples=["1/5"])
    clause: str
    reserve_rate: str
    limit_cents: int | None


class RunningMeter(BaseModel):
    """An open meter."""

    terms: TermsOfMeter
    shown_cents: int
    has_grown: bool = Field(description="whether its rate can change only after a hit or after its money is moved")
    is_retired: bool


class FiledMeters(BaseModel):
    """The meters used by the rules filed for a table."""

    table: str
    version: str
    at: int
    in_force: bool
    meters: list[TermsOfMeter]


class ProgressiveShown(BaseModel):
    """A progressive: its filed terms, its open meters, and the tables that are or could be linked."""

    progressive: str
    is_open: bool
    meters: list[RunningMeter]
    filed: list[FiledMeters] = Field(description="the newest first")
    linked: list[str]
    to_link: list[str] = Field(description="tables whose rules in force use it but that aren't linked yet")


@router.get("/office/progressives", responses=REFUSED)
async def progressives(floor: Floor, person: Person) -> list[ProgressiveShown]:
    """List every progressive in filed rules, for people who could be one of the two who change it."""
    role = role_for(roles_now(floor, person), CHANGE_PROGRESSIVE)
    if role is None or may_propose(Somebody(person.name, role), CHANGE_PROGRESSIVE):
        raise RefusedHere(Refusal("Only people who can open and link meters can list them", rule.SUBMISSIONS, "by"))
    await floor.read_other_tables()
    return _shown(floor)


def _shown(floor: OpenFloor) -> list[ProgressiveShown]:
    found = []
    filings = floor.house.filings.every()
    terms = dict(zip(((filing.table, filing.version) for filing in filings), floor.back_office.filed(), strict=True))
    names = {
        in_document.progressive for in_document in terms.values() if in_document.progressive
    } | floor.house.progressives.keys()
    for name in sorted(names):
        drawing = drawing_on(name, list(terms.values()))
        state = floor.house.progressive(name).state
        if not drawing and not state.meters:
            continue
        live_tables = {table: running.live for table, running in floor.house.tables.items()}
        filed = [
            FiledMeters(
                table=filing.table,
                version=filing.version,
                at=filing.at,
                in_force=_version(live_tables.get(filing.table)) == filing.version,
                meters=list(map(_terms, terms[filing.table, filing.version].meters)),
            )
            for filing in reversed(filings)
            if terms[filing.table, filing.version] in drawing
        ]
        found.append(
            ProgressiveShown(
                progressive=name,
                is_open=bool(state.meters),
                meters=_running(state),
                filed=filed,
                linked=sorted(state.links),
                to_link=sorted(
                    table
                    for table, live in live_tables.items()
                    if live.terms is not None and live.terms.progressive == name and live.terms.meters
                    if state.meters and table not in state.links
                ),
            )
        )
    return found


def _version(live: Any) -> str | None:
    return live.terms.version if live is not None and live.terms is not None else None


def _running(state: ProgressiveState) -> list[RunningMeter]:
    return [
        RunningMeter(
            terms=_terms(meter.terms),
            shown_cents=meter.shown_cents,
            has_grown=not meter.is_at_rest,
            is_retired=meter.is_retired,
        )
        for meter in state.meters.values()
    ]


def _terms(meter: MeterTerms) -> TermsOfMeter:
    return TermsOfMeter(**plain(meter))
