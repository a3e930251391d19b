"""Backup, restore and key rotation: copies are checked, replaced files are kept, and an open floor refuses."""

import asyncio
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss.cli import _run
from pitboss.games.catalogue import game_names
from pitboss.record.keys import read_keys
from pitboss.record.signing_keys import SigningKeys
from pitboss.record.sql_store import SqlStore
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import FloorSettings
from pitboss_verify import verify

TABLE = game_names()[0]


class Ended(NamedTuple):
    status: int
    out: str
    err: str


Pitboss = Callable[..., Ended]


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pitboss:
    def run(*arguments: object) -> Ended:
        monkeypatch.setattr("sys.argv", ["pitboss", *map(str, arguments)])
        capsys.readouterr()
        status = _run()
        return Ended(status, *capsys.readouterr())

    return run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "floor"
    play(folder)
    return folder


def play(folder: Path, note: str = "Begun") -> None:
    """Open a floor, record something, and close it."""

    async def opened() -> None:
        floor = make_floor(FloorSettings(folder))
        await floor.start()
        await floor.open_free_play(TABLE, demo_documents()[TABLE], 1_000_00)
        await floor.note(note, {})
        await floor.stop()

    asyncio.run(opened())


def kinds(folder: Path) -> list[str]:
    store = SqlStore(f"sqlite:///{folder / 'record.db'}")
    found = [entry.kind for entry in store.read("floor")]
    store.close()
    return found


def test_a_copy_is_checked_and_its_keys_are_apart(pitboss: Pitboss, data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "record.db"
    copy.parent.mkdir()
    ended = pitboss("backup", "--data", data, "-o", copy)
    assert ended.status == 0, ended.err
    assert "checked against the heads" in ended.out
    assert "The backup has no keys" in ended.out
    assert sorted(path.name for path in copy.parent.iterdir()) == ["record.db", "record.db.heads"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert verify(copy, heads=[copy.with_name("record.db.heads")]).is_sound
    keys = tmp_path / "safe" / "master.keys"
    told = json.loads(pitboss("backup", "--data", data, "-o", copy, "--keys", keys, "--json").out)
    assert (told["keys"], told["streams"]) == (str(keys), 3)
    assert read_keys(keys) == read_keys(data / "keys" / "master.keys")
    together = pitboss("backup", "--data", data, "-o", copy, "--keys", copy.with_name("master.keys"))
    assert together.status == 2
    assert "in different folders" in together.err


def test_a_copy_is_taken_while_the_floor_is_open_and_nothing_else_is_done(
    pitboss: Pitboss, data: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "record.db"
    floor = make_floor(FloorSettings(data))
    assert pitboss("backup", "--data", data, "-o", copy).status == 0
    for command in (("restore", copy), ("keys", "rotate")):
        ended = pitboss(*command, "--data", data)
        assert ended.status == 1
        assert "Another process has the floor" in ended.err
    floor.close()
    assert len(read_keys(data / "keys" / "master.keys").keys) == 1


def test_a_restored_record_ends_where_the_copy_did_and_the_rest_is_kept(
    pitboss: Pitboss, data: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "record.db"
    pitboss("backup", "--data", data, "-o", copy)
    play(data, "Later")
    assert "floor.Later" in kinds(data)
    ended = pitboss("restore", copy, "--data", data)
    assert ended.status == 0, ended.err
    assert "2 of its entries are not in the backup" in ended.out
    assert kinds(data)[-1] == "floor.RecordRestored"
    assert "floor.Later" not in kinds(data)
    [aside] = data.glob("record.db.before-*")
    assert verify(aside, heads=list((data / "heads").glob("heads.jsonl.before-*"))).is_sound
    play(data, "Again")
    assert kinds(data)[-1] == "floor.Again"
    assert verify(data / "record.db", heads=[data / "heads" / "heads.jsonl"]).is_sound
    held_against_the_old = verify(data / "record.db", heads=list((data / "heads").glob("heads.jsonl.before-*")))
    assert not held_against_the_old.is_sound


def test_a_damaged_copy_and_missing_keys_are_refused_and_nothing_is_changed(
    pitboss: Pitboss, data: Path, tmp_path: Path
) -> None:
    copy, keys = tmp_path / "record.db", tmp_path / "safe" / "master.keys"
    pitboss("backup", "--data", data, "-o", copy, "--keys", keys)
    before = kinds(data)
    elsewhere = tmp_path / "elsewhere"
    ended = pitboss("restore", copy, "--data", elsewhere)
    assert ended.status == 1
    assert "Give their backup with --keys" in ended.err
    assert not (elsewhere / "record.db").exists()
    assert pitboss("restore", copy, "--data", elsewhere, "--keys", keys).status == 0
    assert kinds(elsewhere) == [*before, "floor.RecordRestored"]
    play(elsewhere)
    text = copy.read_bytes()
    at = text.index(b"SoftwareHashed")
    copy.write_bytes(text[:at] + b"T" + text[at + 1 :])
    ended = pitboss("restore", copy, "--data", data)
    assert ended.status == 1
    assert "The backup failed verification" in ended.err
    assert kinds(data) == before
    ended = pitboss("restore", tmp_path / "none.db", "--data", data)
    assert (ended.status, ended.err) == (1, f"There is no record at {tmp_path / 'none.db'}.\n")
    ended = pitboss("backup", "--data", tmp_path / "none", "-o", copy)
    assert (ended.status, ended.err) == (1, f"There is no record at {tmp_path / 'none' / 'record.db'}.\n")
    assert pitboss("backup", "--data", data, "-o", tmp_path / "none" / "copy.db").status == 1
    pitboss("backup", "--data", data, "-o", copy)
    keys.write_text("no keys\n")
    assert "is damaged" in pitboss("restore", copy, "--data", data, "--keys", keys).err
    assert kinds(data) == before


def test_a_record_beyond_reading_is_replaced_and_kept(pitboss: Pitboss, data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "record.db"
    pitboss("backup", "--data", data, "-o", copy)
    (data / "record.db").write_bytes(b"rubbish" * 1000)
    ended = pitboss("restore", copy, "--data", data)
    assert ended.status == 0, ended.err
    assert "it could not be read" in ended.out
    [aside] = [path for path in data.glob("record.db.before-*") if not path.name.endswith(("-wal", "-shm"))]
    assert aside.read_bytes() == b"rubbish" * 1000
    play(data, "Again")
    assert kinds(data)[-1] == "floor.Again"


def test_a_rotated_key_is_in_use_and_the_old_one_stays(pitboss: Pitboss, data: Path, tmp_path: Path) -> None:
    old = read_keys(data / "keys" / "master.keys")
    told = json.loads(pitboss("keys", "rotate", "--data", data, "--json").out)
    ring = read_keys(data / "keys" / "master.keys")
    assert ring.keys[:-1] == old.keys
    assert (told["was"], told["is"]) == (old.current.id, ring.current.id)
    assert kinds(data)[-1] == "floor.KeysRotated"
    play(data, "Later")
    public = tmp_path / "heads.pub"
    public.write_text(pitboss("keys", "public", "--data", data).out)
    signing = SigningKeys(data / "keys" / "signing.keys").publics()
    assert public.read_text().split() == [*(key.signer().public for key in ring.keys), *signing]
    report = verify(data / "record.db", heads=[data / "heads" / "heads.jsonl"], key=public)
    assert report.is_sound
    assert report.keys == list(signing)  # a new master key doesn't change who signs
    shown = json.loads(pitboss("keys", "public", "--data", data, "--json").out)
    assert [row["in_use"] for row in shown] == [False, False, True]
    none = pitboss("keys", "rotate", "--data", tmp_path / "none")
    assert none.status == 1
    assert "There are no keys" in none.err
