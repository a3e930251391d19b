"""Checkpoints: the size and root of the tree of all entries, as a C2SP signed note that witnesses can cosign."""

import base64
import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ED25519, COSIGNATURE = 1, 4  # the signature types of C2SP signed notes
_ID_BYTES = 4
_DASH = "\u2014 "


class MalformedNote(ValueError):
    """A text that isn't a signed checkpoint."""


class Verifier(NamedTuple):
    """A name and a public key that sign notes."""

    name: str
    kind: int
    key: bytes

    @property
    def id(self) -> bytes:
        """Return the four bytes that a signature line names the key by."""
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.key).digest()[:_ID_BYTES]

    def text(self) -> str:
        """Return the verifier key in the form that C2SP tools read."""
        return f"{self.name}+{self.id.hex()}+{_base64(bytes([self.kind]) + self.key)}"


class Checkpoint(NamedTuple):
    """The size and the root of a tree, and whose it is."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the text that is signed."""
        lines = (self.origin, str(self.size), _base64(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)


class Note(NamedTuple):
    """A checkpoint with its signature lines."""

    checkpoint: Checkpoint
    signatures: tuple[str, ...]

    def text(self) -> str:
        """Return the whole note."""
        return self.checkpoint.text() + "\n" + "".join(f"{line}\n" for line in self.signatures)

    def with_signatures(self, lines: Iterable[str]) -> "Note":
        """Return the note with more signature lines; one that is there is not added again."""
        return Note(self.checkpoint, tuple(dict.fromkeys((*self.signatures, *lines))))


def verifier_of(text: str) -> Verifier:
    """Return a verifier from its text, or raise MalformedNote."""
    name, _, rest = text.strip().partition("+")
    id_, _, data = rest.partition("+")
    raw = _decoded(data)
    if not name or len(raw) != 33 or raw[0] not in (ED25519, COSIGNATURE):
        raise MalformedNote(f"{text.strip()} isn't a verifier key.")
    found = Verifier(name, raw[0], raw[1:])
    if found.id.hex() != id_:
        raise MalformedNote(f"{text.strip()} isn't a verifier key: its id doesn't match.")
    return found


def signature_line(verifier: Verifier, signature: bytes) -> str:
    """Return the line of a signature."""
    return f"{_DASH}{verifier.name} {_base64(verifier.id + signature)}"


def cosigned_text(text: str, at_s: int) -> bytes:
    """Return what a witness signs: the checkpoint with the time at which it was seen to be consistent."""
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()


def note_of(text: str) -> Note:
    """Return the note in a text, or raise MalformedNote; the signatures aren't checked."""
    body, found, rest = text.partition("\n\n")
    lines = body.split("\n")
    signatures = rest.split("\n")
    if (
        not found
        or len(lines) < 3
        or signatures[-1] != ""
        or not all(line.startswith(_DASH) for line in signatures[:-1])
    ):
        raise MalformedNote("This isn't a signed checkpoint.")
    origin, size, root, *extensions = lines
    if not origin or not size.isascii() or not size.isdigit() or str(int(size)) != size:
        raise MalformedNote("This checkpoint has no origin or no size.")
    raw = _decoded(root)
    if len(raw) != 32 or not all(extensions):
        raise MalformedNote("This checkpoint has no root hash.")
    return Note(Checkpoint(origin, int(size), raw, tuple(extensions)), tuple(signatures[:-1]))


def is_signed_by(note: Note, verifier: Verifier) -> bool:
    """Say whether a note carries a valid signature of this verifier."""
    return signed_at(note, verifier) is not None


def signed_at(note: Note, verifier: Verifier) -> int | None:
    """Return when a verifier signed a note (0 if its kind of signature has no time), or None if it didn't."""
    text = note.checkpoint.text()
    for raw in _signatures(note.signatures, verifier):
        if verifier.kind == ED25519:
            at_s, signed, signature = 0, text.encode(), raw
        else:
            if len(raw) != 72:
                continue
            at_s, signature = struct.unpack(">Q", raw[:8])[0], raw[8:]
            signed = cosigned_text(text, at_s)
        try:
            Ed25519PublicKey.from_public_bytes(verifier.key).verify(signature, signed)
        except (InvalidSignature, ValueError):
            continue
        return at_s
    return None


def _signatures(lines: Sequence[str], verifier: Verifier) -> Iterable[bytes]:
    for line in lines:
        name, _, data = line.removeprefix(_DASH).rpartition(" ")
        raw = _decoded(data)
        if name == verifier.name and raw[:_ID_BYTES] == verifier.id:
            yield raw[_ID_BYTES:]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""
