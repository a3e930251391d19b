"""A player who leaves during a round: who may report it, what is forfeited, and what was already won."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game, game_names
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]
LEFT = "player-left"


def at_decision(table: ScenarioTable) -> int:
    """Play on until a player is asked, and return the seat."""
    table.begin()
    table.play_to("asking")
    seat: int = table.live.play.seat_asked
    return seat


def left(seat: int, ruling: str | None = None) -> dict[str, Any]:
    return {"irregularity": LEFT, "seat": seat, **({"ruling": ruling} if ruling else {})}


def finish(table: ScenarioTable) -> None:
    while table.live.in_round:
        if table.phase == "asking" and table.live.play.seat_asked in table.live.given_up:
            table.must("dana", "ActForAbsent", seat=table.live.play.seat_asked)
        else:
            table.step()


@pytest.mark.parametrize("ruling", ["abandoned", "played-out"])
@pytest.mark.parametrize("name", game_names())
def test_one_person_does_not_rule_that_a_seated_player_left(new_table: NewTable, name: str, ruling: str) -> None:
    table = new_table(name).open()
    seat = at_decision(table)
    money, stakes = table.money(), dict(table.live.play.stakes)
    request = table.must("flo", "ReportIrregularity", **left(seat, ruling))["proposal"]
    assert request is not None
    assert (table.money(), table.live.play.stakes) == (money, stakes)
    table.refused("fred", "Confirm", proposal=request)  # two floorpersons are not the dealer and the floor
    table.must("dana", "Confirm", proposal=request)
    ruled = table.entries("round.IrregularityRuled")[-1].body
    assert (ruled["ruled_by"], ruled["ruling"]) == ("flo", ruling)
    assert table.entries("house.Confirmed")[-1].actor == "dana"


@pytest.mark.parametrize("name", game_names())
def test_the_dealers_report_and_the_floors_ruling_are_two_people(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = at_decision(table)
    table.must("dana", "ReportIrregularity", **left(seat))
    table.must("flo", "ReportIrregularity", **left(seat, "abandoned"))
    ruled = table.entries("round.IrregularityRuled")[-1].body
    assert (ruled["remedy"], ruled["ruled_by"]) == ("forfeit", "flo")
    answered = table.entries("house.IncidentAnswered")[-1].body
    assert (answered["reported_by"], answered["second"]) == ("dana", "dana")


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_answers_was_not_gone(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = at_decision(table)
    request = table.must("dana", "ReportIrregularity", **left(seat, "abandoned"))["proposal"]
    table.least_answer()
    table.refused("flo", "Confirm", proposal=request)
    answered = table.entries("house.IncidentAnswered")[-1]
    assert (answered.actor, answered.body["outcome"]) == (table.live.play.players[seat], "declined")
    assert not table.entries("round.IrregularityRuled")
    finish(table)
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_a_player_who_is_not_asked_shows_presence_by_confirming_a_duty(new_table: NewTable) -> None:
    name = next(
        game_name for game_name in game_names() if any(duty.id == "stay" for duty in game(game_name).procedures.round)
    )
    table = new_table(name).open()
    at_decision(table)
    request = table.must("flo", "ReportIrregularity", **left(2, "abandoned"))["proposal"]
    table.must("bob", "ConfirmDuty", duty="stay")
    table.refused("dana", "Confirm", proposal=request)
    assert table.live.trouble is None


@pytest.mark.parametrize("cards", [READER, DRAWN])
@pytest.mark.parametrize("name", game_names())
def test_a_player_gives_the_seat_up_and_the_hand_is_played_out(new_table: NewTable, name: str, cards: str) -> None:
    table = new_table(name, cards).open()
    seat = at_decision(table)
    player = table.live.play.players[seat]
    table.refused(player, "LeaveSeat", seat=seat)
    freed = table.refused("flo", "LeaveSeat", seat=seat, give_up=True)
    assert freed["clause"] == "H-29"
    table.must(player, "LeaveSeat", seat=seat, give_up=True)
    table.refused(player, "LeaveSeat", seat=seat, give_up=True)
    assert table.live.seats[seat] == player, "the seat is theirs until the round has ended"
    table.must("dana", "ActForAbsent", seat=seat)
    assert table.entries("round.ActionTaken")[-1].body["absent"] is True
    finish(table)
    assert seat not in table.live.seats
    assert table.live.stack_cents(player) == 0
    assert table.live.given_up == (seat,)
    table.begin()
    assert table.live.given_up == ()


@pytest.mark.parametrize("name", game_names())
def test_forfeiting_a_seat_that_was_given_up_takes_two_people(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = at_decision(table)
    table.must(table.live.play.players[seat], "LeaveSeat", seat=seat, give_up=True)
    tray = table.live.tray_cents
    table.both("flo", "fred", "ReportIrregularity", **left(seat, "abandoned"))
    assert table.live.tray_cents > tray
    finish(table)


@pytest.mark.parametrize("name", game_names())
def test_wagers_are_withdrawn_before_a_seat_is_left_while_bets_are_open(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.wager("alice")
    table.refused("alice", "LeaveSeat", seat=1, give_up=True)
    table.must("alice", "WithdrawWagers", seat=1)
    table.must("alice", "LeaveSeat", seat=1)


@pytest.mark.parametrize("name", game_names())
def test_a_hand_whose_cards_are_out_is_settled_although_its_player_left(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("settling")
    table.must("alice", "LeaveSeat", seat=1, give_up=True)
    table.must("flo", "ReportIrregularity", **left(1, "abandoned"))  # forfeits nothing, so one person is enough
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["ruling"]) == ("goes-on", "abandoned")
    finish(table)
    settled = [result["clause"] for entry in table.entries("round.WagersSettled") for result in entry.body["results"]]
    assert settled
    assert ruled.clause not in settled


def test_side_wagers_on_cards_that_are_out_are_paid(new_table: NewTable) -> None:
    table = new_table("dragon-poker").open()
    table.begin("Ph Ra Ti Ph Mo Ti Dr Pa Ra")  # in turn: seat 1, seat 2, dealer
    least = table.least()
    table.wager("alice", **least, three_card_bonus=least["ante"])
    table.wager("bob")
    table.close_bets()
    table.deal()
    table.must("alice", "LeaveSeat", seat=1, give_up=True)
    table.both("dana", "flo", "ReportIrregularity", **left(1, "abandoned"))
    finish(table)
    results = {
        result["wager"]: result["result"]
        for entry in table.entries("round.WagersSettled")
        if entry.body["seat"] == 1
        for result in entry.body["results"]
    }
    assert results == {"ante": "lose", "ante-bonus": "lose", "three-card-bonus": "win"}


def test_a_declared_winner_stays_paid(new_table: NewTable) -> None:
    table = new_table("colorado-holdem").open()
    table.begin("9s 2c 3d 9d 4h 5h 9c 7s 8d")  # in turn: seat 1, seat 2, the board
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    table.deal()
    table.answer("declare")
    paid = table.live.stack_cents("alice")
    table.must("alice", "LeaveSeat", seat=1, give_up=True)
    table.must("flo", "ReportIrregularity", **left(1, "abandoned"))
    assert table.live.stack_cents("alice") == paid
    finish(table)
