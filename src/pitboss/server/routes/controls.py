"""Routes of the house's controls: what is open, numbered forms, and reports with a header, as JSON, CSV or PDF."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from pitboss.house import entry_kinds
from pitboss.house.controls.decide import hidden
from pitboss.house.controls.gaming_day import clock_time, working_at
from pitboss.house.controls.state import CAGE, VAULT, Controls
from pitboss.house.live_table.tray_commands import is_count_due
from pitboss.house.money.chips import total
from pitboss.house.patron_controls.decide import EXCLUSION_SERIES
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import role_for
from pitboss.house.people.role_names import OVERSIGHT
from pitboss.house.reports.control_forms import EXPLAINED, UNEXPLAINED, Form, FormRow, still_to_sign
from pitboss.house.reports.liability import is_for_play_money
from pitboss.house.reports.signed_report import SignedReport, signed_rows
from pitboss.house.stream_names import CONTROLS
from pitboss.packet.printed_pages import form_page, report_pages
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.reports_to_sign import TO_SIGN
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.equipment import may_count
from pitboss.server.routes.office import may
from pitboss.server.routes.reports import READ_REPORTS, ReportsHere, Since, Text, Until
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas import controls as shown

router = APIRouter(prefix="/api")
PDF = "application/pdf"
SEE_CONTROLS = "SeeControls"
Format = Annotated[Literal["json", "csv", "pdf"], Query(description="how the report is written")]
FormNumber = Annotated[str, Path(max_length=40, pattern=r"^[A-Z]+-[0-9]{6,}$", examples=["FILL-000001"])]
COUNT_DUE = "hidden while the tray's count is due"


@router.get("/controls", responses=REFUSED)
async def controls(floor: Floor, person: Person) -> shown.ControlsShown:
    """Return the house settings, open slips, boxes and counts, and unexplained differences."""
    may(floor, person, SEE_CONTROLS)
    state = floor.house.controls.state
    day, shift = working_at(state.settings, floor.clock.now_ms())
    return shown.ControlsShown(
        settings=plain(state.settings),
        day=day,
        shift=shift,
        is_cage_open=state.is_cage_open,
        cage_counted_by=list(hidden(state.cage_counts)),
        vault=_held(state, VAULT) if _may_see(person, "MoveVault", "FundVault") else None,
        cage=_held(state, CAGE) if not role_for(person.roles, "CountCage") and _may_see(person, "FundVault") else None,
        slips=[shown.slip_shown(number, slip) for number, slip in state.slips.items()],
        boxes=[
            shown.BoxShown(
                box=number,
                table=box.table,
                day=box.day,
                shift=box.shift,
                dropped_by=list(box.dropped_by),
                counted_by=list(hidden(box.counts)),
            )
            for number, box in state.boxes.items()
        ],
        trays=[
            shown.TrayCountShown(
                table=table, moment=tray.moment, counted_by=list(hidden(tray.counts)), is_recount=tray.is_recount
            )
            for table, tray in state.trays.items()
        ],
        variances=[
            shown.VarianceShown(variance=number, **plain(variance)) for number, variance in state.variances.items()
        ],
        displays=list(_displays(floor)),
    )


@router.get("/controls/settings", responses=REFUSED)
async def settings_changes(floor: Floor, person: Person) -> list[shown.SettingsChange]:
    """Return the changes of the house settings, newest first, with the values before and after."""
    may(floor, person, SEE_CONTROLS)
    kinds = (entry_kinds.SETTINGS_CHANGED,)
    entries = await floor.beside(lambda: list(floor.store.read(CONTROLS, kinds=kinds)), person.share)
    return [
        shown.SettingsChange(
            at=entry.at,
            by=entry.body["by"],
            second=entry.body["second"],
            before=entry.body["before"],
            after=entry.body["settings"],
        )
        for entry in reversed(entries)
    ]


@router.get("/controls/forms", responses=REFUSED)
async def forms(
    floor: Floor, person: Person, reports: ReportsHere, series: Text = "", since: Since = 0, until: Until = None
) -> list[shown.FormLine]:
    """Return the numbered forms, newest first."""
    may(floor, person, SEE_CONTROLS)
    rows = await reports.ask(lambda kept: kept.forms.rows(series, since_ms=since, until_ms=until))
    seen = (row for row in rows if _may_read(person, row.number))
    return [shown.FormLine(**_blind_row(floor, person, row)._asdict()) for row in seen]


@router.get("/controls/forms/{number}.pdf", response_class=Response, responses={200: {"content": {PDF: {}}}, **REFUSED})
async def printed_form(floor: Floor, person: Person, reports: ReportsHere, number: FormNumber) -> Response:
    """Return a form as PDF, with lines for signatures."""
    may(floor, person, SEE_CONTROLS)
    form = await reports.ask(lambda kept: kept.forms.forms.get(number))
    if form is None or not _may_read(person, number):
        raise RefusedHere(Refusal(f"There is no form {number}", rule.SETTINGS, "number"), 404)
    if is_blind(floor, person, form.number, form.table):
        raise RefusedHere(Refusal("The tray's count is due. Print this form after it", rule.TRAY_COUNTS, "number"))
    made = await floor.beside(lambda: form_page(form_data(floor, form)), person.share)
    return as_file(made, PDF, f"{number}.pdf")


@router.get("/reports/signed", responses=REFUSED)
async def signed_titles(floor: Floor, person: Person) -> list[shown.SignedTitle]:
    """List the reports that are printed with their header."""
    may(floor, person, READ_REPORTS)
    return [shown.SignedTitle(name=name, title=title) for name, (title, _) in TO_SIGN.items()]


@router.get("/reports/signed/{name}", response_model=shown.Report, responses=REFUSED)
async def signed(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    name: Annotated[str, Path(max_length=40, examples=["hold-by-table"])],
    since: Since = 0,
    until: Until = None,
    format: Format = "json",
) -> Any:
    """Return a report with facility, title, interval, time and author, as JSON, CSV or PDF."""
    may(floor, person, READ_REPORTS)
    if name not in TO_SIGN:
        raise RefusedHere(Refusal(f"There is no report {name!r}. Choose from {', '.join(TO_SIGN)}", None, "name"), 404)
    title, rows = TO_SIGN[name]
    now = floor.clock.now_ms()
    written = await reports.ask(lambda kept: rows(kept, now, since, until))
    found = signed_rows(_blind_row(floor, person, row) if isinstance(row, FormRow) else row for row in written)
    report = SignedReport(
        name=name,
        title=title,
        settings=floor.house.controls.state.settings,
        since_ms=since,
        until_ms=until,
        made_at=now,
        made_by=person.name,
        rows=found,
    )
    if format == "json":
        return report.to_data()
    if format == "csv":
        return as_file(report.as_csv().encode(), "text/csv; charset=utf-8", f"{name}.csv")
    return as_file(await floor.beside(lambda: report_pages(report.printed()), person.share), PDF, f"{name}.pdf")


def as_file(content: bytes, kind: str, name: str) -> Response:
    """Return content as a file to save."""
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


def _displays(floor: OpenFloor) -> Iterator[shown.DisplayShown]:
    free_play = {name: running.live.free_play for name, running in floor.house.tables.items()}
    for name in sorted(floor.house.progressives):
        state = floor.house.progressive(name).state
        meters = [meter for meter, figures in state.meters.items() if not figures.is_retired]
        if meters and not is_for_play_money(state, free_play):
            yield shown.DisplayShown(progressive=name, meters=meters)


def _may_see(person: Guest, *kinds: str) -> bool:
    return any(role_for(person.roles, kind) for kind in kinds) or any(role in OVERSIGHT for role in person.roles)


def _may_read(person: Guest, number: str) -> bool:
    return not number.startswith(EXCLUSION_SERIES) or role_for(person.roles, "SeeExclusions") is not None


def _held(state: Controls, place: str) -> shown.Holdings:
    chips, cash = state.held(place), state.cash.get(place, 0)
    return shown.Holdings(cash_cents=cash, chips=plain(chips), cents=cash + total(chips))


def is_blind(floor: OpenFloor, person: Guest, number: str, table: str) -> bool:
    """Say whether a form tells somebody who may count a tray what it should hold, while its count is due."""
    if not number.startswith("TRAY") or table not in floor.house.tables or not may_count(person):
        return False
    return is_count_due(floor.house.controls.state, floor.house.live(table))


def _blind_row(floor: OpenFloor, person: Guest, row: FormRow) -> FormRow:
    if not is_blind(floor, person, row.number, row.table):
        return row
    return row._replace(total_cents=0, expected_cents=None, over_cents=0, note=COUNT_DUE)


def form_data(floor: OpenFloor, form: Form) -> dict[str, Any]:
    """Return a form as its printed page needs it."""
    settings = floor.house.controls.state.settings
    day, shift = working_at(settings, form.at)
    facts = [["Gaming day", day], ["Shift", shift], ["Time", clock_time(settings, form.at)], ["Status", form.status]]
    facts += [["Table", form.table]] if form.table else []
    pieces = [
        [dollars(int(cents)), str(number), dollars(int(cents) * number)]
        for cents, number in sorted(form.chips.items(), key=lambda piece: -int(piece[0]))
    ]
    is_difference = form.status in (UNEXPLAINED, EXPLAINED)
    totals = [["Cash", dollars(form.cash_cents)]] if form.cash_cents else []
    is_reading = form.number.startswith("READING")
    total, expected = ("On the display", "In the books") if is_reading else ("Total", "Expected")
    # A box is counted on a form of its own.
    is_counted = not is_difference and not form.number.startswith(("BOX", EXCLUSION_SERIES))
    totals += [[total, dollars(form.total_cents)]] if is_counted else []
    totals += [[expected, dollars(form.expected_cents)]] if form.expected_cents is not None else []
    if form.expected_cents is not None or is_difference:
        totals += [["Difference", dollars(form.over_cents)]]
    accounts = floor.office.people.accounts
    signed = [
        [part, accounts[who].details.signed(who) if who in accounts else who, clock_time(settings, at)]
        for part, who, at in form.signed
    ]
    signed += [[part, "", ""] for part in still_to_sign(form)]
    return {
        "facility": settings.facility,
        "status": form.status,
        "note": form.note,
        "title": form.title,
        "number": form.number,
        "facts": facts,
        "pieces": pieces,
        "totals": totals,
        "signed": signed,
    }
