"""Devices that jam, fail, are taken out of service and come back."""

import pytest

from pitboss.games import catalogue
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import RESHUFFLE, SHOE_JAM, SHUFFLER_JAM, VOID
from pitboss.table import Person, next_duties
from pitboss.table.commands import (
    DEVICE,
    MANUAL,
    SHOE,
    SHUFFLER,
    ChangeDealing,
    CloseRound,
    CutDeck,
    FailDevice,
    JamDevice,
    LoadDeck,
    OpenRound,
    ReportDealt,
    ReturnDevice,
    ShuffleDeck,
    TakeOutDevice,
)
from pitboss.table.conditions import rules_now
from pitboss.table.settings import COUNTING, PLAIN
from pitboss.table.state import CUT, FAILED, IN_SERVICE, LOADED, RACKED, SHUFFLED, STACKED
from table.driver import A_PLAYER, THE_DEALER, THE_FLOOR, THE_TECHNICIAN, ready, table


def test_each_rulebook_says_how_a_failed_device_is_put_out_of_use() -> None:
    ways = {game.procedures.devices.failed for game in catalogue.games()}
    assert {("covered", "marked"), ("removed",)} <= ways


def test_a_failed_shuffler_is_put_out_of_use_before_a_manual_shuffle(game: GameDefinition) -> None:
    devices = game.procedures.devices
    for how in devices.failed:
        driver = table(game, shuffler=PLAIN)
        driver.open_deck()
        driver.do(FailDevice, device=SHUFFLER)
        assert driver.state.shuffler == FAILED
        driver.refused(ShuffleDeck, deck="A", way=DEVICE)
        refusal = driver.refused(ShuffleDeck, deck="A", way=MANUAL)
        assert refusal.clause in devices.cites.values()
        assert how in refusal.reason
        shown = {duty.id for duty in next_duties(driver.state) if duty.command == "TakeOutDevice"}
        assert shown == {f"shuffler-{item}" for item in devices.failed}
        (taken,) = driver.do(TakeOutDevice, device=SHUFFLER, how=how)
        assert taken.clause == devices.cites[how]
        driver.do(ShuffleDeck, deck="A", way=MANUAL)
        driver.do(CutDeck, deck="A", cards=25)


def test_a_way_the_rulebook_does_not_name_is_not_enough(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN)
    for how in {"covered", "marked", "removed", "hidden"} - set(game.procedures.devices.failed):
        assert driver.refused(TakeOutDevice, device=SHUFFLER, how=how).field == "how"
    assert driver.refused(TakeOutDevice, A_PLAYER, device=SHUFFLER, how=game.procedures.devices.failed[0]).field == "by"


def test_a_repaired_device_comes_back(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN)
    driver.refused(ReturnDevice, THE_TECHNICIAN, device=SHUFFLER)
    driver.do(FailDevice, device=SHUFFLER)
    driver.refused(FailDevice, device=SHUFFLER)
    driver.refused(JamDevice, device=SHUFFLER, deck="A")
    driver.do(TakeOutDevice, device=SHUFFLER, how=game.procedures.devices.failed[0])
    driver.refused(ReturnDevice, THE_DEALER, device=SHUFFLER)
    driver.do(ReturnDevice, THE_TECHNICIAN, device=SHUFFLER)
    assert driver.state.shuffler == IN_SERVICE
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)


def test_a_table_without_the_device_has_nothing_to_fail(game: GameDefinition) -> None:
    driver = table(game)
    for kind, fields in (
        (FailDevice, {}),
        (JamDevice, {"deck": "A"}),
        (TakeOutDevice, {"how": "covered"}),
        (ReturnDevice, {}),
    ):
        for device in (SHUFFLER, SHOE, "toaster"):
            assert driver.refused(kind, device=device, **fields).field == "device"


@pytest.mark.parametrize("person", [A_PLAYER, Person("x", "guest")])
def test_only_staff_report_devices(game: GameDefinition, person: Person) -> None:
    driver = ready(game, shuffler=PLAIN)
    assert driver.refused(FailDevice, person, device=SHUFFLER).field == "by"
    assert driver.refused(JamDevice, person, device=SHUFFLER, deck="A").field == "by"


def test_a_failing_shuffler_leaves_its_uncounted_deck_to_be_shuffled_again(game: GameDefinition) -> None:
    driver = table(game, shuffler=COUNTING)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    (failed,) = driver.do(FailDevice, THE_FLOOR, device=SHUFFLER)
    assert failed.reshuffle == ("A",)
    assert driver.deck().stage == STACKED


def test_a_failing_shoe_leaves_the_shuffler_alone(game: GameDefinition) -> None:
    driver = table(game, dealing=AUTOMATED_SHOE, shuffler=COUNTING)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    (failed,) = driver.do(FailDevice, device=SHOE)
    assert failed.reshuffle == ()
    assert driver.deck().stage == SHUFFLED
    assert driver.state.shuffler == IN_SERVICE


def test_a_jammed_shuffler_has_the_deck_shuffled_again(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    (jammed,) = driver.do(JamDevice, device=SHUFFLER, deck="A")
    assert jammed.irregularity == SHUFFLER_JAM
    assert jammed.clause
    assert driver.deck().stage == STACKED
    (again,) = driver.do(ShuffleDeck, deck="A", way=DEVICE)
    assert again.clause


def test_a_deck_that_is_not_in_the_device_cannot_jam_it(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE, shuffler=PLAIN)
    driver.refused(JamDevice, device=SHOE, deck="B")
    driver.play()
    assert driver.deck().stage == RACKED
    driver.refused(JamDevice, device=SHOE, deck="A")
    driver.do(JamDevice, device=SHUFFLER, deck="A")  # as it was being given to the shuffler


def test_a_jam_on_the_deck_in_play_is_the_rounds_to_rule(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE, shuffler=PLAIN)
    driver.deal()
    (jammed,) = driver.do(JamDevice, device=SHOE, deck="A")
    assert jammed.in_play
    assert jammed.irregularity == SHOE_JAM
    assert jammed.clause == rules_now(driver.state).remedy(SHOE_JAM, ()).cite
    assert driver.state.round is not None
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE, clause=jammed.clause)
    assert driver.deck().stage == RACKED
    driver.load()


def test_no_card_comes_from_a_failed_shoe(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE)
    driver.deal()
    driver.do(FailDevice, device=SHOE)
    assert driver.refused(ReportDealt, cards=1).clause in game.procedures.devices.cites.values()
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE)
    driver.prepare()
    assert driver.refused(LoadDeck, deck="A").clause in game.procedures.devices.cites.values()


def test_a_loaded_deck_waits_when_its_shoe_fails(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE)
    driver.do(FailDevice, device=SHOE)
    assert driver.refused(OpenRound, round="r", deck="A").clause in game.procedures.devices.cites.values()


def test_another_way_of_dealing_waits_until_the_failed_shoe_is_out_of_use(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE)
    devices = game.procedures.devices
    driver.do(FailDevice, device=SHOE)
    assert driver.refused(ChangeDealing, THE_FLOOR, method=MANUAL_SHOE).clause in devices.cites.values()
    driver.do(TakeOutDevice, device=SHOE, how=devices.failed[-1])
    driver.refused(ChangeDealing, THE_DEALER, method=MANUAL_SHOE)
    refusal = driver.refused(ChangeDealing, THE_FLOOR, method=HAND)
    assert refusal.clause == game.procedures.hand_needs_shuffler_cite
    (changed,) = driver.do(ChangeDealing, THE_FLOOR, method=MANUAL_SHOE)
    assert changed.clause == game.procedures.methods[MANUAL_SHOE]
    assert driver.deck().stage == CUT
    assert rules_now(driver.state).choices.dealing == MANUAL_SHOE
    driver.do(LoadDeck, deck="A")
    driver.play()


def test_a_deck_from_the_shuffler_stays_shuffled_through_the_change(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE, shuffler=PLAIN)
    driver.do(TakeOutDevice, device=SHOE, how=game.procedures.devices.failed[0])
    driver.do(ChangeDealing, THE_FLOOR, method=HAND)
    assert driver.deck().stage == SHUFFLED
    driver.do(LoadDeck, deck="A")
    driver.play()
    assert driver.refused(ChangeDealing, THE_FLOOR, method=AUTOMATED_SHOE).clause is not None
    driver.do(ReturnDevice, THE_FLOOR, device=SHOE)
    driver.do(ChangeDealing, THE_FLOOR, method=AUTOMATED_SHOE)
    driver.load()
    assert driver.deck().stage == LOADED


def test_a_hand_dealt_table_without_its_shuffler_changes_to_the_shoe(game: GameDefinition) -> None:
    driver = table(game, dealing=HAND, shuffler=PLAIN)
    driver.do(FailDevice, device=SHUFFLER)
    driver.refused(ChangeDealing, THE_FLOOR, method=MANUAL_SHOE)
    driver.do(TakeOutDevice, device=SHUFFLER, how=game.procedures.devices.failed[0])
    driver.refused(ChangeDealing, THE_FLOOR, method=AUTOMATED_SHOE)
    driver.do(ChangeDealing, THE_FLOOR, method=MANUAL_SHOE)
    driver.open_deck()
    driver.load()
    driver.play()


def test_a_table_whose_way_of_dealing_works_keeps_it(game: GameDefinition) -> None:
    driver = ready(game, shuffler=PLAIN)
    assert driver.refused(ChangeDealing, THE_FLOOR, method=HAND).clause == game.procedures.methods[MANUAL_SHOE]
    for method in (MANUAL_SHOE, "catapult"):
        assert driver.refused(ChangeDealing, THE_FLOOR, method=method).field == "method"


def test_the_way_of_dealing_changes_between_rounds_and_back_without_a_device(game: GameDefinition) -> None:
    driver = ready(game, dealing=AUTOMATED_SHOE)
    driver.do(TakeOutDevice, device=SHOE, how=game.procedures.devices.failed[0])
    driver.do(ChangeDealing, THE_FLOOR, method=MANUAL_SHOE)
    driver.do(LoadDeck, deck="A")
    driver.do(OpenRound, round="r", deck="A")
    assert "between rounds" in driver.refused(ChangeDealing, THE_FLOOR, method=AUTOMATED_SHOE).reason
