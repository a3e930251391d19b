"""A record that an earlier version of the program wrote still opens, verifies, replays and continues."""

import asyncio
import json
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import _run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.stream_balances import account_drafts
from pitboss.house.live_table.table_terms import HOUSE_DEALER
from pitboss.house.money.ledger import HOUSE, Posting
from pitboss.house.people.decide import SignInRules
from pitboss.house.running_tables import Asked, Done
from pitboss.house.stream_names import account_stream
from pitboss.server.app import make_app
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.table.people import AUTOMATON

EARLIER = Path(__file__).with_name("earlier")
# Of each game one table on real cards and one whose cards the program draws, in mid-round; and, from a version before,
# one of each that deals by itself.
TABLES = {"dealt-by-people": 2 * len(game_names()), "dealt-by-the-house": len(game_names())}


@pytest.fixture(params=TABLES)
def earlier(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def data(earlier: str, tmp_path: Path) -> Path:
    with tarfile.open(EARLIER / f"{earlier}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "floor"


def opened(data: Path) -> dict[str, tuple[int, bool, int]]:
    """Open the floor and return, for each table, how many rounds it saw, whether one is in play, and its tray."""
    found: dict[str, tuple[int, bool, int]] = {}

    async def look(floor: OpenFloor) -> None:
        for table, running in floor.house.tables.items():
            found[table] = (running.live.rounds, running.live.in_round, running.live.tray_cents)

    async def open_it() -> None:
        app = make_app(FloorSettings(data, rules=SignInRules()), frozenset(), look)
        async with app.router.lifespan_context(app):
            pass

    asyncio.run(open_it())
    return found


def paid(data: Path) -> tuple[str, int]:
    """Open the floor, add a dollar to an account that held money in the record, and return it with its balance."""
    found: list[tuple[str, int]] = []

    async def pay(floor: OpenFloor) -> None:
        held = dict(floor.house.money.state)
        account = max(held, key=lambda name: (held[name], name))
        postings = (Posting(HOUSE, -1_00), Posting(account, 1_00))
        drafts = account_drafts("money.MoneyIssued", {"cents": 1_00}, postings, None)
        asked = Asked(floor.fresh(), HOUSE_DEALER, (AUTOMATON,), {"kind": "IssueMoney"})
        answer = await floor.house.at_streams([floor.house.money.of(account)], lambda at: drafts, asked)
        assert isinstance(answer, Done), answer
        assert floor.house.money.state[account] == held[account] + 1_00 > 1_00
        assert sum(entry.stream == account_stream(account) for entry in answer.entries) == 1
        found.append((account, held[account] + 1_00))

    async def open_it() -> None:
        app = make_app(FloorSettings(data, rules=SignInRules()), frozenset(), pay)
        async with app.router.lifespan_context(app):
            pass

    asyncio.run(open_it())
    return found[0]


def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, arguments)])
    assert _run() == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_it_verifies_and_every_settled_round_is_decided_again(
    earlier: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, key = tmp_path / "record.jsonl", tmp_path / "public.keys"
    pitboss(monkeypatch, capsys, "export", "--data", data, "-o", log)
    key.write_text(pitboss(monkeypatch, capsys, "keys", "public", "--data", data))
    heads = data / "heads" / "heads.jsonl"
    found = json.loads(pitboss(monkeypatch, capsys, "verify", log, "--heads", heads, "--key", key, "--json"))
    assert found["entries"] > 100
    entries = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    settled = [entry["body"]["round"] for entry in entries if entry["kind"] == "house.RoundEnded"]
    assert len(settled) == TABLES[earlier]
    for name in settled:
        told = json.loads(pitboss(monkeypatch, capsys, "replay", name, "--data", data, "--json"))
        assert (told["outcome"], told["agrees"], told["disagreements"]) == ("settled", True, []), name


def test_the_floor_opens_with_its_rounds_in_play(earlier: str, data: Path) -> None:
    found = opened(data)
    assert len(found) == TABLES[earlier]
    again = opened(data)
    assert {table: tray for table, (_, _, tray) in found.items()} == {
        table: tray for table, (_, _, tray) in again.items()
    }
    assert any(in_round for _, in_round, _ in found.values())
    assert all(rounds >= 1 and tray > 0 for rounds, _, tray in found.values())


def test_its_money_goes_on_in_streams_of_the_accounts_and_verifies(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    account, cents = paid(data)
    assert paid(data) == (account, cents + 1_00), "from the snapshot, or from the first entry"
    log = tmp_path / "record.jsonl"
    pitboss(monkeypatch, capsys, "export", "--data", data, "-o", log)
    pitboss(monkeypatch, capsys, "verify", log, "--heads", data / "heads" / "heads.jsonl")
    entries = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    moved = [entry["body"].get("postings", {}).get(account, 0) for entry in entries]
    assert sum(moved) == cents + 1_00
