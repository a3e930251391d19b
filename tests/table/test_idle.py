"""A table where nobody is playing."""

import pytest

from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition
from pitboss.rules.procedure import PLAYER
from pitboss.table import next_duties
from pitboss.table.commands import FACE_DOWN, FACE_UP, OpenRound, ReceiveDeck, SpreadIdle
from pitboss.table.conditions import script_duties
from pitboss.table.events import DutyConfirmed
from pitboss.table.settings import PLAIN
from pitboss.table.state import OPENING, STACKED
from table.driver import A_PLAYER, THE_FLOOR, ready, table


def test_idle_cards_lie_face_down_unless_a_player_asks(game: GameDefinition) -> None:
    idle = game.procedures.idle
    driver = ready(game)
    if idle.face_down_first:
        assert driver.refused(SpreadIdle, face=FACE_UP).clause == idle.cite
        assert driver.refused(SpreadIdle, face=FACE_UP, asked_by=THE_FLOOR).clause == idle.cite
        driver.do(SpreadIdle, face=FACE_UP, asked_by=A_PLAYER)
    else:
        driver.do(SpreadIdle, face=FACE_UP)


def test_both_customs_are_in_the_catalog() -> None:
    assert {game.procedures.idle.face_down_first for game in catalogue.games()} == {True, False}


@pytest.mark.parametrize("face", [FACE_DOWN, FACE_UP])
def test_after_the_look_the_opening_is_completed_before_play(game: GameDefinition, face: str) -> None:
    driver = ready(game)
    (spread,) = driver.do(SpreadIdle, face=face, asked_by=A_PLAYER)
    assert spread.clause == game.procedures.idle.cite
    assert driver.deck().stage == OPENING
    driver.refused(OpenRound, round="r", deck="A")
    before = len(driver.events)
    driver.finish_duties("A")
    done = [event.duty for event in driver.events[before:] if isinstance(event, DutyConfirmed)]
    assert done[-3:] == ["turn", "wash", "stack"]
    assert "look" in done
    assert done.index("look") < done.index("turn")
    assert driver.deck().stage == STACKED
    driver.load()
    driver.play()


def test_cards_that_lie_face_down_are_turned_up_where_the_rulebook_wants_it(game: GameDefinition) -> None:
    turned = [duty.id for duty in game.procedures.idle.arrival if duty.by != PLAYER]
    for face, expected in ((FACE_DOWN, turned), (FACE_UP, [])):
        driver = ready(game)
        driver.do(SpreadIdle, face=face, asked_by=A_PLAYER)
        ids = [duty.id for duty in script_duties(driver.state, driver.deck())]
        assert [name for name in ids if name in turned] == expected


def test_some_rulebook_turns_idle_cards_up_for_the_arriving_player() -> None:
    assert any(duty.by != PLAYER for game in catalogue.games() for duty in game.procedures.idle.arrival)


def test_both_decks_of_a_table_are_spread_and_the_rack_is_emptied(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    driver.load("A")
    driver.play("A")
    driver.do(ReceiveDeck, deck="B")
    driver.refused(SpreadIdle)
    driver.finish_duties("B")
    assert driver.state.rack
    driver.do(SpreadIdle)
    assert driver.state.rack == ()
    assert [deck.stage for deck in driver.state.decks] == [OPENING, OPENING]


def test_a_table_that_is_not_idle_or_not_open_is_not_spread(game: GameDefinition) -> None:
    empty = table(game)
    empty.refused(SpreadIdle)
    driver = ready(game)
    driver.refused(SpreadIdle, THE_FLOOR)
    driver.refused(SpreadIdle, face="sideways")
    driver.do(OpenRound, round="r", deck="A")
    assert driver.refused(SpreadIdle).clause == game.procedures.idle.cite


def test_a_ready_table_is_asked_for_the_idle_spread(game: GameDefinition) -> None:
    driver = ready(game)
    shown = [duty.id for duty in next_duties(driver.state) if duty.command == "SpreadIdle"]
    assert shown == [duty.id for duty in game.procedures.idle.duties]
