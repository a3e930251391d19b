"""The procedure of each moment, as a dealer's console would show it."""

from typing import Any

import pytest

from pitboss.round.events import SETTLED
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import RESHUFFLE, VOID
from pitboss.table import commands, decide, next_duties
from pitboss.table.commands import (
    DEVICE,
    MANUAL,
    CloseRound,
    ConfirmDuty,
    CountStub,
    FindMisdeal,
    LoadDeck,
    OpenRound,
    RackStub,
    ReceiveDeck,
    ReportDealt,
    ShuffleDeck,
)
from pitboss.table.duties_now import DutyNow
from pitboss.table.settings import COUNTING, PLAIN
from table.driver import BY_ROLE, PICKUP, Driver, ready, table


def shown(driver: Driver) -> list[str]:
    return [duty.command for duty in next_duties(driver.state)]


def ids(driver: Driver) -> list[str]:
    return [duty.id for duty in next_duties(driver.state)]


def test_following_what_is_shown_leads_from_an_empty_table_to_a_loaded_deck(game: GameDefinition) -> None:
    driver = table(game)
    fields: dict[str, dict[str, Any]] = {
        "ReceiveDeck": {"deck": "A"},
        "ShuffleDeck": {"way": MANUAL},
        "CutDeck": {"cards": 26},
    }
    for _ in range(30):
        duty = next_duties(driver.state)[0]
        if duty.command == "OpenRound":
            break
        more = {"duty": duty.id} if duty.command == "ConfirmDuty" else fields.get(duty.command, {})
        kind = getattr(commands, duty.command)
        deck = {"deck": duty.deck} if duty.deck else {}
        driver.do(kind, BY_ROLE[duty.by], **{**deck, **more})
    driver.do(OpenRound, round="r", deck="A")


def test_every_duty_shown_has_a_text_a_role_and_a_command_that_exists(game: GameDefinition) -> None:
    driver = ready(game, shuffler=COUNTING)
    seen: list[DutyNow] = [*next_duties(driver.state)]
    driver.deal()
    seen += next_duties(driver.state)
    for duty in seen:
        assert duty.text
        assert duty.by in BY_ROLE
        assert duty.cite or duty.ruling
        assert hasattr(commands, duty.command)


def test_a_confirmable_duty_that_is_shown_can_be_confirmed(game: GameDefinition) -> None:
    driver = ready(game)
    driver.deal()
    for duty in next_duties(driver.state):
        if duty.command == "ConfirmDuty":
            driver.do(ConfirmDuty, BY_ROLE[duty.by], duty=duty.id)
    assert "ConfirmDuty" not in shown(driver)
    driver.do(RackStub)
    (closed,) = driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)
    assert closed.unconfirmed == ()


def test_the_stub_is_shown_once_cards_are_dealt_and_then_the_pick_up(game: GameDefinition) -> None:
    driver = ready(game)
    driver.do(OpenRound, round="r", deck="A")
    assert "RackStub" not in shown(driver)
    driver.do(ReportDealt, cards=9)
    assert "RackStub" in shown(driver)
    assert "CloseRound" not in shown(driver)
    driver.do(RackStub)
    assert "CloseRound" in shown(driver)
    assert "RackStub" not in shown(driver)


def test_the_count_is_shown_in_its_round_and_what_follows_a_wrong_one(game: GameDefinition) -> None:
    driver = ready(game)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    assert "CountStub" in shown(driver)
    driver.do(CountStub, cards=1)
    assert shown(driver) == ["CountStub", "FindMisdeal"]
    driver.do(FindMisdeal, misdealt=True, cards_in_deck=len(game.deck))
    assert shown(driver) == ["CloseRound"]
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE)
    assert shown(driver) == ["ShuffleDeck"]


def test_an_overdue_count_is_shown_before_the_shuffle(game: GameDefinition) -> None:
    driver = ready(game)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE)
    assert shown(driver) == ["CountDeck", "ShuffleDeck"]


def test_the_device_count_is_shown_after_the_shuffle(game: GameDefinition) -> None:
    driver = table(game, shuffler=COUNTING)
    driver.open_deck()
    assert shown(driver) == ["ShuffleDeck"]
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    assert shown(driver) == ["ReadDeviceCount"]


def test_with_two_decks_only_the_one_whose_turn_it_is_is_to_be_loaded(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    assert "ReceiveDeck" in shown(driver)
    driver.open_deck("B")
    assert [name for name in ids(driver) if name in ("same-design", "other-back", "store")]
    for duty in game.procedures.two_decks.duties:
        driver.do(ConfirmDuty, duty=duty.id)
    driver.prepare("A")
    driver.prepare("B")
    loads = [duty.deck for duty in next_duties(driver.state) if duty.command == "LoadDeck"]
    assert loads == ["A", "B"]
    driver.do(LoadDeck, deck="A")
    assert "LoadDeck" not in shown(driver)
    driver.play("A")
    driver.prepare("A")
    loads = [duty.deck for duty in next_duties(driver.state) if duty.command == "LoadDeck"]
    assert loads == ["B"]
    driver.do(LoadDeck, deck="B")
    driver.deal("B")
    assert "LoadDeck" not in shown(driver)


def test_a_deck_being_opened_waits_for_the_round_to_end(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    driver.load("A")
    driver.deal("A")
    driver.do(ReceiveDeck, deck="B")
    assert [duty for duty in next_duties(driver.state) if duty.deck == "B"] == []


def test_another_deck_is_not_shown_as_loadable_during_a_round(game: GameDefinition) -> None:
    driver = table(game, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    driver.load("A")
    driver.do(OpenRound, round="r", deck="A")
    driver.do(ReceiveDeck, deck="B", preinspected=True, preshuffled=True)
    driver.finish_duties("B")
    driver.do(commands.CutDeck, deck="B", cards=12)
    driver.do(commands.JamDevice, device="shuffler", deck="A")
    assert "LoadDeck" not in shown(driver)
    assert "ShuffleDeck" in shown(driver)


@pytest.mark.parametrize("command", ["LoadDeck", "RackStub", "CloseRound"])
def test_a_duty_with_a_command_of_its_own_is_not_confirmed(game: GameDefinition, command: str) -> None:
    driver = ready(game)
    driver.deal()
    refusal = decide(driver.state, ConfirmDuty(by=BY_ROLE["dealer"], at=driver.clock, duty=command))
    assert "not due now" in str(refusal)
