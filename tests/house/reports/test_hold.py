"""Hold: the report's win is what the trays won, to the cent, however it is broken down."""

import json

import pytest

from house.floors import TRAY, Floor, run
from house.live_table.staffed import ASKING, CAGE, FLOOR, PIT, StaffedTable
from house.live_table.staffed import DEALER as DANA
from house.reports.test_incidents import WRONG, with_voids
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.money.ledger import drop, inventory
from pitboss.house.people import leases
from pitboss.house.reports.hold import DAY, DEALER, GAME, HOUR, TABLE, WAGER, Hold, HoldRow
from pitboss.house.reports.table_facts import HOUR_MS
from pitboss.record.store import streams
from pitboss.round.state import SETTLING


async def floor_of_all(rounds: int) -> Floor:
    floor = Floor(3)
    for number, name in enumerate(game_names()):
        table = f"t{number}"
        await floor.open(table, name)
        for seat, person in ((1, f"alice{number}"), (4, f"bob{number}")):
            await floor.sit(table, person, seat)
        await floor.rounds(table, rounds // 2)
        floor.clock.now += HOUR_MS
        await floor.rounds(table, rounds - rounds // 2)
    return floor


def hold_of(floor: Floor) -> Hold:
    hold = Hold()
    for stream in streams(floor.store):
        for entry in floor.store.read(stream):
            hold.add(entry)
    return hold


@pytest.fixture(scope="module")
def floor() -> Floor:
    made: Floor = run(floor_of_all(12))
    return made


def total(rows: tuple[HoldRow, ...]) -> int:
    return sum(row.win_cents for row in rows)


def test_win_is_what_the_trays_and_boxes_hold_more_than_at_the_opening(floor: Floor) -> None:
    hold = hold_of(floor)
    assert hold.differences == []
    for row in hold.rows(TABLE):
        table = row.of[TABLE]
        tray = floor.house.live(table).balances[inventory(table)]
        box = floor.house.money.state[drop(table)]
        assert row.drop_cents == box == 20_000_00
        assert row.win_cents == tray + box - TRAY
        assert row.hold == pytest.approx(row.win_cents / box)


def test_every_breakdown_comes_to_the_same_win_and_handle(floor: Floor) -> None:
    hold = hold_of(floor)
    wins = {by: total(hold.rows(*by)) for by in ((TABLE,), (GAME,), (DEALER,), (HOUR,), (DAY,), (GAME, DEALER, HOUR))}
    assert len(set(wins.values())) == 1
    contributed = sum(book.contributed_cents for book in hold.books.values())
    assert total(hold.rows(WAGER)) - contributed == wins[(TABLE,)]
    handle = sum(row.handle_cents or 0 for row in hold.rows(TABLE, WAGER))
    assert handle == sum(row.handle_cents or 0 for row in hold.rows(HOUR)) > 0
    assert len(hold.rows(HOUR)) > len(hold.rows(DAY))


def test_handle_of_a_wager_is_what_was_staked_on_it(floor: Floor) -> None:
    staked: dict[str, int] = {}
    for entry in floor.store.read("table/t0", kinds={"round.WagersSettled"}):
        for result in entry.body["results"]:
            staked[result["wager"]] = staked.get(result["wager"], 0) + result["stake"]
    rows = {row.of[WAGER]: row for row in hold_of(floor).rows(TABLE, WAGER) if row.of[TABLE] == "t0"}
    assert {wager: rows[wager].handle_cents for wager in staked} == staked


def test_it_goes_on_from_what_was_kept(floor: Floor) -> None:
    entries = [entry for stream in streams(floor.store) for entry in floor.store.read(stream)]
    for cut in (0, 7, len(entries) // 2, len(entries)):
        first, second = Hold(), Hold()
        for entry in entries[:cut]:
            first.add(entry)
        second.restore(json.loads(json.dumps(first.to_data())))
        for entry in entries[cut:]:
            second.add(entry)
        assert second.to_data() == hold_of(floor).to_data()


def test_a_result_that_the_tray_did_not_pay_is_a_difference(floor: Floor) -> None:
    hold = Hold()
    for entry in floor.store.read("table/t0"):
        if entry.kind == "round.WagersSettled" and entry.body["results"] and not hold.differences:
            first, *rest = entry.body["results"]
            entry = entry._replace(body={**entry.body, "results": [{**first, "net": first["net"] + 5}, *rest]})
        hold.add(entry)
    assert len(hold.differences) == 1
    assert "table/t0" in hold.differences[0]


@pytest.mark.parametrize("name", game_names())
def test_voided_rounds_are_counted_in_every_breakdown_except_by_wager(name: str) -> None:
    hold = hold_of(run(with_voids(name, (ASKING, SETTLING))))
    for by in (TABLE, GAME, DAY):
        assert [row.voided_rounds for row in hold.rows(by)] == [2], by
    by_dealer = {row.of[DEALER]: row.voided_rounds for row in hold.rows(DEALER)}
    assert by_dealer.pop(DANA[0]) == 2
    assert not any(by_dealer.values())
    assert {row.voided_rounds for row in hold.rows(TABLE, WAGER)} == {None}


def test_a_voided_round_counts_in_the_hour_of_its_void() -> None:
    async def voided() -> tuple[Hold, int]:
        table = StaffedTable(Floor(2), game_names()[0])
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.begin()
        await table.until(ASKING)
        table.floor.clock.now += HOUR_MS
        at = table.floor.clock.now
        await table.must(DANA, leases.TakeLease(by=commands.NOBODY, at=0))
        await table.both(DANA, FLOOR, WRONG)
        await table.end()
        return hold_of(table.floor), at

    hold, at = run(voided())
    [before] = hold.rows(TABLE, until_ms=at - at % HOUR_MS)
    [after] = hold.rows(TABLE, since_ms=at)
    assert (before.voided_rounds, after.voided_rounds) == (0, 1)


def test_a_round_that_ends_without_wagers_is_not_a_voided_round() -> None:
    async def called_off() -> Floor:
        table = StaffedTable(Floor(2), game_names()[0])
        await table.open()
        await table.begin()
        await table.end()
        return table.floor

    floor = run(called_off())
    [ended] = floor.store.read("table/t", kinds={"house.RoundEnded"})
    assert ended.body["outcome"] == "void"
    assert [row.voided_rounds for row in hold_of(floor).rows(TABLE)] == [0]


@pytest.mark.parametrize("name", game_names())
def test_fills_credits_counts_and_voids_leave_the_books_equal(name: str) -> None:
    async def shift() -> Floor:
        table = StaffedTable(Floor(6), name)
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.play_round()
        await table.both(FLOOR, CAGE, commands.Fill(cents=5_000_00))
        await table.play_round()
        await table.both(FLOOR, CAGE, commands.Credit(cents=2_000_00))
        await table.play_round()
        return table.floor

    floor = run(shift())
    hold = hold_of(floor)
    books = hold.of_table("t")
    assert (books.opening_cents, books.fills_cents, books.credits_cents) == (TRAY, 5_000_00, 2_000_00)
    assert books.win_cents == books.explained_cents
    assert hold.rows(DEALER)[-1].of[DEALER] in ("dana", "nobody")
    assert any(row.of[DEALER] == "dana" and row.handle_cents for row in hold.rows(DEALER))


def test_a_shift_that_was_closed_short_says_the_same_as_the_table_did() -> None:
    async def closed() -> Floor:
        table = StaffedTable(Floor(6), game_names()[0])
        await table.open()
        await table.floor.sit("t", "alice", 1)
        for _ in range(3):
            await table.play_round()
        await table.must(("alice", "player"), commands.BuyIn(cents=300_00))
        await table.must(FLOOR, commands.CountInventory(tray_cents=table.live.tray_cents + 25_00))
        await table.must(FLOOR, commands.CloseTable(tray_cents=table.live.tray_cents - 5_00))
        await table.must(FLOOR, commands.OpenTable(tray_cents=TRAY))
        return table.floor

    floor = run(closed())
    hold = hold_of(floor)
    [said] = floor.store.read("table/t", kinds={"house.TableClosed"})
    books = hold.of_table("t")
    for name in ("drop_cents", "won_cents", "contributed_cents", "counted_over_cents", "corrected_cents"):
        assert getattr(books, name) == said.body[name], name
    assert books.counted_over_cents == 20_00
    assert books.opening_cents == said.body["opening_cents"] + TRAY
    [row] = hold.rows(TABLE)
    assert row.win_cents == books.explained_cents


def test_a_slip_that_was_taken_back_changes_no_win() -> None:
    async def corrected() -> tuple[Hold, Hold]:
        table = StaffedTable(Floor(6), game_names()[0])
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.play_round()
        before = hold_of(table.floor)
        for command in (commands.Fill(cents=700_00), commands.Credit(cents=50_00)):
            await table.both(CAGE, FLOOR, command)
            await table.both(CAGE, PIT, commands.Correct(entry=table.live.head.sequence, reason="written twice"))
        await table.must(("alice", "player"), commands.BuyIn(cents=300_00))
        await table.both(CAGE, PIT, commands.Correct(entry=table.live.head.sequence, reason="not paid"))
        return before, hold_of(table.floor)

    before, after = run(corrected())
    assert after.rows(TABLE) == before.rows(TABLE)
    assert after.of_table("t") == before.of_table("t")
