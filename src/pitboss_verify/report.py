"""What a check found: how much was looked at, and the first thing that is wrong."""

from dataclasses import dataclass, field
from typing import Any


class Unsound(Exception):
    """Something in a record is wrong; the sentence says what."""


@dataclass(slots=True)
class Report:
    """The result of checking a record, with the first fault."""

    log: str
    heads_files: list[str] = field(default_factory=list)
    streams: int = 0
    entries: int = 0
    heads: int = 0  # signed heads that the log was held against
    torn_heads: int = 0  # lines of the heads file whose writing was cut short
    keys: list[str] = field(default_factory=list)
    keys_are_given: bool = False
    rounds: int = 0  # with a committed deck
    opened: int = 0  # cards held against their commitments
    sealed: int = 0  # cards whose round is not opened
    uncommitted: int = 0  # cards of rounds played with real cards, which nothing was committed for
    transfers: int = 0
    fault: str | None = None

    @property
    def is_sound(self) -> bool:
        """Say whether nothing was found."""
        return self.fault is None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as data."""
        return {"sound": self.is_sound, **{name: getattr(self, name) for name in self.__slots__}}

    def sentences(self) -> list[str]:
        """Return the checks made, a sentence per line."""
        told = [
            f"{self.log}: {_count(self.entries, 'entry', 'entries')} in {_count(self.streams, 'stream')}, "
            "each canonical, in order and chained to the one before.",
        ]
        told += self._of_heads()
        if self.rounds:
            told.append(
                f"{_count(self.opened, 'card')} of {_count(self.rounds, 'committed deck')} held against their "
                f"commitments; {self.sealed} still sealed, {self.uncommitted} never committed."
            )
        if self.transfers:
            told.append(f"{_count(self.transfers, 'transfer')} of money, each of which sums to zero.")
        return told

    def _of_heads(self) -> list[str]:
        if not self.heads_files:
            return ["No heads were given, so that a cut tail or a rewritten record cannot be seen."]
        told = [f"{_count(self.heads, 'signed head')} reached, from {', '.join(self.heads_files)}."]
        keys = ", ".join(self.keys)
        if self.keys_are_given:
            told.append(f"Signed by {keys}, as given.")
        else:
            told.append(f"Signed by {keys}, as the heads themselves say; give --key to hold them to a key you know.")
        if self.torn_heads:
            told.append(f"{_count(self.torn_heads, 'line')} of the heads cut short by a crash, left aside.")
        return told


def _count(count: int, thing: str, many: str | None = None) -> str:
    return f"{count:,} {thing if count == 1 else many or thing + 's'}"
