"""The record's entries: what happened, who did it, under which clause and rules, in a hash chain."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

Body = Mapping[str, Any]  # text, integers, booleans, None, and lists and mappings of these; never a float

NO_PREVIOUS = "0" * 64
_BEFORE_KIND = ',"kind":'
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class MalformedEntry(ValueError):
    """A line that isn't a valid entry."""


class Draft(NamedTuple):
    """An event to be recorded."""

    stream: str
    kind: str  # room.Event, such as round.BetsClosed
    body: Body
    clause: str | None = None


class Circumstances(NamedTuple):
    """What all entries of one command share."""

    actor: str
    role: str
    command: str  # the command's id
    at: int  # UTC milliseconds
    rules: str | None = None  # the version of the submission in force


class Entry(NamedTuple):
    """A recorded event; its hash covers all its other fields and the hash of the entry before it."""

    stream: str
    sequence: int  # starts at 1, without gaps
    kind: str
    body: Body
    clause: str | None
    actor: str
    role: str
    command: str
    at: int
    rules: str | None
    previous: str
    hash: str


class Head(NamedTuple):
    """Where a stream ends."""

    sequence: int = 0
    hash: str = NO_PREVIOUS


def canonical(data: Any) -> str:
    """Return data in its canonical JSON form."""
    try:
        check_plain(data)
    except ValueError:
        return _CANONICAL.encode(data)
    return plain_canonical(data)


def plain_canonical(data: Any) -> str:
    """Return plain data, which has no floats, in its canonical JSON form."""
    try:
        return orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # an integer of more than 64 bits, or text that isn't Unicode
        return _CANONICAL.encode(data)


def check_plain(value: Any) -> None:
    """Raise ValueError if what is read back wouldn't equal what was written: a replay would give another state."""
    kind = type(value)
    if kind is str or kind is int or value is None or kind is bool:
        return
    if isinstance(value, dict):
        for name, part in value.items():
            if type(name) is not str:
                raise ValueError(f"a name must be text, not {name!r}")
            check_plain(part)
    elif isinstance(value, list):
        for part in value:
            check_plain(part)
    elif not isinstance(value, str | int):
        raise ValueError(f"a record can't contain a {type(value).__name__}")


def chained(head: Head, draft: Draft, by: Circumstances) -> Entry:
    """Return the next entry after a stream's head."""
    return chained_line(head, draft, by)[0]


def chained_line(head: Head, draft: Draft, by: Circumstances) -> tuple[Entry, str]:
    """Return the next entry after a stream's head, and its line; raise ValueError if its body isn't plain."""
    fields = {**draft._asdict(), **by._asdict(), "sequence": head.sequence + 1, "previous": head.hash}
    check_plain(draft.body)
    bare = plain_canonical(fields)
    hash_ = hashlib.sha256(bare.encode()).hexdigest()
    # The line is the same text with the hash in its place, before the kind. Nothing after the kind is nested, so its
    # last mention is the entry's own.
    at = bare.rindex(_BEFORE_KIND)
    return Entry(hash=hash_, **fields), f'{bare[:at]},"hash":"{hash_}"{bare[at:]}'


def chain(head: Head, drafts: Iterable[Draft], by: Circumstances) -> tuple[Entry, ...]:
    """Return the next entries of one stream after its head."""
    entries = []
    for draft in drafts:
        entry = chained(head, draft, by)
        entries.append(entry)
        head = head_of(entry)
    return tuple(entries)


def head_of(entry: Entry) -> Head:
    """Return the head of a stream that ends with this entry."""
    return Head(entry.sequence, entry.hash)


def follows(entry: Entry, head: Head) -> bool:
    """Say whether an entry is the sound next one after a stream's head."""
    fields = entry._asdict()
    told = fields.pop("hash")
    return (entry.sequence, entry.previous) == (head.sequence + 1, head.hash) and digest(fields) == told


def digest(data: Any) -> str:
    """Return the hash of data in its canonical form, such as of an entry's other fields."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def line_of(entry: Entry) -> str:
    """Return an entry as a log line, without the newline."""
    return canonical(entry._asdict())


def sound_entry(line: str) -> Entry | None:
    """Return the entry in a line, or None if there is none; a verification says what is wrong."""
    try:
        return entry_of(line)
    except MalformedEntry:
        return None


def entry_of(line: str) -> Entry:
    """Return the entry in a line, or raise MalformedEntry; this doesn't check the chain."""
    try:
        data = json.loads(line)
        return Entry(**data)
    except (ValueError, TypeError) as fault:
        raise MalformedEntry(f"not a valid entry: {fault}") from None
