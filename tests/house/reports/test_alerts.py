"""Alerts: each is raised once by what the record says, and stays open until someone acknowledges it."""

import json
from typing import Any

import pytest

from house.floors import TRAY, Floor, read_terms, run
from house.live_table.staffed import BY, CAGE, DEALER, FLOOR, StaffedTable
from house.reports.test_theory import EVEN, rounds
from pitboss.games.catalogue import games
from pitboss.house import entry_kinds
from pitboss.house.live_table import commands
from pitboss.house.people import leases
from pitboss.house.reports.alerts import (
    COUNT_DUE,
    DEALER_GONE,
    DECK_DUE,
    DEVICE_OUT,
    DISPUTE,
    GONE_AFTER_MS,
    HOLD_OUT,
    METER_HIT,
    TRAY_LOW,
    TRAY_OFF,
    Alerts,
)
from pitboss.house.reports.table_facts import HOUR_MS
from pitboss.record.entries import NO_PREVIOUS, Draft, Entry
from pitboss.record.store import streams
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards

WITH_HOURS = next(game.name for game in games() if game.procedures.deck_hours is not None)


def entry(stream: str, kind: str, body: dict[str, Any], at: int = 5) -> Entry:
    return Entry(stream, 1, kind, body, "C-1", "flo", "floorperson", "c", at, None, NO_PREVIOUS, "")


def alerts_of(floor: Floor) -> Alerts:
    alerts = Alerts(read_terms)
    for stream in streams(floor.store):
        for other in floor.store.read(stream):
            alerts.add(other)
    return alerts


def kinds(alerts: Alerts, now: int) -> list[str]:
    return [alert.kind for alert in alerts.held(now)]


async def staffed(name: str = WITH_HOURS) -> StaffedTable:
    table = StaffedTable(Floor(6), name)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    return table


def test_a_quiet_table_raises_nothing_but_its_counts() -> None:
    async def played() -> Floor:
        table = await staffed()
        await table.play_round()
        return table.floor

    floor = run(played())
    assert set(kinds(alerts_of(floor), floor.clock.now)) <= {COUNT_DUE}


def test_an_overdue_deck_is_found_by_the_clock_only_and_its_alert_stays_after_the_change() -> None:
    async def changed() -> tuple[Alerts, Floor]:
        table = await staffed()
        await table.play_round()
        early = alerts_of(table.floor)
        table.floor.clock.now += 9 * HOUR_MS
        for deck in table.live.cards.decks:
            await table.must(FLOOR, of_cards.RemoveDeck(by=BY, at=0, deck=deck.name))
        return early, table.floor

    early, floor = run(changed())
    assert DECK_DUE not in kinds(early, 2 * HOUR_MS)
    due = [alert for alert in early.held(floor.clock.now) if alert.kind == DECK_DUE]
    assert len(due) == 1
    assert due[0].clause
    late = [alert for alert in alerts_of(floor).held(floor.clock.now) if alert.kind == DECK_DUE]
    assert [item.id for item in late] == [item.id for item in due]
    assert late[0].over_at is not None


def test_a_count_is_due_and_over_when_it_was_made() -> None:
    async def until_counted() -> Floor:
        table = await staffed()
        for _ in range(200):
            await table.play_round()
            if any(True for _ in table.floor.store.read("table/t", kinds={"table.StubCounted"})):
                return table.floor
        raise AssertionError("no stub was ever due to be counted")

    floor = run(until_counted())
    [alert] = [alert for alert in alerts_of(floor).held(floor.clock.now) if alert.kind == COUNT_DUE]
    assert alert.over_at is not None
    assert alert.clause


def test_a_device_that_fails_is_out_until_it_is_returned() -> None:
    async def failed() -> tuple[Alerts, Floor]:
        table = await staffed()
        await table.play_round()
        await table.must(DEALER, of_cards.FailDevice(by=BY, at=0, device="shuffler"))
        return alerts_of(table.floor), table.floor

    alerts, floor = run(failed())
    [alert] = [alert for alert in alerts.held(floor.clock.now) if alert.kind == DEVICE_OUT]
    assert "shuffler has failed" in alert.says
    assert alert.over_at is None


def test_a_low_tray_is_one_alert_until_a_fill_and_another_after_it() -> None:
    async def emptied() -> Floor:
        table = await staffed()
        for _ in range(2):
            low = table.live.tray_cents - TRAY // 5
            await table.both(FLOOR, CAGE, commands.Credit(cents=low))
            await table.both(FLOOR, CAGE, commands.Credit(cents=100_00))
            await table.both(FLOOR, CAGE, commands.Fill(cents=TRAY // 2))
        return table.floor

    floor = run(emptied())
    found = [alert for alert in alerts_of(floor).held(floor.clock.now) if alert.kind == TRAY_LOW]
    assert len(found) == 2
    assert all(item.over_at is not None for item in found)


def test_a_count_that_differs_from_the_books_is_reported_with_who_counted() -> None:
    async def counted() -> Floor:
        table = await staffed()
        tray = table.live.tray_cents
        await table.must(FLOOR, commands.CountInventory(tray_cents=tray))
        await table.must(FLOOR, commands.CountInventory(tray_cents=tray - 25_00))
        await table.must(FLOOR, commands.CountInventory(tray_cents=tray))
        return table.floor

    floor = run(counted())
    off = [alert for alert in alerts_of(floor).held(floor.clock.now) if alert.kind == TRAY_OFF]
    assert len(off) == 2, "the count that was right is no alert"
    assert all("flo counted $" in line.says and line.clause == "H-13" for line in off)


@pytest.mark.parametrize("is_left", [True, False])
def test_a_round_without_a_dealer_is_an_alert_until_a_dealer_takes_it(is_left: bool) -> None:
    async def left() -> tuple[Alerts, Floor, int]:
        table = await staffed()
        await table.begin()
        await table.next()
        if is_left:
            await table.must(DEALER, leases.ReleaseLease(by=BY, at=0, token=table.live.lease.token))
            gone_at = table.floor.clock.now
        else:
            gone_at = table.live.lease.until
        alone = alerts_of(table.floor)
        table.floor.clock.now = gone_at + 2 * GONE_AFTER_MS
        await table.must(DEALER, leases.TakeLease(by=BY, at=0))
        return alone, table.floor, gone_at

    alone, floor, gone_at = run(left())
    assert DEALER_GONE not in kinds(alone, gone_at + GONE_AFTER_MS - 1)
    [gone] = [alert for alert in alone.held(gone_at + GONE_AFTER_MS) if alert.kind == DEALER_GONE]
    assert (gone.at, gone.clause, gone.over_at) == (gone_at, "H-16", None)
    taken = Alerts(read_terms)
    taken.restore(json.loads(json.dumps(alerts_of(floor).to_data())))
    [held] = [alert for alert in taken.held(floor.clock.now) if alert.kind == DEALER_GONE]
    assert held.id == gone.id
    assert held.over_at is not None


def test_a_table_without_a_dealer_between_rounds_is_no_alert() -> None:
    async def left() -> Floor:
        table = await staffed()
        await table.play_round()
        await table.must(DEALER, leases.ReleaseLease(by=BY, at=0, token=table.live.lease.token))
        table.floor.clock.now += 2 * GONE_AFTER_MS
        return table.floor

    floor = run(left())
    assert DEALER_GONE not in kinds(alerts_of(floor), floor.clock.now)


def test_what_was_reported_is_a_dispute_until_it_is_ruled_on() -> None:
    alerts = Alerts(read_terms)
    alerts.add(entry("table/t", "house.RoundBegun", {"round": "r1"}))
    body = {"irregularity": "wrong-number-of-cards", "seat": 2, "by_clause": "7.2"}
    alerts.add(entry("table/t", "house.IrregularityReported", body))
    [alert] = alerts.held(10)
    assert (alert.kind, alert.clause, alert.over_at) == (DISPUTE, "7.2", None)
    alerts.add(entry("table/t", "round.IrregularityRuled", {"irregularity": "wrong-number-of-cards"}, 9))
    assert alerts.held(10)[0].over_at == 9


def test_a_hit_is_held_until_acknowledged_in_whatever_order_the_streams_are_read() -> None:
    hit = {"table": "t", "round": "r", "seat": 1, "player": "alice", "meter": "major", "percent": 10}
    hit |= {"hand": "flush", "paid_cents": 5_00, "shown_cents": 50_00}
    found = entry("progressive/p", "progressive.MeterHit", hit)
    alerts = Alerts(read_terms)
    alerts.add(found)
    [alert] = alerts.held(10)
    assert alert.kind == METER_HIT
    assert "$5" in alert.says
    draft = alerts.acknowledge(alert.id, "seen", 10)
    assert isinstance(draft, Draft)
    answered = entry(draft.stream, draft.kind, dict(draft.body), 8)
    assert draft.kind == entry_kinds.ALERT_ACKNOWLEDGED
    alerts.add(answered)
    assert alerts.held(10) == ()
    assert alerts.answered()[0][1] == ("flo", 8, "seen")
    assert isinstance(alerts.acknowledge(alert.id, "again", 10), Refusal)
    other = Alerts(read_terms)
    for item in (answered, found):
        other.add(item)
    assert other.held(10) == ()


@pytest.mark.parametrize(("chance", "is_raised"), [(0.49, False), (0.6, True)])
def test_a_table_that_leaves_its_band_raises_an_alert(chance: float, is_raised: bool) -> None:
    held = {}
    for learned_after in (0, 700, 1350, 1500):  # rounds; what theory says does not hang on when it is known
        alerts = Alerts(read_terms)
        alerts.add(entry("table/t", "house.SubmissionActivated", {"document": {"game": WITH_HOURS}, "version": "v1"}))
        done = 0
        for number, played in enumerate(rounds(1500, chance)):
            if done == learned_after:
                alerts.learn("v1", (EVEN,))
            alerts.add(played._replace(sequence=number))
            done += played.kind == "house.RoundEnded"
        if learned_after == 1500:
            assert alerts.awaited() == ("v1",)
            again = Alerts(read_terms)
            again.restore(json.loads(json.dumps(alerts.to_data())))
            alerts = again
            alerts.learn("v1", (EVEN,))
        assert alerts.awaited() == ()
        held[learned_after] = [alert for alert in alerts.held(10) if alert.kind == HOLD_OUT]
    assert held[0] == held[700] == held[1350] == held[1500]
    assert bool(held[0]) is is_raised
    assert all("standard errors" in alert.says and alert.clause == "H-24" for alert in held[0])


def test_it_goes_on_from_what_was_kept() -> None:
    async def played() -> Floor:
        table = await staffed()
        for _ in range(3):
            await table.play_round()
        return table.floor

    floor = run(played())
    entries = [entry for stream in streams(floor.store) for entry in floor.store.read(stream)]
    whole = alerts_of(floor).to_data()
    for cut in (0, 9, len(entries) // 2):
        first, second = Alerts(read_terms), Alerts(read_terms)
        for other in entries[:cut]:
            first.add(other)
        second.restore(json.loads(json.dumps(first.to_data())))
        for other in entries[cut:]:
            second.add(other)
        assert second.to_data() == whole
