"""A request that wasn't answered can't be used for another seat, decision, report or dispute."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
MINUTE_MS = 60_000


@pytest.mark.parametrize("ruling", ["abandoned", "played-out"])
@pytest.mark.parametrize("name", game_names())
def test_a_ruling_that_omits_the_seat_does_not_bypass_the_dealer(new_table: NewTable, name: str, ruling: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("asking")
    seat = table.live.play.seat_asked
    table.must("flo", "ReportIrregularity", irregularity="player-left", seat=seat)
    request = table.must("flo", "ReportIrregularity", irregularity="player-left", ruling=ruling)["proposal"]
    assert request is not None, "a floorperson alone rules nobody gone"
    table.refused("fred", "Confirm", proposal=request)
    assert not table.live.gone
    table.refused("dana", "ActForAbsent", seat=seat)


def test_a_ruling_on_one_position_covers_a_player_at_another_only_with_the_dealer(new_table: NewTable) -> None:
    table = new_table("colorado-holdem", options={"adjacent-positions": 2}).open(("alice",))
    table.must("alice", "TakeSeat", seat=2)
    table.begin()
    for seat in (1, 2):
        table.must("alice", "PlaceWagers", seat=seat, stakes=table.least())
    table.close_bets()
    table.deal()
    table.must("alice", "LeaveSeat", seat=1, give_up=True)
    left = {"irregularity": "player-left", "seat": 1, "ruling": "played-out"}
    assert table.must("flo", "ReportIrregularity", **left)["proposal"] is not None
    assert not table.live.gone


def test_an_answer_proposed_for_one_dispute_resolves_no_other(new_table: NewTable) -> None:
    table = new_table("dragon-poker").open()
    for outcome in ("first", "second"):
        table.begin()
        while table.live.play.outcome is None:
            table.step()
        table.must("dana", "ReportDispute", seats=[1], note=f"the {outcome} hand")
        if outcome == "first":
            kept = table.must("flo", "ResolveDispute", outcome="void", note="as seen")["proposal"]
            table.both("flo", "dana", "ResolveDispute", outcome="stands", note="as the rack has it")
            table.end()
    money = table.money()
    table.refused("dana", "Confirm", proposal=kept)
    assert table.money() == money


def test_a_proposed_void_ends_with_the_ruling_that_play_continues(new_table: NewTable) -> None:
    table = new_table("top-five-poker").open()
    table.begin()
    table.play_to("asking")
    exposed = {"irregularity": "dealer-card-exposed", "note": "one card, seen by all"}
    void = table.must("flo", "ReportIrregularity", **exposed, ruling="void")["proposal"]
    table.must("fred", "ReportIrregularity", **exposed, ruling="continue")
    assert table.live.trouble is None
    money = table.money()
    table.refused("dana", "Confirm", proposal=void)
    assert table.money() == money


def test_an_absence_proposed_twice_answers_one_question(new_table: NewTable) -> None:
    table = new_table("ultimate-texas-holdem").open()
    table.begin()
    table.play_to("asking")
    seat = table.live.play.seat_asked
    table.floor.pass_time(MINUTE_MS)
    kept = table.must("flo", "ActForAbsent", seat=seat)["proposal"]
    table.both("dana", "fred", "ActForAbsent", seat=seat)
    while table.phase != "asking" or table.live.play.seat_asked != seat:
        table.step()
    table.floor.pass_time(MINUTE_MS)
    table.refused("dana", "Confirm", proposal=kept)
