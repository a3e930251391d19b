"""Shuffle, device count, cut, recut and loading."""

import pytest

from pitboss.games import catalogue
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.table.commands import (
    DEVICE,
    MANUAL,
    CutDeck,
    DirectShuffle,
    FailDevice,
    LoadDeck,
    OpenRound,
    OrderRecut,
    ReadDeviceCount,
    ReceiveDeck,
    ReportDealt,
    ShuffleDeck,
    SpreadIdle,
    TakeOutDevice,
)
from pitboss.table.events import DeckRemoved, DeckShuffled
from pitboss.table.settings import CONTINUOUS, COUNTING, PLAIN
from pitboss.table.state import CUT, LOADED, SHUFFLED, STACKED
from table.driver import A_PLAYER, THE_DEALER, THE_FLOOR, THE_PIT, ready, table


def test_cards_are_shuffled_before_play_and_after_every_round(game: GameDefinition) -> None:
    driver = ready(game)
    driver.play()
    assert driver.refused(LoadDeck, deck="A").clause is not None
    driver.load()
    shuffles = [event.clause for event in driver.events if isinstance(event, DeckShuffled)]
    shuffling = game.procedures.shuffling
    assert shuffles == [shuffling.before_play_cite, shuffling.after_round_cite]


def test_a_shuffled_deck_is_shuffled_again_only_when_a_floorperson_directs(game: GameDefinition) -> None:
    driver = ready(game)
    shuffling = game.procedures.shuffling
    directed = shuffling.directed_cite or shuffling.before_play_cite
    assert driver.refused(ShuffleDeck, deck="A", way=MANUAL).clause == directed
    assert driver.refused(DirectShuffle, deck="A").clause == directed
    (event,) = driver.do(DirectShuffle, THE_FLOOR, deck="A")
    assert event.clause == directed
    assert driver.deck().stage == STACKED
    driver.refused(DirectShuffle, THE_PIT, deck="A")
    (again,) = driver.do(ShuffleDeck, deck="A", way=MANUAL)
    assert again.clause == directed


def test_a_manual_shuffle_is_followed_by_a_cut(game: GameDefinition) -> None:
    driver = table(game)
    driver.open_deck()
    driver.refused(ShuffleDeck, THE_FLOOR, deck="A", way=MANUAL)
    driver.refused(ShuffleDeck, deck="A", way="juggling")
    driver.refused(ShuffleDeck, deck="A", way=DEVICE)
    driver.do(ShuffleDeck, deck="A", way=MANUAL)
    assert driver.refused(LoadDeck, deck="A").clause == game.procedures.cutting.required_cite
    for cards in (0, 9, len(game.deck)):
        assert driver.refused(CutDeck, deck="A", cards=cards).clause == game.procedures.cutting.cite
    driver.refused(CutDeck, A_PLAYER, deck="A", cards=10)
    (cut,) = driver.do(CutDeck, deck="A", cards=10)
    assert cut.clause == game.procedures.cutting.cite
    assert driver.refused(CutDeck, deck="A", cards=10).clause == game.procedures.cutting.required_cite
    driver.refused(LoadDeck, THE_FLOOR, deck="A")
    driver.do(LoadDeck, deck="A")
    assert driver.deck().stage == LOADED


@pytest.mark.parametrize("method", [MANUAL_SHOE, HAND, AUTOMATED_SHOE])
def test_cards_from_a_plain_shuffler_are_dealt_uncut(game: GameDefinition, method: str) -> None:
    driver = table(game, dealing=method, shuffler=PLAIN)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    assert driver.refused(CutDeck, deck="A", cards=20).clause == game.procedures.cutting.uncut_cite
    driver.refused(ReadDeviceCount, deck="A", cards=len(game.deck))
    (loaded,) = driver.do(LoadDeck, deck="A")
    assert loaded.clause == game.procedures.dealing[method][0].cite


def test_a_working_shuffler_may_stay_beside_a_manual_shuffle_where_the_rulebook_lets_it(game: GameDefinition) -> None:
    devices = game.procedures.devices
    driver = table(game, shuffler=PLAIN)
    driver.open_deck()
    if devices.working_too:
        assert driver.refused(ShuffleDeck, deck="A", way=MANUAL).clause in devices.cites.values()
        driver.do(TakeOutDevice, device="shuffler", how=devices.failed[0])
    driver.do(ShuffleDeck, deck="A", way=MANUAL)
    driver.load()


def test_a_shuffler_that_failed_is_taken_out_before_cards_are_shuffled_manually(game: GameDefinition) -> None:
    devices = game.procedures.devices
    driver = table(game, shuffler=PLAIN)
    driver.open_deck()
    driver.do(FailDevice, device="shuffler")
    assert driver.refused(ShuffleDeck, deck="A", way=MANUAL).clause in devices.cites.values()
    driver.do(TakeOutDevice, device="shuffler", how=devices.failed[0])
    driver.do(ShuffleDeck, deck="A", way=MANUAL)


def test_rulebooks_differ_on_a_shuffler_that_works() -> None:
    assert {game.procedures.devices.working_too for game in catalogue.games()} == {True, False}


def test_a_counting_shufflers_count_is_read_before_the_deck_is_loaded(game: GameDefinition) -> None:
    driver = table(game, shuffler=COUNTING)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    assert driver.refused(LoadDeck, deck="A").clause == game.procedures.shuffling.counting_cite
    driver.refused(ReadDeviceCount, A_PLAYER, deck="A", cards=len(game.deck))
    driver.do(ReadDeviceCount, deck="A", cards=len(game.deck))
    driver.refused(ReadDeviceCount, deck="A", cards=len(game.deck))
    driver.do(LoadDeck, deck="A")


@pytest.mark.parametrize("difference", [-1, 1])
def test_a_wrong_device_count_removes_the_deck(game: GameDefinition, difference: int) -> None:
    removes_the_deck(game, COUNTING, difference)


@pytest.mark.parametrize("difference", [-1, 1])
def test_a_self_shuffling_device_does_not_suspend_that_removal(
    self_shuffling_game: GameDefinition, difference: int
) -> None:
    removes_the_deck(self_shuffling_game, CONTINUOUS, difference)


def removes_the_deck(game: GameDefinition, shuffler: str, difference: int) -> None:
    shuffling = game.procedures.shuffling
    driver = table(game, shuffler=shuffler)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    counted, removed = driver.do(ReadDeviceCount, deck="A", cards=len(game.deck) + difference)
    assert isinstance(removed, DeckRemoved)
    assert counted.clause == removed.clause == shuffling.wrong_count_cite
    assert driver.state.decks == ()


def test_a_floorperson_may_order_a_recut_until_a_card_is_dealt(game: GameDefinition) -> None:
    driver = ready(game)
    cutting = game.procedures.cutting
    assert driver.refused(OrderRecut, THE_DEALER, deck="A").clause == cutting.recut_cite
    driver.do(OrderRecut, THE_FLOOR, deck="A")
    assert driver.deck().stage == SHUFFLED
    driver.refused(OrderRecut, THE_FLOOR, deck="A")
    driver.do(CutDeck, deck="A", cards=30)
    assert driver.deck().stage == CUT
    driver.do(LoadDeck, deck="A")
    driver.do(OpenRound, round="r", deck="A")
    driver.do(OrderRecut, THE_PIT, deck="A")
    driver.refused(ReportDealt, cards=1)
    driver.load()
    driver.do(ReportDealt, cards=1)
    assert driver.refused(OrderRecut, THE_FLOOR, deck="A").clause == cutting.recut_cite
    assert driver.refused(CutDeck, deck="A", cards=12).clause == cutting.cite
    assert driver.refused(DirectShuffle, THE_FLOOR, deck="A").clause == game.procedures.shuffling.after_round_cite


def test_cards_that_were_not_cut_are_not_recut(game: GameDefinition) -> None:
    driver = ready(game, shuffler=PLAIN)
    assert driver.refused(OrderRecut, THE_FLOOR, deck="A").clause == game.procedures.cutting.recut_cite


def test_a_self_shuffling_device_suspends_what_its_clause_says(self_shuffling_game: GameDefinition) -> None:
    shuffling = self_shuffling_game.procedures.shuffling
    driver = table(self_shuffling_game, dealing=AUTOMATED_SHOE, shuffler=CONTINUOUS)
    driver.do(ReceiveDeck, deck="A", preinspected=True, preshuffled=True)
    driver.finish_duties("A")
    assert driver.refused(CutDeck, deck="A", cards=20).clause == shuffling.self_shuffling_cite
    driver.do(LoadDeck, deck="A")
    assert driver.refused(OrderRecut, THE_FLOOR, deck="A").clause == shuffling.self_shuffling_cite
    if "idle-spread" in shuffling.self_shuffling_suspends:
        assert driver.refused(SpreadIdle).clause == shuffling.self_shuffling_cite
    else:
        driver.do(SpreadIdle)


def test_a_self_shuffling_device_out_of_use_suspends_nothing(self_shuffling_game: GameDefinition) -> None:
    driver = table(self_shuffling_game, shuffler=CONTINUOUS)
    procedures = self_shuffling_game.procedures
    driver.do(TakeOutDevice, device="shuffler", how=procedures.devices.failed[0])
    driver.do(ReceiveDeck, deck="A", preinspected=True, preshuffled=True)
    driver.finish_duties("A")
    assert driver.refused(LoadDeck, deck="A").clause == procedures.cutting.required_cite


def test_the_idle_spread_is_suspended_by_some_rulebooks_and_kept_by_others() -> None:
    kinds = [game.procedures.shuffling for game in catalogue.games() if game.procedures.shuffling.self_shuffling_cite]
    assert {"idle-spread" in kind.self_shuffling_suspends for kind in kinds} == {True, False}


def test_no_deck_no_command(game: GameDefinition) -> None:
    driver = table(game)
    for kind, fields in ((ShuffleDeck, {"way": MANUAL}), (CutDeck, {"cards": 20}), (LoadDeck, {}), (OrderRecut, {})):
        assert driver.refused(kind, deck="Z", **fields).field == "deck"


def test_cards_dealt_from_the_hand_are_shuffled_by_the_device(game: GameDefinition) -> None:
    driver = table(game, dealing=HAND, shuffler=PLAIN)
    driver.open_deck()
    driver.do(TakeOutDevice, device="shuffler", how=game.procedures.devices.failed[0])
    driver.prepare()
    assert driver.refused(LoadDeck, deck="A").clause == game.procedures.hand_needs_shuffler_cite
