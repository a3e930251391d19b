"""Every test that takes `game` runs over every game in the catalog."""

import pytest

from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition


@pytest.fixture(params=catalogue.game_names())
def game(request: pytest.FixtureRequest) -> GameDefinition:
    return catalogue.game(request.param)


SELF_SHUFFLING = [game.name for game in catalogue.games() if game.procedures.shuffling.self_shuffling_cite]


@pytest.fixture(params=SELF_SHUFFLING)
def self_shuffling_game(request: pytest.FixtureRequest) -> GameDefinition:
    return catalogue.game(request.param)
