"""The controls after an event; no rule is checked here."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pitboss.house.controls import events as happened
from pitboss.house.controls.state import (
    AT_TABLE,
    CAGE,
    CARRIED,
    PREPARED,
    REQUESTED,
    VAULT,
    Box,
    CageCount,
    Chips,
    Controls,
    Slip,
    TrayCount,
    Variance,
)
from pitboss.house.money.chips import joined, without
from pitboss.house.stream_names import CONTROLS
from pitboss.record.entries import Draft, Entry
from pitboss.record.snapshots import Fold
from pitboss.rules.plain import made, plain

POSTINGS = "postings"


def evolve(controls: Controls, event: happened.Event, at: int) -> Controls:
    """Return the controls after an event."""
    controls = _numbered(controls, event)
    match event:
        case happened.SettingsChanged():
            return replace(controls, settings=event.settings)
        case happened.VaultFunded():
            return _put(controls, VAULT, event.cash_cents, event.chips)
        case happened.VaultMoved():
            giver = VAULT if event.to == CAGE else CAGE
            return _put(_taken(controls, giver, event.cash_cents, event.chips), event.to, event.cash_cents, event.chips)
        case happened.CageCountEntered():
            counted = CageCount(event.cash_cents, event.chips)
            return replace(controls, cage_counts={**controls.cage_counts, event.by: counted})
        case happened.CageCountsDiffered():
            return replace(controls, cage_counts={})
        case happened.CageCounted():
            is_open = event.moment == happened.OPENER
            cash, chips = {**controls.cash, CAGE: event.cash_cents}, {**controls.chips, CAGE: event.chips}
            return replace(controls, cash=cash, chips=chips, is_cage_open=is_open, cage_counts={})
        case happened.CashPaidIn():
            return _put(_taken(controls, CAGE, 0, event.chips), CAGE, event.cents, {})
        case happened.CashPaidOut():
            return _put(_taken(controls, CAGE, event.cents, {}), CAGE, 0, event.chips)
        case happened.VarianceFound():
            found = Variance(event.form, event.what, event.table, event.over_cents, at)
            return replace(controls, variances={**controls.variances, event.variance: found})
        case happened.VarianceExplained():
            return replace(controls, variances=_without(controls.variances, event.variance))
        case (
            happened.SlipRequested()
            | happened.SlipPrepared()
            | happened.SlipCarried()
            | happened.SlipAtTable()
            | happened.CreditAccepted()
            | happened.SlipVoided()
        ):
            return _slip(controls, event)
        case _:
            return _counted(controls, event)


def _slip(controls: Controls, event: happened.OfSlips) -> Controls:
    slips = controls.slips
    if isinstance(event, happened.SlipRequested):
        asked = Slip(event.kind_of_slip, event.table, event.chips, REQUESTED, {REQUESTED: event.by})
        return replace(controls, slips={**slips, event.slip: asked})
    slip = slips[event.slip]
    is_fill = slip.kind == happened.FILL
    match event:
        case happened.SlipPrepared():
            taken = _taken(controls, CAGE, 0, slip.chips) if is_fill else controls
            return _staged(taken, event.slip, PREPARED, event.by)
        case happened.SlipCarried():
            return _staged(controls, event.slip, CARRIED, event.by)
        case happened.SlipAtTable():
            if is_fill:
                return replace(controls, slips=_without(slips, event.slip))
            return _staged(controls, event.slip, AT_TABLE, event.by)
        case happened.CreditAccepted():
            return replace(_put(controls, CAGE, 0, slip.chips), slips=_without(slips, event.slip))
        case happened.SlipVoided():
            back = _put(controls, CAGE, 0, slip.chips) if is_fill and slip.stage != REQUESTED else controls
            return replace(back, slips=_without(slips, event.slip))


def _counted(controls: Controls, event: Any) -> Controls:
    match event:
        case happened.TrayCountEntered():
            before = controls.trays.get(event.table, TrayCount(event.moment))
            counts, roles = {**before.counts, event.by: event.chips}, {**before.roles, event.by: event.role}
            tray = replace(before, counts=counts, roles=roles)
            return replace(controls, trays={**controls.trays, event.table: tray})
        case happened.TrayCountsDiffered():
            again = replace(controls.trays[event.table], counts={}, roles={})
            return replace(controls, trays={**controls.trays, event.table: again})
        case happened.InventorySlipWritten() if not event.is_final:
            again = TrayCount(event.moment, is_recount=True)
            return replace(controls, trays={**controls.trays, event.table: again})
        case happened.InventorySlipWritten():
            is_closer = event.moment == happened.CLOSER
            closers = {**_without(controls.closers, event.table), **({event.table: event.chips} if is_closer else {})}
            return replace(controls, trays=_without(controls.trays, event.table), closers=closers)
        case happened.BoxPulled():
            pulled = Box(event.table, event.day, event.shift, event.booked_cents, event.people)
            return replace(controls, boxes={**controls.boxes, event.box: pulled})
        case happened.BoxCountEntered():
            box = controls.boxes[event.box]
            box = replace(box, counts={**box.counts, event.by: event.bills})
            return replace(controls, boxes={**controls.boxes, event.box: box})
        case happened.BoxCountsDiffered():
            emptied = replace(controls.boxes[event.box], counts={})
            return replace(controls, boxes={**controls.boxes, event.box: emptied})
        case happened.MeterRead():
            return controls
        case happened.BoxCounted():
            moved = _put(controls, VAULT, event.counted_cents, {})
            return replace(moved, boxes=_without(controls.boxes, event.box))
        case _:
            raise AssertionError(f"{type(event).__name__} isn't an event of the controls")


def _staged(controls: Controls, number: str, stage: str, by: str) -> Controls:
    slip = controls.slips[number]
    signed = replace(slip, stage=stage, signed={**slip.signed, stage: by})
    return replace(controls, slips={**controls.slips, number: signed})


def _numbered(controls: Controls, event: happened.Event) -> Controls:
    # Forms and slips carry the number of their series, and a number is used once.
    for name in ("form", "slip", "box", "variance"):
        written = getattr(event, name, "")
        series, _, number = written.rpartition("-")
        if series and number.isdecimal() and int(number) == controls.numbers.get(series, 0) + 1:
            controls = replace(controls, numbers={**controls.numbers, series: int(number)})
    return controls


def _put(controls: Controls, place: str, cash_cents: int, chips: Chips) -> Controls:
    cash = {**controls.cash, place: controls.cash.get(place, 0) + cash_cents}
    return replace(controls, cash=cash, chips={**controls.chips, place: joined(controls.held(place), chips)})


def _taken(controls: Controls, place: str, cash_cents: int, chips: Chips) -> Controls:
    cash = {**controls.cash, place: controls.cash.get(place, 0) - cash_cents}
    return replace(controls, cash=cash, chips={**controls.chips, place: without(controls.held(place), chips)})


def _without(mapping: Mapping[str, Any], gone: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != gone}


def kind_of(event: happened.Event) -> str:
    """Return the kind of an event's entry."""
    return f"{CONTROLS}.{type(event).__name__}"


def draft_of(event: happened.Event, postings: Mapping[str, int] | None = None) -> Draft:
    """Return an event as a draft, with the money it moves in the controls' stream."""
    body: dict[str, Any] = plain(event)
    if postings:
        body[POSTINGS] = dict(postings)
    return Draft(CONTROLS, kind_of(event), body, event.clause)


def event_of(kind: str, body: Mapping[str, Any]) -> happened.Event:
    """Return the event of an entry, or raise Malformed."""
    name = kind.partition(".")[2]
    event: happened.Event = made(
        happened.KINDS[name], {field: value for field, value in body.items() if field != POSTINGS}
    )
    return event


def _evolve_entry(controls: Controls, entry: Entry) -> Controls:
    return evolve(controls, event_of(entry.kind, entry.body), entry.at)


def _of_data(data: Any) -> Controls:
    controls: Controls = made(Controls, data)
    return controls


CONTROLS_FOLD: Fold[Controls] = Fold("controls 2", Controls, _evolve_entry, plain, _of_data)
