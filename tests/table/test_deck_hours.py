"""How long a deck stays at the table."""

import pytest

from pitboss.games import catalogue
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.table import next_duties
from pitboss.table.commands import HOURS, CloseRound, OpenRound, RemoveDeck
from pitboss.table.conditions import HOUR_MS, deck_due_at
from pitboss.table.settings import PLAIN
from table.driver import THE_FLOOR, Driver, ready

TIMED = [game.name for game in catalogue.games() if game.procedures.deck_hours]
UNTIMED = [game.name for game in catalogue.games() if not game.procedures.deck_hours]


def change_duties(driver: Driver) -> list[str]:
    return [duty.cite for duty in next_duties(driver.state) if duty.id == "change-deck"]


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(("method", "hours"), [(HAND, 4), (MANUAL_SHOE, 8), (AUTOMATED_SHOE, 8)])
def test_a_deck_is_changed_after_four_hours_by_hand_and_eight_from_a_shoe(name: str, method: str, hours: int) -> None:
    game = catalogue.game(name)
    driver = ready(game, dealing=method, shuffler=PLAIN)
    assert deck_due_at(driver.state, driver.deck()) == driver.deck().received_at + hours * HOUR_MS
    assert change_duties(driver) == []
    driver.wait(hours * HOUR_MS - 1)
    driver.do(OpenRound, round="r", deck="A")
    assert game.procedures.deck_hours is not None
    cite = game.procedures.deck_hours.cites[method]
    assert change_duties(driver) == [cite]
    driver.do(CloseRound, ended="void")
    driver.wait(1)
    assert driver.refused(OpenRound, round="s", deck="A").clause == cite
    (removed,) = driver.do(RemoveDeck, THE_FLOOR, deck="A", reason=HOURS)
    assert removed.clause == cite
    driver.open_deck("B")
    driver.load("B")
    driver.play("B")


@pytest.mark.parametrize("name", UNTIMED)
def test_without_hours_of_the_rulebook_the_operators_count(name: str) -> None:
    game = catalogue.game(name)
    free = ready(game)
    free.wait(1000 * HOUR_MS)
    free.do(OpenRound, round="r", deck="A")
    assert change_duties(free) == []
    assert deck_due_at(free.state, free.deck()) is None
    timed = ready(game, deck_hours=6)
    timed.wait(6 * HOUR_MS - 1)
    timed.do(OpenRound, round="r", deck="A")
    assert change_duties(timed) == [""]
    timed.do(CloseRound, ended="void")
    timed.wait(1)
    assert "6 hours" in timed.refused(OpenRound, round="s", deck="A").reason
    (removed,) = timed.do(RemoveDeck, deck="A", reason=HOURS)
    assert removed.clause == game.procedures.opening.duties[0].cite


def test_an_operator_may_change_decks_sooner(game: GameDefinition) -> None:
    driver = ready(game, deck_hours=2)
    driver.wait(2 * HOUR_MS)
    driver.refused(OpenRound, round="r", deck="A")


def test_both_kinds_of_rulebook_are_in_the_catalog() -> None:
    assert TIMED
    assert UNTIMED


def test_a_round_opened_in_time_may_end_late(game: GameDefinition) -> None:
    driver = ready(game, deck_hours=2)
    driver.wait(2 * HOUR_MS - 1)
    driver.deal()
    driver.wait(HOUR_MS)
    driver.do(CloseRound, ended="void")
