"""The real system behind the interfaces: time, randomness, the disk and an append-only file."""

import time
from pathlib import Path

import pytest

from pitboss.record.system import AppendedFile, DiskSpace, SystemClock, SystemRandomness


def test_the_clock_tells_utc_milliseconds() -> None:
    assert abs(SystemClock().now_ms() - time.time() * 1000) < 5_000


def test_tokens_are_as_long_as_requested_and_never_equal() -> None:
    randomness = SystemRandomness()
    assert len(randomness.token(32)) == 32
    assert len({randomness.token(16) for _ in range(100)}) == 100


def test_a_disk_knows_its_room(tmp_path: Path) -> None:
    assert DiskSpace(tmp_path).free_bytes() > 0


def test_a_file_only_grows(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    file = AppendedFile(path)
    assert file.is_empty()
    file.append("one\n")
    file.append("zwei — é\n")
    assert not file.is_empty()
    assert path.read_text("utf-8") == "one\nzwei — é\n"
    path.write_text("")
    assert file.is_empty()


def test_a_missing_folder_is_an_outside_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        AppendedFile(tmp_path / "nowhere" / "heads.jsonl").append("one\n")
