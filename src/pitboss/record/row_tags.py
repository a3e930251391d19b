"""Tags on the database's rows: whether a row was written by a process that has the house's keys."""

import hashlib
import hmac
from collections.abc import Callable

from pitboss.record.entries import Head, canonical
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey, derived
from pitboss.record.system_interface import Randomness

EPOCH_BYTES = 6
TAG_BYTES = 16  # of HMAC-SHA256, truncated
EPOCHS_KEPT = 1_024  # whose keys are in memory; deriving one takes as long as checking twenty rows
ENTRY, HEAD, COMMAND, CREDENTIAL, SESSION, USE = "entry", "head", "command", "credential", "session", "session used"
ROUND, ROUNDS_READ = "round", "rounds read"


class RowTags:
    """Makes tags with this process's own key, and checks those of every process that had a master key."""

    def __init__(self, keyring: Keyring, randomness: Randomness, reread: Callable[[], Keyring] | None = None) -> None:
        self._keyring, self._reread = keyring, reread
        epoch = randomness.token(EPOCH_BYTES).hex()
        self._prefix = f"{keyring.current.id}.{epoch}."
        self._own = _Mac(_epoch_key(keyring.current, epoch))
        self._keys = {self._prefix: self._own}

    def entry(self, line: str) -> str:
        """Return the tag of an entry's line."""
        return self._tag(_of_entry(line))

    def head(self, stream: str, head: Head) -> str:
        """Return the tag of a stream's end."""
        return self._tag(_of(HEAD, stream, *head))

    def row(self, kind: str, *values: str | int) -> str:
        """Return the tag of any other row."""
        return self._tag(_of(kind, *values))

    def is_entry(self, line: str, tag: str) -> bool:
        """Say whether the house wrote this line."""
        return self._is(_of_entry(line), tag)

    def is_head(self, stream: str, head: Head, tag: str) -> bool:
        """Say whether the house wrote that a stream ends here."""
        return self._is(_of(HEAD, stream, *head), tag)

    def is_row(self, tag: str, kind: str, *values: str | int) -> bool:
        """Say whether the house wrote a row with these values."""
        return self._is(_of(kind, *values), tag)

    def _tag(self, text: bytes) -> str:
        return self._prefix + self._own.code(text)

    def _is(self, text: bytes, tag: str) -> bool:
        at = tag.rfind(".") + 1
        key = self._keys.get(tag[:at]) or self._key(tag[:at])
        if key is None:
            return False
        return hmac.compare_digest(key.code(text).encode(), tag[at:].encode())

    def _key(self, prefix: str) -> "_Mac | None":
        key_id, _, epoch = prefix[:-1].partition(".")
        master = self._master(key_id) if epoch else None
        if master is None:
            return None
        if len(self._keys) >= EPOCHS_KEPT:
            self._keys = {self._prefix: self._own}
        return self._keys.setdefault(prefix, _Mac(_epoch_key(master, epoch)))

    def _master(self, key_id: str) -> MasterKey | None:
        for ring in (lambda: self._keyring, self._reread):
            try:
                if ring is not None:
                    self._keyring = ring()  # another process may have rotated the keys
                    return self._keyring.by_id(key_id)
            except KeysUnusable:
                continue
        return None


class _Mac:
    """HMAC-SHA256 with the key's part computed in advance, which takes half the time for texts of this length."""

    def __init__(self, key: bytes) -> None:
        padded = key.ljust(hashlib.sha256().block_size, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))

    def code(self, text: bytes) -> str:
        """Return the truncated code of a text."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(text)
        outer.update(inner.digest())
        return outer.digest()[:TAG_BYTES].hex()


def _epoch_key(master: MasterKey, epoch: str) -> bytes:
    return derived(master.secret, f"rows {epoch}")


def _of_entry(line: str) -> bytes:
    return b"entry\n" + line.encode()


def _of(kind: str, *values: str | int) -> bytes:
    # Each value with its length, so that no other values give the same text; JSON would take three times as long.
    parts = [f"{len(text)}:{text}" for text in map(str, values)]
    return f"{kind}\n{','.join(parts)}".encode()


def place_of(stream: str, sequence: int) -> str:
    """Return how the line of an entry in this place ends, in canonical form."""
    return f'"sequence":{sequence},"stream":{canonical(stream)}}}'
