"""Routes about patrons: your own limits and statement, the exclusion list, hand pays and their forms."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import date_start, working_at
from pitboss.house.live_table.hand_pays import sealing_name, shown_meters
from pitboss.house.live_table.resettled_pays import all_due
from pitboss.house.patron_controls.play_totals import used
from pitboss.house.people import house_rules as rule
from pitboss.house.reports.signed_report import SignedReport, signed_rows
from pitboss.house.stream_names import PATRONS
from pitboss.packet.printed_pages import form_page, report_pages
from pitboss.record.entries import Entry
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.report_keeper import Reports
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.controls import PDF, Format, as_file, form_data
from pitboss.server.routes.office import may
from pitboss.server.routes.reports import ReportsHere
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, acknowledgement, ask
from pitboss.server.schemas import patrons as shown
from pitboss.server.schemas import tables as schemas

router = APIRouter(prefix="/api")
FormNumber = Annotated[str, Path(max_length=40, pattern=r"^HANDPAY-[0-9]{6,}$", examples=["HANDPAY-000001"])]
Account = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9._-]*$")]
Year = Annotated[int, Query(ge=2000, le=2999, description="the gaming days of this year")]
By = Annotated[Literal["day", "month"], Query(description="a line for each gaming day or each month")]
DATA_SHOWN = (
    ("full_name", "Winner's name"),
    ("address", "Winner's address"),
    ("taxpayer_id", "Winner's taxpayer identification number"),
    ("first_document", "First identification"),
    ("second_document", "Second identification"),
)


@router.get("/me/play", responses=REFUSED)
async def own_play(floor: Floor, person: Person) -> shown.OwnPlay:
    """Return your limits, what you used of them, and whether you are excluded."""
    may(floor, person, "SetOwnLimits")
    settings, rules, now = floor.house.controls.state.settings, floor.house.patrons.state, floor.clock.now_ms()
    own = rules.limits.get(person.name)
    is_later = own is not None and own.later is not None and now < own.later_from
    number = rules.exclusion_of(person.name, now)
    ends = [kept.until for kept in rules.exclusions.values() if kept.person == person.name and kept.is_in_force(now)]
    return shown.OwnPlay(
        has_limits=settings.player_limits,
        has_exclusions=settings.exclusions,
        limits=plain(rules.own_limits(person.name, now)),
        later=plain(own.later) if is_later and own is not None else None,
        later_from=own.later_from if is_later and own is not None else None,
        house=plain(settings.play_limits),
        used=plain(used(floor.house.played(person.name), settings, now)),
        loosening_hours=settings.loosening_hours,
        excluded_until=None if None in ends else max((end for end in ends if end is not None), default=None),
        is_excluded=number is not None,
    )


@router.get("/patrons/exclusions", responses=REFUSED)
async def exclusions(floor: Floor, person: Person) -> list[shown.ExclusionShown]:
    """Return the exclusion list, newest first."""
    may(floor, person, "SeeExclusions")
    listed, now = floor.house.patrons.state.exclusions, floor.clock.now_ms()
    return [
        shown.ExclusionShown(exclusion=number, **plain(kept), is_in_force=kept.is_in_force(now))
        for number, kept in reversed(tuple(listed.items()))
    ]


@router.get("/tables/{table}/hand-pays", responses=REFUSED)
async def hand_pays(floor: Floor, person: Person, table: str) -> list[shown.HandPayShown]:
    """Return the hand pays among the payouts that a table waits for."""
    may(floor, person, "SeeExclusions")
    return _hand_pays(floor, table)


@router.get("/hand-pays", responses=REFUSED)
async def waiting_hand_pays(floor: Floor, person: Person) -> list[shown.HandPayShown]:
    """Return the hand pays that wait at all tables."""
    may(floor, person, "SeeExclusions")
    return [pay for table in sorted(floor.house.tables) for pay in _hand_pays(floor, table)]


def _hand_pays(floor: OpenFloor, table: str) -> list[shown.HandPayShown]:
    live = floor.house.live(table)
    name = live.terms.progressive if live.terms else None
    meters = shown_meters(floor.house.progressive(name).state if name else None)
    return [shown.HandPayShown(table=table, **plain(pay)) for pay in all_due(live, meters)]


@router.post("/tables/{table}/hand-pays", responses=REFUSED)
async def record_hand_pay(
    floor: Floor, person: Person, table: str, asked: shown.HandPayEntered
) -> schemas.Acknowledged:
    """Record the identity and the tax form's data for the hand pays of a seat; they are sealed at once."""
    may(floor, person, "RecordHandPay")
    data = {name: getattr(asked, name).strip() for name, _ in DATA_SHOWN}
    name = sealing_name(table, floor.house.live(table).round, asked.seat)
    sealed = floor.house.sealed_text(name, json.dumps(data, ensure_ascii=False, sort_keys=True))
    body = {"kind": "RecordHandPay", "seat": asked.seat, "sealed": sealed}
    answer = await ask(floor, person, table, schemas.Command(id=asked.id, body=body))
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    return schemas.Acknowledged.model_validate(acknowledgement(floor, table, asked.id, answer))


@router.get("/hand-pays/{number}.pdf", response_class=Response, responses={200: {"content": {PDF: {}}}, **REFUSED})
async def printed_hand_pay(floor: Floor, person: Person, reports: ReportsHere, number: FormNumber) -> Response:
    """Return a hand pay's form as PDF, with lines for signatures."""
    entry, status = await _form(floor, person, reports, number)
    settings, body = floor.house.controls.state.settings, entry.body
    form = await reports.ask(lambda kept: kept.forms.forms[number])
    day, shift = working_at(settings, entry.at)
    known = _data(floor, entry)
    facts = [
        ["Payer", settings.facility or "(not set)"],
        *([title, known[name]] for name, title in DATA_SHOWN),
        ["Date won", day],
        ["Shift", shift],
        ["Type of wager", body["wager"]],
        ["Table, round and seat", f"{body['table']}, {body['round']}, seat {body['seat']}"],
        ["Status", status],
    ]
    printed = form_data(floor, form)
    page = {
        **printed,
        "title": "Hand pay and tax data",
        "note": "",
        "facts": facts,
        "totals": [["Wager", dollars(body["stake_cents"])], ["Winnings", dollars(form.total_cents)]],
        "signed": [["Winner", known["full_name"], ""], *printed["signed"]],
    }
    return as_file(await floor.beside(lambda: form_page(page), person.share), PDF, f"{number}.pdf")


@router.get("/hand-pays/{number}", responses=REFUSED)
async def hand_pay_form(floor: Floor, person: Person, reports: ReportsHere, number: FormNumber) -> shown.HandPayForm:
    """Return a hand pay's form with the data that was sealed."""
    entry, status = await _form(floor, person, reports, number)
    body = {name: entry.body[name] for name in ("table", "round", "seat", "player", "wager", "stake_cents", "cents")}
    return shown.HandPayForm(number=number, at=entry.at, status=status, data=_data(floor, entry), **body)


@router.get("/me/statement", response_model=shown.Statement, responses=REFUSED)
async def own_statement(
    floor: Floor, person: Person, reports: ReportsHere, year: Year, by: By = "day", format: Format = "json"
) -> Any:
    """Return your own statement of a year, as JSON, CSV or PDF."""
    may(floor, person, "ReadOwnStatement")
    return await _statement(floor, person, reports, (person.name, year, by), format)


@router.get("/patrons/{name}/statement", response_model=shown.Statement, responses=REFUSED)
async def statement(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    name: Account,
    year: Year,
    by: By = "day",
    format: Format = "json",
) -> Any:
    """Return a player's statement of a year, as JSON, CSV or PDF."""
    may(floor, person, "ReadStatements")
    if name not in floor.office.people.accounts:
        raise RefusedHere(Refusal(f"There is no account named {name!r}", rule.STATEMENTS, "name"), 404)
    return await _statement(floor, person, reports, (name, year, by), format)


async def _statement(
    floor: OpenFloor, person: Guest, reports: Reports, whose: tuple[str, int, str], format: str
) -> Any:
    name, year, by = whose
    settings, now = floor.house.controls.state.settings, floor.clock.now_ms()
    rows = await reports.ask(lambda kept: signed_rows(kept.statements.rows(name, year, by_month=by == "month")))
    made = SignedReport(
        name=f"statement-{name}-{year}",
        title=f"Statement of {name} for {year}",
        settings=settings,
        since_ms=year_start(floor, year),
        until_ms=min(now, year_start(floor, year + 1)) if year_start(floor, year) < now else None,
        made_at=now,
        made_by=person.name,
        rows=rows,
    )
    if format == "json":
        return made.to_data()
    if format == "csv":
        return as_file(made.as_csv().encode(), "text/csv; charset=utf-8", f"{made.name}.csv")
    return as_file(await floor.beside(lambda: report_pages(made.printed()), person.share), PDF, f"{made.name}.pdf")


def year_start(floor: OpenFloor, year: int) -> int:
    """Return when the first gaming day of a year begins."""
    return date_start(floor.house.controls.state.settings, f"{year}-01-01")


async def _form(floor: OpenFloor, person: Guest, reports: Reports, number: str) -> tuple[Entry, str]:
    may(floor, person, "ReadTaxForms")
    recorded = floor.store.read(PATRONS, kinds=(entry_kinds.HAND_PAY_RECORDED,))
    entry = next((found for found in recorded if found.body["form"] == number), None)
    form = await reports.ask(lambda kept: kept.forms.forms.get(number))
    if entry is None or form is None:
        raise RefusedHere(Refusal(f"There is no form {number}", rule.HAND_PAYS, "number"), 404)
    return entry, form.status


def _data(floor: OpenFloor, entry: Entry) -> dict[str, str]:
    body = entry.body
    text = floor.house.opened_text(sealing_name(body["table"], body["round"], body["seat"]), body["sealed"])
    data: dict[str, str] = json.loads(text) if text is not None else {name: "(not readable)" for name, _ in DATA_SHOWN}
    return data
