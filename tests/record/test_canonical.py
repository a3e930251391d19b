"""The canonical bytes of the record: they are what the standard library writes, whoever writes them."""

import hashlib
import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.record.entries import Circumstances, Draft, Head, canonical, chained_line, entry_of

EARLIER = Path(__file__).parents[1] / "house" / "earlier"
STANDARD = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)

numbers = st.one_of(st.booleans(), st.integers(), st.integers(-(2**70), 2**70), st.none())
texts = st.text(st.characters(exclude_categories=("Cs",)))
plain_data = st.recursive(
    st.one_of(numbers, texts), lambda parts: st.one_of(st.lists(parts), st.dictionaries(texts, parts))
)


@given(plain_data)
def test_plain_data_is_written_as_the_standard_library_writes_it(data: Any) -> None:
    assert canonical(data) == STANDARD.encode(data)


@pytest.mark.parametrize("data", [1.5, 1e16, {"a": [1e-7]}, {1: "a"}, (1, 2), {"b": (1,)}])
def test_other_data_is_written_as_the_standard_library_writes_it(data: Any) -> None:
    assert canonical(data) == STANDARD.encode(data)


@pytest.mark.parametrize("data", [float("nan"), {"a": float("inf")}])
def test_what_json_cannot_say_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        canonical(data)


def test_every_character_is_written_as_the_standard_library_writes_it() -> None:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert canonical([every]) == STANDARD.encode([every])


@pytest.mark.parametrize("name", sorted(path.name for path in EARLIER.glob("*.tar.xz")))
def test_entries_of_earlier_versions_get_the_same_lines_and_hashes_today(name: str, tmp_path: Path) -> None:
    with tarfile.open(EARLIER / name) as archive:
        archive.extractall(tmp_path, filter="data")
    tables = "SELECT name FROM sqlite_master"
    databases = [path for path in tmp_path.rglob("*.db") if "entries" in _column(path, tables)]
    lines = [line for path in databases for line in _column(path, "SELECT line FROM entries")]
    assert len(lines) > 100
    for line in lines:
        entry = entry_of(line)
        assert line == STANDARD.encode(json.loads(line))
        draft = Draft(entry.stream, entry.kind, entry.body, entry.clause)
        by = Circumstances(entry.actor, entry.role, entry.command, entry.at, entry.rules)
        again, written = chained_line(Head(entry.sequence - 1, entry.previous), draft, by)
        assert (again, written) == (entry, line)
        bare = {field: value for field, value in json.loads(line).items() if field != "hash"}
        assert entry.hash == hashlib.sha256(STANDARD.encode(bare).encode()).hexdigest()


def _column(path: Path, asked: str) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute(asked)]
