"""Master keys: readable only by their owner, rotated without losing old keys, never shown."""

import os
import random
from pathlib import Path

import pytest

from pitboss.record.keys import Keyring, KeysUnusable, MasterKey, derived, fresh_key, read_keys, write_keys
from pitboss.record.system import SystemRandomness


class Seeded:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def token(self, count: int) -> bytes:
        return self._random.randbytes(count)


def ring(seed: int = 1) -> Keyring:
    return Keyring((fresh_key(Seeded(seed)),))


def test_a_ring_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "master.keys"
    keyring = ring().rotated(Seeded(2))
    write_keys(path, keyring)
    assert read_keys(path) == keyring
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_rotation_puts_a_fresh_key_in_use_and_keeps_the_old(tmp_path: Path) -> None:
    before = ring()
    after = before.rotated(Seeded(2))
    assert after.current != before.current
    assert after.by_id(before.current.id) == before.current
    path = tmp_path / "master.keys"
    write_keys(path, before)
    write_keys(path, after)
    assert read_keys(path).keys == (before.current, after.current)


def test_an_unknown_key_is_reported() -> None:
    with pytest.raises(KeysUnusable, match="has no key ab12"):
        ring().by_id("ab12")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_file_open_to_others_is_refused(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "master.keys"
    write_keys(path, ring())
    os.chmod(path, mode)
    with pytest.raises(KeysUnusable, match="can be read by other users"):
        read_keys(path)


def test_every_changed_digit_is_found(tmp_path: Path) -> None:
    path = tmp_path / "master.keys"
    write_keys(path, ring())
    text = path.read_text()
    line = text.splitlines()[-1]
    for at in range(len(line)):
        other = "0" if line[at] != "0" else "1"
        path.write_text(text.replace(line, line[:at] + other + line[at + 1 :]))
        with pytest.raises(KeysUnusable, match="damaged"):
            read_keys(path)


@pytest.mark.parametrize(
    ("content", "sentence"), [(b"", "contains no keys"), (b"\xff\xfe", "it isn't text"), (b"abc\n", "damaged")]
)
def test_a_file_that_is_not_a_key_file_is_reported(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "master.keys"
    path.write_bytes(content)
    os.chmod(path, 0o600)
    with pytest.raises(KeysUnusable, match=sentence):
        read_keys(path)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match="No such file"):
        read_keys(tmp_path / "master.keys")


def test_a_secret_is_never_in_a_repr() -> None:
    key = fresh_key(Seeded(1))
    assert key.secret.hex() not in repr(key)
    assert repr(key.secret) not in repr(Keyring((key,)))


def test_each_purpose_and_each_key_gives_other_bytes() -> None:
    first, other = fresh_key(Seeded(1)), fresh_key(Seeded(2))
    made = [
        secret
        for key in (first, other)
        for secret in (key.round_secret("r1"), key.round_secret("r2"), key.snapshot_key(), bytes.fromhex(key.id))
    ]
    assert len(set(made)) == len(made)
    assert first.round_secret("r1") == MasterKey(first.secret).round_secret("r1")
    assert derived(b"secret", "purpose", 8) == derived(b"secret", "purpose", 16)[:8]


def test_a_signer_is_the_same_for_the_same_key() -> None:
    key = fresh_key(SystemRandomness())
    assert key.signer().public == key.signer().public
    assert key.signer().sign("text") == key.signer().sign("text")
    assert key.signer().public != fresh_key(SystemRandomness()).signer().public
