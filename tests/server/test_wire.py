"""The wire of tables: what a frame, the lobby's list and the list of commitments say besides the cards."""

import hashlib
import time
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.server.live.views import rounds_per_hour
from server.running import QUICK, Client, Running, frames_until

pytestmark = pytest.mark.xdist_group("server")


def test_the_lobby_says_how_each_table_is_run(people: dict[str, Client]) -> None:
    listed = {table["table"]: table for table in people["dea"].http.get("/api/tables").json()}
    for name in game_names():
        row = listed[name]
        assert row["is_automatic"]
        assert row["dealer"] == "house dealer"
        assert not row["real_cards"]
        assert row["pace"] == {"wagers_ms": QUICK["wagers_ms"], "decision_ms": QUICK["decision_ms"]}
        assert row["rounds_per_hour"] is None or row["rounds_per_hour"] > 0
        assert set(row["paytables"].values()) <= set("ABCDEF")
    assert any(row["paytables"] for row in listed.values())


def test_anybody_may_ask_for_the_commitments_that_a_view_names(people: dict[str, Client]) -> None:
    alice, name = people["alice"], game_names()[2]
    alice.must(name, {"kind": "TakeSeat", "seat": 1})
    with alice.live(name) as socket:
        view = frames_until(socket, lambda frame: frame.get("view", {}).get("commitment"))[-1]["view"]
        told: dict[str, Any] = people["dea"].http.get(f"/api/tables/{name}/commitments").json()
        while told["round_id"] != view["round_id"]:  # a round that nobody had bet on ended meanwhile
            view = frames_until(socket, lambda frame: frame.get("view", {}).get("commitment"))[-1]["view"]
            told = people["dea"].http.get(f"/api/tables/{name}/commitments").json()
    assert told["commitment"] == view["commitment"]
    assert hashlib.sha256("".join(told["commitments"]).encode()).hexdigest() == view["commitment"]
    assert people["dea"].http.get("/api/tables/nowhere/commitments").status_code == 404
    alice.must(name, {"kind": "LeaveSeat", "seat": 1})


def test_a_frame_says_when_it_was_made(running: Running, people: dict[str, Client]) -> None:
    assert running.floor is not None
    clock = running.floor.clock  # the house's clock, which keeps going when the machine's is set back
    before = clock.now_ms()
    with people["dea"].live(game_names()[0]) as socket:
        frame = frames_until(socket, lambda frame: "view" in frame)[-1]
    assert list(frame) == ["v", "sequence", "now", "events", "view"]
    assert before <= frame["now"] <= clock.now_ms()
    assert abs(clock.now_ms() - time.time_ns() // 1_000_000) < 1_000


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        ((), None),
        ((0, 60_000), None),
        ((0, 60_000, 120_000), 60),
        ((0, 30_000, 120_000, 135_000), 80),
        ((5, 5, 5), None),
    ],
)
def test_the_rate_of_rounds_follows_from_when_the_last_ones_began(begun: tuple[int, ...], expected: int | None) -> None:
    assert rounds_per_hour(begun) == expected
