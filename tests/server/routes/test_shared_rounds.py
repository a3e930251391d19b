"""Shared rounds and reactions over HTTP: what the house allows, what a stranger sees, and what is refused."""

from collections.abc import Iterator

import pytest

from house.floors import run
from house.test_replay import in_play
from pitboss.games.catalogue import game_names
from pitboss.house.people import house_rules as rule
from pitboss.house.replay import replay_recorded, rounds_of
from pitboss.house.stream_names import stream_of
from pitboss.record.keys import Keyring, fresh_key
from pitboss.record.system import SystemRandomness
from pitboss.server.round_links import link_key, opens
from pitboss.server.routes.shared_rounds import public_step
from server.at_the_table import asked_to_act, play
from server.routes.test_rounds import with_other_hidden_cards
from server.running import Client, Running, frames_until
from server.test_round_search import played, reading_of

pytestmark = pytest.mark.xdist_group("server")
TABLE = game_names()[0]


class Sharing(Running):
    """A house that shares rounds and has no reactions."""

    SHARES_ROUNDS = True
    ALLOWS_REACTIONS = False


@pytest.fixture(scope="module")
def sharing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sharing]:
    """Open such a house for the tests of this file."""
    running = Sharing(tmp_path_factory.mktemp("sharing"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def sharers(sharing: Sharing) -> dict[str, Client]:
    """Sign two players in there."""
    return {name: Client(sharing, name) for name in ("alice", "bob")}


def test_a_stranger_with_the_link_sees_what_a_spectator_saw_and_no_names(
    sharing: Sharing, sharers: dict[str, Client]
) -> None:
    alice, stranger = sharers["alice"], Client(sharing, None)
    round_id = play(alice, TABLE, 4)
    link = alice.http.post(f"/api/me/rounds/{round_id}/link").raise_for_status().json()
    path = f"/api/shared-rounds/{round_id}"
    shown = stranger.http.get(path, params={"key": link["key"]}).raise_for_status()
    found = shown.json()
    assert found["rules"]["table"] == TABLE
    assert found["steps"][-1]["seen"]["outcome"] == "settled"
    assert "alice" not in shown.text
    assert all(
        seat["player"] == "" and not seat["counted"] for step in found["steps"] for seat in step["seen"]["seats"]
    )
    own = alice.http.get(f"/api/me/rounds/{round_id}").raise_for_status().json()
    folded = [step for step in found["steps"] if step["kind"] == "round.CardsDealt"]
    assert folded[-1]["seen"]["seats"][0]["cards"] != own["steps"][-1]["seen"]["seats"][0]["cards"]
    # Another key, the key of another round, and no key at all open nothing, and say nothing about the round.
    other = play(alice, TABLE, 4)
    for key in ("", "0" * 32, "not hexadecimal é", link["key"].upper()):
        refused = stranger.http.get(path, params={"key": key})
        assert refused.status_code == 404
        assert refused.json()["refused"]["clause"] == rule.SHARED_ROUNDS
    swapped = stranger.http.get(f"/api/shared-rounds/{other}", params={"key": link["key"]})
    unknown = stranger.http.get("/api/shared-rounds/nowhere-1-1", params={"key": link["key"]})
    assert swapped.status_code == unknown.status_code == 404
    assert swapped.json() == unknown.json()
    # Only who played the round makes its link.
    assert sharers["bob"].http.post(f"/api/me/rounds/{round_id}/link").status_code == 404
    assert stranger.http.post(f"/api/me/rounds/{round_id}/link").status_code == 401


def test_a_house_that_shares_no_rounds_makes_no_link_and_opens_none(
    running: Running, people: dict[str, Client]
) -> None:
    assert running.floor is not None
    alice = people["alice"]
    assert alice.http.get("/api/session").json()["shares_rounds"] is False
    round_id = play(alice, TABLE, 4)
    made = alice.http.post(f"/api/me/rounds/{round_id}/link")
    key = link_key(running.floor.house.keyring, round_id)  # made while the house still shared rounds
    opened = Client(running, None).http.get(f"/api/shared-rounds/{round_id}", params={"key": key})
    for answer in (made, opened):
        assert answer.status_code == 409
        assert answer.json()["refused"]["clause"] == rule.SHARED_ROUNDS


@pytest.mark.parametrize("name", game_names())
def test_a_shared_round_holds_nothing_that_was_hidden_from_a_spectator(name: str) -> None:
    floor = run(played(name, 3))
    compared = 0
    for item in rounds_of(floor.store.read("table/t"), 3):
        found = replay_recorded(floor.store, item, reading_of(floor))
        for step in found.steps:
            other = with_other_hidden_cards(step, 0)
            if other is not None:
                compared += 1
                assert public_step(found, step) == public_step(found, other)
    assert compared > 10


def test_a_round_in_progress_is_not_shared(sharing: Sharing, sharers: dict[str, Client]) -> None:
    alice = sharers["alice"]
    with asked_to_act(alice, TABLE, 4) as view:
        round_id = view["round_id"]
        made = alice.http.post(f"/api/me/rounds/{round_id}/link")
        assert made.status_code == 409
        assert made.json()["refused"]["clause"] == rule.SHARED_ROUNDS
        assert sharing.floor is not None
        key = link_key(sharing.floor.house.keyring, round_id)
        stranger = Client(sharing, None)
        assert stranger.http.get(f"/api/shared-rounds/{round_id}", params={"key": key}).status_code == 404


def test_a_key_of_a_link_outlives_the_rotation_of_the_houses_keys() -> None:
    before = Keyring((fresh_key(SystemRandomness()),))
    after = before.rotated(SystemRandomness())
    key = link_key(before, "t-1-1")
    assert opens(after, "t-1-1", key)
    assert not opens(after, "t-1-2", key)
    assert not opens(before, "t-1-1", link_key(after, "t-1-1"))


def test_in_progress_nothing_hidden_is_in_a_public_step() -> None:
    floor = run(in_play(TABLE))
    found = replay_recorded(floor.store, rounds_of(floor.store.read("table/t"), 1)[0], reading_of(floor))
    shown = [public_step(found, step).model_dump() for step in found.steps]
    assert all(card is None for step in shown for seat in step["seen"]["seats"] for card in seat["cards"])


def test_a_reaction_reaches_the_table_and_is_not_recorded(running: Running, people: dict[str, Client]) -> None:
    alice, bob = people["alice"], people["bob"]
    path = f"/api/tables/{TABLE}/reactions"
    not_seated = bob.http.post(path, json={"reaction": "wow"})
    assert not_seated.status_code == 409
    assert not_seated.json()["refused"]["clause"] == rule.REACTIONS
    bob.must(TABLE, {"kind": "TakeSeat", "seat": 2})
    assert running.floor is not None
    with alice.live(TABLE) as socket:
        before = running.floor.house.live(TABLE).head.sequence
        assert bob.http.post(path, json={"reaction": "wow"}).status_code == 204
        (*_, frame) = frames_until(socket, lambda frame: "reacted" in frame)
        assert frame == {"v": 1, "reacted": {"seat": 2, "reaction": "wow"}}
    recorded = tuple(running.floor.store.read(stream_of(TABLE), before))
    assert [entry for entry in recorded if entry.actor == "bob" or "wow" in str(entry.body)] == []
    # Nothing but the list, and not too often.
    assert bob.http.post(path, json={"reaction": "fold, I have aces"}).status_code == 422
    answers = [bob.http.post(path, json={"reaction": "thanks"}).status_code for _ in range(12)]
    assert set(answers) == {204, 429}, "two at once, and then one every four seconds"
    bob.must(TABLE, {"kind": "LeaveSeat", "seat": 2})
    assert Client(running, None).http.post(path, json={"reaction": "wow"}).status_code == 401


def test_no_reaction_is_sent_while_cards_are_in_play(people: dict[str, Client]) -> None:
    alice = people["alice"]
    with asked_to_act(alice, TABLE, 3):
        refused = alice.http.post(f"/api/tables/{TABLE}/reactions", json={"reaction": "nice-hand"})
        assert refused.status_code == 409
        assert refused.json()["refused"]["clause"] == rule.REACTIONS


def test_a_house_without_reactions_refuses_them(sharers: dict[str, Client]) -> None:
    bob = sharers["bob"]
    assert bob.http.get("/api/session").json()["allows_reactions"] is False
    bob.must(TABLE, {"kind": "TakeSeat", "seat": 1})
    refused = bob.http.post(f"/api/tables/{TABLE}/reactions", json={"reaction": "wow"})
    assert refused.status_code == 409
    assert refused.json()["refused"]["clause"] == rule.REACTIONS
