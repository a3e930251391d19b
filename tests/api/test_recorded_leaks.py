"""A record is read as finished rounds: who follows hidden cards is found, who plays at random is not."""

import json
from typing import Any

import numpy as np
import pytest

from house.floors import Floor, read_terms, run
from pitboss.api.recorded_leaks import RecordedLeaks, recorded_leaks
from pitboss.house.live_table import commands
from pitboss.lab.answer_lines import Lines
from pitboss.lab.leaks import PLAYER, SHUFFLE, TWO_PLAYERS
from pitboss.round.state import ASKING

GAME = "colorado-holdem"


class LeakingFloor(Floor):
    """A floor whose server shows a player at seat 1 the cards on the board before they are turned."""

    async def act(self, table: str) -> bool:
        """Answer for seat 1 by the hidden cards, for others at random."""
        play = self.house.live(table).play
        if play is None or play.phase != ASKING or play.cursor != 1:
            return await super().act(table)
        lines = Lines(play.rules)
        own = np.array([[lines.numbers[card] for card in play.cards[1]]], np.uint8)
        shared = {
            place: np.array([[[lines.numbers[card] for card in play.cards[place]]]], np.uint8) for place in lines.places
        }
        answer = lines.all[int(lines.nets(own, shared)[0, 0].argmax())].answers[0]
        discard = None if answer.discard is None else play.cards[1][answer.discard]
        person = self.house.live(table).seats[1]
        await self.must(table, person, "player", commands.Act(seat=1, action=answer.action, discard=discard))
        return True


async def played(floor: Floor, rounds: int) -> Floor:
    await floor.open("t", GAME)
    for person, seat in (("eve", 1), ("bob", 2), ("carol", 5)):
        await floor.sit("t", person, seat)
    await floor.rounds("t", rounds)
    return floor


@pytest.fixture(scope="module")
def leaking() -> Floor:
    found: Floor = run(played(LeakingFloor(3), 45))
    return found


def test_a_leaking_server_is_found_and_nobody_else(leaking: Floor) -> None:
    found = recorded_leaks(leaking.store, read_terms)
    assert [(raised.alarm.kind, raised.alarm.subject, raised.table) for raised in found.alarms] == [
        (PLAYER, ("eve",), "t")
    ]
    assert found.leaks.rounds == 45
    assert found.leaks.decisions == 135
    assert set(found.leaks.tests[TWO_PLAYERS].all) == {("eve", "bob"), ("eve", "carol"), ("bob", "carol")}
    assert found.leaks.tests[SHUFFLE].all[("t",)].rounds == 45


def test_evidence_continues_after_a_restart_as_if_there_had_been_none(leaking: Floor) -> None:
    whole = recorded_leaks(leaking.store, read_terms)
    first = RecordedLeaks(read_terms)
    first.read(leaking.store, 400)
    first.work()
    then = RecordedLeaks(read_terms)
    data: Any = json.loads(json.dumps(first.to_data()))
    assert then.restore(data, leaking.store)
    then.read(leaking.store)
    then.work()
    assert then.leaks.to_data() == whole.leaks.to_data()
    assert then.alarms == whole.alarms
    data["tables"]["t"][3][1] = "0" * 64
    assert not RecordedLeaks(read_terms).restore(data, leaking.store)


def test_random_play_raises_no_alarm() -> None:
    floor = run(played(Floor(4), 30))
    assert recorded_leaks(floor.store, read_terms).alarms == []
