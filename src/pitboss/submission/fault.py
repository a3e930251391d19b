"""What a check says of a submission: faults that refuse it and notes that do not."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where in the file, what to do about it and the clause that says so."""

    table: str | None
    where: str
    reason: str
    clause: str | None = None
    path: tuple[str, ...] = field(default=(), compare=False)  # the keys that lead there, without the table's number

    def __str__(self) -> str:
        return f"{self.where}: {self.reason} ({self.clause})" if self.clause else f"{self.where}: {self.reason}"

    def as_dict(self) -> dict[str, str | None]:
        """Return the fault as plain data."""
        return {"table": self.table, "where": self.where, "reason": self.reason, "clause": self.clause}


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that would be unlawful at a table, accepted because the table is for analysis only."""

    table: str | None
    where: str
    reason: str  # why it would be unlawful
    clause: str | None = None
    path: tuple[str, ...] = field(default=(), compare=False)

    @property
    def remark(self) -> str:
        """Return the reason and that only an analysis may have it so."""
        return f"{self.reason}: for analysis only, never at a table"

    def __str__(self) -> str:
        return f"{self.where}: {self.remark} ({self.clause})" if self.clause else f"{self.where}: {self.remark}"

    def as_dict(self) -> dict[str, str | None]:
        """Return the note as plain data."""
        return {"table": self.table, "where": self.where, "remark": self.remark, "clause": self.clause}


Finding = Fault | Note


def covers(place: str, other: str) -> bool:
    """Say whether one place of the file is another or holds it."""
    return other == place or other.startswith((f"{place}.", f"{place}["))
