"""Guests of a demonstration: an account with play money at once, refilled only when it is nearly gone."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from pitboss.games.catalogue import game_names
from pitboss.server import guest_accounts
from pitboss.server.demonstration import PURSE_CENTS, open_demo
from pitboss.server.guest_accounts import refill
from pitboss.server.open_floor import OpenFloor
from server.running import OPEN, Client, Running

pytestmark = pytest.mark.xdist_group("guests")


class Demonstration(Running):
    """A demonstration without bots."""

    ADMITS_GUESTS = True

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor, self.loop = floor, asyncio.get_running_loop()
        self.links = await open_demo(floor, 0)


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    """Open a demonstration for the tests of this file."""
    running = Demonstration(tmp_path_factory.mktemp("guests"))
    yield running
    running.stop()


def guest(demonstration: Demonstration) -> tuple[httpx.Client, dict[str, object]]:
    client = Client(demonstration, None)
    answer = client.http.post("/api/guests")
    assert answer.status_code == 200, answer.text
    return client.http, answer.json()


def taken_back(demonstration: Demonstration, name: object) -> None:
    """Have the cage take all of a guest's play money back."""
    cage = Client(demonstration, None)
    assert cage.http.get(demonstration.key_holders_link("cage")).status_code == 303
    body = {"kind": "RedeemMoney", "person": name, "cents": PURSE_CENTS, "free_play": True}
    asked = {"id": f"redeemed-{name}", "body": body}
    assert cage.http.post("/api/office/commands", json=asked).status_code == 200


def test_a_guest_has_an_account_of_their_own_and_play_money(demonstration: Demonstration) -> None:
    (http, me), (_, other) = guest(demonstration), guest(demonstration)
    assert me["roles"] == ["player"]
    assert me["purse_cents"] == PURSE_CENTS
    assert me["name"] != other["name"]
    assert http.get("/api/session").json()["me"]["name"] == me["name"]


def test_play_money_is_refilled_only_when_it_is_nearly_gone(demonstration: Demonstration) -> None:
    http, me = guest(demonstration)
    refused = http.post("/api/me/refill")
    assert refused.status_code == 409
    assert "still have play money" in refused.json()["refused"]["reason"]
    taken_back(demonstration, me["name"])
    assert http.get("/api/me").json()["purse_cents"] == 0
    assert http.post("/api/me/refill").json()["purse_cents"] == PURSE_CENTS


def test_refills_that_are_asked_for_at_once_count_once(demonstration: Demonstration) -> None:
    http, me = guest(demonstration)
    name, floor = str(me["name"]), demonstration.floor
    assert floor is not None
    assert demonstration.loop is not None
    taken_back(demonstration, name)

    async def at_once() -> None:
        await asyncio.gather(*(refill(floor, name) for _ in range(8)))

    asyncio.run_coroutine_threadsafe(at_once(), demonstration.loop).result(240)
    assert http.get("/api/me").json()["purse_cents"] == PURSE_CENTS


def test_guests_who_left_make_room_for_others(demonstration: Demonstration, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demonstration.floor is not None
    people = demonstration.floor.office.people
    monkeypatch.setattr(guest_accounts, "GUESTS_MOST", 1 + sum("guest-" in name for name in people.accounts))
    here = {session.person for session in people.sessions.values() if session.person.startswith("guest-")}
    first = [guest(demonstration)[0] for _ in range(guest_accounts.GUESTS_MOST - len(here))]
    stranger = Client(demonstration, None).http
    full = stranger.post("/api/guests")
    assert (full.status_code, full.json()["refused"]["reason"]) == (409, guest_accounts.FULL.reason)
    assert first[0].post("/api/sign-out").status_code == 204
    assert stranger.post("/api/guests").status_code == 200, "else a thousand visits would end all others for good"


def test_one_address_makes_few_guests(tmp_path_factory: pytest.TempPathFactory) -> None:
    slow = replace(OPEN, guest_per_second=0.0, guest_at_once=2.0)
    running = Demonstration(tmp_path_factory.mktemp("few"), rates=slow)
    statuses = [Client(running, None).http.post("/api/guests").status_code for _ in range(3)]
    running.stop()
    assert statuses == [200, 200, 429]


def test_a_glance_from_the_lobby_starts_no_round_of_bots_and_watching_does(demonstration: Demonstration) -> None:
    assert demonstration.floor is not None
    sockets, clock = demonstration.floor.sockets, demonstration.floor.clock
    glanced, watched = game_names()[:2]
    http = Client(demonstration, None).http
    assert http.get(f"/api/tables/{glanced}").status_code == 200
    assert http.get(f"/api/tables/{watched}", params={"watching": True}).status_code == 200
    assert not sockets.is_watched(glanced, clock.now_ms())
    assert sockets.is_watched(watched, clock.now_ms())


def test_bots_wait_for_someone_whose_socket_says_that_they_came_to_sit(demonstration: Demonstration) -> None:
    assert demonstration.floor is not None
    sockets, clock = demonstration.floor.sockets, demonstration.floor.clock
    client, (looked, chosen) = Client(demonstration, "player"), game_names()[2:4]
    with client.live(looked) as looking, client.live(chosen, sits=True) as sitting:
        looking.recv()
        sitting.recv()
        assert sockets.is_watched(looked, clock.now_ms())
        assert not sockets.is_awaited(looked, clock.now_ms())
        assert sockets.is_awaited(chosen, clock.now_ms())


def test_a_house_that_is_no_demonstration_has_no_guests(tmp_path_factory: pytest.TempPathFactory) -> None:
    running = Running(tmp_path_factory.mktemp("house"))
    stranger = Client(running, None)
    assert stranger.http.get("/api/session").json()["admits_guests"] is False
    answer = stranger.http.post("/api/guests")
    assert answer.status_code == 409
    assert "Sign in" in answer.json()["refused"]["reason"]
    running.stop()


def test_a_person_gets_a_page_for_an_unknown_address_and_a_program_a_refusal(demonstration: Demonstration) -> None:
    http = Client(demonstration, None).http
    shown = http.get("/no-such-page", headers={"accept": "text/html"})
    assert shown.status_code == 404
    assert shown.headers["content-type"].startswith("text/html")
    for address in ("/no-such-page", "/api/no-such-route", "/assets/none.js"):
        told = http.get(address, headers={"accept": "application/json"})
        assert told.status_code == 404
        assert "refused" in told.json()


def test_the_page_can_be_installed(demonstration: Demonstration) -> None:
    http = Client(demonstration, None).http
    manifest = http.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for icon in manifest.json()["icons"]:
        assert http.get(icon["src"]).headers["content-type"].startswith("image/svg+xml")
    assert http.get("/worker.js").headers["content-type"].startswith("text/javascript")
    assert "offline" in http.get("/offline.html").text
