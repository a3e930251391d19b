"""A bot is known by the name it plays under, at its own table only."""

import pytest

from pitboss.house.bots import bot_account, bot_name, bot_number


@pytest.mark.parametrize("named", [bot_name, bot_account])
@pytest.mark.parametrize("number", [0, 1, 11])
def test_a_bot_is_known_by_its_name(named: object, number: int) -> None:
    assert callable(named)
    assert bot_number(named(number, "table-1"), "table-1") == number + 1
    assert bot_number(named(number, "table-1"), "table-10") is None


@pytest.mark.parametrize(
    "player", ["alice", "bot", "bot-table-1", "bot-x-table-1", "bot \u0663 at table-1", "bot 1", ""]
)
def test_a_person_is_not_a_bot(player: str) -> None:
    assert bot_number(player, "table-1") is None
