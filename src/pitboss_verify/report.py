"""The result of a check: how much was checked, and the first fault."""

from dataclasses import dataclass, field
from typing import Any


class Unsound(Exception):
    """Something in a record is wrong; the message says what."""


@dataclass(slots=True)
class Report:
    """The result of checking a record, with the first fault."""

    log: str
    heads_files: list[str] = field(default_factory=list)
    streams: int = 0
    entries: int = 0
    heads: int = 0  # signed heads that the log was compared with
    torn_heads: int = 0  # lines of the heads files that a crash cut short
    keys: list[str] = field(default_factory=list)
    keys_are_given: bool = False
    rounds: int = 0  # with a committed deck
    opened: int = 0  # cards compared with their commitments
    sealed: int = 0  # cards whose round hasn't been opened
    uncommitted: int = 0  # cards with no commitment, such as physical cards
    transfers: int = 0
    checkpoints: int = 0  # signed roots that the entries were compared with
    covered: int = 0  # entries that they cover
    witnessed: int = 0  # entries that a witness cosigned
    witness: str | None = None  # its name, if its key was given
    receipt: list[str] = field(default_factory=list)  # what a player's receipt says, in sentences
    fault: str | None = None

    @property
    def is_sound(self) -> bool:
        """Say whether no fault was found."""
        return self.fault is None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as data."""
        return {"sound": self.is_sound, **{name: getattr(self, name) for name in self.__slots__}}

    def sentences(self) -> list[str]:
        """Return what was checked, one sentence per line."""
        if self.receipt:
            return list(self.receipt)
        told = [
            f"{self.log}: {_count(self.entries, 'entry', 'entries')} in {_count(self.streams, 'stream')}, "
            "in canonical form, in order and hash-chained.",
        ]
        told += self._of_heads()
        if self.checkpoints:
            told.append(f"{_count(self.checkpoints, 'checkpoint')} over {self.covered:,} entries matched.")
        if self.witnessed:
            by = f"witness {self.witness}" if self.witness else "a witness, whose key wasn't given,"
            told.append(f"The first {self.witnessed:,} entries are those that {by} cosigned.")
        if self.rounds:
            told.append(
                f"{_count(self.opened, 'card')} of {_count(self.rounds, 'committed deck')} match their "
                f"commitments; {self.sealed} still sealed, {self.uncommitted} never committed."
            )
        if self.transfers:
            told.append(f"{_count(self.transfers, 'money transfer')} balanced.")
        return told

    def _of_heads(self) -> list[str]:
        if not self.heads_files:
            return ["No signed heads were given, so a missing end or a rewritten record can't be detected."]
        told = [f"{_count(self.heads, 'signed head')} from {', '.join(self.heads_files)} matched."]
        keys = ", ".join(self.keys)
        if self.keys_are_given:
            told.append(f"Signed by {keys}, as required.")
        else:
            told.append(f"Signed by {keys}, according to the heads themselves. Use --key to require a key you trust.")
        if self.torn_heads:
            told.append(f"Skipped {_count(self.torn_heads, 'line')} of the heads that a crash cut short.")
        return told


def _count(count: int, thing: str, many: str | None = None) -> str:
    return f"{count:,} {thing if count == 1 else many or thing + 's'}"
