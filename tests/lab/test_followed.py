"""A simulation that is followed gives the same result as any simulation, wherever it is stopped."""

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.lab.followed import STRETCHES, Followed, Point
from pitboss.lab.simulate import simulate
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")


@pytest.mark.parametrize("name", game_names())
def test_points_lead_to_the_result_of_the_whole(name: str) -> None:
    rules = RulesInForce(game(name))
    run = Followed(rules, 500, seats=2, seed=3)
    points = list(run.points())
    assert len(points) == STRETCHES
    assert [point.rounds for point in points] == list(range(2, 501, 2))
    whole = simulate(rules, 500, 2, 3)
    assert run.result().as_dict() == whole.as_dict()
    assert points[-1] == Point(500, whole.house.total)


def test_one_that_is_ended_has_played_what_it_says() -> None:
    rules = RulesInForce(game(game_names()[-1]))
    run = Followed(rules, 1000, seed=5)
    for point in run.points():
        if point.rounds >= 100:
            break
    ended = run.result()
    assert (ended.rounds, ended.asked) == (100, 1000)
    assert ended.house == simulate(rules, 100, 1, 5).house
