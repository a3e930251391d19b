"""A player's receipt over HTTP, checked by a program that shares no code with the server, and by the offline page."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss_verify import verify
from server.at_the_table import play
from server.running import Client, Running

TABLE = game_names()[0]

pytestmark = pytest.mark.xdist_group("server")


@pytest.fixture(scope="module")
def receipt(running: Running, people: dict[str, Client], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The receipt of a round that alice has played."""
    alice = people["alice"]
    played = play(alice, TABLE, 2)
    end = time.monotonic() + WAIT_S
    assert running.floor is not None
    answer = alice.http.get(f"/api/me/rounds/{played}/receipt")
    while answer.status_code == 409 and time.monotonic() < end:
        time.sleep(0.5)
        answer = alice.http.get(f"/api/me/rounds/{played}/receipt")
    assert answer.status_code == 200, answer.text
    path = tmp_path_factory.mktemp("receipt") / "receipt.json"
    path.write_text(answer.text, "utf-8")
    return path


@pytest.fixture(scope="module")
def key(running: Running, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert running.floor is not None
    path = tmp_path_factory.mktemp("key") / "floor.pub"
    path.write_text("\n".join(running.floor.signing.publics()))
    return path


def test_a_receipt_verifies_and_says_what_the_round_was(receipt: Path, key: Path) -> None:
    report = verify(receipt, key=key)
    assert report.is_sound, report.fault
    data = json.loads(receipt.read_text())
    assert data["player"] == "alice"
    assert report.opened > 0
    assert f"{data['money']['net_cents']:+} cents" in report.sentences()[0]


def test_a_receipt_holds_nobody_elses_cards_and_no_key(receipt: Path) -> None:
    data = json.loads(receipt.read_text())
    own = {str(seat) for seat in data["seats"]}
    assert {opening["place"] for opening in data["openings"]} <= own | {"board", "dealer"}
    assert "dealt_key" not in receipt.read_text()
    assert "pickup" not in receipt.read_text()


def change_line(data: dict[str, Any]) -> None:
    data["entries"][-1]["line"] = data["entries"][-1]["line"].replace("settled", "voided!")


def more_money(data: dict[str, Any]) -> None:
    data["money"]["net_cents"] += 100


def another_card(data: dict[str, Any]) -> None:
    data["openings"][0]["card"] = "2c" if data["openings"][0]["card"] != "2c" else "3c"


def another_hand(data: dict[str, Any]) -> None:
    data["hands"] = {**data["hands"], "board": ["As"]}


def another_round(data: dict[str, Any]) -> None:
    data["round"] += "x"


def another_player(data: dict[str, Any]) -> None:
    data["player"] = "bob"


def shorter_proof(data: dict[str, Any]) -> None:
    data["entries"][0]["proof"].pop()


def another_leaf(data: dict[str, Any]) -> None:
    data["entries"][0]["leaf"] += 1


def another_root(data: dict[str, Any]) -> None:
    lines = data["checkpoint"].split("\n")
    lines[1] = str(int(lines[1]) + 1)
    data["checkpoint"] = "\n".join(lines)


def fewer_entries(data: dict[str, Any]) -> None:
    data["entries"] = [entry for entry in data["entries"] if "RoundBegun" not in entry["line"]]


CHANGES: tuple[Callable[[dict[str, Any]], None], ...] = (
    change_line,
    more_money,
    another_card,
    another_hand,
    another_round,
    another_player,
    shorter_proof,
    another_leaf,
    another_root,
    fewer_entries,
)


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_in_a_receipt_is_found(
    receipt: Path, key: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    data = json.loads(receipt.read_text())
    change(data)
    changed = tmp_path / "receipt.json"
    changed.write_text(json.dumps(data))
    assert verify(changed, key=key).fault


def test_a_receipt_signed_by_another_key_is_found(receipt: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pub"
    other.write_text("22" * 32)
    assert verify(receipt, key=other).fault == "The checkpoint isn't signed by a key you gave."


def test_nobody_gets_anothers_receipt(receipt: Path, people: dict[str, Client]) -> None:
    data = json.loads(receipt.read_text())
    assert people["bob"].http.get(f"/api/me/rounds/{data['round']}/receipt").status_code == 404
