"""Tags on the database's rows: whether a row was written by a process that has the house's keys."""

import hmac
from collections.abc import Callable, Sequence

from pitboss.record.entries import Head, canonical
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey, derived
from pitboss.record.system_interface import Randomness

EPOCH_BYTES = 6
TAG_BYTES = 16  # of HMAC-SHA256, truncated
EPOCHS_KEPT = 1_024  # whose keys are in memory; deriving one takes as long as checking twenty rows
ENTRY, HEAD, COMMAND, CREDENTIAL, SESSION, USE = "entry", "head", "command", "credential", "session", "session used"


class RowTags:
    """Makes tags with this process's own key, and checks those of every process that had a master key."""

    def __init__(self, keyring: Keyring, randomness: Randomness, reread: Callable[[], Keyring] | None = None) -> None:
        self._keyring, self._reread = keyring, reread
        epoch = randomness.token(EPOCH_BYTES).hex()
        self._prefix = f"{keyring.current.id}.{epoch}."
        self._own = _epoch_key(keyring.current, epoch)
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
        return self._prefix + hmac.digest(self._own, text, "sha256")[:TAG_BYTES].hex()

    def _is(self, text: bytes, tag: str) -> bool:
        at = tag.rfind(".") + 1
        key = self._keys.get(tag[:at]) or self._key(tag[:at])
        if key is None:
            return False
        return hmac.compare_digest(hmac.digest(key, text, "sha256")[:TAG_BYTES].hex().encode(), tag[at:].encode())

    def _key(self, prefix: str) -> bytes | None:
        key_id, _, epoch = prefix[:-1].partition(".")
        master = self._master(key_id) if epoch else None
        if master is None:
            return None
        if len(self._keys) >= EPOCHS_KEPT:
            self._keys = {self._prefix: self._own}
        return self._keys.setdefault(prefix, _epoch_key(master, epoch))

    def _master(self, key_id: str) -> MasterKey | None:
        for ring in (lambda: self._keyring, self._reread):
            try:
                if ring is not None:
                    self._keyring = ring()  # another process may have rotated the keys
                    return self._keyring.by_id(key_id)
            except KeysUnusable:
                continue
        return None


def _epoch_key(master: MasterKey, epoch: str) -> bytes:
    return derived(master.secret, f"rows {epoch}")


def _of_entry(line: str) -> bytes:
    return b"entry\n" + line.encode()


def _of(kind: str, *values: str | int) -> bytes:
    return f"{kind}\n{canonical(list(values))}".encode()


def place_of(stream: str, sequence: int) -> str:
    """Return how the line of an entry in this place ends, in canonical form."""
    return f'"sequence":{sequence},"stream":{canonical(stream)}}}'


def places_text(places: Sequence[tuple[str, int, int]]) -> str:
    """Return the places of a command's entries as one text."""
    return canonical([list(place) for place in places])
