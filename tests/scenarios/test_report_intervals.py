"""Yield, pace, rated play, cash, money held and meters, each for a gaming day and for several, which add up."""

from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.house.reports.all_reports import AllReports
from pitboss.server.table_documents import read_terms
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.patron_floor import settle
from scenarios.progressive import METER_CENTS, NOTHING, ROYAL, dealt, progressive_table

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
BEGINS_MS = 6 * HOUR_MS  # the gaming day, in UTC
NAMES = ("yield", "dealers", "rated-play", "cash-days", "liability")
Lines = list[dict[str, Any]]


class TwoDays:
    """A table that stays open over two gaming days, with a round, a deposit and the same patron in each."""

    def __init__(self, floor: ScenarioFloor) -> None:
        assert floor.floor is not None
        self.floor, self.clock = floor, floor.floor.clock
        now = self.clock.now_ms()
        self.first = now - now % DAY_MS + DAY_MS + BEGINS_MS
        floor.pass_time(self.first + 4 * HOUR_MS - now)
        settle(floor, time_zone="UTC", exclusions=False, player_limits=False, hand_pays=False, table_cost_cents=3_00)
        self.table = ScenarioTable(floor, "colorado-holdem").open(players=())
        self.patron = self.table.seat_patron(1, 1_000_00)
        self.round()
        self.deposit(3_000_00)
        floor.pass_time(DAY_MS)
        self.table.take_over("dana")
        self.table.must("flo", "RemoveDeck", deck="deck-1", reason="set-apart")  # a deck is used for hours, not days
        self.round()
        self.deposit(3_000_00)
        paid = floor.office("cay", {"kind": "RedeemMoney", "person": "alice", "cents": 1_000_00, "free_play": False})
        assert paid.status_code == 200, paid.text

    def round(self) -> None:
        """Play a round that the house wins: a pair of sixes is one short of a push."""
        table = self.table
        table.begin()
        table.wager(self.patron, ante=10_00)
        table.close_bets()
        table.lay({1: "6s 2d Jc", "board": "6c 9d Kh"})
        while table.live.in_round:
            table.step()

    def deposit(self, cents: int) -> None:
        body = {"kind": "IssueMoney", "person": "alice", "cents": cents, "free_play": False}
        answer = self.floor.office("cay", body)
        assert answer.status_code == 200, answer.text

    def lines(self, name: str, *days: int) -> Lines:
        """Return a report of some gaming days, from the first of them to the last, or of all time."""
        interval = {"from": self.first + days[0] * DAY_MS, "to": self.first + (days[-1] + 1) * DAY_MS} if days else {}
        http = self.floor.people["aud"].http
        made = http.get(f"/api/reports/signed/{name}", params=interval).raise_for_status().json()
        found: Lines = made["lines"]
        assert made.get("note") == (None if found else "No activity")
        return found


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoDays]:
    floor = ScenarioFloor(tmp_path_factory.mktemp("two-days"))
    yield TwoDays(floor)
    floor.stop()


def test_every_one_of_them_has_an_interval_and_a_day_before_the_first_has_no_activity(two: TwoDays) -> None:
    http = two.floor.people["aud"].http
    listed = {row["name"] for row in http.get("/api/reports/signed").raise_for_status().json()}
    for name in NAMES:
        assert name in listed, name
        assert two.lines(name, -3, -2) == [], name
        interval = {"from": two.first, "to": two.first + DAY_MS}
        header = http.get(f"/api/reports/signed/{name}", params=interval).json()["header"]
        day, after = (header["Interval"].split(" to ")[place][11:] for place in (0, 1))
        assert (day, after) == ("06:00:00 UTC", "06:00:00 UTC"), name
        as_csv = http.get(f"/api/reports/signed/{name}", params={**interval, "format": "csv"}).text.splitlines()
        assert len(as_csv) - 8 == len(two.lines(name, 0)) > 0, name
        printed = http.get(f"/api/reports/signed/{name}", params={**interval, "format": "pdf"}).content
        assert printed.startswith(b"%PDF"), name


def test_yield_counts_the_hours_rounds_and_win_of_the_days_asked_for(two: TwoDays) -> None:
    (first,), (second,), (both,) = two.lines("yield", 0), two.lines("yield", 1), two.lines("yield")
    assert 19 * 60 < first["open_minutes"] <= 20 * 60
    assert 4 * 60 <= second["open_minutes"] < 5 * 60
    assert abs(first["open_minutes"] + second["open_minutes"] - both["open_minutes"]) <= 1
    for line, rounds, win in ((first, 1, 20_00), (second, 1, 20_00), (both, 2, 40_00)):
        assert (line["rounds"], line["win_cents"], line["seats_per_round"]) == (rounds, win, 1.0)
    # The table costs $3 an hour: $20 in 20 hours don't pay for it, $20 in 4 hours do.
    assert [line["advice"] for line in (first, second, both)] == ["close it", "lower the minimum", "close it"]


def test_pace_counts_the_rounds_and_minutes_of_the_days_asked_for(two: TwoDays) -> None:
    (first,), (second,), (both,) = two.lines("dealers", 0), two.lines("dealers", 1), two.lines("dealers")
    assert [line["rounds"] for line in (first, second, both)] == [1, 1, 2]
    assert abs(first["minutes"] + second["minutes"] - both["minutes"]) <= 1
    assert {line["dealer"] for line in (first, second, both)} == {"dana"}


def test_a_dealer_whose_lease_ran_out_is_not_at_the_table(two: TwoDays) -> None:
    (first,), (second,), (both,) = two.lines("dealers", 0), two.lines("dealers", 1), two.lines("dealers")
    assert 30 <= first["minutes"] <= 32, "a lease lasts half an hour, and nobody used it for the rest of the day"
    assert second["minutes"] <= 2
    assert both["rounds_per_hour"] in (3, 4), "two rounds in half an hour and what the second took"


def test_a_rated_player_has_a_line_for_each_gaming_day(two: TwoDays) -> None:
    (first,), (second,), both = two.lines("rated-play", 0), two.lines("rated-play", 1), two.lines("rated-play")
    assert both == [second, first]
    assert first["ended_at"] == second["began_at"] == two.first + DAY_MS
    for line in both:
        assert (line["rounds"], line["bet_cents"], line["lost_cents"]) == (1, 20_00, 20_00)
        assert line["average_bets"] == "ante 10.00, bet 10.00"


def test_cash_days_are_those_in_the_interval(two: TwoDays) -> None:
    first, second, both = two.lines("cash-days", 0), two.lines("cash-days", 1), two.lines("cash-days")
    assert both == [*second, *first]
    for lines in (first, second):
        assert [(line["person"], line["way"], line["cents"], line["payments"]) for line in lines] == [
            ("alice", "in", 3_000_00, 1)
        ]


def test_what_is_held_for_players_goes_on_from_day_to_day(two: TwoDays) -> None:
    def held(*days: int) -> dict[str, tuple[int, int, int]]:
        lines = two.lines("liability", *days)
        figures = ("at_start_cents", "change_cents", "cents")
        return {line["held_for_players"]: tuple(line[name] for name in figures) for line in lines}

    assert held(0) == {"deposits": (0, 3_000_00, 3_000_00), "chips at tables": (0, 980_00, 980_00)}
    assert held(1) == {"deposits": (3_000_00, 2_000_00, 5_000_00), "chips at tables": (980_00, -20_00, 960_00)}
    assert held(0, 1) == held() == {"deposits": (0, 5_000_00, 5_000_00), "chips at tables": (0, 960_00, 960_00)}


def test_a_meters_equation_holds_for_each_day_and_for_both(tmp_path_factory: pytest.TempPathFactory) -> None:
    floor = ScenarioFloor(tmp_path_factory.mktemp("fed"))
    try:
        assert floor.floor is not None
        now = floor.floor.clock.now_ms()
        begins = now - now % DAY_MS + DAY_MS + BEGINS_MS
        floor.pass_time(begins + 4 * HOUR_MS - now)
        table = progressive_table(lambda *names, **changes: ScenarioTable(floor, *names, **changes))
        played(table, NOTHING)
        floor.pass_time(DAY_MS)
        table.take_over("dana")
        table.must("flo", "RemoveDeck", deck="deck-1", reason="set-apart")
        played(table, ROYAL)
        http = floor.people["aud"].http

        def moves(since: int, until: int) -> list[dict[str, Any]]:
            report = http.get(f"/api/reports/signed/meters?from={since}&to={until}").raise_for_status().json()
            assert report.get("note") == (None if report["lines"] else "No activity")
            return [line for line in report["lines"] if line["progressive"] == table.table]

        (first,), (second,) = moves(begins, begins + DAY_MS), moves(begins + DAY_MS, begins + 2 * DAY_MS)
        (both,) = moves(begins, begins + 2 * DAY_MS)
        # Each round feeds it a fifth of two stakes of $5. The royal flush takes all of it, and the house seeds it.
        fed, seed = 2_00, METER_CENTS
        assert figures(first) == (0, seed, fed, 0, 0, seed + fed)
        assert figures(second) == (seed + fed, seed, fed, seed + 2 * fed, 1, seed)
        assert figures(both) == (0, 2 * seed, 2 * fed, seed + 2 * fed, 1, seed)
        assert all(line["balances"] for line in (first, second, both))
        assert moves(begins - 2 * DAY_MS, begins - DAY_MS) == []
        (after,) = moves(begins + 2 * DAY_MS, begins + 3 * DAY_MS)
        assert figures(after) == (seed, 0, 0, 0, 0, seed)
        kept, again = AllReports(read_terms), AllReports(read_terms)
        kept.catch_up(floor.floor.store)
        assert again.restore(kept.to_data(), floor.floor.store)
        assert again.meters.moves(since_ms=begins) == kept.meters.moves(since_ms=begins) != ()
    finally:
        floor.stop()


def played(table: ScenarioTable, hands: dict[Any, str]) -> None:
    dealt(table, hands)
    while table.live.in_round:
        table.step()


def figures(line: dict[str, Any]) -> tuple[int, ...]:
    """Return what was behind a meter, seeded, fed, paid and hit, and what it shows; all whole cents here."""
    assert line["remainder_cents"] == line["reserve_cents"] == line["overflow_cents"] == "0"
    names = ("at_start_cents", "seed_cents", "contributed_cents", "paid_cents", "hits", "shown_cents")
    return tuple(int(line[name]) for name in names)


def test_the_sums_by_hour_are_the_same_after_a_restart(two: TwoDays) -> None:
    assert two.floor.floor is not None
    store, kept, again = two.floor.floor.store, AllReports(read_terms), AllReports(read_terms)
    kept.catch_up(store)
    assert again.restore(kept.to_data(), store)
    assert again.to_data() == kept.to_data()
    assert again.held.rows() == kept.held.rows()
    assert again.pace.rows(two.clock.now_ms(), since_ms=two.first) != ()
