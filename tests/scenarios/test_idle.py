"""A table that has been empty for a while shows its cards to the first player, each game in its own way."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import DRAWN, ScenarioTable

NewTable = Callable[..., ScenarioTable]
IDLE_MS = 31_000
MARYLAND_TURN_UP = {
    "dragon-poker": "Ch. 4 §A(2)",
    "top-five-poker": "Ch. 4 §B",
    "ultimate-texas-holdem": "Ch. 4 §B",
}


def left_alone(new_table: NewTable, name: str, cards: str = "reader", **changes: object) -> ScenarioTable:
    """Return a table that has a deck ready and that its only player has left."""
    table = new_table(name, cards, **changes).open(("alice",))
    table.prepare()
    table.must("alice", "LeaveSeat", seat=1)
    return table


def kinds(table: ScenarioTable) -> list[str]:
    return [duty["command"]["kind"] for duty in table.console()["duties"]]


@pytest.mark.parametrize("name", game_names())
def test_no_round_begins_at_an_idle_table_before_its_cards_were_shown(new_table: NewTable, name: str) -> None:
    table = left_alone(new_table, name)
    idle = table.game.procedures.idle
    assert kinds(table)[0] == "BeginRound"
    table.floor.pass_time(IDLE_MS)
    assert kinds(table)[0] == "SpreadIdle"
    table.must("alice", "TakeSeat", seat=1)
    assert kinds(table)[0] == "SpreadIdle", "the player who came looks over the cards"
    assert table.refused("dana", "BeginRound")["clause"] == idle.cite
    table.must("dana", "SpreadIdle")
    before = len(table.entries("table.DutyConfirmed"))
    table.prepare()
    done = [entry.body["duty"] for entry in table.entries("table.DutyConfirmed")[before:]]
    assert done == [*(duty.id for duty in idle.duties), "turn-up", "look", "turn", "wash", "stack"]
    (turned,) = [entry for entry in table.entries("table.DutyConfirmed")[before:] if entry.body["duty"] == "turn-up"]
    assert turned.clause == MARYLAND_TURN_UP.get(name, "§5(e)")
    table.must("alice", "BuyIn", cents=500_00)
    table.play_round()


@pytest.mark.parametrize("name", game_names())
def test_nobody_looks_over_idle_cards_before_a_player_arrives(new_table: NewTable, name: str) -> None:
    table = left_alone(new_table, name)
    table.floor.pass_time(IDLE_MS)
    table.must("dana", "SpreadIdle")
    deck = table.live.cards.decks[0].name
    for duty in table.game.procedures.idle.duties:
        table.must("dana", "ConfirmDuty", duty=duty.id, deck=deck)
    assert "No one is seated" in table.refused("dana", "ConfirmDuty", duty="turn-up", deck=deck)["reason"]
    table.must("alice", "TakeSeat", seat=1)
    table.must("dana", "ConfirmDuty", duty="turn-up", deck=deck)


def test_a_table_that_was_empty_for_a_moment_plays_on(new_table: NewTable) -> None:
    table = left_alone(new_table, "top-five-poker")
    table.floor.pass_time(10_000)
    table.must("alice", "TakeSeat", seat=1)
    table.floor.pass_time(IDLE_MS)
    table.must("dana", "BeginRound")


def test_how_long_is_for_the_house_to_say(new_table: NewTable) -> None:
    table = new_table("top-five-poker")
    table.document["pace"] = {"idle_ms": 120_000}
    table.open(("alice",))
    table.prepare()
    table.must("alice", "LeaveSeat", seat=1)
    table.floor.pass_time(IDLE_MS)
    assert kinds(table)[0] == "BeginRound"
    table.floor.pass_time(120_000)
    assert kinds(table)[0] == "SpreadIdle"


@pytest.mark.parametrize("name", ["dragon-poker", "top-five-poker", "ultimate-texas-holdem"])
def test_a_device_that_reshuffles_by_itself_keeps_the_cards_where_its_clause_says_so(
    new_table: NewTable, name: str
) -> None:
    table = left_alone(new_table, name, shuffler="continuous", dealing="automated-shoe")
    table.floor.pass_time(IDLE_MS)
    suspended = "idle-spread" in table.game.procedures.shuffling.self_shuffling_suspends
    assert (kinds(table)[0] == "BeginRound") is suspended
    table.must("alice", "TakeSeat", seat=1)
    if suspended:
        table.must("dana", "BeginRound")
    else:
        assert table.refused("dana", "BeginRound")["clause"] == table.game.procedures.idle.cite


def test_cards_that_the_program_draws_are_not_spread(new_table: NewTable) -> None:
    table = left_alone(new_table, "top-five-poker", DRAWN)
    table.floor.pass_time(IDLE_MS)
    table.must("alice", "TakeSeat", seat=1)
    table.must("dana", "BeginRound")


@pytest.mark.parametrize("name", ["dragon-poker", "top-five-poker", "ultimate-texas-holdem"])
def test_only_a_player_at_the_table_has_the_cards_spread_face_up(new_table: NewTable, name: str) -> None:
    table = left_alone(new_table, name)
    table.floor.pass_time(IDLE_MS)
    idle = table.game.procedures.idle
    for asked in (None, {"name": "ghost", "role": "player"}, {"name": "dana", "role": "dealer"}):
        fields = {"face": "face-up", **({"asked_by": asked} if asked else {})}
        assert table.refused("dana", "SpreadIdle", **fields)["clause"] == idle.cite, asked
    table.must("alice", "TakeSeat", seat=1)
    table.must("dana", "SpreadIdle", face="face-up", asked_by={"name": "alice", "role": "player"})
    assert table.entries("table.CardsSpread")[-1].body["asked_by"] == {"name": "alice", "role": "player"}
