"""A player's statistics over HTTP: they add up to the money and are the caller's own."""

import time
from fractions import Fraction
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from server.at_the_table import play
from server.running import Client, Running

pytestmark = [pytest.mark.xdist_group("server"), pytest.mark.slow]
TABLE = game_names()[0]
PARTS = ("edge_cents", "decisions_cents", "luck_cents", "other_cents")


def statistics(client: Client, **asked: Any) -> list[dict[str, Any]]:
    """Ask until the lab has an answer."""
    end = time.monotonic() + 240
    while time.monotonic() < end:
        answer = client.http.get("/api/me/statistics", params=asked).raise_for_status()
        if answer.status_code == 200:
            found: list[dict[str, Any]] = answer.json()
            return found
        time.sleep(0.5)
    raise AssertionError("the lab never answered")


def adds_up(line: dict[str, Any]) -> bool:
    return bool(sum(Fraction(line[part]) for part in PARTS) == line["net_cents"])


def test_statistics_add_up_to_the_rounds_in_the_list(people: dict[str, Client]) -> None:
    alice = people["alice"]
    played = [play(alice, TABLE, 4) for _ in range(2)]
    listed = [row for row in alice.http.get("/api/me/rounds", params={"most": 200}).json() if row["free_play"]]
    settled = [row for row in listed if row["outcome"] == "settled"]
    assert set(played) <= {row["round"] for row in settled}
    (line,) = statistics(alice)
    assert line["free_play"]
    assert line["times"] == len(settled)
    assert line["net_cents"] == sum(row["net_cents"] for row in settled) == line["points"][-1]["net_cents"]
    assert [point["round"] for point in line["points"]] == [
        row["round"] for row in sorted(settled, key=lambda row: (row["at"], row["round"]))
    ]
    every = [line, *line["games"], *(wager for game in line["games"] for wager in game["wagers"])]
    assert all(map(adds_up, every))
    assert all(Fraction(part["decisions_cents"]) <= 0 for part in every if part.get("wager") == "main")
    for game in line["games"]:
        assert sum(wager["net_cents"] for wager in game["wagers"]) == game["net_cents"]
    of_game = statistics(alice, game=line["games"][0]["game"])[0]
    assert of_game["net_cents"] == line["games"][0]["net_cents"]
    (single,) = statistics(alice, round=played[0])
    assert single["times"] == 1
    assert single["net_cents"] == next(row["net_cents"] for row in settled if row["round"] == played[0])


def test_nobody_sees_another_players_statistics(running: Running, people: dict[str, Client]) -> None:
    theirs = play(people["alice"], TABLE, 4)
    assert statistics(people["bob"], round=theirs) == []
    assert Client(running, None).http.get("/api/me/statistics").status_code == 401


def test_a_list_is_limited_and_begins_where_it_is_told_to(people: dict[str, Client]) -> None:
    alice = people["alice"]
    play(alice, TABLE, 4)
    newest = alice.http.get("/api/me/rounds", params={"most": 1}).json()
    assert len(newest) == 1
    assert alice.http.get("/api/me/rounds", params={"since": newest[0]["at"] + 60_000}).json() == []
    assert alice.http.get("/api/me/rounds", params={"most": 201}).status_code == 422


def test_the_reader_of_their_own_round_learns_what_decided_each_wager(people: dict[str, Client]) -> None:
    alice = people["alice"]
    round_id = play(alice, TABLE, 4)
    last = alice.http.get(f"/api/me/rounds/{round_id}").json()["steps"][-1]["seen"]
    for seat in last["seats"]:
        counted = {count["wager"] for count in seat["counted"]}
        if seat["seat"] == 4:
            assert counted
            assert counted <= {result["wager"] for result in seat["results"]}
        else:
            assert not counted
