"""An entry of the record: its canonical text, its hash, and its place in the chain."""

import hashlib
import json
from typing import Any, NamedTuple

from pitboss_verify.report import Unsound

NO_PREVIOUS = "0" * 64
TEXT, NUMBER, MAPPING, PERHAPS_TEXT = (str,), (int,), (dict,), (str, type(None))
FIELDS: dict[str, tuple[type, ...]] = {
    "actor": TEXT,
    "at": NUMBER,
    "body": MAPPING,
    "clause": PERHAPS_TEXT,
    "command": TEXT,
    "hash": TEXT,
    "kind": TEXT,
    "previous": TEXT,
    "role": TEXT,
    "rules": PERHAPS_TEXT,
    "sequence": NUMBER,
    "stream": TEXT,
}


class Entry(NamedTuple):
    """An entry whose text and hash are sound."""

    stream: str
    sequence: int
    kind: str
    body: dict[str, Any]
    at: int
    actor: str
    command: str
    previous: str
    hash: str


def _no_such_number(text: str) -> Any:
    raise ValueError(f"{text} is not a whole number")


_decode = json.JSONDecoder(parse_float=_no_such_number, parse_constant=_no_such_number).decode
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def canonical(data: Any) -> str:
    """Return the canonical text of data."""
    return _encode(data)


def decoded(line: str) -> dict[str, Any]:
    """Return the mapping in a canonical line, or raise Unsound."""
    try:
        data = _decode(line)
    except (ValueError, RecursionError):
        raise Unsound("isn't valid JSON for a record") from None
    if type(data) is not dict or canonical(data) != line:
        raise Unsound("isn't in canonical form")
    return data


def read_entry(line: str) -> Entry:
    """Return the entry in a line, or raise Unsound."""
    data = decoded(line)
    if data.keys() != FIELDS.keys() or any(type(data[name]) not in kinds for name, kinds in FIELDS.items()):
        raise Unsound("doesn't have the fields of an entry")
    # The hash is of the same text without the hash. It can't occur in that text, or it would cover itself.
    bare = line.replace(f'"hash":"{data["hash"]}",', "", 1)
    if hashlib.sha256(bare.encode()).hexdigest() != data["hash"]:
        raise Unsound("was changed: its hash doesn't match")
    return Entry(**{name: data[name] for name in Entry._fields})


class Chain:
    """Follows entries in canonical order: streams by name, each from its first entry on without a gap."""

    def __init__(self, *, is_excerpt: bool) -> None:
        self._is_excerpt = is_excerpt
        self.stream: str | None = None
        self._sequence = 0
        self._hash = NO_PREVIOUS
        self.ends: dict[str, tuple[int, str]] = {}

    def take(self, entry: Entry) -> None:
        """Check that an entry follows the ones before it, or raise Unsound."""
        if entry.stream != self.stream:
            self._begin(entry)
        if entry.sequence != self._sequence + 1:
            raise Unsound(f"is entry {entry.sequence} of {entry.stream}, but entry {self._sequence + 1} was expected")
        if entry.previous != self._hash:
            raise Unsound(f"doesn't follow entry {self._sequence} of {entry.stream}")
        self._sequence, self._hash = entry.sequence, entry.hash
        self.ends[entry.stream] = (entry.sequence, entry.hash)

    def _begin(self, entry: Entry) -> None:
        if self.stream is not None and entry.stream < self.stream:
            raise Unsound(f"belongs to {entry.stream}, which should come before {self.stream}")
        self.stream = entry.stream
        is_inside = self._is_excerpt and entry.sequence > 1
        self._sequence, self._hash = (entry.sequence - 1, entry.previous) if is_inside else (0, NO_PREVIOUS)
