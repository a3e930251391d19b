"""The simulator finds what it is there to find: faults planted in the house on purpose."""

from typing import Any

import pytest

from pitboss.house.live_table import decide, event_writer
from pitboss.house.live_table import table_view as desk_view
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import authorization
from pitboss.house.running_tables import House
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.store import Weighing
from pitboss.round import view as view_of_play
from simulation import staff
from simulation.one_run import Violated, run_seed


def found(*seeds: int) -> str:
    """Return what the simulator says of the first of these seeds in which something does not hold."""
    for seed in seeds:
        try:
            run_seed(seed)
        except Violated as violated:
            return str(violated)
    pytest.fail("the planted fault was not found")


def test_an_acknowledgement_before_the_sync_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedDisk, "sync", lambda disk: disk.at_boundary("synced"))
    said = found(2, 8, 6, 11)
    assert "was at entry" in said or "is not there" in said


def test_a_command_carried_out_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    against = Weighing._against

    def forgetful(weighing: Weighing, batch: Any) -> Any:
        weighing.commands.clear()
        return against(weighing, batch)

    monkeypatch.setattr(Weighing, "_against", forgetful)
    assert "twice" in found(9, 4, 14, 19)


def test_a_cent_too_many_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = event_writer.transfer_of

    def generous(books: Any, before: Any, event: Any) -> Any:
        moved = right(books, before, event)
        if moved is None or type(event).__name__ != "WagersSettled":
            return moved
        first, *rest = moved.postings
        last = rest.pop()
        raised = (first._replace(cents=first.cents + 1), *rest, last._replace(cents=last.cents - 1))
        return moved._replace(postings=raised)

    monkeypatch.setattr(event_writer, "transfer_of", generous)
    assert "where the round says" in found(1)


def test_a_hidden_card_in_a_view_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_view, "view_of_play", lambda play, own: view_of_play(play, play.seats))
    assert "was shown" in found(1)


def test_a_dealer_without_the_lease_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(authorization._REQUIREMENTS, authorization.LEASE, lambda person, place: None)  # type: ignore[arg-type]
    assert "held the lease" in found(1, 2, 3)


def test_a_state_that_left_its_record_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = House._apply

    def forgetful(house: House, running: Any, entries: Any, shared: Any) -> None:
        apply(house, running, entries, shared)
        live: LiveTable = running.live
        if live.rounds == 2:
            running.live = live._replace(wagered_at=live.wagered_at + 1)

    monkeypatch.setattr(House, "_apply", forgetful)
    assert "differs from its record" in found(1, 2)


def test_a_table_that_plays_on_past_a_report_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "held", lambda live, command: None)
    monkeypatch.setattr(staff, "REPORTS", 0.3)
    assert "while a report waited" in found(1, 2, 3)
