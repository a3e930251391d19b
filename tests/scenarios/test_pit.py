"""The pit around play: limits between rounds, the call for the floor, reserved seats, and notes for the next shift."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pitboss.games import game
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import payouts
from pitboss.house.money.chips import total
from pitboss.round import open_round
from pitboss.round.events import EnvyPaid
from pitboss.rules.in_force import RulesInForce
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
GAME = game_names()[0]
CASH = 1_000_00


def pit(table: ScenarioTable, name: str = "flo") -> dict[str, Any]:
    answer = table.floor.people[name].http.get(f"/api/tables/{table.table}/equipment").raise_for_status().json()
    return answer["pit"]


def main_wager(table: ScenarioTable) -> str:
    return next(iter(table.least()))


def test_two_people_raise_the_minimum_between_rounds_without_a_new_deck(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=("alice",))
    table.seat_patron(2, CASH)
    table.play_round()
    decks = [(deck.name, deck.stage) for deck in table.live.cards.decks]
    main, least = main_wager(table), table.least()
    submitted = next(shown for shown in pit(table)["limits"] if shown["wager"] == main)
    assert submitted["least_cents"] == submitted["submitted_least_cents"] == least[main]
    raised = {wager: [2 * cents, 10 * cents] for wager, cents in least.items()}
    for name in ("alice", "cay", "olga"):
        assert table.refused(name, "ChangeLimits", limits=raised)["clause"] == "H-39", name
    proposal = table.must("flo", "ChangeLimits", limits=raised)["proposal"]
    table.refused("flo", "Confirm", proposal=proposal)
    assert not table.live.limits
    version = table.view()["rules"]
    table.must("dana", "Confirm", proposal=proposal)
    assert [(deck.name, deck.stage) for deck in table.live.cards.decks] == decks
    assert table.view()["rules"] != version, "pages read the rules again"
    shown = table.floor.people["alice"].http.get(f"/api/tables/{table.table}/rules").json()
    assert (shown["minimum_cents"], shown["maximum_cents"]) == tuple(raised[main])

    table.begin()
    for who, seat in (("alice", 1), ("dana", 2)):
        assert table.refused(who, "PlaceWagers", seat=seat, stakes=least)["clause"] == "H-39", who
    assert table.refused("dana", "RepeatWagers")["clause"] == "H-39", "nor by repeating last round's bets"
    table.must("alice", "PlaceWagers", seat=1, stakes={wager: 2 * cents for wager, cents in least.items()})
    assert "Bets are down" in table.refused("flo", "ChangeLimits", limits={})["reason"]
    table.close_bets()
    while table.live.in_round:
        table.step()
    table.both("pit", "flo", "ChangeLimits", limits={})
    assert not table.live.limits
    assert table.verified() is None


def test_limits_stay_within_what_was_submitted(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    main, least = main_wager(table), table.least()
    for limits in ([1, least[main]], [least[main], 10**9], [3 * least[main], 2 * least[main]], [least[main]], []):
        refusal = table.refused("flo", "ChangeLimits", limits={main: limits})
        assert (refusal["clause"], refusal["field"]) == ("H-39", "limits"), limits
    assert table.refused("flo", "ChangeLimits", limits={"no-such-wager": [500, 1000]})["clause"] == "H-39"


def test_new_rules_end_the_limits_of_the_old_ones(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    main, least = main_wager(table), table.least()
    table.both("pit", "flo", "ChangeLimits", limits={main: [2 * least[main], 4 * least[main]]})
    table.must("flo", "CloseTable", tray_cents=table.live.tray_cents)
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    assert not table.live.limits


def test_the_dealer_calls_the_floor_and_an_alert_stays_until_somebody_answers(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    for name in ("alice", "flo", "cay"):
        table.refused(name, "CallFloor")
    table.refused("flo", "AnswerCall")
    table.must("dana", "CallFloor", reason="seat 2 asks for a supervisor")

    def calls() -> list[dict[str, Any]]:
        floor = table.floor.people["flo"].http.get("/api/floor").raise_for_status().json()
        tile = next(tile for tile in floor["tables"] if tile["summary"]["table"] == table.table)
        return [alert for alert in tile["alerts"] if alert["kind"] == "call"]

    assert [("Dana" in alert["text"], "supervisor" in alert["text"]) for alert in calls()] == [(True, True)]
    assert pit(table)["called_at"]
    assert "already called" in table.refused("dana", "CallFloor")["reason"]
    table.refused("dana", "AnswerCall")
    table.must("flo", "AnswerCall")
    assert calls() == []
    assert pit(table)["called_at"] is None


def test_a_reserved_seat_is_taken_only_by_whom_it_is_kept_for(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    table.refused("alice", "ReserveSeat", seat=1)
    table.must("flo", "ReserveSeat", seat=1, player="bob")
    table.must("dana", "ReserveSeat", seat=2)
    assert [(kept["seat"], kept["player"]) for kept in pit(table)["reserved"]] == [(1, "bob"), (2, "")]
    for seat in (1, 2):
        assert table.refused("alice", "TakeSeat", seat=seat)["clause"] == "H-40"
    assert table.refused("dana", "TakeSeat", seat=1, player="")["clause"] == "H-40"
    assert table.refused("dana", "ReserveSeat", seat=1)["clause"] == "H-40"
    assert table.refused("flo", "ReserveSeat", seat=3, minutes=0)["field"] == "minutes"
    assert table.refused("flo", "ReserveSeat", seat=3, player="nobody")["field"] == "player"
    table.must("bob", "TakeSeat", seat=1)
    table.must("dana", "TakeSeat", seat=2)
    assert pit(table)["reserved"] == []
    table.must("flo", "ReserveSeat", seat=3, player="bob")
    table.must("dana", "EndReservation", seat=3)
    table.must("alice", "TakeSeat", seat=3)


def test_notes_for_the_next_shift_stay_with_the_table(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    table.refused("alice", "NoteShift", text="hello")
    table.refused("dana", "NoteShift", text=" ")
    assert table.refused("dana", "NoteShift", text="x" * 501)["field"] == "text"
    table.must("dana", "NoteShift", text="Seat 3's chair is broken")
    table.must("flo", "NoteShift", text="Maintenance comes at 9 p.m.")
    assert [(note["by"], note["text"]) for note in pit(table)["notes"]] == [
        ("flo", "Maintenance comes at 9 p.m."),
        ("dana", "Seat 3's chair is broken"),
    ]


def test_payments_are_shown_in_chips_that_the_tray_has(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    for seat in (1, 2, 3):
        table.seat_patron(seat, CASH)
    reds = {"500": table.live.tray_cents // 500}
    assert total({500: reds["500"]}) == table.live.tray_cents
    table.must("flo", "CountInventory", tray_cents=table.live.tray_cents, chips=reds)
    for _ in range(20):
        table.begin()
        for seat in (1, 2, 3):
            table.must(
                "dana", "PlaceWagers", seat=seat, stakes={wager: 4 * cents for wager, cents in table.least().items()}
            )
        table.close_bets()
        while table.phase != "over":
            table.step()
        paid = table.console()["paid"]
        if paid:
            break
        table.must("dana", "EndRound")
    before = table.live.tray_with(sum(payout["cents"] for payout in paid))
    for payout in payouts.paid(table.live.play, before):
        assert payout.chips in {shown["chips"] for shown in paid}
    # With nothing but red chips in the tray, nothing else is paid, but for change below $5.
    only_red = list(payouts.paid(table.live.play, {500: 100_000}))
    assert only_red
    assert all("black" not in payout.chips and "green" not in payout.chips for payout in only_red)
    one_big = list(payouts.paid(table.live.play, {25_000_00: 1}))
    assert one_big[0].breaks_cents == 25_000_00, "the dealer breaks the only chip first"


def test_envy_bonuses_come_out_of_the_same_tray() -> None:
    bonus = EnvyPaid(seat=1, from_seat=2, hand="royal flush", net=1_000_00, clause="§1")
    rules = RulesInForce(game(GAME))
    play = open_round(rules)._replace(phase="over", envy=(bonus, replace(bonus, seat=3)))
    tray = {500_00: 2, 100_00: 10}
    assert [payout.chips for payout in payouts.paid(play, tray)] == ["2 purple ($500)", "10 black ($100)"]
    assert payouts.paid_cents(play) == 2_000_00
