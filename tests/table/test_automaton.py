"""A table that deals by itself, for free play."""

import pytest

from pitboss.round.events import SETTLED
from pitboss.rules.dealing import AUTOMATED_SHOE, MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import RESHUFFLE, VOID
from pitboss.table import decide, evolve, new_table
from pitboss.table.automaton import next_command
from pitboss.table.commands import CloseRound, CountStub, OpenRound, ReceiveDeck, ReportDealt
from pitboss.table.conditions import HOUR_MS
from pitboss.table.rack import Racked
from pitboss.table.settings import COUNTING, NO_SHUFFLER, PLAIN, SHUFFLE
from pitboss.table.state import LOADED
from table.driver import THE_AUTOMATON, THE_DEALER, Driver, settings_of


def prepare(driver: Driver) -> None:
    for _ in range(10):
        command = next_command(driver.state, THE_AUTOMATON, driver.clock)
        if command is None:
            break
        answer = decide(driver.state, command)
        assert isinstance(answer, tuple), str(answer)
        for event in answer:
            driver.state = evolve(driver.state, event)
    assert driver.state.decks[0].stage == LOADED


def play(driver: Driver, ended: str = SETTLED) -> None:
    prepare(driver)
    deck = driver.state.decks[0].name
    driver.do(OpenRound, THE_AUTOMATON, round="r", deck=deck)
    assert next_command(driver.state, THE_AUTOMATON, driver.clock) is None
    driver.do(ReportDealt, THE_AUTOMATON, cards=9)
    if ended == SETTLED:
        driver.do(CountStub, THE_AUTOMATON, cards=len(driver.state.settings.game.deck) - 9)
        driver.do(CloseRound, THE_AUTOMATON, ended=SETTLED, pickup=(Racked(1, 9),))
    else:
        driver.do(CloseRound, THE_AUTOMATON, ended=VOID, fate=RESHUFFLE)


@pytest.mark.parametrize("method", [MANUAL_SHOE, AUTOMATED_SHOE])
@pytest.mark.parametrize("shuffler", [NO_SHUFFLER, PLAIN, COUNTING])
def test_a_self_dealing_table_plays_on_and_on(game: GameDefinition, method: str, shuffler: str) -> None:
    settings = settings_of(
        game, dealing=method, shuffler=shuffler, self_dealing=True, free_play=True, cards=SHUFFLE, deck_hours=2
    )
    driver = Driver(new_table(settings))
    for _ in range(7):
        play(driver)
    driver.wait(2 * HOUR_MS)
    play(driver)
    assert driver.state.removed == ("deck-1",)
    for _ in range(6):
        play(driver, VOID)
    play(driver)


def test_a_table_with_a_dealer_is_not_dealt_by_an_automaton(game: GameDefinition) -> None:
    driver = Driver(new_table(settings_of(game)))
    command = next_command(driver.state, THE_AUTOMATON, driver.clock)
    assert command is not None
    refusal = decide(driver.state, command)
    assert "the program can't" in str(refusal)


def test_a_deck_that_waits_for_people_is_left_to_them(game: GameDefinition) -> None:
    driver = Driver(new_table(settings_of(game)))
    driver.do(ReceiveDeck, THE_DEALER, deck="A")
    assert next_command(driver.state, THE_AUTOMATON, driver.clock) is None
