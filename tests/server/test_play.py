"""A player at a real server: rounds of every game over HTTP and a socket, refusals, repeats, drops and restarts."""

from pathlib import Path
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from server.at_the_table import place_wagers, play, play_round, sit_down
from server.running import Client, Running, frames_until

pytestmark = pytest.mark.xdist_group("server")


@pytest.mark.parametrize("name", game_names())
def test_a_player_sits_down_and_plays_a_round(alice: Client, name: str) -> None:
    before = alice.http.get("/api/me").json()["purse_cents"]
    sit_down(alice, name, 1)
    assert alice.http.get("/api/me").json()["purse_cents"] == before - 500_00
    with alice.live(name) as socket:
        frames = play_round(alice, socket, name)
    last = next(frame["view"] for frame in reversed(frames) if frame.get("view", {}).get("outcome"))
    assert last["outcome"] == "settled"
    own = next(seat for seat in last["seats"] if seat["player"] == "alice")
    assert own["results"]
    assert all(result["clause"] for result in own["results"])
    net = sum(result["net"] for result in own["results"]) + own["envy_cents"]
    assert own["stack_cents"] == 500_00 + net
    alice.must(name, {"kind": "LeaveSeat", "seat": 1})
    assert alice.http.get("/api/me").json()["purse_cents"] == before + net


def test_sequences_only_grow_and_a_drop_lands_in_the_same_state(running: Running, alice: Client) -> None:
    name = game_names()[0]
    sit_down(alice, name, 1)
    with alice.live(name) as socket:
        frames = play_round(alice, socket, name)
    numbers = [frame["sequence"] for frame in frames if "view" in frame]
    assert numbers == sorted(numbers)
    with alice.live(name) as again:
        first = frames_until(again, lambda frame: "view" in frame)[-1]
    assert first["sequence"] >= numbers[-1]
    if first["sequence"] == alice.view(name)["sequence"]:
        assert first["view"] == alice.view(name)
    alice.must(name, {"kind": "LeaveSeat", "seat": 1})


def test_a_command_id_counts_once(people: dict[str, Client]) -> None:
    bob, name = people["bob"], game_names()[1]
    before = bob.http.get("/api/me").json()["purse_cents"]
    first = bob.command(name, {"kind": "TakeSeat", "seat": 5}, "once")
    again = bob.command(name, {"kind": "TakeSeat", "seat": 5}, "once")
    assert first.status_code == again.status_code == 200
    assert not first.json()["again"]
    assert again.json()["again"]
    other = bob.command(name, {"kind": "TakeSeat", "seat": 4}, "once")
    assert other.status_code == 409
    assert other.json()["refused"]["field"] == "id"
    assert bob.http.get("/api/me").json()["purse_cents"] == before
    bob.must(name, {"kind": "LeaveSeat", "seat": 5})


@pytest.mark.parametrize(
    ("body", "clause"),
    [
        ({"kind": "DealCards"}, "H-15"),
        ({"kind": "Settle"}, "H-15"),
        ({"kind": "Fill", "cents": 100}, "H-13"),
        ({"kind": "OpenTable", "tray_cents": 1}, "H-15"),
    ],
)
def test_a_player_does_nobody_elses_work(alice: Client, body: dict[str, Any], clause: str) -> None:
    answer = alice.command(game_names()[0], body)
    assert answer.status_code == 409
    assert answer.json()["refused"]["clause"] == clause


def test_strangers_look_and_do_not_touch(running: Running) -> None:
    nobody = Client(running, None)
    name = game_names()[0]
    assert nobody.view(name)["table"] == name
    assert nobody.command(name, {"kind": "TakeSeat", "seat": 1}).status_code == 401
    assert nobody.http.get("/api/me").status_code == 401
    assert nobody.http.get("/api/tables/nowhere").status_code == 404


def test_a_foreign_origin_is_refused(running: Running, alice: Client) -> None:
    answer = alice.http.get("/api/me", headers={"origin": "http://elsewhere.example"})
    assert answer.status_code == 403


def test_a_link_works_once(running: Running, alice: Client) -> None:
    assert alice.http.get("/api/me").status_code == 200  # signed in with her link
    again = httpx_post(running, running.links["alice"])
    assert again == 401


def httpx_post(running: Running, token: str) -> int:
    return Client(running, None).http.post("/api/links", json={"token": token}).status_code


def test_answers_carry_the_security_headers(running: Running) -> None:
    headers = Client(running, None).http.get("/api/tables").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_a_round_goes_on_after_a_restart(tmp_path: Path) -> None:
    name = game_names()[0]
    first = Running(tmp_path)
    bob = Client(first, "bob")
    sit_down(bob, name, 2)
    with bob.live(name) as socket:
        asked = place_wagers(bob, socket, name, 2)[-1]["view"]
        while not asked["actions"]:  # the dealer's cards decided the round
            asked = place_wagers(bob, socket, name, 2)[-1]["view"]
    first.stop()
    second = Running(tmp_path)
    try:
        back = Client(second, "bob")
        seen = back.view(name)
        assert seen["round_id"] == asked["round_id"]
        assert [seat["cards"] for seat in seen["seats"]] == [seat["cards"] for seat in asked["seats"]]
        assert seen["actions"] == asked["actions"]
        answer = back.command(name, {"kind": "Act", "seat": 2, "action": seen["actions"][0]})
        assert answer.status_code == 200 or "discard" in answer.text
    finally:
        second.stop()


def test_a_played_round_is_recalled_step_by_step(people: dict[str, Client]) -> None:
    name, bob = game_names()[3], people["bob"]
    played = play(bob, name, 3)
    assert played in people["flo"].http.get(f"/api/tables/{name}/rounds").json()
    for person, sees_all in (("flo", False), ("aud", True)):
        found = people[person].http.get(f"/api/tables/{name}/rounds/{played}").json()
        assert found["is_over"]
        assert found["agrees"]
        numbers = [step["sequence"] for step in found["steps"]]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert (found["steps"][-1]["cards"] is not None) == sees_all
        assert found["steps"][-1]["seen"]["outcome"] == "settled"
