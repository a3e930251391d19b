"""The keys that sign heads and checkpoints, in a file apart from the sealing keys, or in another program's hands."""

import shlex
import subprocess
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.record.checkpoints import ED25519, Checkpoint, Note, Verifier, signature_line
from pitboss.record.keys import KEY_BYTES, Keyring, KeysUnusable, Signer, read_private, write_private
from pitboss.record.system_interface import Randomness

ORIGIN_BYTES = 8
SIGNS_WITHIN_S = 20
_HEADING = "# Keys that sign this record, one per line, the current one last; and the name that checkpoints bear.\n"


class TextSigner(Protocol):
    """Signs texts: with a key in memory, or through a program that asks a token, a smart card or a key service."""

    @property
    def public(self) -> str:
        """Return the Ed25519 public key in hexadecimal."""
        ...

    def sign(self, text: str) -> str:
        """Return the signature of a text in hexadecimal."""
        ...


class CommandSigner:
    """A program that holds the key: `COMMAND public` prints the public key, `COMMAND sign` signs standard input."""

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)
        self.public = self._ask("public", b"")

    def sign(self, text: str) -> str:
        """Return the signature of a text."""
        return self._ask("sign", text.encode())

    def _ask(self, what: str, data: bytes) -> str:
        try:
            done = subprocess.run([*self._command, what], input=data, capture_output=True, timeout=SIGNS_WITHIN_S)
            answer = bytes.fromhex(done.stdout.decode("ascii").strip())
        except (OSError, ValueError, subprocess.TimeoutExpired) as fault:
            raise KeysUnusable(f"The signing program {self._command[0]} doesn't answer: {fault}.") from None
        if done.returncode != 0 or len(answer) != (KEY_BYTES if what == "public" else 2 * KEY_BYTES):
            raise KeysUnusable(f"The signing program {self._command[0]} failed with status {done.returncode}.")
        return answer.hex()


class SigningKeys:
    """The record's name and its signing keys; the file is read again when it has changed, while the floor is open."""

    def __init__(self, path: Path, command: str | None = None) -> None:
        self._path = path
        self._command = CommandSigner(command) if command else None
        self._stamp: tuple[int, int] | None = None
        self._read()

    def current(self) -> TextSigner:
        """Return the key in use now."""
        self._read_again()
        return self._command or self._signers[-1]

    @property
    def origin(self) -> str:
        """Return the name that this record's checkpoints bear, which no rotation changes."""
        return self._origin

    def publics(self) -> tuple[str, ...]:
        """Return every public key that ever signed this record, the current one last."""
        self._read_again()
        held = tuple(signer.public for signer in self._signers)
        return (*held, self._command.public) if self._command else held

    def signed(self, checkpoint: Checkpoint) -> Note:
        """Return a checkpoint signed by the current key, and by the one before so that witnesses can follow."""
        self._read_again()
        before = self._signers[-1:] if self._command else self._signers[-2:-1]
        signers: tuple[TextSigner, ...] = (self._command or self._signers[-1], *before)
        if before:
            checkpoint = checkpoint._replace(extensions=(next_key_line(verifier_for(self._origin, signers[0].public)),))
        text = checkpoint.text()
        lines = (
            signature_line(verifier_for(self._origin, signer.public), bytes.fromhex(signer.sign(text)))
            for signer in signers
        )
        return Note(checkpoint, tuple(lines))

    def _read_again(self) -> None:
        if self._stamp != self._stamp_now():
            self._read()

    def _stamp_now(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return self._stamp  # the file is being replaced, or was taken away: the keys in memory go on
        return found.st_mtime_ns, found.st_size

    def _read(self) -> None:
        stamp = self._stamp_now()
        self._origin, seeds = _parsed(self._path)
        self._signers = [Signer(Ed25519PrivateKey.from_private_bytes(seed)) for seed in seeds]
        self._stamp = stamp


def trusted_publics(keyring: Keyring, signing: SigningKeys) -> frozenset[str]:
    """Return every key that may have signed a head: before there were signing keys, a master key made one."""
    return frozenset((*signing.publics(), *(key.signer().public for key in keyring.keys)))


def next_key_line(verifier: Verifier) -> str:
    """Return the line of a checkpoint by which an older key hands over to a newer one."""
    return f"next-key {verifier.text()}"


def verifier_for(origin: str, public: str) -> Verifier:
    """Return the verifier key of a record."""
    return Verifier(origin, ED25519, bytes.fromhex(public))


def new_signing_keys(path: Path, randomness: Randomness) -> None:
    """Write a new file with a first key and a new name for the record."""
    origin = f"pitboss/{randomness.token(ORIGIN_BYTES).hex()}"
    write_private(path, _HEADING + f"origin {origin}\n{randomness.token(KEY_BYTES).hex()}\n")


def rotate_signing_keys(path: Path, randomness: Randomness) -> tuple[str, str]:
    """Add a new key, and return the public keys before and after."""
    origin, seeds = _parsed(path)
    seeds = [*seeds, randomness.token(KEY_BYTES)]
    write_private(path, _HEADING + f"origin {origin}\n" + "".join(f"{seed.hex()}\n" for seed in seeds))
    before, after = (Signer(Ed25519PrivateKey.from_private_bytes(seed)).public for seed in seeds[-2:])
    return before, after


def _parsed(path: Path) -> tuple[str, list[bytes]]:
    origin, seeds = "", []
    for line in read_private(path):
        if line.startswith("origin "):
            origin = line.removeprefix("origin ").strip()
            continue
        try:
            seeds.append(bytes.fromhex(line))
        except ValueError:
            seeds.append(b"")
    if not origin or not seeds or any(len(seed) != KEY_BYTES for seed in seeds):
        raise KeysUnusable(f"The file of signing keys {path} is damaged. Restore it from a backup.")
    return origin, seeds
