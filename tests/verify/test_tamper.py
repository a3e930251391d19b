"""Any change to a record is found: every byte of a small one, ten thousand edits of a large one, every cut."""

import hashlib
import io
import json
import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from pitboss.record.entries import canonical
from pitboss_verify import checking
from pitboss_verify.checking import check, verify
from pitboss_verify.entries import read_entry
from pitboss_verify.heads import Heads
from pitboss_verify.logs import text_lines
from pitboss_verify.report import Report, Unsound
from verify.recorded import Recorder, recorded

pytestmark = pytest.mark.slow

EDITS = 10_000


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    # A line that is the same is read the same; remembering it leaves time for more edits.
    monkeypatch.setattr(checking, "read_entry", lru_cache(10_000)(read_entry))


class Tampered:
    """A record, its signed heads, and whether a changed log passes for it."""

    def __init__(self, recorder: Recorder) -> None:
        self.log = recorder.log().encode()
        self.heads = Heads(recorder.heads.text, None)
        assert not self.is_found(self.log)

    def is_found(self, log: bytes) -> bool:
        try:
            check(text_lines(io.BytesIO(log)), Report("log"), heads=[self.heads])
        except Unsound:
            return True
        return False


def test_every_flipped_bit_of_every_byte_is_found() -> None:
    record = Tampered(recorded(1, 1))
    assert 3_000 < len(record.log) < 12_000
    log = bytearray(record.log)
    for at in range(len(log)):
        for bit in range(8):
            log[at] ^= 1 << bit
            assert record.is_found(bytes(log)), (at, bit)
            log[at] ^= 1 << bit


def test_every_cut_of_the_tail_is_found() -> None:
    record = Tampered(recorded(2, 1))
    for length in range(len(record.log)):
        assert record.is_found(record.log[:length]), length


def test_every_missing_doubled_or_moved_entry_is_found() -> None:
    record = Tampered(recorded(2, 2))
    lines = record.log.splitlines(keepends=True)
    for at in range(len(lines)):
        assert record.is_found(b"".join(lines[:at] + lines[at + 1 :])), at
        assert record.is_found(b"".join(lines[: at + 1] + lines[at:])), at
        for to in range(at + 1, len(lines)):
            moved = lines.copy()
            moved[at], moved[to] = moved[to], moved[at]
            assert record.is_found(b"".join(moved)), (at, to)


def test_a_missing_stream_is_found() -> None:
    record = Tampered(recorded(3, 1))
    lines = record.log.splitlines(keepends=True)
    for stream in (b'"stream":"money"', b'"stream":"table/t0"', b'"stream":"table/t2"'):
        assert record.is_found(b"".join(line for line in lines if stream not in line)), stream


def rechained(lines: list[bytes], start: int) -> list[bytes]:
    """Return lines whose chain a forger has made whole again from a place on."""
    made = lines[:start]
    previous: dict[str, tuple[int, str]] = {}
    for line in lines[:start]:
        entry = json.loads(line)
        previous[entry["stream"]] = (entry["sequence"], entry["hash"])
    for line in lines[start:]:
        entry = json.loads(line)
        sequence, hash_ = previous.get(entry["stream"], (0, "0" * 64))
        entry |= {"sequence": sequence + 1, "previous": hash_}
        del entry["hash"]
        entry["hash"] = hashlib.sha256(canonical(entry).encode()).hexdigest()
        previous[entry["stream"]] = (entry["sequence"], entry["hash"])
        made.append(canonical(entry).encode() + b"\n")
    return made


def test_a_forger_who_makes_the_chain_whole_again_is_found_by_the_heads_alone() -> None:
    record = Tampered(recorded(1, 2))
    lines = record.log.splitlines(keepends=True)
    for at in range(len(lines)):
        changed = lines.copy()
        changed[at] = lines[at].replace(b'"actor":"ada"', b'"actor":"eve"')
        for forged in (rechained(changed, at), rechained(lines[:at] + lines[at + 1 :], at)):
            assert record.is_found(b"".join(forged)), at
    whole = rechained([lines[0].replace(b'"actor":"ada"', b'"actor":"eve"'), *lines[1:]], 0)
    check(text_lines(io.BytesIO(b"".join(whole))), Report("log"))  # nothing to be seen without heads


Edit = Callable[[bytes, random.Random], bytes]


def flip(log: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(log))
    return log[:at] + bytes([log[at] ^ draw.randrange(1, 256)]) + log[at + 1 :]


def take_out(log: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(log))
    return log[:at] + log[at + draw.randrange(1, 2_000) :]


def put_in(log: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(log) + 1)
    return log[:at] + draw.randbytes(draw.randrange(1, 20)) + log[at:]


def copy_over(log: bytes, draw: random.Random) -> bytes:
    length = draw.randrange(1, 500)
    source, target = (draw.randrange(len(log) - length) for _ in range(2))
    return log[:target] + log[source : source + length] + log[target + length :]


def another_digit(log: bytes, draw: random.Random) -> bytes:
    places = [at for at in (draw.randrange(len(log)) for _ in range(200)) if log[at : at + 1].isdigit()]
    return log[: places[0]] + str((int(log[places[0] : places[0] + 1]) + 1) % 10).encode() + log[places[0] + 1 :]


def move_line(log: bytes, draw: random.Random) -> bytes:
    lines = log.splitlines(keepends=True)
    line = lines.pop(draw.randrange(len(lines)))
    lines.insert(draw.randrange(len(lines) + 1), line)
    return b"".join(lines)


def cut(log: bytes, draw: random.Random) -> bytes:
    return log[: draw.randrange(len(log))]


def forge(log: bytes, draw: random.Random) -> bytes:
    lines = log.splitlines(keepends=True)
    at = draw.randrange(len(lines) - 60, len(lines))  # near the end, where the chain is soon made whole
    data = json.loads(lines[at])
    data["at"] += draw.randrange(1, 1_000)
    lines[at] = canonical(data).encode() + b"\n"
    return b"".join(rechained(lines, at))


FREQUENT: tuple[Edit, ...] = (flip, take_out, put_in, copy_over, another_digit, move_line, cut)


@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_edits_of_a_large_record_are_found(part: int) -> None:
    record = Tampered(recorded(5, 9))
    assert 200_000 < len(record.log) < 1_000_000
    draw = random.Random(part)
    made = 0
    while made < EDITS // 4:
        edit = forge if made % 50 == 0 else draw.choice(FREQUENT)
        changed = edit(record.log, draw)
        if changed != record.log:
            assert record.is_found(changed), (edit.__name__, made)
            made += 1


def test_a_changed_byte_of_the_heads_is_found(tmp_path: Path) -> None:
    recorder = recorded(1, 1)
    log, heads = tmp_path / "log.jsonl", tmp_path / "heads.jsonl"
    log.write_text(recorder.log())
    content = bytearray(recorder.heads.text.encode())
    for at in range(len(content) - 1):
        content[at] ^= 1
        heads.write_bytes(content)
        assert verify(log, heads=[heads]).fault, at
        content[at] ^= 1
