"""A live table as plain data for a sealed snapshot, and back."""

from collections.abc import Mapping
from typing import Any

from pitboss.house.live_table.deck_order import Order
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import Dispute, LiveTable, Proposal, Reservation, ShiftNote, SigningDevice, Trouble
from pitboss.house.money.shift import Shift
from pitboss.house.patron_controls.play_totals import PlayTotals
from pitboss.house.people.leases import Lease
from pitboss.record.entries import Head
from pitboss.record.snapshots import Fold
from pitboss.round.snapshot import round_from_data, round_to_data
from pitboss.rules.plain import made, plain
from pitboss.table.conditions import rules_under
from pitboss.table.table_data import state_from_dict, state_to_dict

VERSION = "desk-21"  # change this whenever the same entries give a different state
_TUPLES = ("waiting", "corrected", "gone", "given_up", "begun", "keyboard_by")
_APART = (
    *("terms", "cards", "play", "seats", "proposals", "lease", "head", "positions", "heap", "shift", "trouble"),
    *("orders", "order", "dispute", "readers", "bet_before"),
    *("sensors", "limits", "reserved", "notes", "played"),
)


def fold_of(table: str, reading: Reading) -> Fold[LiveTable]:
    """Return how a table's state is computed from its entries, and how it is serialized."""
    return Fold(
        VERSION,
        lambda: LiveTable(table),
        lambda live, entry: evolve(live, entry, reading),
        table_to_data,
        lambda data: table_from_data(data, reading),
    )


def table_to_data(live: LiveTable) -> dict[str, Any]:
    """Return a table as plain data, including hidden cards."""
    data = {name: plain(getattr(live, name)) for name in LiveTable._fields if name not in _APART}
    return {
        **data,
        "head": list(live.head),
        "document": live.terms.document if live.terms else None,
        "cards": state_to_dict(live.cards) if live.cards else None,
        "play": round_to_data(live.play) if live.play is not None else None,
        "method": live.play.rules.choices.dealing if live.play is not None else None,
        "seats": [list(pair) for pair in live.seats.items()],
        "bet_before": [[seat, dict(stakes)] for seat, stakes in live.bet_before.items()],
        "positions": dict(live.positions),
        "heap": [list(pair) for pair in live.heap.items()],
        "shift": plain(live.shift),
        "trouble": plain(live.trouble),
        "readers": {name: plain(reader) for name, reader in live.readers.items()},
        "sensors": {name: plain(sensor) for name, sensor in live.sensors.items()},
        "limits": {wager: list(limits) for wager, limits in live.limits.items()},
        "reserved": [[seat, plain(kept)] for seat, kept in live.reserved.items()],
        "notes": [plain(note) for note in live.notes],
        "played": {person: plain(totals) for person, totals in live.played.items()},
        "orders": {deck: plain(order) for deck, order in live.orders.items()},
        "order": plain(live.order),
        "dispute": plain(live.dispute),
        "lease": plain(live.lease),
        "proposals": {name: plain(proposal) for name, proposal in live.proposals.items()},
    }


def table_from_data(data: Mapping[str, Any], reading: Reading) -> LiveTable:
    """Return the table from its plain data."""
    plain_fields = {name: data[name] for name in LiveTable._fields if name not in _APART}
    plain_fields |= {name: tuple(data[name]) for name in _TUPLES}
    terms = reading.read_terms(data["document"]) if data["document"] is not None else None
    cards = state_from_dict(data["cards"], terms.settings) if terms is not None else None
    play = None
    if data["play"] is not None:
        assert terms is not None
        play = round_from_data(data["play"], rules_under(terms.settings, data["method"]))
    return LiveTable(
        **plain_fields,
        head=Head(*data["head"]),
        terms=terms,
        cards=cards,
        play=play,
        seats=dict(data["seats"]),
        bet_before=dict(data["bet_before"]),
        positions=data["positions"],
        heap=dict(data["heap"]),
        shift=made(Shift, data["shift"]) if data["shift"] is not None else None,
        trouble=made(Trouble, data["trouble"]) if data["trouble"] is not None else None,
        readers={name: made(SigningDevice, reader) for name, reader in data["readers"].items()},
        sensors={name: made(SigningDevice, sensor) for name, sensor in data["sensors"].items()},
        limits={wager: (least, most) for wager, (least, most) in data["limits"].items()},
        reserved={seat: made(Reservation, kept) for seat, kept in data["reserved"]},
        notes=tuple(made(ShiftNote, note) for note in data["notes"]),
        played={person: made(PlayTotals, totals) for person, totals in data["played"].items()},
        orders={deck: made(Order, order) for deck, order in data["orders"].items()},
        order=made(Order, data["order"]) if data["order"] is not None else None,
        dispute=made(Dispute, data["dispute"]) if data["dispute"] is not None else None,
        lease=made(Lease, data["lease"]),
        proposals={name: made(Proposal, proposal) for name, proposal in data["proposals"].items()},
    )
