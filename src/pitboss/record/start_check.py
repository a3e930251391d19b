"""What the server checks when it opens a record: every stream's end, against the rows and the last signed heads."""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.record.alterations import Alterations
from pitboss.record.entries import Head, canonical, head_of
from pitboss.record.store import Store

CHUNK_BYTES = 1 << 16


def last_signed_heads(path: Path, keys: Collection[str]) -> dict[str, Head]:
    """Return the last head of every stream in a file, of those that one of these keys signed."""
    found: dict[str, Head] = {}
    streams = None
    for line in backward(path):
        data = _signed(line, keys, found)
        if data is None:
            continue
        if "stream" in data:
            found.setdefault(data["stream"], Head(data["sequence"], data["hash"]))
        elif streams is None:
            streams = data["streams"]
        if streams is not None and len(found) >= streams:
            break  # the file's earlier heads were replaced by these
    return found


def check_ends(store: Store, signed: Mapping[str, Head], alterations: Alterations) -> None:
    """Stop every stream that lacks its own last entry, or an entry that a signed head vouches for."""
    ends = store.heads()
    # Thousands of accounts have streams: all of them are looked at together, and only what is wrong one by one.
    sound = store.standing(ends)
    earlier = {stream: head for stream, head in signed.items() if head != ends.get(stream)}
    met = store.standing(earlier) | {stream for stream in sound if signed.get(stream) == ends[stream]}
    for stream, head in ends.items():
        if stream in sound:
            continue
        last = next(iter(store.read(stream, head.sequence - 1)), None)
        if last is None or head_of(last) != head:
            alterations.stop(stream, f"Stream {stream} was altered: it doesn't end with entry {head.sequence}.")
    for stream, head in sorted(signed.items()):
        if stream in met and stream in ends and head.sequence <= ends[stream].sequence:
            continue
        reached = ends.get(stream, Head()).sequence
        if stream not in ends:
            reached = sum(1 for _ in store.unchecked_lines(stream))
        if reached < head.sequence:
            missing = "is missing" if reached == 0 else f"ends at entry {reached}"
            says = f"Stream {stream} {missing}, but the last signed head says it reached entry {head.sequence}."
            alterations.stop(stream, says)
            continue
        there = next(iter(store.read(stream, head.sequence - 1)), None)
        if there is None or head_of(there) != head:
            says = f"Entry {head.sequence} of {stream} isn't the entry that the last signed head names."
            alterations.stop(stream, says)


def sound_ends(store: Store, signed: Mapping[str, Head], alterations: Alterations) -> dict[str, Head]:
    """Return the heads that may be signed next: of a stopped stream, only the one that was signed before."""
    ends = {stream: head for stream, head in store.heads().items() if stream not in alterations.stopped}
    return ends | {stream: head for stream, head in signed.items() if stream in alterations.stopped}


def _signed(line: str, keys: Collection[str], found: Collection[str]) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
        if data.get("stream") in found:
            return None  # a later head of this stream was read already
        key, signature = data["key"], bytes.fromhex(data.pop("signature"))
        if key not in keys:
            return None
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, canonical(data).encode())
    except (ValueError, TypeError, KeyError, AttributeError, InvalidSignature):
        return None  # half a line that a killed process left, or a line that the house didn't sign
    assert isinstance(data, dict)
    return data


def backward(path: Path) -> Iterator[str]:
    """Yield the lines of a file from its last to its first."""
    # From the end: the file grows with every round, and only its last heads are needed.
    if not path.is_file():
        return
    with path.open("rb") as file:
        at = file.seek(0, os.SEEK_END)
        rest = b""
        while at > 0:
            size = min(CHUNK_BYTES, at)
            at -= size
            file.seek(at)
            *lines, last = reversed((file.read(size) + rest).split(b"\n"))
            rest = last
            yield from (line.decode("utf-8", "replace") for line in lines if line)
        if rest:
            yield rest.decode("utf-8", "replace")
