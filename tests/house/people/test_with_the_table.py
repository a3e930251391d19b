"""The roles of the house are the roles that the table asks for."""

from typing import Any

import pytest

from pitboss.games import catalogue
from pitboss.house.people.roles import PERMISSIONS
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal
from pitboss.table import commands
from pitboss.table.settings import COUNTING
from table.driver import A_PLAYER, THE_DEALER, THE_FLOOR, THE_PIT, THE_TECHNICIAN, Driver, ready

BETWEEN_ROUNDS: list[tuple[type, dict[str, Any]]] = [
    (commands.ReceiveDeck, {"deck": "B"}),
    (commands.ShuffleDeck, {"deck": "A", "way": commands.DEVICE}),
    (commands.ReadDeviceCount, {"deck": "A", "cards": 52}),
    (commands.CutDeck, {"deck": "A", "cards": 20}),
    (commands.OrderRecut, {"deck": "A"}),
    (commands.DirectShuffle, {"deck": "A"}),
    (commands.LoadDeck, {"deck": "A"}),
    (commands.CountDeck, {"deck": "A", "cards": 52}),
    (commands.RemoveDeck, {"deck": "A"}),
    (commands.SpreadIdle, {}),
    (commands.JamDevice, {"device": commands.SHUFFLER, "deck": "A"}),
    (commands.FailDevice, {"device": commands.SHUFFLER}),
    (commands.TakeOutDevice, {"device": commands.SHUFFLER, "how": "covered"}),
    (commands.ReturnDevice, {"device": commands.SHUFFLER}),
    (commands.ChangeDealing, {"method": "hand"}),
]
IN_A_ROUND: list[tuple[type, dict[str, Any]]] = [
    (commands.RackStub, {}),
    (commands.CountStub, {"cards": 1}),
    (commands.FindMisdeal, {"misdealt": True, "cards_in_deck": 52}),
]
EVERYBODY = (THE_DEALER, THE_FLOOR, THE_PIT, THE_TECHNICIAN, A_PLAYER)


def admitted(driver: Driver, kind: type, fields: dict[str, Any]) -> set[str]:
    """Return the roles that the table does not turn away for being another role."""
    answers = {person.role: driver.ask(kind, person, **fields) for person in EVERYBODY}
    return {
        role
        for role, answer in answers.items()
        if not (isinstance(answer, Refusal) and answer.reason.startswith("Only a"))
    }


@pytest.mark.parametrize("game", catalogue.games(), ids=lambda game: game.name)
def test_the_table_and_the_house_admit_the_same_roles(game: GameDefinition) -> None:
    driver = ready(game, shuffler=COUNTING)
    found = {kind.__name__: admitted(driver, kind, fields) for kind, fields in BETWEEN_ROUNDS}
    driver.deal()
    found |= {kind.__name__: admitted(driver, kind, fields) for kind, fields in IN_A_ROUND}
    people = {person.role for person in EVERYBODY}
    assert found == {kind: PERMISSIONS[kind].grants.keys() & people for kind in found}
