"""One visitor with many questions, accounts or simulations keeps the lab from nobody else, over HTTP."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from patience import WAIT_S
from pitboss.games.catalogue import game, game_names
from pitboss.server.demonstration import open_demo
from pitboss.server.lab import worker_pool
from pitboss.server.open_floor import OpenFloor
from pitboss.server.request_limits import CLIENT
from server.lab_ready import until_answered
from server.quick_client import QuickClient
from server.running import NO_TLS, Client, Running
from server.slow_lab import FOLDER

pytestmark = pytest.mark.xdist_group("guests")
FLOOD = 63
GAME = game_names()[0]
ELSEWHERE = "127.0.0.2"


class Demonstration(Running):
    """A demonstration without bots, which anyone may visit, with or without a guest account."""

    ADMITS_GUESTS = True

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor, self.loop = floor, asyncio.get_running_loop()
        self.links = await open_demo(floor, 0)


class SlowLab:
    """A demonstration whose lab answers when the test lets it."""

    def __init__(self, running: Demonstration, folder: Path) -> None:
        self.running, self.folder = running, folder

    def open_gate(self, kind: str) -> None:
        """Let the lab answer questions of a kind."""
        (self.folder / kind).touch()

    def asked(self) -> list[Any]:
        """Return the questions that the lab's processes have begun with, in order."""
        notes = self.folder / "asked"
        return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []

    def visitor(self, address: str, *, is_guest: bool = False) -> Client:
        """Return someone who comes from an address."""
        client = Client(self.running, None)
        client.http = QuickClient(
            base_url=self.running.address,
            headers={CLIENT: "tests"},
            timeout=WAIT_S,
            verify=NO_TLS,
            local_address=address,
        )
        self.running.clients.append(client.http)
        if is_guest:
            assert client.http.post("/api/guests").status_code == 200
        return client


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowLab]:
    monkeypatch.setattr(worker_pool, "WORKER", "server.slow_lab")
    monkeypatch.setattr(worker_pool, "PATIENCE_S", 0.5)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    folder = tmp_path / "lab"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))
    running = Demonstration(tmp_path / "floor")
    slow = SlowLab(running, folder)
    # The lab is warm before the attack begins.
    slow.open_gate("exposures")
    assert until_answered(slow.visitor(ELSEWHERE), "POST", "/lab/exposures", json={"game": GAME}).status_code == 200
    (folder / "asked").unlink()
    yield slow
    for kind in ("edges", "rulings", "simulate", "distribution"):
        slow.open_gate(kind)
    running.stop()


def flood(lab: SlowLab, visitors: list[Client]) -> list[int]:
    """Send different questions from these visitors in turn, all at once, and return the answers' statuses."""
    cookies = [dict(visitor.http.cookies) for visitor in visitors]

    async def sent() -> list[int]:
        async with httpx.AsyncClient(
            base_url=lab.running.address,
            headers={CLIENT: "tests"},
            timeout=WAIT_S,
            verify=NO_TLS,
            limits=httpx.Limits(max_connections=FLOOD),
        ) as http:

            def ask(number: int) -> Any:
                held = cookies[number % len(cookies)]
                headers = {"cookie": "; ".join(f"{name}={token}" for name, token in held.items())} if held else {}
                body = {"game": GAME, "stake_cents": number + 1}
                return http.post("/api/lab/edges", json=body, headers=headers)

            return [answer.status_code for answer in await asyncio.gather(*map(ask, range(FLOOD)))]

    return asyncio.run(sent())


@pytest.mark.parametrize("accounts", [0, 16])
def test_questions_of_one_visitor_hold_up_nobody_else_with_however_many_guest_accounts(
    lab: SlowLab, accounts: int
) -> None:
    visitors = [lab.visitor("127.0.0.1", is_guest=True) for _ in range(accounts)] or [lab.visitor("127.0.0.1")]
    statuses = flood(lab, visitors)
    assert statuses.count(429) == FLOOD - worker_pool.EACH_MOST, "all but a visitor's share is refused at once"
    other = lab.visitor(ELSEWHERE)
    own = {"game": GAME, "stake_cents": 4242}
    assert other.http.post("/api/lab/edges", json=own).status_code == worker_pool.NOT_YET
    lab.open_gate("edges")
    assert until_answered(other, "POST", "/lab/edges", json=own).status_code == 200
    order = lab.asked()
    assert order.index(["edges", 4242]) <= 2, "behind the question under way and one more"


def test_a_question_that_takes_minutes_holds_up_none_that_takes_seconds(lab: SlowLab) -> None:
    greedy, other = lab.visitor("127.0.0.1"), lab.visitor(ELSEWHERE)
    for name in game_names():
        assert greedy.http.get(f"/api/lab/rulings/{name}").status_code == worker_pool.NOT_YET
    lab.open_gate("edges")
    option = game(GAME).options[0]
    chosen = {"game": GAME, "options": {option.name: option.values[1]}}  # the main game has to be solved for it
    assert until_answered(other, "POST", "/lab/edges", json=chosen).status_code == 200


@pytest.mark.parametrize("written", [{"odds": {"wager": {"hand": "5000000 to 1"}}}, {"meters": {"meter": 10**12}}])
def test_totals_of_odds_that_anyone_may_write_hold_up_no_quick_question(lab: SlowLab, written: dict[str, Any]) -> None:
    greedy, other = lab.visitor("127.0.0.1"), lab.visitor(ELSEWHERE)
    wild = {"game": GAME, "wager": "main", **written}
    assert greedy.http.post("/api/lab/distribution", json=wild).status_code == worker_pool.NOT_YET
    lab.open_gate("edges")
    assert until_answered(other, "POST", "/lab/edges", json={"game": GAME}).status_code == 200


def test_one_visitor_with_guest_accounts_runs_one_simulation(lab: SlowLab) -> None:
    body = {"game": GAME, "rounds": 2_000_000}
    guests = [lab.visitor("127.0.0.1", is_guest=True) for _ in range(5)]
    assert [guest.http.post("/api/lab/simulate", json=body).status_code for guest in guests] == [200] + [429] * 4
    other = lab.visitor(ELSEWHERE)
    assert other.http.post("/api/lab/simulate", json=body).status_code == 200
