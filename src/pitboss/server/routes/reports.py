"""Report routes, as JSON or CSV, for the roles that may read them."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from pitboss.house.reports.csv_and_json import as_csv, table_of
from pitboss.house.reports.hold import GROUPINGS, TABLE
from pitboss.house.reports.incidents import KINDS as INCIDENTS
from pitboss.rules.refusal import Refusal
from pitboss.server.exposed_incidents import could_gain
from pitboss.server.report_keeper import Reports
from pitboss.server.routes.lab import Lab
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas import reports as shown
from pitboss.server.schemas.tables import WHOLE_MOST

READ_REPORTS = "ReadReports"
PAGE_ROWS = 100
CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"example": "table,handle_cents,drop_cents\r\ntable-1,50000,100000\r\n"}}},
    **REFUSED,
}


router = APIRouter(prefix="/api")


async def _the_reports(request: Request) -> Reports:
    reports: Reports = request.app.state.reports
    return reports


ReportsHere = Annotated[Reports, Depends(_the_reports)]
Format = Annotated[Literal["json", "csv"], Query(description="JSON rows, or CSV with a header line")]
Since = Annotated[int, Query(alias="from", ge=0, le=WHOLE_MOST, description="UTC milliseconds")]
Until = Annotated[int | None, Query(alias="to", ge=0, le=WHOLE_MOST, description="UTC milliseconds")]
Text = Annotated[str, Query(max_length=200)]


@router.get("/reports/hold", responses=CSV, response_model=list[shown.HoldLine], response_model_exclude_unset=True)
async def hold(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    by: Annotated[str, Query(max_length=80, examples=["table,wager"])] = TABLE,
    since: Since = 0,
    until: Until = None,
    format: Format = "json",
) -> Any:
    """Return handle, drop, win, hold and voids of whole hours, by any of table, game, dealer, hour, day and wager."""
    may(floor, person, READ_REPORTS)
    groups = tuple(dict.fromkeys(group.strip() for group in by.split(",") if group.strip()))
    if not groups or not set(groups) <= set(GROUPINGS):
        raise RefusedHere(Refusal(f"Hold can be grouped by {', '.join(GROUPINGS)}, not by {by!r}", None, "by"), 422)
    rows = await reports.ask(lambda kept: kept.hold.rows(*groups, since_ms=since, until_ms=until))
    return _answer("hold", rows, format)


@router.get("/reports/shifts", responses=CSV, response_model=list[shown.ShiftLine])
async def shifts(floor: Floor, person: Person, reports: ReportsHere, format: Format = "json") -> Any:
    """Return each table's tray and box: opener, fills, credits, drop, counts and corrections against the win."""
    may(floor, person, READ_REPORTS)
    return _answer("shifts", await reports.ask(lambda kept: kept.hold.reconciled()), format)


@router.get("/reports/theory", responses=CSV, response_model=shown.TheoryReport)
async def theory(floor: Floor, person: Person, reports: ReportsHere, format: Format = "json") -> Any:
    """Return actual against expected wins; missing theories are computed in the background."""
    may(floor, person, READ_REPORTS)
    waits_for = await reports.work_out()
    lines = await reports.ask(lambda kept: kept.against_theory())
    if format == "csv":
        return _answer("theory", lines, format)
    return {"lines": table_of(lines), "waits_for": waits_for}


@router.get("/reports/meters", responses=CSV, response_model=list[shown.MeterLine])
async def meters(floor: Floor, person: Person, reports: ReportsHere, format: Format = "json") -> Any:
    """Return each meter's equation."""
    may(floor, person, READ_REPORTS)
    return _answer("meters", await reports.ask(lambda kept: kept.meters.rows()), format)


@router.get("/reports/meters/{progressive}/hits", responses=CSV, response_model=list[shown.HitLine])
async def hits(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    progressive: Annotated[str, Path(max_length=80)],
    format: Format = "json",
) -> Any:
    """Return a progressive's last 25 hits, newest first."""
    may(floor, person, READ_REPORTS)
    found = await reports.ask(lambda kept: kept.meters.hits(progressive) if progressive in kept.meters.states else None)
    if found is None:
        raise RefusedHere(Refusal("There is no progressive with this name", None, "progressive"), 404)
    return _answer("hits", found, format)


@router.get("/reports/incidents", responses=CSV, response_model=list[shown.IncidentLine])
async def incidents(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    lab: Lab,
    kind: Annotated[str, Query(max_length=20, examples=["void"])] = "",
    since: Since = 0,
    until: Until = None,
    format: Format = "json",
) -> Any:
    """Return stub counts, deck changes, irregularities and voids, newest first."""
    may(floor, person, READ_REPORTS)
    if kind and kind not in INCIDENTS:
        raise RefusedHere(
            Refusal(f"Choose incidents of the kind {', '.join(INCIDENTS)}, not {kind!r}", None, "kind"), 422
        )
    rows = await reports.ask(lambda kept: kept.incidents.found(kind, since_ms=since, until_ms=until))
    gains = await could_gain(floor, lab, rows)
    lines = [{**row, "could_gain_cents": gain} for row, gain in zip(table_of(rows), gains, strict=True)]
    return _answer("incidents", lines, format)


@router.get("/reports/voids", responses=CSV, response_model=list[shown.VoidsLine])
async def voids(floor: Floor, person: Person, reports: ReportsHere, format: Format = "json") -> Any:
    """Return the people involved in voids, and what those rounds would have paid."""
    may(floor, person, READ_REPORTS)
    return _answer("voids", await reports.voids(), format)


@router.get("/reports/significant", responses=CSV, response_model=shown.SignificantPage)
async def significant(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    words: Text = "",
    who: Annotated[str, Query(alias="person", max_length=80)] = "",
    table: Text = "",
    kind: Text = "",
    since: Since = 0,
    until: Until = None,
    after: Annotated[str, Query(max_length=200, description="`next` from the previous page")] = "",
    format: Format = "json",
) -> Any:
    """Return significant events that match all filters, newest first, in pages; as CSV, all of them."""
    may(floor, person, READ_REPORTS)
    asked: dict[str, Any] = {"kind": kind, "person": who, "table": table, "text": words}
    found = await reports.ask(
        lambda kept: kept.significant.found(**asked, since_ms=since, until_ms=until, after=after or None)
    )
    if format == "csv":
        return _answer("significant", found, format)
    page = found[:PAGE_ROWS]
    following = page[-1].cursor if len(found) > PAGE_ROWS else None
    return {"lines": table_of(page), "count": len(found), "next": following}


def _answer(name: str, rows: Iterable[Any], format: str) -> Any:
    if format == "json":
        return table_of(rows)
    disposition = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(as_csv(rows), media_type="text/csv; charset=utf-8", headers=disposition)
