"""Submission routes: check a document while it is edited, draw, print and compare it, and show what is in force."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from pitboss.games.catalogue import UnknownGame, game
from pitboss.house.compliance.filings import filings_at
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import UnsoundDocument, version_of
from pitboss.house.people.house_rules import SUBMISSIONS, TABLES
from pitboss.packet.felt import felt, position
from pitboss.rules.plain import Malformed
from pitboss.rules.procedure import DEALER, FLOORPERSON
from pitboss.rules.refusal import Refusal
from pitboss.server.demonstration import document_for
from pitboss.server.lab.packets import NotPrinted, Packets
from pitboss.server.lab.worker_pool import Unanswered
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import is_free_play
from pitboss.server.routes.filings import NoticeShown, notice_of
from pitboss.server.routes.games import refusal_of, sound_terms
from pitboss.server.routes.lab import LAB, Lab
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas.rules import FaultShown, RulesDocument
from pitboss.server.schemas.tables import Body, Wire
from pitboss.server.table_documents import PEOPLE, check_size, document_of, read_terms
from pitboss.server.table_rules import submission_of
from pitboss.submission.check import check, notes
from pitboss.submission.compare import compare
from pitboss.submission.document import Submission
from pitboss.submission.explain import explain
from pitboss.submission.printed import printed

FACILITY = "Harbor Casino"


async def _may_read(floor: Floor, person: Person) -> None:
    if not is_free_play(floor):  # where nothing is at stake, anyone may try a submission out
        may(floor, person, "ReadSubmissions")


router = APIRouter(prefix="/api/submissions", dependencies=[Depends(_may_read)])


class ChoiceShown(BaseModel):
    """An accepted choice in a sentence, with the clause it rests on and the rulings that govern it."""

    field: str
    sentence: str
    clause: str | None
    rulings: list[str]


class Checked(BaseModel):
    """The result of checking a document."""

    faults: list[FaultShown]
    notes: list[FaultShown] = Field(description="what is accepted only because the table is for analysis")
    choices: list[ChoiceShown]
    version: str | None = Field(description="its version; null while it has faults")


class Preview(BaseModel):
    """A table's layout and sign as the packet draws them, as SVG."""

    layout: str
    position: str = Field(description="one betting position, enlarged")
    sign: str
    posted: dict[str, Any] = Field(description="the layout in words: areas, inscriptions, odds, limits, equipment")


class Blank(BaseModel):
    """A document to start from."""

    document: dict[str, Any]


class Compared(Wire):
    """Two documents of a table to compare."""

    old: Body = Field(max_length=20, examples=[{"facility": {}, "table": {}}])
    new: Body = Field(max_length=20, examples=[{"facility": {}, "table": {}}])


class ChangeShown(BaseModel):
    """A choice that changed."""

    table: str | None
    what: str = Field(examples=["wagers.ante.minimum"])
    path: list[str] = Field(description="the same as its keys", examples=[["wagers", "ante", "minimum"]])
    before: str | None
    after: str | None
    clause: str | None


class WorthShown(BaseModel):
    """A wager's value under one of two documents: the exact figure, and the house edge as a page prints it."""

    paytable: str | None
    ev: str = Field(
        description="the player's expected value per unit, as a fraction in lowest terms", examples=["-1/45"]
    )
    house_edge: float


class EdgeMoved(BaseModel):
    """A wager whose value changed; before or after is empty if the wager isn't offered there."""

    wager: str = Field(description="its name, or `main` for the wagers that are played together, per unit of Ante")
    title: str
    before: WorthShown | None
    after: WorthShown | None


class DoneFirst(BaseModel):
    """A step required before other rules can be put in force."""

    text: str
    by: list[str] = Field(description="the roles that may do it")
    clause: str


class SubmittedVersion(BaseModel):
    """A version of a table's rules that was submitted."""

    version: str
    at: int
    by: str
    approval: str | None = Field(description="the commission's approval reference, if one was recorded")
    notice: NoticeShown | None = Field(description="the notice given to players")
    document: dict[str, Any]


class AtTable(BaseModel):
    """The rules in force at a table and the versions submitted for it, newest first."""

    table: str
    in_force: str | None
    document: dict[str, Any] | None
    submitted: list[SubmittedVersion]
    first: list[DoneFirst] = Field(description="what to do before other rules can be put in force")


async def _the_packets(request: Request) -> Packets:
    packets: Packets = request.app.state.packets
    return packets


Printing = Annotated[Packets, Depends(_the_packets)]


@router.get("", responses=REFUSED)
async def at_table(floor: Floor, person: Person, table: Annotated[str, Query(max_length=80)]) -> AtTable:
    """Show the rules in force at a table and the versions submitted for it."""
    running = floor.house.tables.get(table)
    terms = running.live.terms if running else None
    submitted = await floor.beside(lambda: _submitted(floor, table), person.share)
    return AtTable(
        table=table,
        in_force=terms.version if terms else None,
        document=dict(terms.document) if terms else None,
        submitted=submitted,
        first=_done_first(running.live) if running else [],
    )


@router.get("/blank", responses=REFUSED)
async def blank(floor: Floor, person: Person, game: Annotated[str, Query(max_length=80)]) -> Blank:
    """Return a document to start from: everything the rulebook prices, dealt by people."""
    return Blank(document=_blank(floor, game))


@router.post("/check", responses=REFUSED)
async def checked(floor: Floor, person: Person, asked: RulesDocument) -> Checked:
    """Check a document and return every error at once, with its place and clause."""
    return await floor.beside(lambda: _checked(asked.document), person.share)


@router.post("/preview", responses=REFUSED)
async def preview(floor: Floor, person: Person, asked: RulesDocument) -> Preview:
    """Draw the layout and the sign of a document without faults."""
    return await floor.beside(lambda: _preview(asked), person.share)


@router.post("/packet", responses=REFUSED, response_class=Response)
async def packet(floor: Floor, person: Person, packets: Printing, asked: RulesDocument) -> Response:
    """Print the packet of a document without faults, as a PDF; this takes a while."""
    terms = sound_terms(asked)
    try:
        made = await packets.print(terms.document)
    except NotPrinted as fault:
        raise RefusedHere(Refusal(str(fault), SUBMISSIONS, "document"), fault.status) from None
    name = f'attachment; filename="packet-{terms.version}.pdf"'
    return Response(made, media_type="application/pdf", headers={"content-disposition": name})


@router.post("/compare", responses=REFUSED)
async def compared(floor: Floor, person: Person, asked: Compared) -> list[ChangeShown]:
    """List the changes from one document to another, with their clauses."""
    old, new = _both(asked)
    return [ChangeShown.model_validate({**change.as_dict(), "path": list(change.path)}) for change in compare(old, new)]


@router.post("/compare/edges", responses=LAB)
async def compared_edges(floor: Floor, person: Person, lab: Lab, asked: Compared) -> list[EdgeMoved]:
    """Return every wager whose exact value changes from one document to another; this may need counting first."""
    _both(asked)
    try:
        found = await lab.solve("compared", {"old": asked.old, "new": asked.new}, person.share)
    except Unanswered as fault:
        raise RefusedHere(fault.refusal, fault.status) from None
    return [EdgeMoved(**edge) for edge in found]


def _both(asked: Compared) -> tuple[Submission, Submission]:
    old, new = submission_of(asked.old), submission_of(asked.new)
    for submission in (old, new):
        if faults := check(submission):
            raise RefusedHere(refusal_of(faults[0]))
    return old, new


def _done_first(live: LiveTable) -> list[DoneFirst]:
    # The same requirements as an activation, shown before anyone proposes one.
    if live.terms is None or live.cards is None or not live.cards.decks:
        return []
    found = []
    if live.in_round:
        found.append(DoneFirst(text="Wait for the current round to end.", by=[DEALER], clause=SUBMISSIONS))
    if live.is_open and live.terms.automatic:
        text = "Close the table. It deals by itself and would load a new deck right away."
        found.append(DoneFirst(text=text, by=[FLOORPERSON], clause=TABLES))
    clause = live.cards.settings.procedures.two_decks.cite
    for deck in live.cards.decks:
        text = f"Remove {deck.name} from the table. It was prepared under the rules in force."
        found.append(DoneFirst(text=text, by=[DEALER, FLOORPERSON], clause=clause))
    return found


def _submitted(floor: OpenFloor, table: str) -> list[SubmittedVersion]:
    return [
        SubmittedVersion(
            version=filing.version,
            at=filing.at,
            by=filing.by,
            approval=filing.approval,
            notice=notice_of(filing),
            document=dict(filing.document),
        )
        for filing in filings_at(floor.store, table)
    ]


def _blank(floor: OpenFloor, name: str) -> dict[str, Any]:
    try:
        definition = game(name)
    except UnknownGame as unknown:
        raise RefusedHere(Refusal(str(unknown), None, "game"), 404) from None
    made = document_for(definition)
    table = {key: value for key, value in made["table"].items() if key != "free-play"}
    known = (running.live.terms for running in floor.house.tables.values())
    facility = next(
        (terms.document["facility"]["name"] for terms in known if terms and not terms.settings.free_play), FACILITY
    )
    named = {"name": facility, "jurisdiction": definition.rulebook.jurisdiction}
    return document_of(
        named, {**table, "name": f"{definition.title} 1"}, dealer=PEOPLE, progressive=made["progressive"]
    )


def _checked(document: Mapping[str, Any]) -> Checked:
    try:
        check_size(document)
    except UnsoundDocument as wrong:
        fault = FaultShown(table=None, field="document", path=["document"], reason=str(wrong), clause=SUBMISSIONS)
        return Checked(faults=[fault], notes=[], choices=[], version=None)
    submission = submission_of(document)
    faults = [
        FaultShown(
            table=found.table, field=found.where, path=list(found.path), reason=found.reason, clause=found.clause
        )
        for found in check(submission)
    ]
    if not faults:
        faults = _beside_the_submission(document)
    return Checked(
        faults=faults,
        notes=[
            FaultShown(table=note.table, field=note.where, path=list(note.path), reason=note.remark, clause=note.clause)
            for note in notes(submission)
        ],
        choices=[
            ChoiceShown(
                field=choice.where, sentence=choice.sentence, clause=choice.clause, rulings=list(choice.rulings)
            )
            for choice in explain(submission)
        ],
        version=None if faults else version_of(document),
    )


def _beside_the_submission(document: Mapping[str, Any]) -> list[FaultShown]:
    # A table's document also says who deals, at what pace, which meters it uses and which payouts are verified.
    try:
        terms = read_terms(document)
    except (UnsoundDocument, Malformed) as wrong:
        return [FaultShown(table=None, field="document", path=["document"], reason=str(wrong), clause=SUBMISSIONS)]
    found = {"pace": terms.pace.fault(free_play=terms.settings.free_play), "verification": terms.verification.fault()}
    return [
        FaultShown(table=None, field=name, path=[name], reason=fault, clause=SUBMISSIONS)
        for name, fault in found.items()
        if fault
    ]


def _preview(asked: RulesDocument) -> Preview:
    from pitboss.packet.sign import sign_svg

    terms = sound_terms(asked)
    submission = submission_of(terms.document)
    posted, definition = printed(submission, submission.tables[0]), terms.settings.game
    return Preview(
        layout=felt(posted, definition),
        position=position(posted, definition),
        sign=sign_svg(posted),
        posted=posted.as_dict(),
    )
