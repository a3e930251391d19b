"""A guest who closed the page keeps the seat for a while; then it is free for the next."""

import asyncio
from collections.abc import Iterator

import pytest

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss.server.absent_guests import AWAY_MS, AbsentGuests
from pitboss.server.demonstration import open_demo
from pitboss.server.open_floor import OpenFloor
from server.running import Client, Running

TABLE = game_names()[0]


class Demonstration(Running):
    """A demonstration without bots."""

    ADMITS_GUESTS = True

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor, self.loop = floor, asyncio.get_running_loop()
        self.links = await open_demo(floor, 0)


@pytest.fixture
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    """Open a demonstration."""
    running = Demonstration(tmp_path_factory.mktemp("guests"))
    yield running
    running.stop()


def test_the_seat_of_a_guest_who_is_gone_is_freed_and_the_chips_are_in_the_purse(demonstration: Demonstration) -> None:
    floor, loop = demonstration.floor, demonstration.loop
    assert floor is not None
    assert loop is not None
    people = [Client(demonstration, None) for _ in range(2)]
    names = [client.http.post("/api/guests").raise_for_status().json()["name"] for client in people]
    player = Client(demonstration, "player")
    for seat, client in enumerate((*people, player), 1):
        client.must(TABLE, {"kind": "TakeSeat", "seat": seat})
        client.must(TABLE, {"kind": "BuyIn", "cents": 100_00})

    def look(guests: AbsentGuests) -> dict[int, str]:
        asyncio.run_coroutine_threadsafe(guests.look(), loop).result(WAIT_S)
        return dict(floor.house.live(TABLE).seats)

    patient, soon = AbsentGuests(floor, AWAY_MS), AbsentGuests(floor, 0)
    purse = floor.house.money.state[f"purse:{names[1]}"]
    with people[0].live(TABLE) as socket:
        socket.recv(timeout=WAIT_S)
        assert look(patient) == {1: names[0], 2: names[1], 3: "player"}, "a reload loses no seat"
        # Who has a screen at the table stays, and so does a player with an account of their own.
        assert look(soon) == {1: names[0], 3: "player"}
    assert floor.house.money.state[f"purse:{names[1]}"] == purse + 100_00
