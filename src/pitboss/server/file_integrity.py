"""Hashes the program's own files at the start and every day, so that a changed byte is noticed."""

import hashlib
from pathlib import Path

import pitboss
from pitboss.rules.refusal import Refusal

CHANGED = Refusal("The program's files changed after it started. Betting is stopped until they are checked", "H-10")
_LEFT_OUT = ("__pycache__",)


def program_files(folder: Path | None = None) -> list[Path]:
    """Return every file of the program."""
    root = folder or Path(pitboss.__file__).parent
    return sorted(path for path in root.rglob("*") if path.is_file() and not set(_LEFT_OUT) & set(path.parts))


def software_digest(folder: Path | None = None) -> str:
    """Return one hash over the names and contents of all files of the program."""
    root = folder or Path(pitboss.__file__).parent
    whole = hashlib.sha256()
    for path in program_files(root):
        try:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            content = "cannot be read"
        whole.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return whole.hexdigest()
