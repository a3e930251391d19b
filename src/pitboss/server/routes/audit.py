"""Audit routes: search rounds and events, step through a round, verify the record, and export evidence."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from pitboss.house.narrator import of_entry, words_of
from pitboss.house.people.authorization import role_for
from pitboss.house.replay import segment_of, terms_at
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Entry, entry_of, sound_entry
from pitboss.record.evidence import TABLES, history_parquet, write_evidence
from pitboss.record.store import StoreFault
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.record_check import CHECKPOINTS, Check, Verification, verify_table
from pitboss.server.round_search import Summary, Wanted, search
from pitboss.server.routes.office import may
from pitboss.server.routes.rounds import in_record, recalled_round
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas.rounds import RecalledRound
from pitboss.server.schemas.rules import TableRules
from pitboss.server.table_rules import rules_kept

# The key to a round's dealt cards, and the cards as they were picked up: they show hands that nobody turned over.
OPENING = ("dealt_key", "pickup")
router = APIRouter(prefix="/api/audit")
PAGE = 50
EVENTS_READ_MOST = 20_000  # entries examined for one page of events
NAME = Query(max_length=80)
From = Annotated[int | None, Query(alias="from", ge=0, le=2**53, description="UTC milliseconds")]
To = Annotated[int | None, Query(alias="to", ge=0, le=2**53, description="UTC milliseconds")]
Text = Annotated[str | None, NAME]
ZIP, LINES, PARQUET = "zip", "jsonl", "parquet"
_MEDIA = {ZIP: "application/zip", LINES: "application/jsonl", PARQUET: "application/vnd.apache.parquet"}


class SeatInRound(BaseModel):
    """The player at a seat, and the seat's result."""

    seat: int
    player: str
    staked_cents: int
    net_cents: int


class RoundInList(BaseModel):
    """A round as a list shows it."""

    round: str
    table: str
    number: int
    at: int
    ended_at: int | None
    rules: str | None
    seats: list[SeatInRound]
    staked_cents: int
    net_cents: int = Field(description="the players' total win; negative for a loss")
    outcome: str | None = Field(
        examples=["settled"], description="settled or void; null while the round is in progress"
    )


class RoundsFound(BaseModel):
    """A page of rounds, newest first."""

    rounds: list[RoundInList]
    next: str | None = Field(description="the value of `after` for the next page; null if there are no more")


class EventInList(BaseModel):
    """An entry of the record."""

    stream: str
    sequence: int
    at: int
    kind: str
    title: str = Field(examples=["Round begun"], description="the kind in words")
    told: str = Field(examples=["The round begins"], description="what happened, in a sentence without any cards")
    actor: str
    role: str
    clause: str | None
    body: dict[str, Any]


class EventsFound(BaseModel):
    """A page of entries, newest first."""

    events: list[EventInList]
    next: int | None = Field(description="the value of `before` for the next page; null if there are no more")


class CheckDone(BaseModel):
    """One check of a verification."""

    name: str = Field(examples=["chain"])
    passed: bool
    count: int
    of: str = Field(examples=["entries"], description="what was counted")
    fault: str | None = Field(description="the first fault found, in a sentence")


class Verified(BaseModel):
    """The result of a verification."""

    table: str
    round: str | None
    sound: bool
    entries: int
    at: int
    checks: list[CheckDone]


@router.get("/rounds", responses=REFUSED)
async def rounds(
    floor: Floor,
    person: Person,
    table: Text = None,
    since: From = None,
    until: To = None,
    player: Text = None,
    outcome: Literal["settled", "void"] | None = None,
    after: Annotated[str | None, Query(max_length=200)] = None,
) -> RoundsFound:
    """Search rounds, newest first."""
    may(floor, person, "ReadRecord")
    wanted = Wanted(table, since, until, player, outcome, _cursor(after))
    found = await in_record(floor, person.share, lambda: search(floor.store, floor.rounds, wanted, PAGE))
    following = f"{found.next[0]}:{found.next[1]}" if found.next else None
    return RoundsFound(rounds=[_in_list(summary) for summary in found.rounds], next=following)


@router.get("/events", responses=REFUSED)
async def events(
    floor: Floor,
    person: Person,
    stream: Annotated[str, NAME] = "floor",
    kind: Text = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> EventsFound:
    """Search the entries of a stream, such as the significant events of the floor, newest first."""
    may(floor, person, "ReadRecord")
    may_open = role_for(person.roles, "ReadSealed") is not None
    return await in_record(floor, person.share, lambda: _events(floor, stream, kind, before, may_open=may_open))


@router.get("/rounds/{round_id}", responses=REFUSED)
async def one_round(floor: Floor, person: Person, round_id: str) -> RecalledRound:
    """Return a round step by step, with all its cards if the caller is entitled to see them."""
    may(floor, person, "ReadRecord")
    return await in_record(floor, person.share, lambda: recalled_round(floor, person, round_id))


@router.get("/rounds/{round_id}/rules", responses=REFUSED)
async def rules_of_round(floor: Floor, person: Person, round_id: str) -> TableRules:
    """Return the rules a round was played under, which may differ from those in force now."""
    may(floor, person, "ReadRecord")
    return await in_record(floor, person.share, lambda: _rules(floor, round_id))


@router.post("/verify", responses=REFUSED)
async def verify(
    floor: Floor,
    person: Person,
    table: Text = None,
    round_id: Annotated[str | None, Query(alias="round", max_length=200)] = None,
) -> Verified:
    """Check a table's record: its links, signed heads, cards, shuffles, money and payouts; a round names its table."""
    may(floor, person, "VerifyRecord")
    if table is None:
        if round_id is None:
            raise RefusedHere(Refusal("Name the table or the round to verify", None, "table"))
        segment = await in_record(floor, person.share, lambda: segment_of(floor.store, round_id))
        table = segment.stream.removeprefix(TABLES)
    if stream_of(table) not in await floor.beside(floor.store.heads, person.share):
        raise RefusedHere(Refusal(f"The record has no table {table}", None, "table"), 404)
    if round_id is not None:
        await in_record(floor, person.share, lambda: segment_of(floor.store, round_id))
    found = await floor.checking.answer(lambda: _verified(floor, table, round_id), person.share)
    return Verified(
        table=table,
        round=round_id,
        sound=found.is_sound,
        entries=found.entries,
        at=floor.clock.now_ms(),
        checks=[_done(check) for check in found.checks],
    )


@router.get("/rounds/{round_id}/bundle", responses=REFUSED, response_class=Response)
async def bundle(
    floor: Floor, person: Person, round_id: str, kind: Literal["zip", "jsonl", "parquet"] = "zip"
) -> Response:
    """Export the evidence of a round: everything in a ZIP, or only its entries as JSON Lines or Parquet."""
    may(floor, person, "ExportEvidence")
    with contextlib.suppress(OSError, StoreFault):  # without a newer head, the evidence reaches to the last one
        await floor.export_heads()
    content = await in_record(floor, person.share, lambda: _bundle(floor, round_id, kind))
    if content is None:
        raise RefusedHere(Refusal("This server can't write Parquet. Choose ZIP or JSON Lines", None, "kind"))
    named = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in round_id)
    disposition = f'attachment; filename="{named}.{kind}"'
    return Response(content, media_type=_MEDIA[kind], headers={"content-disposition": disposition})


def _rules(floor: OpenFloor, round_id: str) -> TableRules:
    segment = segment_of(floor.store, round_id)
    return rules_kept(
        segment.stream.removeprefix(TABLES), terms_at(floor.store, segment, floor.house.reading.read_terms).terms
    )


def _cursor(after: str | None) -> tuple[int, str] | None:
    at, _, name = (after or "").partition(":")
    if after is None:
        return None
    if not (at.isascii() and at.isdigit() and len(at) < 17):
        raise RefusedHere(Refusal("This page of the list isn't valid. Start the search again", None, "after"), 422)
    return int(at), name


def _in_list(summary: Summary) -> RoundInList:
    return RoundInList(
        round=summary.round,
        table=summary.table,
        number=summary.number,
        at=summary.at,
        ended_at=summary.ended_at,
        rules=summary.rules,
        seats=[
            SeatInRound(
                seat=seat,
                player=player,
                staked_cents=sum(summary.stakes.get(seat, {}).values()),
                net_cents=summary.nets.get(seat, 0),
            )
            for seat, player in sorted(summary.players.items())
        ],
        staked_cents=summary.staked_cents,
        net_cents=summary.net_cents,
        outcome=summary.outcome,
    )


def _events(floor: OpenFloor, stream: str, kind: str | None, before: int | None, *, may_open: bool) -> EventsFound:
    head = floor.store.heads().get(stream)
    if head is None:
        return EventsFound(events=[], next=None)
    last = min(head.sequence, before - 1 if before else head.sequence)
    least = max(0, last - EVENTS_READ_MOST)
    found: list[Entry] = []
    while last > least and len(found) < PAGE:
        first = max(least, last - 4 * PAGE)
        page = [entry for line in floor.store.lines(stream, first, last) if (entry := sound_entry(line))]
        found += [entry for entry in reversed(page) if kind is None or entry.kind == kind]
        last = first
    shown = found[:PAGE]
    following = shown[-1].sequence if len(found) > PAGE else last + 1
    events = [_event(entry, may_open=may_open) for entry in shown]
    return EventsFound(events=events, next=following if following > 1 else None)


def _event(entry: Entry, *, may_open: bool) -> EventInList:
    fields = {name: getattr(entry, name) for name in EventInList.model_fields if name not in ("title", "told")}
    if not may_open:
        fields["body"] = {name: value for name, value in entry.body.items() if name not in OPENING}
    title = words_of(entry.kind.partition(".")[2])
    try:
        told = of_entry(entry)
    except (KeyError, TypeError):  # an entry that was altered is listed all the same
        told = title
    return EventInList(**fields, title=title, told=told)


def _verified(floor: OpenFloor, table: str, round_id: str | None) -> Verification:
    return verify_table(
        floor.store,
        table,
        heads=floor.settings.data / "heads",
        trusted=floor.signing.publics(),
        keyring=floor.house.keyring,  # the current keys, because keys are rotated while a floor is open
        reading=floor.house.reading,
        round_id=round_id,
    )


def _done(check: Check) -> CheckDone:
    return CheckDone(name=check.name, passed=check.fault is None, count=check.count, of=check.of, fault=check.fault)


def _bundle(floor: OpenFloor, round_id: str, kind: str) -> bytes | None:
    found = segment_of(floor.store, round_id)
    lines = floor.store.lines(found.stream, found.first - 1, found.last)
    if kind == LINES:
        return "".join(f"{line}\n" for line in lines).encode()
    if kind == PARQUET:
        return history_parquet(map(entry_of, lines))
    with tempfile.TemporaryDirectory(prefix="pitboss-evidence-") as folder:
        path = Path(folder) / "evidence.zip"
        write_evidence(floor.store, round_id, path, head_lines=_head_lines(floor))
        return path.read_bytes()


def _head_lines(floor: OpenFloor) -> Iterator[str]:
    for path in sorted(path for path in (floor.settings.data / "heads").glob("*.jsonl") if path.name != CHECKPOINTS):
        with path.open(encoding="utf-8") as file:
            yield from (line.rstrip("\n") for line in file)
