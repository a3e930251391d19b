"""Signed notes and checkpoints, as C2SP describes them: parsed, checked, and cosigned by a witness."""

import base64
import hashlib
import struct
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitboss_verify.report import Unsound

SIGNED, COSIGNED = 1, 4
DASH = "\u2014 "
NEXT_KEY = "next-key "


class Key(NamedTuple):
    """A verifier key: who signs, how, and with which public key."""

    name: str
    kind: int
    public: bytes

    def id(self) -> bytes:
        """Return the key id that signatures begin with."""
        return hashlib.sha256(f"{self.name}\n".encode() + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        data = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.id().hex()}+{data}"


class Checkpoint(NamedTuple):
    """A checkpoint with its signature lines."""

    text: str  # what was signed
    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...]
    signatures: tuple[str, ...]

    def time_signed_by(self, key: Key) -> int | None:
        """Return when a key signed it in seconds, 0 for a signature without a time, None for no valid signature."""
        for line in self.signatures:
            name, _, data = line.removeprefix(DASH).rpartition(" ")
            raw = _decoded(data)
            if name != key.name or raw[:4] != key.id():
                continue
            time, signature, signed = 0, raw[4:], self.text.encode()
            if key.kind == COSIGNED and len(raw) == 76:
                time, signature = struct.unpack(">Q", raw[4:12])[0], raw[12:]
                signed = cosigned(self.text, time)
            try:
                Ed25519PublicKey.from_public_bytes(key.public).verify(signature, signed)
                return time
            except (InvalidSignature, ValueError):
                continue
        return None


def key_of(text: str) -> Key:
    """Return the verifier key in a text, or raise Unsound."""
    name, _, rest = text.strip().partition("+")
    id_, _, data = rest.partition("+")
    raw = _decoded(data)
    key = Key(name, raw[0] if raw else 0, raw[1:])
    if not name or len(raw) != 33 or key.kind not in (SIGNED, COSIGNED) or key.id().hex() != id_:
        raise Unsound(f"{text.strip()!r} isn't a verifier key")
    return key


def checkpoint_of(text: str) -> Checkpoint:
    """Return the checkpoint in a note, or raise Unsound; no signature is checked yet."""
    body, divided, rest = text.partition("\n\n")
    lines = body.split("\n")
    if not divided or len(lines) < 3 or not rest.endswith("\n"):
        raise Unsound("isn't a signed checkpoint")
    origin, size, root, *extensions = lines
    signatures = tuple(rest[:-1].split("\n"))
    is_number = size.isascii() and size.isdigit() and str(int(size)) == size
    if not origin or not is_number or len(_decoded(root)) != 32 or not all(extensions):
        raise Unsound("isn't a checkpoint: it needs an origin, a size and a root")
    if not all(line.startswith(DASH) for line in signatures):
        raise Unsound("has lines that aren't signatures")
    return Checkpoint(f"{body}\n", origin, int(size), _decoded(root), tuple(extensions), signatures)


def cosigned(text: str, time: int) -> bytes:
    """Return what a witness signs."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def cosignature(text: str, time: int, key: Key, private: Ed25519PrivateKey) -> str:
    """Return a witness's signature line."""
    raw = key.id() + struct.pack(">Q", time) + private.sign(cosigned(text, time))
    return f"{DASH}{key.name} {base64.b64encode(raw).decode()}"


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""
