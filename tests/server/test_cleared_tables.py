"""Tests that share a server: a seat that one of them leaves held, even in mid-hand, is free for the next."""

import pytest

from pitboss.games.catalogue import game_names
from server.at_the_table import place_wagers, sit_down
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")


@pytest.mark.parametrize("name", game_names())
def test_a_test_that_ends_within_a_round_leaves_no_seat_held(
    running: Running, people: dict[str, Client], name: str
) -> None:
    assert running.floor is not None
    house, alice, bob = running.floor.house, people["alice"], people["bob"]
    sit_down(alice, name, 2)
    with alice.live(name) as socket:
        place_wagers(alice, socket, name, 2)
    sit_down(bob, name, 5)
    assert set(house.live(name).seats) == {2, 5}
    running.clear_tables()
    assert not house.live(name).seats
    sit_down(alice, name, 2)
