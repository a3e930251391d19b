"""Reports and alerts of a floor in two processes: both say the same, whichever of them runs the table."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.games.catalogue import game_names
from record.postgres import fresh_schema, server
from server.beside import Pair, until
from server.cluster.test_processes import COMMAND
from server.routes.test_reports import TRAY, got
from server.running import Client, frames_until

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.slow]
TABLE = game_names()[0]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with server() as url, fresh_schema(url) as schema:
        found = Pair(tmp_path_factory.mktemp("pair"), schema)
        until(found.is_shared_out)
        yield found
        found.end()


def _tray(client: Client) -> int:
    tiles = got(client, "floor")["tables"]
    return next(int(tile["tray_cents"]) for tile in tiles if tile["summary"]["table"] == TABLE)


def test_an_alert_raised_at_one_process_is_answered_at_the_other(pair: Pair) -> None:
    owner, other = pair.owner(TABLE), pair.other(TABLE)
    flo, cay = pair.client(other, "flo"), pair.client(owner, "cay")
    proposal = flo.must(TABLE, {"kind": "Credit", "cents": TRAY - TRAY // 8})["proposal"]
    cay.must(TABLE, {"kind": "Confirm", "proposal": proposal})
    at_owner = pair.client(owner, "flo")
    until(lambda: all(_tray(item) == TRAY for item in (flo, at_owner)))  # the house dealer has a low tray filled
    [alert] = [alert for alert in got(flo, "alerts") if alert["kind"] == "tray-low"]
    assert alert in got(at_owner, "alerts")
    path = f"/api/alerts/{alert['id']}/acknowledge"
    assert flo.http.post(path, json={"id": "looked", "note": "seen"}).status_code == 200
    assert at_owner.http.post(path, json={"id": "looked", "note": "seen"}).json()["again"]
    for item in (flo, at_owner):
        assert not [alert for alert in got(item, "alerts") if alert["kind"] == "tray-low"]
        assert [answered["by"] for answered in got(item, "alerts/answered")] == ["flo"]
        tiles = {tile["summary"]["table"]: tile for tile in got(item, "floor")["tables"]}
        assert set(tiles) == set(game_names())
        assert tiles[TABLE]["tray_cents"] == TRAY
    auditors = [pair.client(process, "aud") for process in (owner, other)]
    for report in ("shifts", "meters", "hold"):
        first, second = (got(auditor, f"reports/{report}") for auditor in auditors)
        assert first == second != []


def test_a_reaction_at_one_process_is_seen_at_the_other(pair: Pair) -> None:
    owner, other = pair.owner(TABLE), pair.other(TABLE)
    alice, bob = pair.client(owner, "alice"), pair.client(other, "bob")
    bob.must(TABLE, {"kind": "TakeSeat", "seat": 5})
    with alice.live(TABLE) as socket:
        answer = bob.http.post(f"/api/tables/{TABLE}/reactions", json={"reaction": "wow"})
        assert answer.status_code == 204, answer.text
        frames = frames_until(socket, lambda frame: "reacted" in frame)
    assert frames[-1] == {"v": 1, "reacted": {"seat": 5, "reaction": "wow"}}
    bob.must(TABLE, {"kind": "LeaveSeat", "seat": 5})


def test_keys_are_not_rotated_while_processes_have_the_floor_open(pair: Pair, tmp_path: Path) -> None:
    keys = pair.folder / "master.keys"
    before = keys.read_text()
    asked = ["keys", "rotate", "--data", str(tmp_path), "--keys", str(keys), "--database", pair.url]
    ended = subprocess.run([*COMMAND, *asked], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "The floor is open in 2 processes. Close it first.\n"
    assert keys.read_text() == before
