"""A whole round of every game over the wire, with real and with drawn cards, and only chips move."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import DRAWN, READER, ScenarioTable


@pytest.mark.parametrize("cards", [READER, DRAWN])
@pytest.mark.parametrize("name", game_names())
def test_a_round_is_dealt_and_settled(new_table: Callable[..., ScenarioTable], name: str, cards: str) -> None:
    table = new_table(name, cards).open()
    before = sum(table.money().values())
    table.play_round()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert sum(table.money().values()) == before
