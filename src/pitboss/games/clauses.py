"""Every clause of a rulebook, what the program does about it, and the code and tests that show it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pitboss.games.catalogue import folders

STATUSES = ("enforced", "settled", "recorded", "shown", "beyond")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, down to the smallest item."""

    id: str
    summary: str
    status: str
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    reason: str = ""
    entry: str = ""  # of what is recorded: the kind of the record's entry
    text: str = ""  # of what is shown: the place and the words
    under: str = ""  # the clause that entry or text cites, where it is another one


def clauses(name: str) -> tuple[Clause, ...]:
    """Return the clauses of a game's rulebook, in its order."""
    path = folders()[name] / "clauses.toml"
    return _read(path, path.stat().st_mtime_ns) if path.exists() else ()


@cache
def _read(path: Path, changed_ns: int) -> tuple[Clause, ...]:
    return tuple(
        Clause(
            id=entry["id"],
            summary=entry["summary"],
            status=entry["status"],
            code=tuple(entry.get("code", ())),
            tests=tuple(entry.get("tests", ())),
            reason=entry.get("reason", ""),
            entry=entry.get("entry", ""),
            text=entry.get("text", ""),
            under=entry.get("under", ""),
        )
        for entry in tomllib.loads(path.read_text("utf-8"))["clause"]
    )


def outline(name: str) -> tuple[str, ...]:
    """Return the ids of all clauses of a game's rulebook, in the document's order."""
    path = folders()[name] / "outline.txt"
    return tuple(path.read_text("utf-8").splitlines()) if path.exists() else ()
