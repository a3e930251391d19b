"""From decks received to decks ready for the shuffle."""

import pytest

from pitboss.rules.game import GameDefinition
from pitboss.rules.procedure import FLOORPERSON, PLAYER
from pitboss.table import Person
from pitboss.table.commands import (
    DEFECT,
    MANUAL,
    ConfirmDuty,
    CutDeck,
    LoadDeck,
    OpenRound,
    ReceiveDeck,
    RemoveDeck,
    ReportDealt,
    ShuffleDeck,
)
from pitboss.table.conditions import script_duties
from pitboss.table.events import DutyConfirmed
from pitboss.table.settings import PLAIN
from pitboss.table.state import CUT, OPENING, SHUFFLED, STACKED
from table.driver import A_PLAYER, BY_ROLE, THE_DEALER, THE_FLOOR, THE_PIT, THE_TECHNICIAN, table


def test_duties_are_confirmed_in_order_and_each_carries_its_clause(game: GameDefinition) -> None:
    driver = table(game)
    driver.open_deck()
    confirmed = [event for event in driver.events if isinstance(event, DutyConfirmed)]
    duties = game.procedures.opening.duties
    assert [event.duty for event in confirmed][-len(duties) :] == [duty.id for duty in duties]
    assert [event.clause for event in confirmed][-len(duties) :] == [duty.cite for duty in duties]
    assert driver.deck().stage == STACKED


def test_no_duty_may_be_skipped(game: GameDefinition) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A")
    while driver.deck().stage == OPENING:
        duties = script_duties(driver.state, driver.deck())
        due = duties[driver.deck().done]
        for later in duties[driver.deck().done + 1 :]:
            refusal = driver.refused(ConfirmDuty, BY_ROLE[later.by], duty=later.id, deck="A")
            assert refusal.reason == f"Do and confirm this for deck A first: {due.text}"
            assert refusal.clause == later.cite
        driver.do(ConfirmDuty, BY_ROLE[due.by], duty=due.id, deck="A")


def test_a_deck_that_is_not_opened_cannot_be_shuffled(game: GameDefinition) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A")
    refusal = driver.refused(ShuffleDeck, deck="A", way=MANUAL)
    assert refusal.clause == game.procedures.shuffling.before_play_cite
    driver.refused(ConfirmDuty, duty="juggle", deck="A")
    driver.refused(ConfirmDuty, duty="inspect", deck="B")


def until_verification(game: GameDefinition, inspector: Person = THE_DEALER):  # type: ignore[no-untyped-def]
    driver = table(game)
    driver.do(ReceiveDeck, deck="A")
    duties = script_duties(driver.state, driver.deck())
    for duty in duties[: [duty.by for duty in duties].index(FLOORPERSON)]:
        driver.do(ConfirmDuty, inspector, duty=duty.id, deck="A")
    return driver, duties[driver.deck().done]


@pytest.mark.parametrize("person", [THE_DEALER, A_PLAYER, THE_TECHNICIAN])
def test_verification_needs_a_floorperson(game: GameDefinition, person: Person) -> None:
    driver, verify = until_verification(game)
    refusal = driver.refused(ConfirmDuty, person, duty=verify.id, deck="A")
    assert refusal.clause == verify.cite
    driver.do(ConfirmDuty, THE_PIT, duty=verify.id, deck="A")


def test_the_verifier_is_not_the_one_who_inspected(game: GameDefinition) -> None:
    driver, verify = until_verification(game)
    same = Person(THE_DEALER.name, FLOORPERSON)
    refusal = driver.refused(ConfirmDuty, same, duty=verify.id, deck="A")
    assert refusal.clause == verify.cite
    assert "someone else" in refusal.reason


def test_the_first_players_look_may_be_confirmed_by_player_or_dealer(game: GameDefinition) -> None:
    for person in (A_PLAYER, THE_DEALER):
        driver, _ = until_verification(game)
        while (duty := script_duties(driver.state, driver.deck())[driver.deck().done]).by != PLAYER:
            driver.do(ConfirmDuty, BY_ROLE[duty.by], duty=duty.id, deck="A")
        driver.refused(ConfirmDuty, THE_TECHNICIAN, duty=duty.id, deck="A")
        driver.do(ConfirmDuty, person, duty=duty.id, deck="A")


def test_a_preinspected_and_preshuffled_deck_skips_the_opening_but_is_cut(game: GameDefinition) -> None:
    driver = table(game)
    (received,) = driver.do(ReceiveDeck, deck="A", preinspected=True, preshuffled=True)
    assert received.clause == game.procedures.opening.skipped_cite
    assert game.procedures.cards is not None
    duties = script_duties(driver.state, driver.deck())
    assert duties[:-1] == game.procedures.cards.duties
    assert (duties[-1].by, duties[-1].cite) == (FLOORPERSON, game.procedures.opening.skipped_cite)
    driver.finish_duties("A")
    assert driver.deck().stage == SHUFFLED
    refusal = driver.refused(LoadDeck, deck="A")
    assert refusal.clause == game.procedures.cutting.required_cite
    driver.do(CutDeck, deck="A", cards=10)
    assert driver.deck().stage == CUT
    driver.do(LoadDeck, deck="A")


@pytest.mark.parametrize("flags", [{"preinspected": True}, {"preshuffled": True}])
def test_half_prepared_decks_go_through_the_whole_opening(game: GameDefinition, flags: dict[str, bool]) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A", **flags)
    assert driver.deck().stage == OPENING


def test_two_decks_are_opened_apart(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    (received,) = driver.do(ReceiveDeck, deck="B")
    assert received.clause == game.procedures.opening.two_decks_cite
    assert driver.deck("B").stage == OPENING
    driver.finish_duties("B")
    assert driver.deck("B").stage == STACKED


def test_a_table_takes_no_more_decks_than_it_is_set_up_for(game: GameDefinition) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A")
    assert game.procedures.cards is not None
    assert driver.refused(ReceiveDeck, deck="B").clause == game.procedures.cards.one_deck_cite
    two = table(game, shuffler=PLAIN, decks=2)
    two.do(ReceiveDeck, deck="A")
    two.refused(ReceiveDeck, deck="A")
    two.refused(ReceiveDeck, deck="")
    two.do(ReceiveDeck, deck="B")
    assert two.refused(ReceiveDeck, deck="C").clause == game.procedures.two_decks.cite


def test_a_defective_deck_leaves_and_does_not_come_back(game: GameDefinition) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A")
    driver.refused(RemoveDeck, deck="A", reason="whim")
    driver.refused(RemoveDeck, A_PLAYER, deck="A", reason=DEFECT)
    (removed,) = driver.do(RemoveDeck, THE_FLOOR, deck="A", reason=DEFECT)
    assert removed.clause == game.procedures.opening.duties[0].cite
    assert driver.state.decks == ()
    driver.refused(ReceiveDeck, deck="A")
    driver.refused(ReceiveDeck, A_PLAYER, deck="B")
    driver.do(ReceiveDeck, deck="B")


def test_cards_are_not_spread_while_a_round_is_open(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    driver.load("A")
    driver.do(OpenRound, round="r", deck="A")
    driver.do(ReportDealt, cards=5)
    driver.do(ReceiveDeck, deck="B")
    duty = script_duties(driver.state, driver.deck("B"))[0]
    assert driver.refused(ConfirmDuty, duty=duty.id, deck="B").clause == duty.cite


def test_an_earlier_time_is_refused(game: GameDefinition) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A", at=500)
    refusal = driver.refused(RemoveDeck, deck="A", at=499)
    assert refusal.field == "at"
    driver.do(RemoveDeck, deck="A", at=500)
    assert driver.state.at == 500


def test_a_refusal_says_in_words_where_a_deck_is(game: GameDefinition) -> None:
    driver = table(game)
    assert driver.refused(ReceiveDeck, deck="").reason == "Enter a name for the deck"
    driver.do(ReceiveDeck, deck="A")
    assert driver.refused(LoadDeck, deck="A").reason == "Deck A can't be loaded now: it is still being opened"
