"""The house's keys: master keys in a file separate from the database, and every key derived from them."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pitboss.record.system import sync_folder
from pitboss.record.system_interface import Randomness

KEY_BYTES = 32
_HEADING = (
    "# Master keys of the house, one per line, the current one last. Anyone who has this file can open sealed cards.\n"
)


class KeysUnusable(Exception):
    """The key file is missing, damaged or readable by others."""


@dataclass(frozen=True, slots=True)
class MasterKey:
    """The secret behind all seals and signatures of a period; its id is derived from it and isn't secret."""

    secret: bytes = field(repr=False)
    id: str = field(init=False)  # stored with everything sealed under this key

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", derived(self.secret, "key id", 8).hex())

    def round_secret(self, round_id: str) -> bytes:
        """Return the secret for one round."""
        return derived(self.secret, f"round {round_id}")

    def snapshot_key(self) -> bytes:
        """Return the key that seals snapshots."""
        return derived(self.secret, "snapshots")

    def signer(self) -> "Signer":
        """Return the signer for heads."""
        return Signer(Ed25519PrivateKey.from_private_bytes(derived(self.secret, "heads")))


class Signer:
    """Signs text and names the public key that verifies its signatures."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def current(self) -> "Signer":
        """Return the key in use: this one."""
        return self

    def sign(self, text: str) -> str:
        """Return the signature of a text."""
        return self._private.sign(text.encode()).hex()


@dataclass(frozen=True, slots=True)
class Keyring:
    """All master keys ever used; the last one is current."""

    keys: tuple[MasterKey, ...]

    def __post_init__(self) -> None:
        assert self.keys, "a keyring has at least one key"

    @property
    def current(self) -> MasterKey:
        """Return the current key."""
        return self.keys[-1]

    def by_id(self, key_id: str) -> MasterKey:
        """Return a key that was used at any time, or raise KeysUnusable."""
        found = next((key for key in self.keys if key.id == key_id), None)
        if found is None:
            raise KeysUnusable(f"The key file has no key {key_id}. Restore the key file from that time.")
        return found

    def rotated(self, randomness: Randomness) -> "Keyring":
        """Return the ring with a new current key; the old keys still open what they sealed."""
        return Keyring((*self.keys, fresh_key(randomness)))


def derived(secret: bytes, purpose: str, count: int = KEY_BYTES) -> bytes:
    """Derive bytes for one purpose from a secret; they reveal nothing about the secret or other purposes."""
    return HKDF(algorithm=SHA256(), length=count, salt=None, info=f"pitboss {purpose}".encode()).derive(secret)


def fresh_key(randomness: Randomness) -> MasterKey:
    """Return a new master key."""
    return MasterKey(randomness.token(KEY_BYTES))


def write_keys(path: Path, keyring: Keyring) -> None:
    """Replace the key file with this ring, completely or not at all, readable only by its owner."""
    write_private(path, _HEADING + "".join(f"{key.id} {key.secret.hex()}\n" for key in keyring.keys))


def write_private(path: Path, text: str) -> None:
    """Replace a file of secrets, completely or not at all, readable only by its owner."""
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def read_keys(path: Path) -> Keyring:
    """Return the ring in a file, or raise KeysUnusable."""
    keys = tuple(_key(line, path) for line in read_private(path))
    if not keys:
        raise KeysUnusable(f"The key file {path} contains no keys. Restore it from a backup.")
    return Keyring(keys)


def read_private(path: Path) -> list[str]:
    """Return the lines of a file of secrets without comments, or raise KeysUnusable."""
    try:
        open_to_others = os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o077
        text = path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as fault:
        reason = getattr(fault, "strerror", None) or "it isn't text"
        raise KeysUnusable(f"The key file {path} cannot be read: {reason}.") from None
    if open_to_others:
        raise KeysUnusable(f"The key file {path} can be read by other users. Restrict it to its owner (chmod 600).")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _key(line: str, path: Path) -> MasterKey:
    key_id, _, secret = line.strip().partition(" ")
    try:
        key = MasterKey(bytes.fromhex(secret))
    except ValueError:
        key = MasterKey(b"")
    if len(key.secret) != KEY_BYTES or key.id != key_id:
        raise KeysUnusable(f"The key file {path} is damaged. Restore it from a backup.")
    return key
