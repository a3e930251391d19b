"""The progressive report: what each meter displays, where its money came from and went, and the last hits."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.progressive import ProgressiveState
from pitboss.house.progressive.meter import Meter, balances
from pitboss.house.progressive.meter_entries import after_entry, state_from_data, state_to_data
from pitboss.house.progressive.meter_terms import NOTHING
from pitboss.house.progressive.state import Hit
from pitboss.house.reports.table_facts import HOUR_MS, hour_of, is_hour_in
from pitboss.house.stream_names import PROGRESSIVES
from pitboss.record.entries import Entry


class MeterRow(NamedTuple):
    """A meter's equation: what came in is displayed, reserved, overflowed, paid, moved on or the fraction of a cent."""

    progressive: str
    meter: str
    seed_cents: int
    contributed_cents: Fraction
    shown_cents: int
    reserve_cents: Fraction
    overflow_cents: Fraction
    paid_cents: int
    remainder_cents: Fraction
    hits: int
    balances: bool
    transferred_cents: int = 0  # moved to other meters, less what was received


class MeterMovesRow(NamedTuple):
    """A meter's equation for an interval: what it had and what came in is what went and what it has at the end."""

    progressive: str
    meter: str
    at_start_cents: Fraction
    seed_cents: int
    contributed_cents: Fraction
    transferred_cents: int
    paid_cents: int
    hits: int
    shown_cents: int  # this and the rest at the end of the interval
    reserve_cents: Fraction
    overflow_cents: Fraction
    remainder_cents: Fraction
    balances: bool


class _Figures(NamedTuple):
    """What a meter came to, or what changed in an hour."""

    value: Fraction = NOTHING
    reserve: Fraction = NOTHING
    overflow: Fraction = NOTHING
    seed: Fraction = NOTHING
    contributed: Fraction = NOTHING
    transferred: Fraction = NOTHING
    paid: Fraction = NOTHING
    hits: Fraction = NOTHING

    @property
    def behind(self) -> Fraction:
        """Return all the money behind the meter."""
        return self.value + self.reserve + self.overflow


_UNTOUCHED = _Figures()


class Meters:
    """Follows the progressives' streams."""

    def __init__(self) -> None:
        self.states: dict[str, ProgressiveState] = {}
        self._hits: dict[tuple[str, str], int] = {}
        self._moves: dict[tuple[str, str], dict[int, _Figures]] = {}  # by progressive and meter, and by hour

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if not entry.stream.startswith(PROGRESSIVES):
            return
        name = entry.stream[len(PROGRESSIVES) :]
        before = self.states.get(name) or ProgressiveState(name)
        after = self.states[name] = after_entry(before, entry)
        for meter, figures in after.meters.items():
            known = before.meters.get(meter)
            if known is not figures:
                changed = (now - then for now, then in zip(_figures(figures), _figures(known), strict=True))
                self._move(name, meter, entry.at, _Figures(*changed))
        change = {entry_kinds.METER_HIT: 1, entry_kinds.HIT_REVERSED: -1}.get(entry.kind)
        if change:
            key = (name, entry.body["meter"])
            self._hits[key] = self._hits.get(key, 0) + change
            self._move(*key, entry.at, _Figures(hits=Fraction(change)))

    def rows(self) -> tuple[MeterRow, ...]:
        """Return the report's lines, by progressive and meter."""
        return tuple(
            MeterRow(
                name,
                meter,
                figures.seed_cents,
                figures.contributed,
                figures.shown_cents,
                figures.reserve,
                figures.overflow,
                figures.paid_cents,
                figures.remainder,
                self._hits.get((name, meter), 0),
                balances(figures),
                figures.transferred_cents,
            )
            for name, state in sorted(self.states.items())
            for meter, figures in sorted(state.meters.items())
        )

    def moves(self, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[MeterMovesRow, ...]:
        """Return a line for each meter that had money behind it, or got some, in some hours or all."""
        rows = []
        for (progressive, meter), by_hour in sorted(self._moves.items()):
            start = _sum(change for hour, change in by_hour.items() if hour + HOUR_MS <= since_ms)
            inside = _sum(change for hour, change in by_hour.items() if is_hour_in(hour, since_ms, until_ms))
            end = _sum((start, inside))
            if start.behind or any(inside):
                rows.append(_moves_row(progressive, meter, start, inside, end))
        return tuple(rows)

    def hits(self, progressive: str) -> tuple[Hit, ...]:
        """Return a progressive's last 25 hits, newest first."""
        found = self.states.get(progressive)
        return tuple(reversed(found.hits)) if found is not None else ()

    def to_data(self) -> dict[str, Any]:
        """Return the state as plain data."""
        states = {name: state_to_data(state) for name, state in self.states.items()}
        moves = [
            [*key, hour, list(map(str, change))]
            for key, by_hour in self._moves.items()
            for hour, change in by_hour.items()
        ]
        hits = [[*key, count] for key, count in self._hits.items()]
        return {"states": states, "hits": hits, "moves": moves}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the state from plain data."""
        self.states = {name: state_from_data(state) for name, state in data["states"].items()}
        self._hits = {(name, meter): count for name, meter, count in data["hits"]}
        self._moves = {}
        for name, meter, hour, change in data["moves"]:
            self._moves.setdefault((name, meter), {})[hour] = _Figures(*map(Fraction, change))

    def _move(self, name: str, meter: str, at: int, change: _Figures) -> None:
        by_hour = self._moves.setdefault((name, meter), {})
        by_hour[hour_of(at)] = _sum((by_hour.get(hour_of(at), _UNTOUCHED), change))


def _figures(meter: Meter | None) -> _Figures:
    if meter is None:
        return _UNTOUCHED
    return _Figures(
        value=meter.value,
        reserve=meter.reserve,
        overflow=meter.overflow,
        seed=Fraction(meter.seed_cents),
        contributed=meter.contributed,
        transferred=Fraction(meter.transferred_cents),
        paid=Fraction(meter.paid_cents),
    )


def _sum(changes: Iterable[_Figures]) -> _Figures:
    total = _UNTOUCHED
    for change in changes:
        total = _Figures(*(figure + more for figure, more in zip(total, change, strict=True)))
    return total


def _moves_row(progressive: str, meter: str, start: _Figures, inside: _Figures, end: _Figures) -> MeterMovesRow:
    shown = floor(end.value)
    came_in = start.behind + inside.seed + inside.contributed
    return MeterMovesRow(
        progressive,
        meter,
        at_start_cents=start.behind,
        seed_cents=int(inside.seed),
        contributed_cents=inside.contributed,
        transferred_cents=int(inside.transferred),
        paid_cents=int(inside.paid),
        hits=int(inside.hits),
        shown_cents=shown,
        reserve_cents=end.reserve,
        overflow_cents=end.overflow,
        remainder_cents=end.value - shown,
        balances=came_in == end.behind + inside.paid + inside.transferred,
    )
