"""The numbered forms of the house's controls, as they are printed and signed: slips, counts, receipts and boxes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import clock_time
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.money.chips import total
from pitboss.house.stream_names import CONTROLS, PATRONS
from pitboss.record.entries import Body, Entry
from pitboss.rules.plain import made, plain

OPEN, DONE, VOID, SUPERSEDED = "open", "done", "void", "counted again"
NOT_PAID, PAID = "not paid", "paid"
UNEXPLAINED, EXPLAINED = "unexplained", "explained"
IN_FORCE, ENDED = "in force", "ended"
_STEPS = {
    entry_kinds.SLIP_PREPARED: "Cage cashier",
    entry_kinds.SLIP_CARRIED: "Runner",
    entry_kinds.SLIP_AT_TABLE: "Dealer",
    entry_kinds.CREDIT_ACCEPTED: "Receiving cashier",
}
_TITLES = {"fill": "Fill slip", "credit": "Credit slip"}
_PARTS = {
    "Fill slip": ("Cage cashier", "Runner", "Dealer"),
    "Credit slip": ("Cage cashier", "Dealer", "Runner", "Receiving cashier"),
}


class Signature(NamedTuple):
    """Who did a part of what a form records, and when."""

    part: str
    person: str
    at: int


class Form(NamedTuple):
    """One numbered form."""

    number: str
    title: str
    at: int
    status: str
    table: str = ""
    chips: Mapping[str, int] = {}  # by denomination in cents
    cash_cents: int = 0
    total_cents: int = 0
    expected_cents: int | None = None
    over_cents: int = 0
    note: str = ""
    signed: tuple[Signature, ...] = ()


class FormRow(NamedTuple):
    """A form as a line of a report."""

    number: str
    title: str
    at: int
    status: str
    table: str
    total_cents: int
    expected_cents: int | None
    over_cents: int
    people: str
    note: str


class Forms:
    """Follows the controls' and the patrons' streams; every form keeps its number, even if voided."""

    def __init__(self) -> None:
        self.forms: dict[str, Form] = {}
        self.settings = HouseSettings()

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if entry.stream not in (CONTROLS, PATRONS):
            return
        body = entry.body
        if entry.kind == entry_kinds.SETTINGS_CHANGED:
            self.settings = made(HouseSettings, body["settings"])
        elif entry.kind == entry_kinds.SLIP_REQUESTED:
            asked = (Signature("Floorperson", body["by"], entry.at),)
            title = _TITLES[body["kind_of_slip"]]
            self._put(Form(body["slip"], title, entry.at, OPEN, body["table"], *_heap(body["chips"]), signed=asked))
        elif entry.kind in _STEPS:
            self._step(entry)
        elif entry.kind == entry_kinds.SLIP_VOIDED:
            form = self.forms[body["slip"]]
            people = (Signature("Voided by", body["by"], entry.at), Signature("Agreed by", body["second"], entry.at))
            self._put(form._replace(status=VOID, note=body["reason"], signed=(*form.signed, *people)))
        elif entry.kind == entry_kinds.VARIANCE_EXPLAINED:
            form = self.forms[body["variance"]]
            people = (Signature("Explained by", body["by"], entry.at), Signature("Agreed by", body["second"], entry.at))
            self._put(form._replace(status=EXPLAINED, note=body["explanation"], signed=people))
        elif entry.kind == entry_kinds.HAND_PAID:
            form = self.forms[body["form"]]
            signed = _people("Verified by", [body["by"]], entry.at) + _people("Dealer", [body["second"]], entry.at)
            self._put(form._replace(status=PAID, total_cents=body["cents"], signed=(*form.signed, *signed)))
        elif entry.kind == entry_kinds.EXCLUSION_ADDED:
            self._put(_excluded(body, entry.at, self.settings))
        elif entry.kind == entry_kinds.EXCLUSION_REMOVED:
            form = self.forms[body["exclusion"]]
            people = (Signature("Ended by", body["by"], entry.at), Signature("Agreed by", body["second"], entry.at))
            note = f"{form.note}. Ended: {body['reason']}"
            self._put(form._replace(status=ENDED, note=note, signed=(*form.signed, *people)))
        elif (made_form := _WRITTEN.get(entry.kind)) is not None:
            self._put(made_form(body, entry.at))
            if entry.kind == entry_kinds.BOX_COUNTED and body["box"] in self.forms:
                self._put(self.forms[body["box"]]._replace(status=DONE))

    def rows(
        self, series: str = "", *, since_ms: int = 0, until_ms: int | None = None, status: str = ""
    ) -> tuple[FormRow, ...]:
        """Return the forms of one series or all, newest first."""
        found = (
            form
            for form in reversed(self.forms.values())
            if form.number.startswith(series)
            and (not status or form.status == status)
            and since_ms <= form.at
            and (until_ms is None or form.at < until_ms)
        )
        return tuple(
            FormRow(
                *(form.number, form.title, form.at, form.status, form.table),
                *(form.total_cents, form.expected_cents, form.over_cents),
                ", ".join(dict.fromkeys(signature.person for signature in form.signed)),
                form.note,
            )
            for form in found
        )

    def to_data(self) -> dict[str, Any]:
        """Return the forms as plain data."""
        return {"forms": [plain(form) for form in self.forms.values()], "settings": plain(self.settings)}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the forms from plain data."""
        self.settings = made(HouseSettings, data["settings"])
        self.forms = {
            kept["number"]: Form(**{**kept, "signed": tuple(Signature(**signed) for signed in kept["signed"])})
            for kept in data["forms"]
        }

    def _step(self, entry: Entry) -> None:
        form = self.forms[entry.body["slip"]]
        signed = (*form.signed, Signature(_STEPS[entry.kind], entry.body["by"], entry.at))
        is_fill = form.title == _TITLES["fill"]
        is_done = entry.kind == (entry_kinds.SLIP_AT_TABLE if is_fill else entry_kinds.CREDIT_ACCEPTED)
        self._put(form._replace(signed=signed, status=DONE if is_done else OPEN))

    def _put(self, form: Form) -> None:
        self.forms[form.number] = form


def still_to_sign(form: Form) -> tuple[str, ...]:
    """Return the parts of an open form that nobody has signed yet, in their order."""
    if form.status == OPEN and form.number.startswith("BOX"):
        return ("Received by the count team",)
    if form.status == UNEXPLAINED:
        return ("Explained by", "Agreed by")
    done = {signature.part for signature in form.signed}
    return tuple(part for part in _PARTS.get(form.title, ()) if part not in done) if form.status == OPEN else ()


def _heap(chips: Mapping[str, int], cash_cents: int = 0) -> tuple[Mapping[str, int], int, int]:
    return dict(chips), cash_cents, cash_cents + _worth(chips)


def _worth(chips: Mapping[str, int]) -> int:
    return total({int(cents): number for cents, number in chips.items()})


def _people(part: str, names: tuple[str, ...] | list[str], at: int) -> tuple[Signature, ...]:
    return tuple(Signature(part, name, at) for name in names if name)


def _inventory(body: Body, at: int) -> Form:
    heap, signed = _heap(body["chips"]), (("Dealer", body["dealer"]), ("Floorperson", body["floorperson"]))
    return Form(
        body["form"],
        f"Table inventory slip: {body['moment']}",
        at,
        DONE if body["is_final"] else SUPERSEDED,
        body["table"],
        *heap,
        expected_cents=_worth(body["expected_chips"]),
        over_cents=body["over_cents"],
        signed=tuple(Signature(part, name, at) for part, name in signed),
    )


def _cage(body: Body, at: int) -> Form:
    return Form(
        body["form"],
        f"Cage count: {body['moment']}",
        at,
        DONE,
        "",
        *_heap(body["chips"], body["cash_cents"]),
        expected_cents=body["expected_cash_cents"] + _worth(body["expected_chips"]),
        over_cents=body["over_cents"],
        signed=_people("Counted by", body["people"], at),
    )


def _vault(body: Body, at: int) -> Form:
    title = f"Vault transfer to the {body['to']}" if "to" in body else "Vault funding"
    signed = _people("Sent by", [body["by"]], at) + _people("Received by", [body["second"]], at)
    return Form(body["form"], title, at, DONE, "", *_heap(body["chips"], body["cash_cents"]), signed=signed)


def _receipt(body: Body, at: int) -> Form:
    signed = _people("Cashier", [body["by"]], at) + _people("Second person", [body["second"]], at)
    signed += _people("Patron", [body["person"]], at)
    title = f"Cage receipt: {body['why']}"
    return Form(body["form"], title, at, DONE, "", dict(body["chips"]), body["cents"], body["cents"], signed=signed)


def _box(body: Body, at: int) -> Form:
    signed = _people("Pulled by", body["dropped_by"], at) + _people("Counted by", body["people"], at)
    return Form(
        body["form"],
        f"Drop count: box {body['box']}",
        at,
        DONE,
        body["table"],
        dict(body["bills"]),
        0,
        body["counted_cents"],
        body["booked_cents"],
        body["over_cents"],
        f"{body['day']}, {body['shift']} shift",
        signed,
    )


def _pulled(body: Body, at: int) -> Form:
    note = f"{body['day']}, {body['shift']} shift"
    return Form(
        body["box"], "Table drop", at, OPEN, body["table"], note=note, signed=_people("Pulled by", body["people"], at)
    )


def _meter(body: Body, at: int) -> Form:
    return Form(
        body["form"],
        f"Meter reading: {body['progressive']}, {body['meter']}",
        at,
        DONE,
        total_cents=body["read_cents"],
        expected_cents=body["shown_cents"],
        over_cents=body["over_cents"],
        signed=_people("Read by", [body["by"]], at),
    )


def _hand_pay(body: Body, at: int) -> Form:
    note = f"seat {body['seat']}, {body['wager']}, round {body['round']}"
    signed = _people("Identity checked by", [body["by"]], at)
    title, cents = f"Hand pay: {body['player']}", body["cents"]
    return Form(body["form"], title, at, NOT_PAID, body["table"], total_cents=cents, note=note, signed=signed)


def _excluded(body: Body, at: int, settings: HouseSettings) -> Form:
    # The identity document is in the list for those who check it; a form is handed around.
    ends = f"until {clock_time(settings, body['until'])}" if body["until"] is not None else "without an end"
    who, part = body["person"] or body["full_name"], "Player" if body["is_self"] else "Entered by"
    signed = _people(part, [body["by"]], at)
    return Form(body["exclusion"], f"Exclusion: {who}", at, IN_FORCE, note=f"{body['reason']}, {ends}", signed=signed)


def _variance(body: Body, at: int) -> Form:
    title = f"Variance: {body['what']} {body['form']}"
    return Form(body["variance"], title, at, UNEXPLAINED, body["table"], over_cents=body["over_cents"])


_WRITTEN = {
    entry_kinds.INVENTORY_SLIP_WRITTEN: _inventory,
    entry_kinds.CAGE_COUNTED: _cage,
    entry_kinds.VAULT_FUNDED: _vault,
    entry_kinds.VAULT_MOVED: _vault,
    entry_kinds.CASH_PAID_IN: _receipt,
    entry_kinds.CASH_PAID_OUT: _receipt,
    entry_kinds.BOX_PULLED: _pulled,
    entry_kinds.BOX_COUNTED: _box,
    entry_kinds.METER_READ: _meter,
    entry_kinds.VARIANCE_FOUND: _variance,
    entry_kinds.HAND_PAY_RECORDED: _hand_pay,
}
