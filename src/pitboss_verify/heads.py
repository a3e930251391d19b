"""Signed heads: where each stream had ended at a given time, in a file the server can't change."""

import hashlib
import re
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss_verify.entries import Entry, canonical, decoded
from pitboss_verify.report import Unsound

HEAD_FIELDS = {"at", "hash", "key", "sequence", "signature", "stream"}
SET_FIELDS = {"at", "heads", "key", "signature", "streams"}
_KEY = re.compile("[0-9a-f]{64}")


class Heads:
    """The heads in a file, with every signature checked, and a comparison of a log with them."""

    def __init__(self, text: str, trusted: frozenset[str] | None, name: str = "the heads") -> None:
        self.name = name
        self._trusted = trusted
        self._latest: dict[str, tuple[int, str]] = {}
        self._said: dict[str, dict[int, tuple[str, int]]] = {}  # by stream and sequence: hash, and line of the file
        self.keys: list[str] = []
        self.torn = 0
        self.count = 0
        lines = text.split("\n")
        for index, line in enumerate(lines):
            is_cut = index + 1 == len(lines) or (index + 2 < len(lines) and not lines[index + 1])
            if line:
                self._take(line, index + 1, is_cut=is_cut)

    def _take(self, line: str, number: int, *, is_cut: bool) -> None:
        if is_cut and not line.endswith("}"):
            # A process that starts adds an empty line first, which ends what a killed process left half-written.
            self.torn += 1
            return
        try:
            self._read(decoded(line), number)
        except Unsound as fault:
            raise Unsound(f"line {number} of {self.name} {fault}") from None

    def _read(self, data: dict[str, Any], number: int) -> None:
        if data.keys() not in (HEAD_FIELDS, SET_FIELDS):
            raise Unsound("doesn't have the fields of a head")
        self._check_signature(data)
        if data.keys() == SET_FIELDS:
            self._check_set(data)
            return
        stream, sequence, hash_ = data["stream"], data["sequence"], data["hash"]
        if type(stream) is not str or type(sequence) is not int or type(hash_) is not str:
            raise Unsound("doesn't have the fields of a head")
        said = self._said.setdefault(stream, {})
        if sequence in said and said[sequence][0] != hash_:
            raise Unsound(f"gives entry {sequence} of {stream} a different hash than line {said[sequence][1]}")
        said[sequence] = (hash_, number)
        self._latest[stream] = (sequence, hash_)
        self.count += 1

    def _check_signature(self, data: dict[str, Any]) -> None:
        key, signature = data["key"], data["signature"]
        if type(key) is not str or not _KEY.fullmatch(key):
            raise Unsound("doesn't name a valid key")
        if self._trusted is not None and key not in self._trusted:
            raise Unsound(f"is signed by {key}, which isn't a key you gave")
        unsigned = canonical({name: value for name, value in data.items() if name != "signature"})
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), unsigned.encode())
        except (InvalidSignature, ValueError, TypeError):
            raise Unsound("isn't signed by the key it names") from None
        if key not in self.keys:
            self.keys.append(key)

    def _check_set(self, data: dict[str, Any]) -> None:
        ends = {stream: list(end) for stream, end in self._latest.items()}
        if data["streams"] != len(ends):
            raise Unsound(f"counts {data['streams']} streams, but {len(ends)} have heads before it")
        if data["heads"] != hashlib.sha256(canonical(ends).encode()).hexdigest():
            raise Unsound("doesn't match the heads before it")

    def meet(self, entry: Entry) -> None:
        """Compare an entry with the signed head, or raise Unsound."""
        said = self._said.get(entry.stream, {}).get(entry.sequence)
        if said is not None and said[0] != entry.hash:
            raise Unsound(f"doesn't match the signed head on line {said[1]} of {self.name}")

    def unmet(self, ends: dict[str, tuple[int, str]]) -> str | None:
        """Return a sentence about the first head that a complete log doesn't reach, if there is one."""
        for stream in sorted(self._said):
            last = max(self._said[stream])
            reached = ends.get(stream, (0, ""))[0]
            if reached < last:
                line = self._said[stream][last][1]
                missing = "is missing" if reached == 0 else f"ends at entry {reached}"
                head = f"the signed head on line {line} of {self.name}"
                return f"stream {stream} {missing}, but {head} says it reached entry {last}"
        return None

    def vouches_for(self, stream: str, sequence: int) -> bool:
        """Say whether a head was signed exactly at an entry."""
        return sequence in self._said.get(stream, {})


def read_public_keys(path: Path) -> frozenset[str]:
    """Return the keys in a file, one per line in hexadecimal, or raise Unsound."""
    lines = [line.split("#")[0].strip().lower() for line in path.read_text("utf-8").splitlines()]
    keys = frozenset(line for line in lines if line)
    if not keys or not all(map(_KEY.fullmatch, keys)):
        raise Unsound("doesn't contain public keys, one per line, each of 64 hexadecimal digits")
    return keys
