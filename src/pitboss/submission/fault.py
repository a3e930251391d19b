"""What a check reports: faults, which block a submission, and notes, which don't."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: where it is in the file, what is wrong and what to do, and the clause behind it."""

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
    """Something that would be unlawful at a live table, accepted because this table is for analysis only."""

    table: str | None
    where: str
    reason: str  # why it would be unlawful
    clause: str | None = None
    path: tuple[str, ...] = field(default=(), compare=False)

    @property
    def remark(self) -> str:
        """Return the reason, and that it is accepted for analysis only."""
        return f"{self.reason}. Allowed for analysis only, not at a live table"

    def __str__(self) -> str:
        return f"{self.where}: {self.remark} ({self.clause})" if self.clause else f"{self.where}: {self.remark}"

    def as_dict(self) -> dict[str, str | None]:
        """Return the note as plain data."""
        return {"table": self.table, "where": self.where, "remark": self.remark, "clause": self.clause}


Finding = Fault | Note


def covers(place: str, other: str) -> bool:
    """Return whether a place in the file is another place or contains it."""
    return other == place or other.startswith((f"{place}.", f"{place}["))
