"""Two decks that alternate with a shuffler."""

import pytest

from pitboss.rules.dealing import METHODS
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import VOID
from pitboss.table.commands import (
    DEVICE,
    MANUAL,
    CloseRound,
    ConfirmDuty,
    FailDevice,
    JamDevice,
    LoadDeck,
    OpenRound,
    ReadDeviceCount,
    ReceiveDeck,
    RemoveDeck,
    ShuffleDeck,
    TakeOutDevice,
)
from pitboss.table.events import DeckRemoved, RoundOpened
from pitboss.table.rack import cards_in
from pitboss.table.settings import COUNTING, PLAIN
from pitboss.table.state import LOADED, RACKED, SHUFFLED, STACKED
from table.driver import A_PLAYER, THE_FLOOR, Driver, table


def two(game: GameDefinition, **settings: object) -> Driver:
    """Return a table with deck A loaded and deck B shuffled and kept."""
    driver = table(game, decks=2, **{"shuffler": PLAIN, **settings})
    driver.open_deck("A")
    driver.open_deck("B")
    for duty in game.procedures.two_decks.duties:
        driver.do(ConfirmDuty, duty=duty.id)
    driver.prepare("B")
    driver.load("A")
    return driver


def turn(driver: Driver, played: str, following: str) -> None:
    driver.play(played)
    driver.prepare(played)
    driver.do(LoadDeck, deck=following)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shuffler", [PLAIN, COUNTING])
def test_two_decks_take_turns_every_round(game: GameDefinition, method: str, shuffler: str) -> None:
    driver = two(game, dealing=method, shuffler=shuffler)
    for played, following in ("AB", "BA", "AB", "BA", "AB", "BA"):
        turn(driver, played, following)
    opened = [event.deck for event in driver.events if isinstance(event, RoundOpened)]
    assert opened == ["A", "B"] * 3


def test_the_same_deck_is_not_dealt_twice_running(game: GameDefinition) -> None:
    driver = two(game)
    driver.play("A")
    driver.prepare("A")
    assert driver.refused(LoadDeck, deck="A").clause == game.procedures.two_decks.alternate_cite
    driver.do(LoadDeck, deck="B")


def test_a_round_called_off_before_a_card_does_not_use_a_turn(game: GameDefinition) -> None:
    driver = two(game)
    driver.do(OpenRound, round="r", deck="A")
    driver.do(CloseRound, ended=VOID)
    driver.play("A")


def test_only_one_deck_is_loaded(game: GameDefinition) -> None:
    driver = two(game)
    assert driver.refused(LoadDeck, deck="B").clause == game.procedures.two_decks.cite


def test_the_rack_is_empty_before_the_other_deck_comes_into_play(game: GameDefinition) -> None:
    driver = two(game)
    driver.play("A")
    driver.do(LoadDeck, deck="B")
    refusal = driver.refused(OpenRound, round="2", deck="B")
    assert refusal.clause == game.procedures.two_decks.one_in_rack_cite
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    driver.play("B")
    assert cards_in(driver.state.rack) == len(game.deck)


def test_the_conditions_of_two_decks_are_confirmed_first(game: GameDefinition) -> None:
    driver = table(game, decks=2, shuffler=PLAIN)
    driver.open_deck("A")
    driver.refused(ConfirmDuty, duty=game.procedures.two_decks.duties[0].id)
    driver.open_deck("B")
    driver.prepare("B")
    driver.load("A")
    for duty in game.procedures.two_decks.duties:
        assert driver.refused(OpenRound, round="r", deck="A").clause == duty.cite
        driver.refused(ConfirmDuty, A_PLAYER, duty=duty.id)
        driver.do(ConfirmDuty, duty=duty.id)
        driver.refused(ConfirmDuty, duty=duty.id)
    driver.do(OpenRound, round="r", deck="A")


def test_the_other_deck_is_shuffled_before_a_round_opens(game: GameDefinition) -> None:
    driver = table(game, decks=2, shuffler=PLAIN)
    driver.open_deck("A")
    driver.load("A")
    driver.do(ReceiveDeck, deck="B")
    assert driver.refused(OpenRound, round="r", deck="A").clause == game.procedures.two_decks.device_cite
    driver.do(RemoveDeck, THE_FLOOR, deck="B")
    driver.do(OpenRound, round="r", deck="A")


def test_the_deck_out_of_play_is_shuffled_and_counted_during_the_round(game: GameDefinition) -> None:
    driver = two(game, shuffler=COUNTING)
    driver.play("A")
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    driver.do(LoadDeck, deck="B")
    if game.procedures.two_decks.is_stored:
        cite = game.procedures.two_decks.device_cite
        assert driver.refused(OpenRound, round="2", deck="B").clause == cite
        driver.do(ReadDeviceCount, deck="A", cards=len(game.deck))
        driver.deal("B")
        return
    driver.deal("B")
    counted, removed = driver.do(ReadDeviceCount, deck="A", cards=len(game.deck) + 1)
    assert isinstance(removed, DeckRemoved)
    assert driver.state.round is not None
    assert [deck.name for deck in driver.state.decks] == ["B"]
    assert counted.clause == game.procedures.shuffling.wrong_count_cite


def test_a_jam_on_the_deck_out_of_play_leaves_the_round_alone(game: GameDefinition) -> None:
    driver = two(game)
    driver.deal("A")
    (jammed,) = driver.do(JamDevice, device="shuffler", deck="B")
    assert not jammed.in_play
    assert jammed.clause or jammed.ruling
    assert driver.deck("B").stage == STACKED
    assert driver.state.round is not None
    driver.do(ShuffleDeck, deck="B", way=DEVICE)
    assert driver.deck("B").stage == SHUFFLED


def test_another_deck_is_not_loaded_during_a_round(game: GameDefinition) -> None:
    driver = two(game)
    driver.do(OpenRound, round="r", deck="A")
    driver.do(JamDevice, device="shuffler", deck="A")
    assert driver.deck("A").stage == STACKED
    assert driver.refused(LoadDeck, deck="B").clause == game.procedures.two_decks.alternate_cite


def test_without_the_shuffler_two_decks_become_one(game: GameDefinition) -> None:
    driver = two(game)
    driver.do(FailDevice, device="shuffler")
    assert driver.refused(OpenRound, round="r", deck="A").clause == game.procedures.two_decks.cite
    driver.do(TakeOutDevice, device="shuffler", how=game.procedures.devices.failed[0])
    driver.do(RemoveDeck, deck="B")
    assert driver.refused(ReceiveDeck, deck="C").clause == game.procedures.two_decks.cite
    driver.play("A")
    assert driver.deck("A").stage == RACKED
    driver.do(ShuffleDeck, deck="A", way=MANUAL)
    driver.load("A")
    assert driver.deck("A").stage == LOADED
