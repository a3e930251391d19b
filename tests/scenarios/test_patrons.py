"""Players without a device: the dealer enters their cash, wagers and answers, and the ledger follows their chips."""

import time
from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.evolve import evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.server.file_integrity import CHANGED
from scenarios.floor import DRAWN, READER, ScenarioFloor, ScenarioTable, unique
from server.running import Client

NewTable = Callable[..., ScenarioTable]
ULTIMATE = "ultimate-texas-holdem"
CASH = 1_000_00


def outside(table: ScenarioTable, account: str) -> int:
    assert table.floor.floor is not None
    return int(table.floor.floor.house.money.state.get(account, 0))


def outstanding(table: ScenarioTable) -> int:
    return outside(table, "outstanding:money")


def replayed(table: ScenarioTable) -> LiveTable:
    assert table.floor.floor is not None
    reading = table.floor.floor.house.reading
    return reduce(lambda live, entry: evolve(live, entry, reading), table.entries(), LiveTable(table.table))


@pytest.mark.parametrize("name", game_names())
def test_a_table_runs_with_no_player_device_at_all(new_table: NewTable, name: str) -> None:
    table = new_table(name, READER).open(players=())
    tray, out = table.live.tray_cents, outstanding(table)
    patrons = [table.seat_patron(1, CASH), table.seat_patron(2, CASH, "alice"), table.seat_patron(3, CASH)]
    assert patrons[1] == "patron alice"
    assert outside(table, f"drop:{table.table}") == 3 * CASH
    assert table.live.tray_cents == tray - 3 * CASH

    table.play_round()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert sum(table.money().values()) == tray
    first = {seat: dict(bet) for seat, bet in enumerate([table.least()] * 3, 1)}

    table.begin()
    assert {patron["seat"]: patron["bet_before"] for patron in table.console()["patrons"]} == first
    table.must("dana", "RepeatWagers")
    assert {patron["seat"]: patron["stakes"] for patron in table.console()["patrons"]} == first
    table.close_bets()
    while table.live.in_round:
        table.step()

    chips = sum(table.live.stack_cents(patron) for patron in patrons)
    for seat in (1, 2, 3):
        table.must("dana", "LeaveSeat", seat=seat)
    assert outstanding(table) == out + chips
    assert table.live.tray_cents == tray - chips
    assert table.verified() is None
    again = replayed(table)
    assert (again.balances, again.seats, again.bet_before, again.shift) == (
        table.live.balances,
        {},
        {},
        table.live.shift,
    )
    table.must("flo", "CloseTable", tray_cents=table.live.tray_cents)
    closed = table.entries("house.TableClosed")[-1].body
    assert closed["drop_cents"] == 3 * CASH
    assert closed["won_cents"] == 3 * CASH - chips  # what came in as cash and didn't leave as chips


def test_players_with_and_without_devices_share_a_table(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=("alice",))
    patron = table.seat_patron(2, CASH)
    before = table.live.stack_cents("alice")
    table.play_round()
    played = {entry.body["player"]: entry.role for entry in table.entries("round.WagersPlaced")}
    assert played == {"alice": "player", patron: "dealer"}
    assert {entry.body["seat"]: entry.actor for entry in table.entries("round.ActionTaken")} == {1: "alice", 2: "dana"}
    assert before != 0
    table.must("alice", "LeaveSeat", seat=1)
    assert outside(table, "deposit:alice") > 0


def test_the_dealer_acts_only_for_players_without_a_device(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=("alice",))
    table.seat_patron(2, CASH, "bob")
    for kind, fields in (
        ("BuyIn", {"cents": 500}),
        ("CashOut", {"cents": 500}),
        ("Tip", {"cents": 500}),
        ("BringChips", {"cents": 500}),
        ("ColorUp", {"chips": {"500": 1}}),
        ("LeaveSeat", {}),
    ):
        assert table.refused("dana", kind, seat=1, **fields)["clause"] == "H-33", kind
        assert table.refused("dana", kind, seat=3, **fields)["clause"] == "H-33", kind  # nobody sits there
    table.begin()
    assert table.refused("dana", "PlaceWagers", seat=1, stakes=table.least())["clause"] == "H-33"
    table.wager("alice")
    assert table.refused("dana", "WithdrawWagers", seat=1)["clause"] == "H-33"
    table.wager("patron bob")
    table.close_bets()
    table.deal()
    assert table.refused("dana", "Act", seat=1, action="check")["clause"] == "H-33"
    # Bob's own account holds no seat here, and nobody else enters his answers.
    table.answer("check")
    for name in ("bob", "alice", "flo", "dov"):
        table.refused(name, "Act", seat=2, action="check")
    table.answer("check")


def test_only_the_dealer_of_the_table_enters_them(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    for name in ("dov", "flo", "pit", "cay", "alice", "aud"):
        for kind, fields in (("BuyIn", {"cents": 500}), ("BringChips", {"cents": 500}), ("CashOut", {"cents": 500})):
            table.refused(name, kind, seat=1, **fields)
    table.refused("dov", "TakeSeat", seat=2)
    table.refused("alice", "TakeSeat", seat=2, player="bob")
    assert table.refused("dana", "TakeSeat", seat=2, player="nobody")["field"] == "player"
    assert table.refused("dana", "TakeSeat", seat=2, player="dov")["field"] == "player"
    assert table.refused("dana", "TakeSeat", seat=2, player="patron #1")["clause"] == "H-33"
    table.must("dana", "TakeSeat", seat=2, player="bob")
    assert table.refused("bob", "TakeSeat", seat=3)["clause"] == "H-33"
    table.must("alice", "TakeSeat", seat=4)
    assert table.refused("dana", "TakeSeat", seat=5, player="alice")["clause"] == "H-33"


def test_nobody_is_seated_where_no_dealer_works(new_table: NewTable) -> None:
    table = new_table(ULTIMATE, DRAWN).open(players=())
    assert table.live.terms.settings.electronic
    assert table.refused("dana", "TakeSeat", seat=1)["clause"] == "H-33"


def test_a_wager_or_a_raise_beyond_the_chips_is_refused(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    minimum = table.document["table"]["minimum"]
    table.seat_patron(1, 2 * minimum)
    table.begin()
    over = {name: 2 * cents for name, cents in table.least().items()}
    refusal = table.refused("dana", "PlaceWagers", seat=1, stakes=over)
    assert refusal["clause"] == "H-33"
    assert "short" in refusal["reason"]
    table.wager(table.live.seats[1])
    table.close_bets()
    table.deal()
    assert table.refused("dana", "Act", seat=1, action="raise 4x")["clause"] == "H-33"
    table.must("dana", "BuyIn", seat=1, cents=4 * minimum)  # table stakes are added as the player puts them down
    table.answer("raise 4x")


def test_chips_leave_the_table_and_come_back_to_another_or_to_the_cage(
    floor: ScenarioFloor, new_table: NewTable
) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    out = outstanding(table)
    table.must("dana", "CashOut", seat=1, cents=300_00)
    assert outstanding(table) == out + 300_00
    assert table.refused("dana", "CashOut", seat=1, cents=CASH)["clause"] == "H-22"
    assert table.refused("dana", "BringChips", seat=1, cents=out + 300_01)["clause"] == "H-33"
    table.must("dana", "BringChips", seat=1, cents=100_00)
    assert table.live.stack_cents(table.live.seats[1]) == 800_00
    assert outstanding(table) == out + 200_00

    too_much = floor.office("cay", {"kind": "RedeemChips", "cents": out + 200_01, "free_play": False})
    assert too_much.json()["refused"]["clause"] == "H-33"
    for kind, cents, left in (("RedeemChips", 200_00, out), ("SellChips", 50_00, out + 50_00)):
        assert floor.office("flo", {"kind": kind, "cents": cents, "free_play": False}).status_code == 409
        assert floor.office("cay", {"kind": kind, "cents": cents, "free_play": False}).status_code == 200
        assert outstanding(table) == left


def test_colors_are_exchanged_for_chips_the_tray_has(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.must("cay", "CountInventory", tray_cents=5_000_00, chips={"10000": 40, "2500": 40})
    table.seat_patron(1, CASH)
    tray = dict(table.live.tray)
    table.must("dana", "ColorUp", seat=1, chips={"2500": 8})
    changed = dict(table.live.tray)
    assert (changed[2500], changed[10000]) == (tray.get(2500, 0) + 8, tray[10000] - 2)
    assert table.live.tray_cents == 5_000_00 - CASH
    table.must("dana", "ColorUp", seat=1, chips={"10000": 1}, into={"2500": 4})
    assert table.refused("dana", "ColorUp", seat=1, chips={"10000": 1}, into={"2500": 3})["field"] == "into"
    assert table.refused("dana", "ColorUp", seat=1, chips={"10000": 1}, into={"500": 20})["clause"] == "H-13"
    assert table.refused("dana", "ColorUp", seat=1, chips={"10000": 11})["clause"] == "H-33"
    assert table.refused("dana", "ColorUp", seat=1, chips={"700": 1})["field"] == "chips"
    assert replayed(table).tray == table.live.tray


def test_much_cash_takes_a_floorperson(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, 2_499_99)
    proposal = table.must("dana", "BuyIn", seat=1, cents=2_500_00)["proposal"]
    assert table.live.stack_cents(table.live.seats[1]) == 2_499_99
    table.refused("dana", "Confirm", proposal=proposal)
    table.refused("cay", "Confirm", proposal=proposal)
    table.must("flo", "Confirm", proposal=proposal)
    assert table.live.stack_cents(table.live.seats[1]) == 4_999_99

    # What waited for one player is not given to the next one in the seat.
    waiting = table.must("dana", "BuyIn", seat=1, cents=3_000_00)["proposal"]
    table.must("dana", "LeaveSeat", seat=1)
    table.seat_patron(1)
    assert table.refused("flo", "Confirm", proposal=waiting)["field"] == "proposal"


def test_a_wrong_buy_in_is_reversed_by_two_people(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    patron, tray = table.seat_patron(1), table.live.tray_cents
    table.must("dana", "BuyIn", seat=1, cents=500_00)
    entry = table.entries("house.ChipsBought")[-1].sequence
    table.both("cay", "flo", "Correct", entry=entry, reason="it was $50")
    assert (table.live.stack_cents(patron), table.live.tray_cents) == (0, tray)
    assert outside(table, f"drop:{table.table}") == 0
    table.must("dana", "BuyIn", seat=1, cents=50_00)
    table.must("dana", "CashOut", seat=1, cents=50_00)
    out, entry = outstanding(table), table.entries("house.ChipsCarriedAway")[-1].sequence
    table.both("cay", "flo", "Correct", entry=entry, reason="the player stayed")
    assert (outstanding(table), table.live.stack_cents(patron)) == (out - 50_00, 50_00)


def test_two_positions_of_one_patron_share_their_chips(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    patron = table.seat_patron(3, CASH)
    most = table.live.terms.settings.rules.per_player()
    if most == 1:
        table.refused("dana", "TakeSeat", seat=4, player=patron)
        return
    table.must("dana", "TakeSeat", seat=4, player=patron)
    assert table.refused("dana", "TakeSeat", seat=6, player=patron)["field"] == "seat"
    table.play_round()
    assert {entry.body["player"] for entry in table.entries("round.WagersPlaced")} == {patron}


def test_repeated_wagers_are_only_those_that_can_be_placed(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    table.seat_patron(2, CASH)
    table.begin()
    assert table.refused("dana", "RepeatWagers")["clause"] == "H-33"
    table.end()
    table.play_round()
    table.must("dana", "CashOut", seat=2, cents=table.live.stack_cents(table.live.seats[2]))
    table.begin()
    assert table.refused("dana", "RepeatWagers", seats=[2])["clause"] == "H-33"
    assert table.refused("dana", "RepeatWagers", seats=[5])["clause"] == "H-33"
    assert table.console()["duties"][0]["command"]["kind"] == "RepeatWagers"
    table.must("dana", "RepeatWagers")
    assert set(table.live.play.players) == {1}


def test_the_console_asks_the_dealer_for_a_patrons_answer(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=("alice",))
    table.seat_patron(2, CASH)
    table.begin()
    table.wager("alice")
    table.wager(table.live.seats[2])
    table.close_bets()
    table.deal()
    ask = next(duty for duty in table.console()["duties"] if duty["id"] == "ask")
    assert (ask["roles"], ask["answers"]) == (["player"], [])
    table.answer("check")
    ask = next(duty for duty in table.console()["duties"] if duty["id"] == "ask")
    ante = table.least()["ante"]
    assert (ask["roles"], ask["command"]) == (["dealer"], {"kind": "Act", "seat": 2})
    assert {answer["action"]: answer["stake_cents"] for answer in ask["answers"]} == {
        "check": 0,
        "raise 3x": 3 * ante,
        "raise 4x": 4 * ante,
    }


def test_no_bet_is_repeated_while_wagering_is_stopped(new_table: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    table.play_round()
    table.begin()
    assert table.floor.floor is not None
    with monkeypatch.context() as stopped:
        stopped.setattr(table.floor.floor.house, "no_wagers", CHANGED)
        for kind, fields in (("PlaceWagers", {"seat": 1, "stakes": table.least()}), ("RepeatWagers", {})):
            assert table.refused("dana", kind, **fields)["reason"] == CHANGED.reason
    table.must("dana", "RepeatWagers")


def test_a_player_who_withdrew_gets_no_receipt_with_the_next_ones_cards(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=("alice", "bob"))
    table.begin()
    table.wager("alice")
    table.wager("bob")
    table.must("alice", "WithdrawWagers", seat=1)
    table.must("alice", "LeaveSeat", seat=1)
    patron = table.seat_patron(1, CASH)
    table.wager(patron)
    table.close_bets()
    while table.live.in_round:
        table.step()
    path = f"/api/me/rounds/{table.live.round}/receipt"
    answers = {name: table.floor.people[name].http.get(path) for name in ("alice", "bob")}
    end = time.monotonic() + WAIT_S
    while answers["bob"].status_code == 409 and time.monotonic() < end:
        time.sleep(0.5)
        answers = {name: table.floor.people[name].http.get(path) for name in ("alice", "bob")}
    assert answers["bob"].json()["seats"] == [2]
    assert answers["alice"].status_code == 404, answers["alice"].text


def test_nothing_is_entered_for_a_patron_who_left(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    patron = table.seat_patron(1, CASH)
    table.seat_patron(2, CASH)
    table.begin()
    table.play_to("asking")
    table.must("dana", "ReportIrregularity", irregularity="player-left", seat=1)
    table.must("flo", "ReportIrregularity", irregularity="player-left", seat=1, ruling="played-out")
    assert table.live.gone == (patron,)
    before = table.money()
    for kind, fields in (
        ("Act", {"action": "raise 4x"}),
        ("Tip", {"cents": 100_00}),
        ("CashOut", {"cents": 100_00}),
        ("BuyIn", {"cents": 100_00}),
        ("BringChips", {"cents": 1}),
        ("ColorUp", {"chips": {"10000": 1}}),
    ):
        assert table.refused("dana", kind, seat=1, **fields)["clause"] == "H-29", kind
    assert table.money() == before
    while table.live.in_round:
        if table.phase == "asking" and table.live.play.seat_asked == 1:
            table.must("dana", "ActForAbsent", seat=1)
        else:
            table.step()
    assert 1 not in table.live.seats, "the chips left with the player"
    assert table.live.stack_cents(patron) == 0


def test_a_patron_whose_account_was_locked_brings_and_bets_no_more(new_table: NewTable) -> None:
    table, name = new_table(ULTIMATE).open(players=()), unique("lena")
    floor = table.floor
    assert floor.office("adam", {"kind": "AddPerson", "person": name, "roles": ["player"]}).status_code == 200
    patron = table.seat_patron(1, CASH, name)
    table.play_round()
    assert floor.office("adam", {"kind": "LockPerson", "person": name, "reason": "excluded"}).status_code == 200
    for kind, fields in (("BuyIn", {"cents": 500}), ("BringChips", {"cents": 500})):
        assert table.refused("dana", kind, seat=1, **fields)["clause"] == "H-17", kind
    assert table.refused("dana", "TakeSeat", seat=2, player=patron)["field"] == "player"
    table.begin()
    assert table.refused("dana", "PlaceWagers", seat=1, stakes=table.least())["clause"] == "H-17"
    assert table.refused("dana", "RepeatWagers")["clause"] == "H-17"
    table.end()
    table.must("dana", "CashOut", seat=1, cents=table.live.stack_cents(patron))
    table.must("dana", "LeaveSeat", seat=1)


@pytest.mark.parametrize("cents", [0, -1, -(10**9), 10**15])
def test_no_amount_is_entered_that_is_not_there(new_table: NewTable, cents: int) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    before, out = table.money(), outstanding(table)
    for kind in ("BuyIn", "BringChips", "CashOut", "Tip"):
        table.refused("dana", kind, seat=1, cents=cents)
    for chips in ({"2500": -1, "10000": 1}, {"2500": 0}, {}, {"2500": 10**12}):
        table.refused("dana", "ColorUp", seat=1, chips=chips)
    assert (table.money(), outstanding(table)) == (before, out)


def test_a_held_table_takes_nothing_of_a_patron(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    table.play_round()
    table.begin()
    table.wager(table.live.seats[1])
    table.close_bets()
    table.must("dana", "ReportIrregularity", irregularity="player-left", seat=1)
    before, out = table.money(), outstanding(table)
    for kind, fields in (
        ("BuyIn", {"cents": 500}),
        ("BuyIn", {"cents": 5_000_00}),
        ("BringChips", {"cents": 1}),
        ("CashOut", {"cents": 500}),
        ("Tip", {"cents": 500}),
        ("ColorUp", {"chips": {"10000": 1}}),
        ("LeaveSeat", {}),
        ("PlaceWagers", {"stakes": table.least()}),
    ):
        table.refused("dana", kind, seat=1, **fields)
    table.refused("dana", "RepeatWagers")
    assert (table.money(), outstanding(table)) == (before, out)


def test_hold_drop_and_win_are_equal_to_the_cent_with_patrons(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=("alice",))
    patron = table.seat_patron(2, CASH)
    table.seat_patron(3, 250_00)
    table.play_round()
    table.must("dana", "CashOut", seat=3, cents=100_00)
    table.must("dana", "BringChips", seat=2, cents=60_00)
    table.must("dana", "Tip", seat=2, cents=15_00)
    table.must("dana", "BuyIn", seat=2, cents=400_00)
    wrong = table.entries("house.ChipsBought")[-1].sequence
    table.both("cay", "flo", "Correct", entry=wrong, reason="it was $40")
    table.must("dana", "BuyIn", seat=2, cents=40_00)
    brought = table.entries("house.ChipsBrought")[-1].sequence
    table.both("cay", "flo", "Correct", entry=brought, reason="they kept them")
    table.play_round()
    table.must("flo", "ReportDispute", seats=[2], note="a misread card")
    table.both("flo", "dana", "ResolveDispute", outcome="void", note="nobody knows what was dealt")
    assert table.live.stack_cents(patron) > 0
    assert table.verified() is None
    assert replayed(table).balances == table.live.balances

    def rows(path: str) -> list[dict[str, Any]]:
        found = table.floor.people["aud"].http.get(path).raise_for_status().json()
        return [row for row in found if row["table"] == table.table]

    [books] = rows("/api/reports/shifts")
    assert books["unexplained_cents"] == 0
    [hold] = rows("/api/reports/hold?by=table")
    bought = {entry.sequence: entry.body["cents"] for entry in table.entries("house.ChipsBought")}
    assert hold["drop_cents"] == sum(bought.values()) - bought[wrong]
    assert hold["win_cents"] == books["win_cents"]
    table.must("flo", "CloseTable", tray_cents=table.live.tray_cents)
    closed = table.entries("house.TableClosed")[-1].body
    assert closed["drop_cents"] == hold["drop_cents"]
    assert closed["won_cents"] == books["won_cents"]
    assert not any(account.startswith("stack:") for account in table.money())


def test_a_command_for_a_patron_counts_once(new_table: NewTable) -> None:
    table = new_table(ULTIMATE).open(players=())
    table.seat_patron(1, CASH)
    dana, sent = table.floor.people["dana"], unique("buy")
    path = f"/api/tables/{table.table}/commands"
    asked: dict[str, Any] = {"id": sent, "body": {"kind": "BuyIn", "seat": 1, "cents": 50_00}, "token": table.token}
    answers = [dana.http.post(path, json=asked) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert table.live.stack_cents(table.live.seats[1]) == CASH + 50_00
    another = {**asked, "body": {**asked["body"], "cents": 60_00}}
    assert dana.http.post(path, json=another).status_code == 409
    sold = {"id": unique("sale"), "body": {"kind": "SellChips", "cents": 70_00, "free_play": False}}
    out = outstanding(table)
    for _ in range(3):
        assert table.floor.people["cay"].http.post("/api/office/commands", json=sold).status_code == 200
    assert outstanding(table) == out + 70_00


def test_a_player_without_a_device_gets_no_answer_from_the_lab_either(new_table: NewTable) -> None:
    table = new_table(ULTIMATE, READER).open(players=())
    floor, name = table.floor, unique("phone")
    assert floor.office("adam", {"kind": "AddPerson", "person": name, "roles": ["player"]}).status_code == 200
    at_home = Client(floor, None).http
    assert at_home.get(floor.key_holders_link(name)).status_code == 303
    assert at_home.get("/api/lab/games").status_code == 200
    table.seat_patron(1, CASH, name)
    asked = at_home.get("/api/lab/games")
    assert (asked.status_code, asked.json()["refused"]["clause"]) == (409, "H-25"), "with a phone, at the table"
    table.must("dana", "LeaveSeat", seat=1)
    assert at_home.get("/api/lab/games").status_code == 200
