"""What the house holds for players, from entries that a person can add up and from played floors."""

from typing import Any

from house.floors import run
from house.reports.test_hold import floor_of_all
from pitboss.games.catalogue import game_names
from pitboss.house import entry_kinds
from pitboss.house.progressive.state import ProgressiveState
from pitboss.house.reports.liability import HeldForPlayers, is_for_play_money
from pitboss.house.reports.progressives import Meters
from pitboss.house.reports.table_facts import HOUR_MS
from pitboss.record.entries import Entry
from pitboss.record.store import streams


def entry(stream: str, kind: str = "moved", at: int = 0, **body: Any) -> Entry:
    return Entry(stream, 1, kind, body, None, "cay", "cage", "1", at, None, "", "")


def moved(stream: str, at: int = 0, **postings: int) -> Entry:
    named = {account.replace("__", ":"): cents for account, cents in postings.items()}
    return entry(stream, at=at, postings=named)


def rules(table: str, *, free_play: bool) -> Entry:
    document = {"table": {"game": game_names()[0], "free-play": free_play}}
    return entry(f"table/{table}", entry_kinds.SUBMISSION_ACTIVATED, document=document, version="v")


def following(*entries: Entry) -> HeldForPlayers:
    held = HeldForPlayers(Meters())
    for each in entries:
        held.add(each)
    return held


def test_only_real_money_of_players_is_held_for_them() -> None:
    held = following(
        rules("one", free_play=False),
        rules("two", free_play=False),
        rules("three", free_play=True),
        moved("account/deposit:ann", deposit__ann=50_00, house=-50_00),
        moved("account/deposit:bo", deposit__bo=25_00, house=-25_00),
        moved("account/purse:cy", purse__cy=900_00, house=-900_00),
        moved("account/outstanding:money", outstanding__money=5_00, cage=-5_00),
        moved("account/outstanding:play", outstanding__play=7_00, cage=-7_00),
        moved("table/one", stack__one__ann=70_00, felt__one=30_00, inventory__one=-100_00),
        moved("table/two", stack__two__bo=1_00, inventory__two=-1_00),
        moved("table/three", stack__three__cy=800_00, felt__three=20_00, inventory__three=-820_00),
    )
    assert [(row.held_for_players, row.cents) for row in held.rows()] == [
        ("deposits", 75_00),
        ("chips outstanding", 5_00),
        ("chips at tables", 71_00),
        ("wagers in play", 30_00),
    ]


def test_a_kind_that_holds_nothing_has_no_line_unless_it_moved() -> None:
    held = following(
        moved("account/deposit:ann", at=0, deposit__ann=50_00),
        moved("account/deposit:ann", at=5 * HOUR_MS, deposit__ann=-50_00),
    )
    assert following().rows() == ()
    assert held.rows(since_ms=6 * HOUR_MS) == held.rows(until_ms=0) == ()
    (row,) = held.rows(since_ms=HOUR_MS, until_ms=6 * HOUR_MS)
    assert tuple(row) == ("deposits", 50_00, -50_00, 0)


def test_meters_of_play_money_only_are_not_held() -> None:
    shared = ProgressiveState("shared", links={"three": None})  # type: ignore[dict-item]
    assert is_for_play_money(shared, {"three": True})
    assert not is_for_play_money(shared, {"three": False})
    assert not is_for_play_money(shared, {})


def test_what_is_held_is_what_the_tables_and_meters_of_a_played_floor_hold() -> None:
    floor = run(floor_of_all(4))
    meters = Meters()
    held = HeldForPlayers(meters)
    for stream in streams(floor.store):
        for each in floor.store.read(stream):
            meters.add(each)
            held.add(each)
    rows = {row.held_for_players: row.cents for row in held.rows()}
    tables = [floor.house.live(table) for table in floor.house.tables]
    chips = sum(cents for live in tables for account, cents in live.balances.items() if account.startswith("stack:"))
    shown = {
        f"progressive {name}": sum(meter.shown_cents for meter in state.meters.values())
        for name, state in meters.states.items()
    }
    assert shown
    assert {name: cents for name, cents in rows.items() if name.startswith("progressive")} == shown
    assert rows["chips at tables"] == chips > 0
    felt = [cents for live in tables for account, cents in live.balances.items() if account.startswith("felt:")]
    assert rows.get("wagers in play", 0) == sum(felt)
