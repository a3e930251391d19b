"""The file that records a session: one line for each event, on disk before any of it is shown."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from pitboss.cli.output import Failure

ROUND_OPENED = "RoundOpened"
ROUND_SUMMARY = "RoundSummary"
Line = Mapping[str, Any]


class Record(Protocol):
    """Accepts the lines of one command, all or none."""

    def write(self, lines: Iterable[Line]) -> None:
        """Keep these lines."""
        ...

    def close(self) -> None:
        """Close the record."""
        ...


class NoRecord:
    """A record that keeps nothing."""

    def write(self, lines: Iterable[Line]) -> None:
        """Discard the lines."""

    def close(self) -> None:
        """Do nothing."""


class RecordFile:
    """A JSON Lines file; a command's lines reach the disk together."""

    def __init__(self, path: Path, *, append: bool) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._created = not path.exists()
            if not self._created:
                if not path.is_file():
                    raise OSError(0, "it is not an ordinary file")
                _check_is_record(path)
            how = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | (os.O_APPEND if append else os.O_EXCL)
            self._file = os.open(path, how, 0o600)
        except (OSError, ValueError) as wrong:  # the latter for an invalid file name
            raise _unwritable(path, wrong) from None
        self._written = os.fstat(self._file).st_size

    @property
    def holds_anything(self) -> bool:
        """Return whether any line was written."""
        return self._written > 0

    def write(self, lines: Iterable[Line]) -> None:
        """Put these lines on disk, or leave the file as it was and fail with a sentence."""
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        try:
            written = os.write(self._file, data)
            if written < len(data):
                raise OSError(0, "the disk is full")
            os.fsync(self._file)
        except OSError as wrong:
            with suppress(OSError):
                os.ftruncate(self._file, self._written)
            raise _unwritable(self.path, wrong) from None
        self._written += len(data)

    def close(self) -> None:
        """Close the file, and delete it if it is empty."""
        os.close(self._file)
        if self._created and not self._written:
            self.path.unlink(missing_ok=True)


def default_path(game_name: str) -> Path:
    """Return the path of a new file in the user's data folder."""
    try:
        folder = data_folder()
    except RuntimeError:
        raise Failure("There is no home folder to record the rounds in. Name a file with --record.") from None
    begun = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    names = (f"{begun}-{game_name}{suffix}.jsonl" for suffix in ("", *(f"-{count}" for count in range(2, 100))))
    return next((folder / name for name in names if not (folder / name).exists()), folder / f"{begun}.jsonl")


def data_folder() -> Path:
    """Return the folder of this user's recorded rounds."""
    stated = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(stated):
        base = Path(stated)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path.home() / ".local" / "share"
    return base / "pitboss" / "play"


def now() -> str:
    """Return the current time in the record's format."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _check_is_record(path: Path) -> None:
    with path.open("rb") as file:
        first = file.readline(1_000_000)
        if not first:
            return
        file.seek(-1, os.SEEK_END)
        whole = file.read(1) == b"\n"
    try:
        begins = json.loads(first)
    except ValueError:
        begins = None
    if not whole or not isinstance(begins, dict) or begins.get("kind") != ROUND_OPENED:
        raise Failure(f"{path} is not a record of rounds. Name another file with --record.")


def _unwritable(path: Path, wrong: OSError | ValueError) -> Failure:
    why = getattr(wrong, "strerror", None) or wrong
    return Failure(f"The rounds cannot be recorded in {str(path)!r}: {why}. Name another file with --record.")
