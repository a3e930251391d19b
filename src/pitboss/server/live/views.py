"""Views of tables for the people who watch them, built from the house's own allow-lists."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import orjson
from pydantic_core import to_jsonable_python

from pitboss.house.bots import bot_number
from pitboss.house.live_table.deck_order import sealer_of
from pitboss.house.live_table.pit_commands import limits_now
from pitboss.house.live_table.sealed_events import Sealer
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.live_table.table_view import (
    LiveTableView,
    OwnSeat,
    OwnView,
    SeatSeen,
    own_view,
    public_view,
    view,
)
from pitboss.record.entries import Entry
from pitboss.rules.in_force import RulesInForce
from pitboss.server.open_floor import OpenFloor
from pitboss.server.schemas.tables import PaceShown, TableSummary

HOUR_MS = 60 * 60 * 1000
FEWEST_TIMED = 3  # rounds used to estimate the pace
_SHARED = tuple(field.name for field in fields(LiveTableView) if field.name not in OwnView._fields)
_SEAT_SHARED = tuple(field.name for field in fields(SeatSeen) if field.name not in OwnSeat._fields)


def written(data: Any) -> str:
    """Return data, with dataclasses as their fields, as compact JSON text."""
    return orjson.dumps(data).decode()


def summaries(stream: str, entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the entries of a table's stream as everyone may see them."""
    return [
        {"sequence": entry.sequence, "kind": entry.kind, "clause": entry.clause}
        for entry in entries
        if entry.stream == stream
    ]


def table_view(floor: OpenFloor, live: LiveTable, person: str | None) -> dict[str, Any]:
    """Return a table as a person may see it."""
    # The view's own type is the allow-list; a test keeps the API's model of the same fields in line with it.
    return {**to_jsonable_python(view(live, person, _sealer(floor, live))), "meters": meters(floor, live)}


class Looks:
    """A table at one moment, serialized for its viewers; the part they all see is serialized once."""

    def __init__(self, floor: OpenFloor, live: LiveTable) -> None:
        self._live, self._sealer = live, _sealer(floor, live)
        self._public = public_view(live, self._sealer)
        shared = {name: getattr(self._public, name) for name in _SHARED}
        self._shared = written({**shared, "meters": meters(floor, live)})[:-1]
        self._seats = [_fields_text(seat, _SEAT_SHARED) for seat in self._public.seats]
        self._of_others = [_fields_text(seat, OwnSeat._fields) for seat in self._public.seats]
        self._opened = written(self._public.opened)

    def text(self, person: str | None) -> str:
        """Return a person's view of the table as JSON text, the same as table_view."""
        public, own = self._public, own_view(self._public, self._live, person, self._sealer)
        seats = [
            f"{{{shared},{_fields_text(own.seats[seat.seat], OwnSeat._fields) if seat.seat in own.seats else others}}}"
            for seat, shared, others in zip(public.seats, self._seats, self._of_others, strict=True)
        ]
        opened = self._opened if own.opened is public.opened else written(own.opened)
        asked = f'"actions":{written(own.actions)},"at_bell":{written(own.at_bell)}'
        return f'{self._shared},"seats":[{",".join(seats)}],{asked},"opened":{opened}}}'


def _fields_text(seat: SeatSeen | OwnSeat, names: tuple[str, ...]) -> str:
    return written({name: getattr(seat, name) for name in names})[1:-1]


def _sealer(floor: OpenFloor, live: LiveTable) -> Sealer | None:
    has_cards = live.key and live.play is not None and live.play.cards
    return sealer_of(floor.house.seal, live.round, live.key, live.order) if has_cards else None


def table_summary(floor: OpenFloor, live: LiveTable) -> TableSummary:
    """Return a table as the lobby shows it."""
    terms = live.terms
    rules = terms.settings.rules if terms else None
    main = next((wager for wager in rules.game.wagers if wager.required), None) if rules else None
    limits = limits_now(live, main.name, rules.limits(main.name)) if rules and main else None
    return TableSummary(
        table=live.table,
        title=rules.game.title if rules else live.table,
        game=rules.game.name if rules else None,
        is_open=live.is_open,
        free_play=bool(terms and terms.settings.free_play),
        analysis=bool(terms and terms.analysis),
        seats=rules.seats_most if rules else 0,
        players=[live.seats[seat] for seat in sorted(live.seats)],
        bots={player: number for player in live.seats.values() if (number := bot_number(player, live.table))},
        phase=live.play.phase if live.play is not None and live.in_round else None,
        round=live.rounds,
        minimum_cents=limits.minimum if limits else None,
        maximum_cents=limits.maximum if limits else None,
        meters=meters(floor, live),
        paytables=_letters(rules) if rules else {},
        dealer=live.lease.holder,
        is_automatic=bool(terms and terms.automatic),
        real_cards=bool(terms and terms.real_cards),
        pace=_pace(terms) if terms and terms.automatic else None,
        rounds_per_hour=rounds_per_hour(live.begun),
    )


def _pace(terms: TableTerms) -> PaceShown:
    return PaceShown(wagers_ms=terms.pace.wagers_ms, decision_ms=terms.pace.decision_ms)


def rounds_per_hour(begun: tuple[int, ...]) -> int | None:
    """Return the rounds per hour, from the start times of the last rounds."""
    if len(begun) < FEWEST_TIMED or begun[-1] <= begun[0]:
        return None
    return round((len(begun) - 1) * HOUR_MS / (begun[-1] - begun[0]))


def meters(floor: OpenFloor, live: LiveTable) -> dict[str, int]:
    """Return what a table's progressive meters show; empty if its rules offer no progressive wager."""
    name = live.terms.progressive if live.terms else None
    if live.terms is None or name is None:
        return {}
    rules = live.terms.settings.rules
    progressive = rules.game.progressive
    if progressive is None or progressive.wager not in rules.offered:
        return {}
    paid_from = rules.paytables[progressive.wager].meters
    return {meter: cents for meter, cents in floor.house.progressive(name).state.shown().items() if meter in paid_from}


def _letters(rules: RulesInForce) -> dict[str, str]:
    return {name: table.letter for name, table in rules.paytables.items() if table.letter and name in rules.offered}
