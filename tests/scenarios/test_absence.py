"""A player who doesn't act: at a dealer's table a floorperson rules, and only an electronic table has a clock."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.rules.play import Ask
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]
ELECTRONIC = [name for name in game_names() if game(name).procedures.electronic_cite is not None]
DEALT_BY_PEOPLE = [(name, READER) for name in game_names()] + [
    (name, DRAWN) for name in game_names() if name not in ELECTRONIC
]


def asked(table: ScenarioTable) -> int:
    """Play on until a player is asked, let their time run out and return the seat."""
    table.begin()
    table.play_to("asking")
    table.floor.pass_time(table.live.terms.pace.decision_ms + 5_000)
    seat: int = table.live.play.seat_asked
    return seat


@pytest.mark.parametrize(("name", "cards"), DEALT_BY_PEOPLE)
def test_no_dealer_folds_a_player_by_the_clock(new_table: NewTable, name: str, cards: str) -> None:
    table = new_table(name, cards).open()
    seat = asked(table)
    money = table.money()
    request = table.must("dana", "ActForAbsent", seat=seat)["proposal"]
    assert request is not None
    assert (table.phase, table.live.play.seat_asked, table.money()) == ("asking", seat, money)
    assert not table.entries("round.ActionTaken")
    table.refused("dana", "Confirm", proposal=request)
    table.must("flo", "Confirm", proposal=request)
    taken = table.entries("round.ActionTaken")[-1]
    assert (taken.body["seat"], taken.body["absent"], taken.body["ruling"]) == (seat, True, "G-5")
    assert (taken.body["ruled_by"], taken.body["dealer"]) == ("flo", "dana")


@pytest.mark.parametrize("name", game_names())
def test_a_floorperson_may_ask_and_the_dealer_confirm(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = asked(table)
    table.both("flo", "dana", "ActForAbsent", seat=seat)
    taken = table.entries("round.ActionTaken")[-1].body
    assert (taken["ruled_by"], taken["dealer"]) == ("flo", "dana")


@pytest.mark.parametrize("name", game_names())
def test_a_player_has_their_time_before_anybody_is_asked_to_rule(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("asking")
    seat = table.live.play.seat_asked
    for person in ("dana", "flo"):
        early = table.refused(person, "ActForAbsent", seat=seat)
        assert "seconds to decide" in early["reason"]
        assert early["clause"] == "G-5"
    shown = next(duty for duty in table.console()["duties"] if duty["id"] == "absent")
    assert shown["since"] == table.live.asked_at + table.live.terms.pace.decision_ms
    assert shown["by"] == "dealer or floorperson"
    assert shown["ruling"] == "G-5"


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_answers_first_is_not_ruled_absent(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = asked(table)
    request = table.must("dana", "ActForAbsent", seat=seat)["proposal"]
    table.least_answer()
    table.floor.pass_time(table.live.terms.pace.decision_ms + 5_000)
    table.refused("flo", "Confirm", proposal=request)
    declined = table.entries("house.Declined")[-1]
    assert (declined.body["proposal"], declined.clause) == (request, "G-5")
    assert [entry.body["absent"] for entry in table.entries("round.ActionTaken")] == [False]


def test_a_player_who_gives_any_command_is_there(new_table: NewTable) -> None:
    table = new_table(game_names()[0]).open()
    seat = asked(table)
    request = table.must("dana", "ActForAbsent", seat=seat)["proposal"]
    table.must(table.live.play.players[seat], "Tip", cents=1_00)
    assert "at the table" in table.entries("house.Declined")[-1].body["reason"]
    table.refused("flo", "Confirm", proposal=request)
    table.both("dana", "flo", "ActForAbsent", seat=seat)


def test_a_request_made_for_one_decision_does_not_answer_the_next(new_table: NewTable) -> None:
    several = [name for name in game_names() if _asks(name) > 1]
    for name in several:
        table = new_table(name).open(players=("alice",))
        seat = asked(table)
        request = table.must("dana", "ActForAbsent", seat=seat)["proposal"]
        table.answer("check")
        table.play_to("asking")
        table.floor.pass_time(table.live.terms.pace.decision_ms + 5_000)
        assert table.live.play.seat_asked == seat
        table.refused("flo", "Confirm", proposal=request)
    assert several


def _asks(name: str) -> int:
    return sum(isinstance(step, Ask) and step.when is None for step in game(name).play)


@pytest.mark.parametrize("name", ELECTRONIC)
def test_the_clock_answers_at_an_electronic_table(new_table: NewTable, name: str) -> None:
    table = new_table(name, DRAWN).open()
    seat = asked(table)
    table.refused("flo", "ActForAbsent", seat=seat)
    answer = table.must("dana", "ActForAbsent", seat=seat)
    assert answer["proposal"] is None
    taken = table.entries("round.ActionTaken")[-1].body
    assert (taken["seat"], taken["absent"], taken["ruling"], taken["ruled_by"]) == (seat, True, "G-5", None)


SEVERAL = [name for name in game_names() if game(name).positions.per_player_option]
LEFT = {"irregularity": "player-left"}


def at_two(new_table: NewTable, name: str) -> ScenarioTable:
    """Bring a player who holds the first two positions, with bob at the third, to a decision."""
    option = game(name).positions.per_player_option
    table = new_table(name, options={option: "2"}).open(players=("alice",))
    table.must("alice", "TakeSeat", seat=2)
    table.sit("bob", 3)
    table.begin()
    for seat, player in ((1, "alice"), (2, "alice"), (3, "bob")):
        table.must(player, "PlaceWagers", seat=seat, stakes=table.least())
    table.close_bets()
    table.play_to("asking")
    return table


@pytest.mark.parametrize("name", SEVERAL)
def test_a_player_who_gave_one_position_up_and_answers_at_the_other_has_not_left(
    new_table: NewTable, name: str
) -> None:
    table = at_two(new_table, name)
    table.must("alice", "LeaveSeat", seat=1, give_up=True)
    table.must("dana", "ActForAbsent", seat=1)
    request = table.must("dana", "ReportIrregularity", **LEFT, seat=1, ruling="abandoned")["proposal"]
    table.least_answer()
    answered = table.entries("house.IncidentAnswered")[-1]
    assert (answered.actor, answered.body["outcome"]) == ("alice", "declined")
    table.refused("flo", "Confirm", proposal=request)
    assert not table.entries("round.IrregularityRuled")
    assert table.live.gone == ()


@pytest.mark.parametrize("reported", [1, 2])
@pytest.mark.parametrize("name", SEVERAL)
def test_a_report_about_either_position_is_answered_by_the_player_at_the_other(
    new_table: NewTable, name: str, reported: int
) -> None:
    table = at_two(new_table, name)
    table.must("dana", "ReportIrregularity", **LEFT, seat=reported, ruling="abandoned")
    table.least_answer()
    assert table.live.trouble is None
    assert table.entries("house.IncidentAnswered")[-1].body["outcome"] == "declined"
    assert table.live.play.seat_asked == 2


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_comes_back_is_asked_again_and_keeps_the_seat(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("asking")
    table.both("dana", "flo", "ReportIrregularity", **LEFT, seat=1, ruling="played-out")
    assert table.live.gone == ("alice",)
    table.must("alice", "Tip", cents=1_00)
    back = table.entries("house.PlayerReturned")[-1]
    assert (back.actor, back.clause, table.live.gone) == ("alice", "G-5", ())
    early = table.refused("dana", "ActForAbsent", seat=1)
    assert "seconds to decide" in early["reason"], "the clock of a player who came back begins again"
    table.least_answer()
    while table.live.in_round:
        table.step()
    assert table.live.seats[1] == "alice"
    assert table.verified() is None


@pytest.mark.parametrize("name", SEVERAL)
def test_a_player_who_is_gone_and_takes_another_seat_is_there(new_table: NewTable, name: str) -> None:
    table = new_table(name, options={game(name).positions.per_player_option: "2"}).open(players=("alice",))
    table.begin()
    table.play_to("asking")
    table.both("dana", "flo", "ReportIrregularity", **LEFT, seat=1, ruling="played-out")
    table.must("alice", "TakeSeat", seat=2)
    assert table.live.gone == ()
    while table.live.in_round:
        table.step()
    assert table.live.seats == {1: "alice", 2: "alice"}


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_asks_for_time_has_the_decision_time_again(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = asked(table)
    waits = table.must("dana", "ActForAbsent", seat=seat)["proposal"]
    for person in ("alice", "flo"):
        assert table.refused(person, "GiveTime", seat=seat)["clause"] == "H-68"
    other = next(number for number in table.live.seats if number != seat)
    assert table.refused("dana", "GiveTime", seat=other)["field"] == "seat"
    table.must("dana", "GiveTime", seat=seat)
    given = table.entries("house.TimeGiven")[-1]
    assert (given.body["seat"], given.body["player"], given.clause) == (seat, table.live.play.players[seat], "H-68")
    # What waited for a second person is over, and nobody answers for the player before the time is.
    table.refused("flo", "Confirm", proposal=waits)
    assert "seconds to decide" in table.refused("dana", "ActForAbsent", seat=seat)["reason"]
    assert table.view()["until"] >= given.at + table.live.terms.pace.decision_ms
    table.floor.pass_time(table.live.terms.pace.decision_ms + 5_000)
    table.both("dana", "flo", "ActForAbsent", seat=seat)
    assert table.entries("round.ActionTaken")[-1].body["absent"]
    assert table.verified() is None


def test_no_time_is_given_where_nobody_decides(new_table: NewTable) -> None:
    table = new_table(game_names()[0]).open()
    assert table.refused("dana", "GiveTime", seat=1)["reason"] == "No round is open"
    table.begin()
    assert "isn't asked" in table.refused("dana", "GiveTime", seat=1)["reason"]
