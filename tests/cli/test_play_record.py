"""The record of a session: where it is, what it refuses, and that it reads back to the same rules and rounds."""

import errno
import json
import os
import sys
from pathlib import Path

import pytest

from cli.recorded_play import read_rounds
from cli.seated import sit
from pitboss.cli.output import Failure
from pitboss.cli.play.record import RecordFile, data_folder, default_path
from pitboss.cli.play.terms import tables_for
from pitboss.cli.play.written_choices import choices_from_data, choices_to_data
from pitboss.games import game_names
from pitboss.round.round_data import UnknownRecord

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    "file", [None, *sorted(EXAMPLES.glob("*.toml"))], ids=lambda file: file.stem if file else "none"
)
def test_choices_read_back_from_json_as_they_were(file: Path | None) -> None:
    for terms in tables_for(None, file, None):
        choices = terms.rules.choices
        assert choices_from_data(json.loads(json.dumps(choices_to_data(choices)))) == choices


def test_the_data_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "pitboss" / "play"
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    for platform, inside in (
        ("linux", ".local/share"),
        ("darwin", "Library/Application Support"),
        ("win32", "AppData/Local"),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        assert data_folder() == tmp_path / inside / "pitboss" / "play"


def test_two_sessions_of_one_second_get_two_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first = default_path("dragon-poker")
    RecordFile(first, append=False).write([{"kind": "RoundOpened"}])
    second = default_path("dragon-poker")
    assert second != first
    assert second.suffix == ".jsonl"


def test_without_a_home_a_file_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(Failure, match="Name a file with --record"):
        default_path("dragon-poker")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "session.jsonl", tmp_path, Path("a\0b")):
        with pytest.raises(Failure, match="The rounds cannot be recorded in") as failed:
            RecordFile(path, append=True)
        assert failed.value.status == 1


@pytest.mark.parametrize("content", ["# a readme\n", '{"kind": "Other"}\n', '{"kind": "RoundOpened"}'])
def test_a_file_of_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    file = tmp_path / "precious"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(Failure, match="is not a record of rounds"):
        RecordFile(file, append=True)
    assert file.read_text("utf-8") == content


def test_an_empty_file_that_was_there_is_used_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.touch()
    RecordFile(file, append=True).close()
    assert file.exists()


def test_a_full_disk_leaves_whole_commands_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    record = RecordFile(file, append=True)
    record.write([{"kind": "RoundOpened"}])
    kept = file.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, data: write(to, data[:7]))
    with pytest.raises(Failure, match="the disk is full"):
        record.write([{"kind": "BetsClosed"}])
    assert file.read_bytes() == kept


def test_a_disk_that_fails_in_the_middle_of_a_session_ends_it_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Failure, match="Input/output error"):
        sit(monkeypatch, tmp_path, [""])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"kind": "BetsClosed", "clause": "x"}', "no round has been opened"),
        ('{"kind": "RoundOpened", "game": "whist", "choices": {}}', "opening line cannot be read"),
        ('{"kind": "RoundOpened", "game": "dragon-poker"}', "opening line cannot be read"),
        ("[1]", "not a line of a record"),
        ("nonsense", "line 1 is not JSON"),
    ],
)
def test_what_is_not_a_record_is_not_read(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(UnknownRecord, match=says):
        read_rounds(file)


@pytest.mark.parametrize("name", game_names())
def test_a_session_is_kept_in_the_users_folder_by_default(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    seated = sit(monkeypatch, tmp_path, ["", "q"], game=name, in_users_folder=True)
    (file,) = (tmp_path / "pitboss" / "play").iterdir()
    assert file.name.endswith(f"-{name}.jsonl")
    assert str(file) in seated.farewell.replace("\n", "")
    (recorded,) = read_rounds(file)
    assert recorded.state()._replace(rules=seated.table.state.rules) == seated.table.state
