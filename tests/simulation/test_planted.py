"""The simulator finds what it should find: faults planted in the house on purpose."""

from typing import Any

import pytest

from pitboss.house.live_table import (
    absent_players,
    chip_commands,
    decide,
    device_keys,
    disputes,
    event_writer,
    holds,
    play_commands,
    seat_commands,
)
from pitboss.house.live_table import table_view as desk_view
from pitboss.house.live_table.commands import ValidateMeter, ValidatePayout
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import IncidentAnswered, Proposed
from pitboss.house.live_table.holds import held as is_held
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money import controlled_transfers, transfers
from pitboss.house.money.ledger import drop
from pitboss.house.money.postings import transfer_of
from pitboss.house.people import authorization
from pitboss.house.people.role_names import LEASE
from pitboss.house.running_tables import House
from pitboss.house.stream_names import account_stream
from pitboss.record.entries import Draft
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.store import Weighing
from pitboss.round import view as view_of_play
from simulation import people, pit
from simulation.counted_people import EVERY_SEEDS
from simulation.coverage import waits_for_progressive
from simulation.one_run import Violated, run_seed

SEEDS = 40


def assert_found(*words: str, every: int = 1) -> None:
    """Run seeds, or every so many of them, until one of them says one of these."""
    said = []
    for seed in range(every, SEEDS + 1, every):
        try:
            run_seed(seed)
        except Violated as violated:
            said.append(str(violated))
            if any(word in said[-1] for word in words):
                return
    pytest.fail(f"the planted fault was not found: {said}")


def test_an_acknowledgement_before_the_sync_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedDisk, "sync", lambda disk: disk.at_boundary("synced"))
    assert_found("was at entry", "is not there")


def test_a_command_carried_out_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    against = Weighing._against

    def forgetful(weighing: Weighing, batch: Any) -> Any:
        weighing.commands.clear()
        return against(weighing, batch)

    monkeypatch.setattr(Weighing, "_against", forgetful)
    assert_found("twice")


def test_a_sensors_message_that_counts_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_keys, "check_sequence", lambda *asked: None)
    assert_found("a sensor's message was taken a second time", "came after")


def test_limits_that_nobody_minds_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_commands, "check_stakes", lambda live, command: None)
    monkeypatch.setattr(people, "MISSES_LIMIT", 1)
    monkeypatch.setattr(pit, "FLOOR_LIMITS", ((25_00,), (100_00,)))
    assert_found("are taken")


def test_a_player_who_is_answered_for_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absent_players, "is_left", lambda live, seat: True)
    assert_found("before its time was over")


def test_a_seat_kept_for_nobody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_commands, "check_reserved", lambda writer, command, player: None)
    monkeypatch.setattr(pit, "EXPECTED", ("zoe",))
    assert_found("which is kept for")


def test_a_chip_more_than_its_slip_says_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = controlled_transfers.fill_received
    monkeypatch.setattr(
        controlled_transfers, "fill_received", lambda slip, table, cents: right(slip, table, cents - 1_00)
    )
    assert_found("on their way", "without a slip", every=EVERY_SEEDS)


def test_a_cent_too_many_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = transfer_of

    def generous(books: Any, before: Any, event: Any) -> Any:
        moved = right(books, before, event)
        if moved is None or type(event).__name__ != "WagersSettled":
            return moved
        first, *rest = moved.postings
        last = rest.pop()
        raised = (first._replace(cents=first.cents + 1), *rest, last._replace(cents=last.cents - 1))
        return moved._replace(postings=raised)

    monkeypatch.setattr(event_writer, "transfer_of", generous)
    assert_found("where the round says")


def test_a_hidden_card_in_a_view_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_view, "view_of_play", lambda play, own: view_of_play(play, play.seats))
    assert_found("was shown")


def test_a_dealer_without_the_lease_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(authorization._REQUIREMENTS, LEASE, lambda person, place: None)
    assert_found("held the lease")


def test_a_state_that_left_its_record_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = House._apply

    def forgetful(house: House, running: Any, decided: LiveTable, entries: Any, shared: Any) -> None:
        apply(house, running, decided, entries, shared)
        live: LiveTable = running.live
        if live.rounds == 2:
            running.live = live._replace(wagered_at=live.wagered_at + 1)

    monkeypatch.setattr(House, "_apply", forgetful)
    assert_found("differs from its record")


def test_a_table_that_plays_on_past_a_report_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "held", lambda live, command: None)
    assert_found("while a report waited")


@pytest.mark.parametrize("word", ["MeterPaid", "WagersSettled"])
def test_a_progressive_payout_that_is_validated_past_a_report_is_found(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    held = is_held

    def lenient(live: LiveTable, command: Any) -> Any:
        validates = isinstance(command, ValidateMeter | ValidatePayout)
        return None if validates and waits_for_progressive(live.play) else held(live, command)

    monkeypatch.setattr(decide, "held", lenient)
    assert_found(f"round.{word} happened at b while a report waited")


@pytest.mark.parametrize("kind", [IncidentAnswered, Proposed])
def test_chips_taken_while_a_report_waits_are_found(monkeypatch: pytest.MonkeyPatch, kind: type) -> None:
    house = EventWriter.house

    def greedy(writer: EventWriter, event: Any, moved: Any = None, clause: str | None = None) -> Any:
        live = writer.live
        player = next((player for player in live.seats.values() if live.stack_cents(player) > 5_00), None)
        if isinstance(event, kind) and live.trouble is not None and player is not None:
            moved = transfers.tip(live.table, player, 5_00)
        return house(writer, event, moved, clause)

    monkeypatch.setattr(EventWriter, "house", greedy)
    assert_found(f"{kind.__name__} moved")


def test_a_balance_that_changes_while_a_report_waits_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    note = holds.note

    def greedy(writer: EventWriter, command: Any, clause: str | None) -> Any:
        table = writer.live.table
        body = {"table": table, POSTINGS: {f"drop:{table}": 5_00, "house": -5_00}}
        writer.other(Draft(account_stream(drop(table)), "money.ChipsBought", body, None))
        return note(writer, command, clause)

    monkeypatch.setattr(holds, "note", greedy)
    assert_found("moved money of")


def test_a_table_that_goes_on_in_a_dispute_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "waits", lambda live, command: None)
    assert_found("in dispute")


def test_disputed_chips_that_are_carried_away_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chip_commands, "disputed_cents", lambda live, player: 0)
    monkeypatch.setattr(play_commands, "disputing", lambda live: frozenset())
    assert_found("that were in dispute")


def test_a_table_that_goes_on_past_a_wrong_count_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    held = is_held
    monkeypatch.setattr(decide, "held", lambda live, command: held(live, command) if live.trouble else None)
    assert_found("a wrong count of the")
