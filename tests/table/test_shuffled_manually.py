"""A deck shuffled by hand while the shuffler was out of service isn't stuck once cards are dealt by hand."""

import pytest

from pitboss.rules.dealing import HAND
from pitboss.rules.game import GameDefinition
from pitboss.table import next_duties
from pitboss.table.automaton import next_command
from pitboss.table.commands import (
    DEVICE,
    MANUAL,
    SHUFFLER,
    CutDeck,
    FailDevice,
    LoadDeck,
    ReturnDevice,
    ShuffleDeck,
    TakeOutDevice,
)
from pitboss.table.settings import PLAIN
from pitboss.table.state import LOADED
from table.driver import THE_DEALER, THE_TECHNICIAN, Driver, table


def returned(game: GameDefinition, *, is_cut: bool) -> Driver:
    """Return a table dealt by hand whose deck was shuffled manually before its shuffler came back."""
    driver = table(game, dealing=HAND, shuffler=PLAIN)
    driver.open_deck()
    driver.do(FailDevice, device=SHUFFLER)
    driver.do(TakeOutDevice, device=SHUFFLER, how=game.procedures.devices.failed[0])
    driver.do(ShuffleDeck, deck="A", way=MANUAL)
    if is_cut:
        driver.do(CutDeck, deck="A", cards=20)
    driver.refused(LoadDeck, deck="A")
    driver.do(ReturnDevice, THE_TECHNICIAN, device=SHUFFLER)
    return driver


@pytest.mark.parametrize("is_cut", [False, True])
def test_it_goes_through_the_shuffler_and_is_dealt(game: GameDefinition, is_cut: bool) -> None:
    cite = game.procedures.hand_needs_shuffler_cite
    driver = returned(game, is_cut=is_cut)
    assert driver.refused(LoadDeck, deck="A").clause in (cite, game.procedures.cutting.required_cite)
    (duty,) = [duty for duty in next_duties(driver.state) if duty.deck == "A"]
    assert (duty.command, duty.cite) == ("ShuffleDeck", cite)
    driver.refused(ShuffleDeck, deck="A", way=MANUAL)
    (shuffled,) = driver.do(ShuffleDeck, deck="A", way=DEVICE)
    assert shuffled.clause == cite
    driver.load()
    assert driver.deck().stage == LOADED


def test_a_table_that_deals_by_itself_does_the_same(game: GameDefinition) -> None:
    command = next_command(returned(game, is_cut=True).state, THE_DEALER, 2_000)
    assert isinstance(command, ShuffleDeck)
    assert command.way == DEVICE


def test_a_deck_from_the_shuffler_is_not_shuffled_twice(game: GameDefinition) -> None:
    driver = table(game, dealing=HAND, shuffler=PLAIN)
    driver.open_deck()
    driver.prepare()
    driver.refused(ShuffleDeck, deck="A", way=DEVICE)
