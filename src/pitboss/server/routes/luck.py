"""Routes of the luck-and-skill ledger: the report, and where the money of a round's seats came from."""

import io
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from pitboss.house import entry_kinds
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import Place, allowed, role_for
from pitboss.house.replay import segment_of
from pitboss.house.reports.csv_and_json import as_csv
from pitboss.rules.refusal import Refusal
from pitboss.server.lab.worker_pool import Unanswered
from pitboss.server.open_floor import OpenFloor
from pitboss.server.record_watch import RecordWatch
from pitboss.server.routes.lab import LAB, Lab, Visitor
from pitboss.server.routes.office import may
from pitboss.server.routes.reports import READ_REPORTS
from pitboss.server.routes.rounds import in_record
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas.luck import LuckReport, LuckTable, SeatParts
from pitboss.table.people import Person as Somebody

PARQUET = "application/vnd.apache.parquet"
FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"example": "player,free_play,rounds\r\nada,False,120\r\n"}, PARQUET: {}}},
    **REFUSED,
}
IN_PROGRESS = Refusal("This round isn't over yet", rule.RECORD, "round")

router = APIRouter(prefix="/api")


async def _the_ledger(request: Request) -> RecordWatch[LuckReport]:
    ledger: RecordWatch[LuckReport] = request.app.state.luck_watch
    return ledger


@router.get("/reports/luck", responses=FILES, response_model=LuckTable, response_model_exclude_unset=True)
async def luck(
    floor: Floor,
    person: Person,
    ledger: Annotated[RecordWatch[LuckReport], Depends(_the_ledger)],
    by: Literal["player", "table", "dealer", "game", "shift"] = "player",
    format: Annotated[Literal["json", "csv", "parquet"], Query(description="JSON, CSV or Parquet")] = "json",
) -> Any:
    """Return results split into house edge, decisions and luck, as of the last reading of the record."""
    may(floor, person, READ_REPORTS)
    report = ledger.look()
    lines, as_of = report.lines.get(by, []), None
    if _refused_now(person) is not None:
        # The difference between two readings would be the parts of the rounds between them, hidden cards included.
        as_of = report.closed_at or 0
        lines = [*report.closed.get(by, []), *(line for line in lines if line.free_play)]
    if format == "json":
        return LuckTable(by=by, rounds=report.rounds, left_out=report.left_out, lines=lines, as_of=as_of)
    rows = _flat(line.model_dump(exclude_unset=True) for line in lines)
    content = as_csv(rows) if format == "csv" else _parquet(rows)
    if content is None:
        raise RefusedHere(Refusal("This server can't write Parquet. Choose CSV or JSON", None, "format"))
    disposition = {"content-disposition": f'attachment; filename="luck-by-{by}.{format}"'}
    return Response(content, media_type=PARQUET if format == "parquet" else "text/csv", headers=disposition)


@router.get("/audit/rounds/{round_id}/parts", responses=LAB)
async def parts_of_round(floor: Floor, lab: Lab, person: Person, who: Visitor, round_id: str) -> list[SeatParts]:
    """Return where the money of every seat of a finished round came from."""
    may(floor, person, "ReadRecord")
    # What hidden cards were worth says something about them.
    refusal = _refused_now(person)
    if refusal:
        raise RefusedHere(refusal)
    return await _parts(floor, lab, person, who, round_id, None)


@router.get("/me/rounds/{round_id}/parts", responses=LAB)
async def parts_of_own_round(floor: Floor, lab: Lab, person: Person, who: Visitor, round_id: str) -> list[SeatParts]:
    """Return where the money of the caller's own seats in a finished round came from."""
    found = await _parts(floor, lab, person, who, round_id, person.name)
    if not found:
        raise RefusedHere(Refusal(f"You haven't played a round {round_id}", None, "round"), 404)
    return found


def _refused_now(person: Person) -> Refusal | None:
    may_open = Somebody(person.name, role_for(person.roles, "ReadSealed") or person.roles[0])
    return allowed(may_open, "ReadSealed", Place(is_round_over=True))


async def _parts(
    floor: OpenFloor, lab: Lab, person: Person, who: Visitor, round_id: str, player: str | None
) -> list[SeatParts]:
    def begun() -> dict[str, Any] | None:
        segment = segment_of(floor.store, round_id)
        ended = floor.store.read(segment.stream, segment.first, kinds=(entry_kinds.ROUND_ENDED,))
        if not any(entry.sequence <= segment.last for entry in ended):
            return None
        return {"stream": segment.stream, "sequence": segment.first}

    place = await in_record(floor, person.share, begun)
    if place is None:
        raise RefusedHere(IN_PROGRESS)
    try:
        found = await lab.solve("round-parts", {"database": floor.settings.url, "player": player, **place}, who)
    except Unanswered as fault:
        raise RefusedHere(fault.refusal, fault.status) from None
    return [SeatParts(**seat) for seat in found["seats"]]


def _flat(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    # A column for each wager's average bet, the same columns in every row.
    rows = list(lines)
    wagers = sorted({wager for row in rows for wager in row["average_bets_cents"]})
    return [
        {name: value for name, value in row.items() if name != "average_bets_cents"}
        | {f"average_{wager}_cents": row["average_bets_cents"].get(wager) for wager in wagers}
        for row in rows
    ]


def _parquet(rows: list[dict[str, Any]]) -> bytes | None:
    try:
        import polars
    except ImportError:
        return None
    out = io.BytesIO()
    polars.DataFrame(rows, infer_schema_length=None).write_parquet(out)
    return out.getvalue()
