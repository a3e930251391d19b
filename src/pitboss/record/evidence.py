"""Evidence bundles: what the record says about one round, in files that anyone can check without this program."""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.record.entries import Entry, canonical, entry_of, line_of
from pitboss.record.store import Store, entries_of

ROUND_BEGUN = "house.RoundBegun"
ROUND_ENDED = "house.RoundEnded"
DECK_COMMITTED, ORDER_FIXED = "house.DeckCommitted", "house.OrderFixed"
TABLES = "table/"
_WRITTEN = (2000, 1, 1, 0, 0, 0)  # a fixed time, so that the same round always gives the same bytes

README = """\
Evidence of round {round}
{underline}

entries.jsonl    Entries {first} to {last} of the stream {stream}, as they were recorded: from the shuffle that
                 fixed the order of the deck, if the program drew it, through the round and on to the next signed
                 head. One entry per line; each contains the hash of the one before it.
related.jsonl    Entries that the same commands wrote to other streams, such as money and meters. They are separate
                 entries, each with its own hash.
heads.jsonl      The signed heads of the entries in this bundle; empty if there are none.
history.parquet  The round's entries as a table, for any tool that reads Parquet; missing if it couldn't be made.

To check that nothing was changed, use Python and the pitboss_verify package:

    python -m pitboss_verify entries.jsonl --excerpt --heads heads.jsonl

You can also give it this ZIP file directly.

Add --key with a file that contains the house's public key; get that key from a source other than this bundle. Hidden
cards are sealed in the round's entries. The entry with the field dealt_key opens the cards that were dealt. Nothing
in this bundle reveals the order of the cards that stayed in the deck.
"""


class UnknownRound(LookupError):
    """No table's stream has a round with this name."""


class Segment(NamedTuple):
    """Where a round is in a stream."""

    stream: str
    first: int
    last: int  # the stream's last entry while the round is still in progress


def find_round(store: Store, round_id: str) -> Segment:
    """Return where a round is, or raise UnknownRound."""
    for stream in sorted(store.heads()):
        if stream.startswith(TABLES):
            first = sequence_of(store.read(stream, kinds={ROUND_BEGUN}), round_id)
            if first is not None:
                ended = sequence_of(store.read(stream, first, kinds={ROUND_ENDED}), round_id)
                return Segment(stream, first, ended or store.heads()[stream].sequence)
    raise UnknownRound(f"This record has no round {round_id}.")


def write_evidence(store: Store, round_id: str, path: Path, *, head_lines: Iterable[str] = ()) -> Segment:
    """Write a round's bundle as a ZIP file; its entries go up to the next signed head among those given."""
    found = find_round(store, round_id)
    played = [entry_of(line) for line in store.lines(found.stream, found.first - 1, found.last)]
    first = _shuffled_at(store, found, played)
    related = _related(store, played, found.stream)
    heads = _heads_of(head_lines, found._replace(first=first), related)
    reach = _reach(heads, found) or store.heads()[found.stream].sequence
    lines = list(store.lines(found.stream, first - 1, reach))
    files = {
        "README.txt": _readme(found._replace(first=first, last=reach), round_id).encode(),
        "entries.jsonl": _lines(lines),
        "related.jsonl": _lines(line_of(entry) for entry in related),
        "heads.jsonl": _lines(heads),
    }
    parquet = history_parquet(played)
    if parquet is not None:
        files["history.parquet"] = parquet
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(zipfile.ZipInfo(name, _WRITTEN), content, zipfile.ZIP_DEFLATED)
    return found


def history_parquet(entries: Iterable[Entry]) -> bytes | None:
    """Return entries as a Parquet file, or None if the package for it isn't installed."""
    try:
        import polars
    except ImportError:
        return None
    rows = [{**entry._asdict(), "body": canonical(entry.body)} for entry in entries]
    types = {name: polars.Int64 if name in ("sequence", "at") else polars.String for name in Entry._fields}
    out = io.BytesIO()
    polars.DataFrame(rows, schema=types).write_parquet(out)
    return out.getvalue()


def _heads_of(head_lines: Iterable[str], found: Segment, related: Iterable[Entry]) -> list[str]:
    # Only heads of entries in the bundle: the file has those of every stream since the floor first opened.
    wanted = {(entry.stream, entry.sequence) for entry in related}
    endings = tuple({f'"stream":{canonical(stream)}}}' for stream in (found.stream, *(name for name, _ in wanted))})
    during: list[str] = []
    following: tuple[int, str] | None = None
    for line in head_lines:
        if not line.endswith(endings) or not (data := _data(line)):  # drops a line that a killed process left torn
            continue
        sequence = data["sequence"]
        if data["stream"] != found.stream:
            during += [line] if (data["stream"], sequence) in wanted else []
        elif found.first <= sequence < found.last:
            during.append(line)
        elif sequence >= found.last and (following is None or sequence < following[0]):
            following = sequence, line
    return [*during, *([following[1]] if following else [])]


def _reach(head_lines: Iterable[str], found: Segment) -> int | None:
    # Up to the next head after the round, or the last head in it during play: later entries aren't signed.
    signed = [data["sequence"] for data in map(_data, head_lines) if data["stream"] == found.stream]
    return max((sequence for sequence in signed if sequence >= found.first), default=None)


def _data(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError:  # half a line, left by a killed process
        data = None
    return data if isinstance(data, dict) else {}


def sequence_of(entries: Iterator[Entry], round_id: str) -> int | None:
    """Return the sequence of the first of these entries that names a round, if one does."""
    return next((entry.sequence for entry in entries if entry.body.get("round") == round_id), None)


def _shuffled_at(store: Store, found: Segment, played: Iterable[Entry]) -> int:
    # A deck is shuffled and cut before its round begins; the commitments for its cards are there.
    shuffles = {entry.body["shuffle"] for entry in played if entry.kind == ORDER_FIXED}
    if not shuffles:
        return found.first
    committed = store.read(found.stream, kinds={DECK_COMMITTED})
    return next((entry.sequence for entry in committed if entry.body.get("shuffle") in shuffles), found.first)


def _related(store: Store, played: Iterable[Entry], stream: str) -> list[Entry]:
    commands = dict.fromkeys(entry.command for entry in played)
    kept = [found for command in commands if (found := store.command(command)) is not None]
    related = [entry for kept_command in kept for entry in entries_of(store, kept_command) if entry.stream != stream]
    return sorted(related, key=lambda entry: (entry.stream, entry.sequence))


def _readme(segment: Segment, round_id: str) -> str:
    heading = f"Evidence of round {round_id}"
    return README.format(round=round_id, underline="=" * len(heading), **segment._asdict())


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
