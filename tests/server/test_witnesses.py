"""A witness that runs in a process of its own finds what a house could do to its own record with all its keys."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from patience import WAIT_S
from pitboss.house.reports.alerts import WITNESS
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.raised_alert import Alert
from pitboss.record.signing_keys import SigningKeys, rotate_signing_keys, verifier_for
from pitboss.record.system import SystemRandomness
from pitboss.server import witnesses
from pitboss.server.app import make_floor
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.table_documents import read_terms
from pitboss_verify import verify


class Authority:
    """A witness process, with its own folder and its own key."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self, *trust: str) -> None:
        """Start the program, on the same port as before."""
        command = [sys.executable, "-m", "pitboss_verify.witness", "--data", str(self.folder), "--name", "commission"]
        command += ["--port", str(self.port), *(word for key in trust for word in ("--trust", key))]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)\.", said)[1])  # type: ignore[index]
        self.key = self.process.stdout.readline().partition("key: ")[2].strip()

    @property
    def address(self) -> str:
        """Return where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """End the program."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(WAIT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def latest(self, origin: str, to: Path) -> Path:
        """Fetch the last checkpoint that it cosigned."""
        with urllib.request.urlopen(f"{self.address}/checkpoint/{origin}", timeout=WAIT_S) as answer:
            to.write_bytes(answer.read())
        return to


class House:
    """A floor in a folder, opened again and again, with a witness."""

    def __init__(self, folder: Path, authority: Authority) -> None:
        self.data, self.authority = folder / "floor", authority
        self.settings = FloorSettings(self.data)
        self.origin = ""

    def opened(self, work: Callable[[OpenFloor], Awaitable[Any]]) -> Any:
        """Open the floor, have it checkpointed, do something, and close it."""

        async def run() -> Any:
            floor = make_floor(self.settings)
            await floor.start()
            try:
                self.origin = floor.signing.origin
                return await work(floor)
            finally:
                await floor.stop()

        return asyncio.run(run())

    def introduce(self) -> None:
        """Let the authority trust the record, and the floor know its witness."""
        self.opened(written)
        signing = SigningKeys(self.data / "keys" / "signing.keys")
        self.authority.stop()
        self.authority.start(verifier_for(signing.origin, signing.publics()[-1]).text())
        (self.data / "witnesses.txt").write_text(f"{self.authority.address} {self.authority.key}\n")

    def verified(self, **more: Any) -> str | None:
        """Return what the verifier finds wrong, with everything that an authority has."""
        kept = self.authority.latest(self.origin, self.data.parent / "witnessed")
        found = verify(
            self.data / "record.db",
            heads=[self.data / "heads" / "heads.jsonl"],
            checkpoints=self.data / "heads" / "checkpoints.jsonl",
            witnessed=kept,
            witness_key=self.authority.key,
            **more,
        )
        return found.fault

    def copied(self, name: str) -> Path:
        """Copy the whole folder, as someone with every file would."""
        return Path(shutil.copytree(self.data, self.data.parent / name))

    def put_back(self, copy: Path) -> None:
        """Replace the folder with a copy, keys, heads, checkpoints and all."""
        shutil.rmtree(self.data)
        copy.rename(self.data)


async def written(floor: OpenFloor) -> list[Alert]:
    """Write a few entries, have them checkpointed and cosigned, and return the alerts about witnesses."""
    for number in range(5):
        await floor.note("Tested", {"number": number})
    await floor.export_heads()
    await floor.checkpoint()
    kept = AllReports(read_terms)
    kept.catch_up(floor.store)
    return [alert for alert in kept.alerts.held(floor.clock.now_ms()) if alert.kind == WITNESS]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    authority = Authority(tmp_path / "witness")
    found = House(tmp_path, authority)
    found.introduce()
    yield found
    authority.stop()


def test_a_floor_is_witnessed_and_verifies_against_what_the_witness_holds(house: House) -> None:
    assert house.opened(written) == []
    assert house.opened(written) == []
    assert house.verified() is None

    async def kept(floor: OpenFloor) -> Any:
        return floor.tree.witnessed()

    note = house.opened(kept)
    assert any("commission" in line for line in note.signatures)


def test_cutting_rounds_and_heads_together_is_found(house: House) -> None:
    house.opened(written)
    copy = house.copied("earlier")
    house.opened(written)
    house.put_back(copy)  # record, heads, checkpoints and mark, all as they were: the floor itself can't know
    assert "the witness cosigned" in str(house.verified())
    alerts = house.opened(written)
    assert any("disagrees" in alert.says for alert in alerts), alerts


def test_a_halved_file_of_checkpoints_or_heads_is_found(house: House) -> None:
    house.opened(written)
    house.opened(written)
    path = house.data / "heads" / "checkpoints.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    assert "the witness cosigned" in str(house.verified())


def test_a_full_rewrite_with_every_key_is_found(house: House) -> None:
    copy = house.copied("beginning")
    house.opened(written)
    house.opened(written)
    house.put_back(copy)  # from here on another history is written, with the house's own keys

    async def other(floor: OpenFloor) -> list[Alert]:
        for number in range(60):
            await floor.note("Tested", {"another": number})
        return await written(floor)

    alerts = house.opened(other)
    assert any("disagrees" in alert.says for alert in alerts), alerts
    assert "the first" in str(house.verified()).lower()


def test_another_signing_key_is_found(house: House) -> None:
    house.opened(written)
    path = house.data / "keys" / "signing.keys"
    text = path.read_text().splitlines()
    path.write_text("\n".join([*text[:-1], "11" * 32]) + "\n")

    alerts = house.opened(written)
    assert any("doesn't trust the key" in alert.says for alert in alerts), alerts
    given = house.data.parent / "given.keys"
    given.write_text(f"{'22' * 32}\n")
    assert "isn't signed by a key you gave" in str(house.verified(key=given)) or "isn't a key you gave" in str(
        house.verified(key=given)
    )


def test_a_silent_witness_is_reported_and_so_is_its_return(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "SILENT_AFTER_MS", 0)
    house.authority.stop()
    alerts = house.opened(written)
    assert [alert.says for alert in alerts if alert.over_at is None] == ["Witness commission doesn't answer."]
    house.authority.start()

    async def again(floor: OpenFloor) -> list[Alert]:
        floor.witnesses._all[0].reported = (witnesses.SILENT, "Witness commission doesn't answer.")
        return await written(floor)

    assert all(alert.over_at is not None for alert in house.opened(again))


def test_the_signing_key_is_rotated_while_the_floor_is_open(house: House) -> None:
    async def rotate(floor: OpenFloor) -> list[Alert]:
        assert await written(floor) == []
        was, now = rotate_signing_keys(house.data / "keys" / "signing.keys", SystemRandomness())
        assert floor.signing.current().public == now != was
        alerts = await written(floor)
        noted = [entry for entry in floor.store.read("floor") if entry.kind == "floor.SigningKeyUsed"]
        assert [entry.body for entry in noted] == [{"is": now, "was": was}]
        return [*alerts, *await written(floor)]

    assert house.opened(rotate) == []
    assert house.opened(written) == []
    assert house.verified() is None
    assert len((house.authority.folder / "trusted.keys").read_text().splitlines()) == 2


def test_a_program_can_hold_the_signing_key(house: House, tmp_path: Path) -> None:
    program = tmp_path / "signs.py"
    program.write_text(
        "import sys\n"
        "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as K\n"
        "k = K.from_private_bytes(bytes(32))\n"
        "asked = sys.argv[1], sys.stdin.buffer.read()\n"
        "print((k.public_key().public_bytes_raw() if asked[0] == 'public' else k.sign(asked[1])).hex())\n"
    )
    house.settings = FloorSettings(house.data, signer=f"{sys.executable} {program}")
    assert house.opened(written) == []
    assert house.verified() is None
    lines = (house.data / "heads" / "heads.jsonl").read_text().splitlines()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw().hex()
    assert json.loads(lines[-1])["key"] == public
