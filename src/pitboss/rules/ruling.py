"""A ruling: where a rulebook is unclear, how we interpret it, why, and what difference it makes."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ruling:
    """One reading of one unclear clause."""

    id: str
    clause: str
    problem: str
    reading: str
    reason: str
    effect: str
    option: str | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses it interprets, one by one."""
        return tuple(self.clause.split("; "))


def read_rulings(path: Path) -> tuple[Ruling, ...]:
    """Return the rulings a file records, in its order."""
    return _read(path, path.stat().st_mtime_ns)


@cache  # every table that opens names the rulings its rounds are played by
def _read(path: Path, changed_ns: int) -> tuple[Ruling, ...]:
    return tuple(Ruling(**entry) for entry in tomllib.loads(path.read_text("utf-8"))["ruling"])


def general_rulings() -> tuple[Ruling, ...]:
    """Return the rulings that hold for every game."""
    return read_rulings(Path(__file__).with_name("rulings.toml"))
