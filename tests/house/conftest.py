"""Every command in these tests also checks that the state kept from its decision is the one its entries give."""

from typing import Any

import pytest

from pitboss.house.live_table.evolve import evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import House
from pitboss.house.table_registry import RunningTable
from pitboss.record.entries import Entry


@pytest.fixture(autouse=True)
def kept_states_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the table after each command with the one that its recorded entries lead to."""
    apply = House._apply

    def checked(
        house: House, running: RunningTable, decided: LiveTable, entries: tuple[Entry, ...], shared: list[Any]
    ) -> None:
        expected = running.live
        for entry in entries:
            if entry.stream == expected.stream:
                expected = evolve(expected, entry, house.reading)
        apply(house, running, decided, entries, shared)
        _assert_same(running.live, expected)

    monkeypatch.setattr(House, "_apply", checked)


def _assert_same(kept: LiveTable, expected: LiveTable) -> None:
    # Rules have no equality of their own; they are the same where the game and the choices are.
    for name, in_memory, evolved in zip(kept._fields, _comparable(kept), _comparable(expected), strict=True):
        assert in_memory == evolved, f"{name} was kept as {in_memory}, but the entries give {evolved}"


def _comparable(live: LiveTable) -> tuple[Any, ...]:
    rules = live.play.rules if live.play is not None else None
    play = live.play._replace(rules=(rules.game.name, rules.choices)) if live.play and rules else None
    return tuple(live._replace(play=play))
