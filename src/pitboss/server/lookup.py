"""What can be looked up of a table over HTTP: its last rounds, step by step, and the dealer's console."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pitboss.house.desk.console import console
from pitboss.house.desk.state import stream_of
from pitboss.house.evidence import UnknownRound
from pitboss.house.people import house_rules as rule
from pitboss.house.people.allowed import Place, allowed, role_for
from pitboss.house.recall import Recalled, Step, recall, rounds_of
from pitboss.house.running import Asked
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.api import REFUSED, Floor, Person, RefusedHere
from pitboss.server.back import may
from pitboss.server.floor import OpenFloor
from pitboss.server.guests import Guest
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")
LAST_BEGUN = ("house.RoundBegun",)


class RecalledStep(BaseModel):
    """One step of a recorded round."""

    sequence: int
    at: int
    kind: str = Field(examples=["round.BetsClosed"])
    actor: str
    role: str
    clause: str | None
    seen: dict[str, Any] = Field(description="the round after it, as anybody at the table saw it")
    cards: dict[str, list[str]] | None = Field(description="all cards dealt by then, for auditors and regulators")


class RecalledRound(BaseModel):
    """A recorded round, step by step."""

    round: str
    is_over: bool
    agrees: bool = Field(description="whether the rules, asked again, give the same money and clauses")
    steps: list[RecalledStep]


class DealersConsole(BaseModel):
    """A table as its dealer works it: what is to be done now, by which command, and what would be refused."""

    console: dict[str, Any]
    lease: int | None = Field(description="the number of the lease, to whoever holds it")


@router.get("/tables/{table}/console", responses=REFUSED)
async def dealers_console(floor: Floor, person: Person, table: str) -> DealersConsole:
    """Show the console of a table to those who work there."""
    desk = floor.house.desk(table)
    role = role_for(person.roles, "ReportIrregularity")
    if role is None:
        raise RefusedHere(Refusal("A console is for the people who work at the table", rule.ROLES, "by"))
    token = desk.lease.token if desk.lease.holder == person.name else None
    asked = Asked("", person.name, person.roles, {"kind": "BeginRound"}, token)
    shown = console(desk, floor.house.means(desk, asked))
    return DealersConsole(console=plain(shown), lease=token)


@router.get("/tables/{table}/rounds", responses=REFUSED)
async def last_rounds(floor: Floor, person: Person, table: str) -> list[str]:
    """List a table's last ten rounds and the current one, which is the last."""
    may(floor, person, "RecallRounds")
    stream = floor.house.desk(table).stream
    return list(await floor.beside(lambda: rounds_of(floor.store.read(stream, kinds=LAST_BEGUN))))


@router.get("/tables/{table}/rounds/{round_id}", responses=REFUSED)
async def recalled(floor: Floor, person: Person, table: str, round_id: str) -> RecalledRound:
    """Return a round step by step, also while the table is locked."""
    may(floor, person, "RecallRounds")
    floor.house.desk(table)
    try:
        return await floor.beside(lambda: _recalled(floor, person, table, round_id))
    except UnknownRound as fault:
        raise RefusedHere(Refusal(str(fault), None, "round"), 404) from None


def _recalled(floor: OpenFloor, person: Guest, table: str, round_id: str) -> RecalledRound:
    house = floor.house
    found = recall(floor.store.read(stream_of(table)), round_id, house.reading.read_terms, house.seal)
    may_open = Somebody(person.name, role_for(person.roles, "ReadSealed") or person.roles[0])
    is_entitled = found.is_over and allowed(may_open, "ReadSealed", Place(is_round_over=True)) is None
    return RecalledRound(
        round=found.round,
        is_over=found.is_over,
        agrees=not found.disagreements,
        steps=[_step(found, step, is_entitled=is_entitled) for step in found.steps],
    )


def _step(found: Recalled, step: Step, *, is_entitled: bool) -> RecalledStep:
    entry = step.entry
    return RecalledStep(
        sequence=entry.sequence,
        at=entry.at,
        kind=entry.kind,
        actor=entry.actor,
        role=entry.role,
        clause=entry.clause,
        seen=plain(step.public),
        cards={place: list(cards) for place, cards in found.cards(step).items()} if is_entitled else None,
    )
