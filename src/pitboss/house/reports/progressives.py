"""The progressive report: what each meter displays, where its money came from and went, and the last hits."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.progressive import ProgressiveState
from pitboss.house.progressive.meter import balances
from pitboss.house.progressive.meter_entries import after_entry, state_from_data, state_to_data
from pitboss.house.progressive.state import Hit
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


class Meters:
    """Follows the progressives' streams."""

    def __init__(self) -> None:
        self.states: dict[str, ProgressiveState] = {}
        self._hits: dict[tuple[str, str], int] = {}

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if not entry.stream.startswith(PROGRESSIVES):
            return
        name = entry.stream[len(PROGRESSIVES) :]
        self.states[name] = after_entry(self.states.get(name) or ProgressiveState(name), entry)
        change = {entry_kinds.METER_HIT: 1, entry_kinds.HIT_REVERSED: -1}.get(entry.kind)
        if change:
            key = (name, entry.body["meter"])
            self._hits[key] = self._hits.get(key, 0) + change

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

    def hits(self, progressive: str) -> tuple[Hit, ...]:
        """Return a progressive's last 25 hits, newest first."""
        found = self.states.get(progressive)
        return tuple(reversed(found.hits)) if found is not None else ()

    def to_data(self) -> dict[str, Any]:
        """Return the state as plain data."""
        states = {name: state_to_data(state) for name, state in self.states.items()}
        return {"states": states, "hits": [[*key, count] for key, count in self._hits.items()]}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the state from plain data."""
        self.states = {name: state_from_data(state) for name, state in data["states"].items()}
        self._hits = {(name, meter): count for name, meter, count in data["hits"]}
