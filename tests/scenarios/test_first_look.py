"""Cards that no player could look over are not dealt: at the opening, after a wait, or after the table was closed."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import DRAWN, TRAY, ScenarioTable

NewTable = Callable[..., ScenarioTable]
EVERY = pytest.mark.parametrize("name", game_names())
IDLE_MS, HOUR_MS, SLACK_MS = 31_000, 3_600_000, 900_000


def left_alone(new_table: NewTable, name: str, cards: str = "reader", **changes: object) -> ScenarioTable:
    """Return a table with a deck ready, whose only player has just left."""
    table = new_table(name, cards, **changes).open(("alice",))
    table.prepare()
    table.must("alice", "LeaveSeat", seat=1)
    return table


def back(table: ScenarioTable) -> None:
    """Have the player take the seat again and buy chips."""
    table.must("alice", "TakeSeat", seat=1)
    table.must("alice", "BuyIn", cents=500_00)


def is_called_off(table: ScenarioTable, clause: str) -> None:
    """Check that the open round takes no wager by this clause, and that the console leads out of it."""
    money = table.money()
    for _ in range(2):
        assert table.refused("alice", "PlaceWagers", seat=1, stakes=table.least())["clause"] == clause
    table.refused("dana", "CloseBets")
    assert table.money() == money
    first = table.console()["duties"][0]
    assert (first["id"], first["clause"], first["command"]) == ("call-off", clause, {"kind": "EndRound"})
    table.must("dana", "EndRound")


@EVERY
def test_the_first_look_at_a_new_deck_waits_for_a_player(new_table: NewTable, name: str) -> None:
    table = new_table(name).open(())
    table.must("dana", "ReceiveDeck", deck="A")
    while (duty := next(duty for duty in table.console()["duties"] if duty["command"].get("deck") == "A"))[
        "id"
    ] != "look":
        table.do(duty)
    for person in ("dana", "flo"):
        unseen = table.refused(person, "ConfirmDuty", duty="look", deck="A")
        assert ("No one is seated" in unseen["reason"], unseen["clause"]) == (True, duty["clause"])
    for later in ("turn", "wash", "stack"):
        assert table.refused("dana", "ConfirmDuty", duty=later, deck="A")["clause"]
    assert table.refused("dana", "ShuffleDeck", deck="A", way="device")["clause"]
    table.sit("alice", 1)
    table.must("alice", "ConfirmDuty", duty="look", deck="A")
    table.play_round()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


@EVERY
def test_a_round_that_waited_at_an_idle_table_takes_no_wager(new_table: NewTable, name: str) -> None:
    table = left_alone(new_table, name)
    table.must("dana", "BeginRound")  # at once, so that no spread is due yet
    table.floor.pass_time(IDLE_MS)
    back(table)
    is_called_off(table, table.game.procedures.idle.cite)
    assert table.console()["duties"][0]["command"]["kind"] == "SpreadIdle"
    assert table.refused("dana", "BeginRound")["clause"] == table.game.procedures.idle.cite
    table.must("dana", "SpreadIdle")
    table.play_round()
    assert table.verified() is None


@pytest.mark.parametrize(("dealing", "hours"), [("hand", 4), ("manual-shoe", 8)])
@EVERY
def test_a_round_that_waited_past_its_decks_hours_takes_no_wager(
    new_table: NewTable, name: str, dealing: str, hours: int
) -> None:
    table = new_table(name, dealing=dealing, deck_hours=hours).open(("alice",))
    table.prepare()
    table.must("dana", "BeginRound")
    table.floor.pass_time(hours * HOUR_MS - SLACK_MS)
    table.wager("alice")
    table.must("alice", "WithdrawWagers", seat=1)
    table.floor.pass_time(SLACK_MS)
    table.take_over("dana")
    lawful = table.game.procedures.deck_hours
    overdue = table.refused("alice", "PlaceWagers", seat=1, stakes=table.least())
    assert f"for {hours} hours. Change it" in overdue["reason"]
    clause = lawful.cites[dealing] if lawful else "G-28"  # Massachusetts leaves the hours to the operator
    assert overdue["clause"] == clause
    is_called_off(table, clause)
    late = table.refused("dana", "BeginRound")
    assert "Change it" in late["reason"]
    assert late["clause"] == (clause if lawful else late["clause"])
    table.must("flo", "RemoveDeck", deck=table.live.cards.decks[0].name, reason="hours")
    table.play_round()


def test_a_wager_that_was_placed_in_time_is_played(new_table: NewTable) -> None:
    table = new_table("top-five-poker").open(("alice",))
    table.begin()
    table.wager("alice")
    table.floor.pass_time(9 * HOUR_MS)
    table.take_over("dana")
    table.wager("alice")  # other chips in the same place
    table.close_bets()
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


@EVERY
def test_cards_that_stayed_on_a_closed_table_are_spread_before_they_are_dealt(new_table: NewTable, name: str) -> None:
    table = left_alone(new_table, name)
    table.must("flo", "CloseTable", tray_cents=table.live.tray_cents)
    table.floor.pass_time(2 * HOUR_MS)
    table.must("flo", "OpenTable", tray_cents=TRAY)
    table.take_over("dana")
    back(table)
    assert table.refused("dana", "BeginRound")["clause"] == table.game.procedures.idle.cite
    table.must("dana", "SpreadIdle")
    table.play_round()


def test_drawn_cards_are_looked_over_by_nobody(new_table: NewTable) -> None:
    table = left_alone(new_table, "top-five-poker", DRAWN)
    table.must("dana", "BeginRound")
    table.floor.pass_time(IDLE_MS)
    back(table)
    table.wager("alice")
