"""Reports of disputed, re-settled and voided rounds: each wager counted once, and equal to the ledger."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from pitboss.cards.deck import face
from pitboss.games.catalogue import game, game_names
from pitboss.house.money.ledger import drop, inventory
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.theory import Theory
from pitboss.house.stream_names import account_stream
from pitboss.server.table_documents import read_terms
from scenarios.floor import DRAWN, READER, TRAY, ScenarioFloor, ScenarioTable
from scenarios.test_coupons import FACE, STAKE, coupon_table
from scenarios.test_disputes import another_result, nets, settled

NewTable = Callable[..., ScenarioTable]
EVERY = pytest.mark.parametrize("name", game_names())
NOTE = "Looked at again"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Return a floor of these tests' own: each reads its whole record several times."""
    running = ScenarioFloor(tmp_path_factory.mktemp("reports"))
    yield running
    running.stop()


def reports(table: ScenarioTable) -> AllReports:
    """Return the reports of the running house, read from its record."""
    assert table.floor.floor is not None
    live = AllReports(read_terms)
    live.catch_up(table.floor.floor.store)
    return live


def over_http(table: ScenarioTable, report: str, **asked: str) -> list[dict[str, Any]]:
    """Return the lines of a report that are of this table."""
    answer = table.floor.people["aud"].http.get(f"/api/reports/{report}", params=asked).raise_for_status()
    return [line for line in answer.json() if line.get("table") == table.table]


def accounts(table: ScenarioTable) -> dict[str, int]:
    """Return the balances of the table's accounts, and of its box, only from the record's postings."""
    assert table.floor.floor is not None
    found: dict[str, int] = {}
    for stream in (f"table/{table.table}", account_stream(drop(table.table))):
        for entry in table.floor.floor.store.read(stream):
            for account, cents in entry.body.get("postings", {}).items():
                found[account] = found.get(account, 0) + cents
    return found


def check(table: ScenarioTable, *void: tuple[int, str]) -> None:
    """Hold the reports of a table's only round against its results and the ledger; these wagers were given back."""
    live, ledger = reports(table), accounts(table)
    decided = {key: result for key, result in table.live.play.results.items() if key not in void}
    assert live.hold.differences == []
    [line] = over_http(table, "hold", by="table")
    assert line["win_cents"] == ledger[inventory(table.table)] + ledger[drop(table.table)] - TRAY
    assert line["win_cents"] == -sum(result.net for result in decided.values())
    assert line["handle_cents"] == sum(result.stake for result in decided.values())
    assert line["coupons_cents"] == ledger.get(f"coupons:{table.table}", 0)
    assert line["coupons_cents"] == sum(result.coupon for result in decided.values())
    assert line["voided_rounds"] == 0  # wagers and seats may have been voided, but not the round
    by_wager = {row["wager"]: row for row in over_http(table, "hold", by="table,wager")}
    for name in ("win_cents", "handle_cents", "coupons_cents"):
        assert sum(row[name] for row in by_wager.values()) == line[name]
    [tray] = over_http(table, "shifts")
    assert (tray["unexplained_cents"], tray["coupons_cents"]) == (0, line["coupons_cents"])
    if table.live.in_round:
        return
    actual = {key.wager: result for key, result in live.alerts.actual.results.items() if key.table == table.table}
    assert set(actual) == {wager for _, wager in decided}
    for wager, summed in actual.items():
        own = [result for (_, name), result in decided.items() if name == wager]
        assert (summed.rounds, summed.times) == (1, len(own))
        assert summed.handle_cents == by_wager[wager]["handle_cents"] == sum(result.stake for result in own)
        assert summed.squares == summed.handle_cents**2
        if not any(result.coupon for result in own):
            assert summed.net_cents == sum(result.net for result in own) == -by_wager[wager]["win_cents"]
    assert live.alerts.actual.rounds[table.table] == 1


def seat_of(table: ScenarioTable, seat: int) -> list[tuple[int, str]]:
    return [key for key in table.live.play.results if key[0] == seat]


@EVERY
@pytest.mark.parametrize("ended", [False, True])
def test_a_seat_that_a_dispute_voids_is_in_no_report(new_table: NewTable, name: str, ended: bool) -> None:
    table = settled(new_table(name, READER).open(), ended=ended)
    check(table)
    stood = nets(table, 1)
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note=NOTE)
    check(table, *seat_of(table, 1))
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note="And once more")
    check(table, *seat_of(table, 1))
    if not ended:
        table.end()
        check(table, *seat_of(table, 1))
    first, second = reversed(over_http(table, "incidents", kind="void"))
    assert (first["event"], first["players_net_cents"], second["players_net_cents"]) == (
        "house.DisputeResolved",
        stood,
        0,
    )
    assert first["clause"] == table.live.play.rules.settle.pickup_cite
    assert {first["actor"], first["second"]} == {"flo", "fred"}


@EVERY
def test_a_seat_that_is_settled_again_counts_once_by_its_last_result(new_table: NewTable, name: str) -> None:
    table = settled(new_table(name, READER).open())
    check(table)
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    cards = {"1": [face(card) for card in another_result(table.live.play)]}
    table.both("flo", "fred", "ResolveDispute", outcome="resettle", note=NOTE, cards=cards)
    check(table)
    assert over_http(table, "incidents", kind="void") == []
    table.must("flo", "ReportDispute", seats=[1, 2], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note=NOTE)
    check(table, *seat_of(table, 1), *seat_of(table, 2))


@EVERY
def test_what_sums_go_on_from_says_the_same_in_the_middle_of_a_dispute(new_table: NewTable, name: str) -> None:
    table = settled(new_table(name, READER).open())
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    before = reports(table)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note=NOTE)
    assert table.floor.floor is not None
    later = AllReports(read_terms)
    assert later.restore(json.loads(json.dumps(before.to_data())), table.floor.floor.store)
    later.catch_up(table.floor.floor.store)
    whole = reports(table)
    assert later.hold.rows("table", "wager") == whole.hold.rows("table", "wager")
    assert later.hold.reconciled() == whole.hold.reconciled()
    assert later.alerts.actual.results == whole.alerts.actual.results
    assert later.incidents.rounds_lost == whole.incidents.rounds_lost


def test_the_house_lost_a_round_as_its_dispute_left_it(new_table: NewTable) -> None:
    table = new_table("top-five-poker", READER).open(players=("alice",))
    for _ in range(40):
        settled(table)
        if nets(table, 1) > 0:
            break
    incidents = reports(table).incidents
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note=NOTE)
    after = reports(table).incidents
    assert after.rounds_settled == incidents.rounds_settled
    assert after.rounds_lost == incidents.rounds_lost - 1


def test_a_dispute_that_voids_is_held_against_what_its_seats_were_paid(new_table: NewTable) -> None:
    table = new_table("dragon-poker", READER).open()
    for _ in range(40):
        settled(table)
        if nets(table, 1) > 0 > nets(table, 2):
            break
    lines = {line["person"]: line for line in people_of_voids(table)}
    before = lines.get("fred", {"voids": 0, "house_lost": 0})
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.both("pit", "fred", "ResolveDispute", outcome="void", note=NOTE)
    fred = next(line for line in people_of_voids(table) if line["person"] == "fred")
    assert (fred["voids"], fred["house_lost"]) == (before["voids"] + 1, before["house_lost"] + 1)


def people_of_voids(table: ScenarioTable) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = table.floor.people["aud"].http.get("/api/reports/voids").raise_for_status().json()
    return lines


def test_wagers_that_a_ruling_gave_back_are_no_handle_and_the_ruling_is_a_void(new_table: NewTable) -> None:
    table = new_table("ultimate-texas-holdem", READER).open()
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player, ante=10_00, blind=10_00, trips=5_00)
    table.close_bets()
    table.deal()
    table.both("dana", "flo", "ReportIrregularity", irregularity="dealer-card-exposed")
    while table.live.in_round:
        table.step()
    back = [key for key in table.live.play.results if key[1] != "trips"]
    assert back
    check(table, *back)
    [void] = over_http(table, "incidents", kind="void")
    assert (void["event"], void["clause"]) == ("round.IrregularityRuled", "Ch. 13 §F")
    assert "settle only" in void["says"]
    assert {void["actor"], void["second"]} == {"dana", "flo"}


@EVERY
def test_a_round_that_is_voided_as_a_whole_is_counted_in_the_hold_report(new_table: NewTable, name: str) -> None:
    table = new_table(name, READER).open()
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    table.deal()
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards", seat=1)
    assert over_http(table, "incidents", kind="void")[0]["event"] == "round.RoundVoided"
    for by in ("table", "table,dealer,hour"):
        assert sum(line["voided_rounds"] for line in over_http(table, "hold", by=by)) == 1
    assert all(line["voided_rounds"] is None for line in over_http(table, "hold", by="table,wager"))
    written = table.floor.people["aud"].http.get("/api/reports/hold", params={"format": "csv"}).text
    [row] = [row for row in csv.DictReader(io.StringIO(written)) if row["table"] == table.table]
    assert row["voided_rounds"] == "1"


def resettled(table: ScenarioTable, cards: str, result: str) -> None:
    """Have two people settle seat 1 again by these cards, and check the result, the coupon and the reports."""
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    stated = {"1": cards.split()}
    table.both("flo", "fred", "ResolveDispute", outcome="resettle", note=NOTE, cards=stated)
    again = table.live.play.results[1, "ante"]
    assert again.result == result
    assert again.coupon == (0 if result == "push" else FACE)
    if result == "win":
        win, per = map(int, again.odds.split(" to "))
        assert again.paid == (STAKE + FACE) * win // per
    assert table.live.shift.coupons_cents == again.coupon
    assert table.live.shift.unexplained_cents == 0
    check(table)


def test_a_coupon_is_taken_or_kept_as_the_hand_that_is_settled_again_says(new_table: NewTable) -> None:
    table = coupon_table(new_table)
    whole = sum(table.money().values())
    table.begin()
    table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
    table.wager("bob")
    table.close_bets()
    table.lay({1: "2c 3d Kh", "board": "Kc 7s 9h"})
    while table.live.play.phase != "over":
        table.step()
    table.end()
    assert table.live.play.results[1, "ante"].result == "lose"
    check(table)
    spare = [face(card) for card in table.game.deck.cards if face(card) not in map(face, table.live.play.drawn)]
    king, seven, two = (next(card for card in spare if card[0] == rank) for rank in "K72")
    resettled(table, f"{king} 3d Kh", "win")
    resettled(table, f"{seven} 3d Kh", "push")
    resettled(table, f"{two} 3d Kh" if two != "2c" else "2c 3d Kh", "lose")
    resettled(table, f"{king} 3d Kh", "win")
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note=NOTE)
    assert table.live.shift.coupons_cents == 0
    check(table, *seat_of(table, 1))
    assert sum(table.money().values()) == whole


def test_what_a_coupon_won_is_not_held_against_theory(new_table: NewTable) -> None:
    table = coupon_table(new_table)
    table.begin()
    table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
    table.close_bets()
    table.lay({1: "Ks 3d 2h", "board": "Kc 7s 9h"})
    while table.live.in_round:
        table.step()
    result = table.live.play.results[1, "ante"]
    win, per = map(int, result.odds.split(" to "))
    assert result.net == (STAKE + FACE) * win // per
    found = reports(table).alerts.actual.results
    assert [item.net_cents for key, item in found.items() if (key.table, key.wager) == (table.table, "ante")] == [
        STAKE * win // per
    ]


def test_play_money_is_never_added_to_money(new_table: NewTable) -> None:
    name = next(game_name for game_name in game_names() if game(game_name).procedures.electronic_cite is None)
    for cards in (READER, DRAWN):
        new_table(name, cards).open().play_round()
    table = new_table(name, DRAWN).open()
    table.play_round()
    live = reports(table)
    for by in (("game",), ("dealer",), ("day",), ("wager",), ("game", "wager")):
        assert {row.free_play for row in live.hold.rows(*by)} == {False, True}
    win = {row.free_play: row.win_cents for row in live.hold.rows("game") if row.of["game"] == name}
    for is_free in (False, True):
        tables = {place.table for place in live.hold.books if (place.game, place.free_play) == (name, is_free)}
        assert win[is_free] == sum(live.hold.of_table(table).win_cents for table in tables)
    assert over_http(table, "hold", by="table")[0]["free_play"] is True
    for version in live.documents():
        live.learn(version, (Theory("ante", Fraction(-1, 50), Fraction(2), None),))
    pooled = [line for line in live.against_theory() if not line.table and line.game == name]
    assert sorted(line.free_play for line in pooled) == [False, True]
    for line in pooled:
        own = [
            other
            for other in live.against_theory()
            if other.table and other.game == line.game and other.wager == line.wager
        ]
        assert line.win_cents == sum(other.win_cents for other in own if other.free_play == line.free_play)
