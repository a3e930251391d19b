"""The progressive report: what each meter shows, where its money came from and went, and the last hits."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.house.progressive import ProgressiveState
from pitboss.house.progressive.meter import balances
from pitboss.house.progressive.meter_entries import after_entry, state_from_data, state_to_data
from pitboss.house.progressive.state import Hit
from pitboss.record.entries import Entry

PROGRESSIVES = "progressive/"


class MeterRow(NamedTuple):
    """A meter's equation: what came in is shown, reserved, overflowed, paid, transferred or the fraction of a cent."""

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
    transferred_cents: int = 0  # given to other meters, less what was received


class Meters:
    """Follows the progressives' streams."""

    def __init__(self) -> None:
        self.states: dict[str, ProgressiveState] = {}
        self._hits: dict[tuple[str, str], int] = {}

    def add(self, entry: Entry) -> None:
        """Take in the next entry of any stream."""
        if not entry.stream.startswith(PROGRESSIVES):
            return
        name = entry.stream[len(PROGRESSIVES) :]
        self.states[name] = after_entry(self.states.get(name) or ProgressiveState(name), entry)
        change = {"progressive.MeterHit": 1, "progressive.HitReversed": -1}.get(entry.kind)
        if change:
            key = (name, entry.body["meter"])
            self._hits[key] = self._hits.get(key, 0) + change

    def rows(self) -> tuple[MeterRow, ...]:
        """Return the report's lines, by progressive and meter."""
        return tuple(
            MeterRow(
                name,
                meter,
                one.seed_cents,
                one.contributed,
                one.shown_cents,
                one.reserve,
                one.overflow,
                one.paid_cents,
                one.remainder,
                self._hits.get((name, meter), 0),
                balances(one),
                one.transferred_cents,
            )
            for name, state in sorted(self.states.items())
            for meter, one in sorted(state.meters.items())
        )

    def hits(self, progressive: str) -> tuple[Hit, ...]:
        """Return a progressive's last 25 hits, the newest first."""
        found = self.states.get(progressive)
        return tuple(reversed(found.hits)) if found is not None else ()

    def to_data(self) -> dict[str, Any]:
        """Return what was taken in as plain data."""
        states = {name: state_to_data(one) for name, one in self.states.items()}
        return {"states": states, "hits": [[*key, count] for key, count in self._hits.items()]}

    def take_up(self, data: Mapping[str, Any]) -> None:
        """Go on from what was taken in before."""
        self.states = {name: state_from_data(one) for name, one in data["states"].items()}
        self._hits = {(name, meter): count for name, meter, count in data["hits"]}
