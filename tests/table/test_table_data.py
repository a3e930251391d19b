"""Commands, events and states survive serialization."""

import json
from dataclasses import fields
from typing import Any, get_args

import pytest

from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import VOID
from pitboss.table import new_table, replay
from pitboss.table.commands import (
    CloseRound,
    Command,
    CountStub,
    FailDevice,
    FindMisdeal,
    OpenRound,
    SpreadIdle,
)
from pitboss.table.events import Event
from pitboss.table.rack import Racked
from pitboss.table.settings import PLAIN
from pitboss.table.table_data import (
    MalformedRecord,
    command_from_dict,
    command_to_dict,
    event_from_dict,
    event_to_dict,
    state_from_dict,
    state_to_dict,
)
from table.driver import A_PLAYER, PICKUP, THE_DEALER, THE_FLOOR, ready, settings_of, table


def test_a_commands_record_holds_plain_json(game: GameDefinition) -> None:
    cards = game.deck.cards[:2]
    command = CloseRound(by=THE_DEALER, at=7, ended=VOID, pickup=(Racked(3, 2, cards), Racked("dealer", 2)))
    data = json.loads(json.dumps(command_to_dict(command)))
    assert data["kind"] == "CloseRound"
    assert data["by"] == {"name": "dealer one", "role": "dealer"}
    assert data["pickup"][0] == {"place": 3, "count": 2, "cards": list(cards)}
    assert command_from_dict(data) == command


def test_absent_and_present_people_come_back() -> None:
    for asked_by in (None, A_PLAYER):
        command = SpreadIdle(by=THE_DEALER, at=1, asked_by=asked_by)
        assert command_from_dict(json.loads(json.dumps(command_to_dict(command)))) == command


def test_data_that_is_not_a_person_is_malformed() -> None:
    data = command_to_dict(SpreadIdle(by=THE_DEALER, at=1))
    with pytest.raises(MalformedRecord, match="not of any type"):
        command_from_dict({**data, "asked_by": "somebody"})


def test_replaying_the_recorded_events_rebuilds_the_state(game: GameDefinition) -> None:
    driver = ready(game, shuffler=PLAIN)
    driver.play()
    driver.load()
    driver.deal()
    driver.do(CountStub, cards=3)
    driver.do(FindMisdeal, misdealt=True, cards_in_deck=len(game.deck))
    driver.do(CloseRound, ended=VOID, fate="reshuffled", pickup=PICKUP)
    driver.load()
    driver.do(FailDevice, device="shuffler")
    driver.do(SpreadIdle)
    driver.finish_duties("A")
    written = [json.dumps(event_to_dict(event)) for event in driver.events]
    read = [event_from_dict(json.loads(line)) for line in written]
    assert read == driver.events
    assert replay(driver.state.settings, read) == driver.state


def test_a_state_comes_back_in_the_middle_of_a_round(game: GameDefinition) -> None:
    driver = ready(game)
    driver.do(OpenRound, round="r", deck="A")
    data = json.loads(json.dumps(state_to_dict(driver.state)))
    assert "settings" not in data
    assert state_from_dict(data, driver.state.settings) == driver.state


def test_a_state_of_another_game_is_not_taken() -> None:
    first, second = catalogue.games()[:2]
    data = state_to_dict(new_table(settings_of(first)))
    with pytest.raises(MalformedRecord, match=first.name):
        state_from_dict(data, settings_of(second))


GOOD = {"kind": "CutDeck", "by": {"name": "n", "role": "dealer"}, "at": 1, "deck": "A", "cards": 12}


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "CutCake"},
        {"kind": None},
        {"cards": "12"},
        {"cards": True},
        {"cards": None},
        {"at": 1.5},
        {"by": "n"},
        {"by": {"name": "n"}},
        {"by": {"name": "n", "role": 1}},
        {"colour": "red"},
    ],
)
def test_a_malformed_record_is_named_as_such(change: dict[str, object]) -> None:
    assert command_from_dict(GOOD)
    with pytest.raises(MalformedRecord):
        command_from_dict({**GOOD, **change})


def test_a_list_must_be_a_list_and_a_place_a_seat_or_a_name() -> None:
    data = command_to_dict(CloseRound(by=THE_DEALER, at=1, ended=VOID, pickup=(Racked(1, 1),)))
    wrong: tuple[Any, ...] = (
        "x",
        [1],
        [{"place": None, "count": 1, "cards": []}],
        [{"place": 1, "count": 1, "cards": [2]}],
    )
    for pickup in wrong:
        with pytest.raises(MalformedRecord):
            command_from_dict({**data, "pickup": pickup})


@pytest.mark.parametrize("kinds", [get_args(Command), get_args(Event)])
def test_every_kind_says_who_and_when(kinds: tuple[type, ...]) -> None:
    for kind in kinds:
        names = {field.name for field in fields(kind)}
        assert {"by", "at"} <= names
        assert ("clause" in names) or kind.__module__.endswith("commands")
    assert len({kind.__name__ for kind in kinds}) == len(kinds)


def test_an_empty_table_is_recorded_too(game: GameDefinition) -> None:
    driver = table(game)
    assert replay(driver.state.settings, ()) == driver.state
    driver.refused(OpenRound, THE_FLOOR, round="r", deck="A")
