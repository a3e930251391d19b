"""A refusal by the rules: what is wrong, what to do about it, and the clause."""

from dataclasses import KW_ONLY, dataclass, replace


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the rules don't allow a command or a wager; a value, never an exception."""

    reason: str
    clause: str | None = None
    field: str | None = None
    _: KW_ONLY
    device: str | None = None  # the device whose state is the reason

    def __str__(self) -> str:
        return f"{self.reason} ({self.clause})" if self.clause else self.reason

    def as_dict(self) -> dict[str, str | None]:
        """Return what the person who is refused gets to see, as plain data."""
        return {"reason": self.reason, "clause": self.clause, "field": self.field}

    def at(self, field: str) -> "Refusal":
        """Return this refusal pointing at a place in the user's input."""
        return replace(self, field=field)
