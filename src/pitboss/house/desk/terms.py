"""What a table is run by: one version of its submission, read into settings."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property

from pitboss.house.record import Body, canonical
from pitboss.table.settings import READER, TableSettings

AUTOMATIC_SUPERVISOR = "automatic supervisor"
HOUSE_DEALER = "house dealer"
AUTOMATON = "automaton"
LONGEST_MS = 60 * 60_000
LEAST_DECISION_MS = 10_000  # where people deal for money: nobody is hurried out of a hand


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table that deals by itself waits, in milliseconds."""

    wagers_ms: int = 20_000  # from the first wager to no more bets
    decision_ms: int = 30_000
    step_ms: int = 700
    between_rounds_ms: int = 4_000

    def fault(self, *, free_play: bool) -> str | None:
        """Return what is wrong with this pace, or None."""
        for name, waits_ms in asdict(self).items():
            if not 0 <= waits_ms <= LONGEST_MS:
                return f"{name} is from 0 to {LONGEST_MS:,} milliseconds, not {waits_ms:,}."
        if not free_play and self.decision_ms < LEAST_DECISION_MS:
            return f"A player at a table for money has at least {LEAST_DECISION_MS:,} milliseconds for a decision."
        return None


@dataclass(frozen=True)
class TableTerms:
    """A version of a table's submission; the document is enough to read the rest again."""

    document: Body
    settings: TableSettings
    progressive: str | None = None  # whose meters its progressive wager draws on
    pace: Pace = field(default_factory=Pace)

    @cached_property
    def version(self) -> str:
        """Return the name of this version, which no other document has."""
        return version_of(self.document)

    @property
    def automatic(self) -> bool:
        """Say whether the table deals by itself, for free play."""
        return self.settings.self_dealing

    @property
    def real_cards(self) -> bool:
        """Say whether a reader reports each card."""
        return self.settings.cards == READER


ReadTerms = Callable[[Body], TableTerms]


def version_of(document: Body) -> str:
    """Return the version a submitted document is known by."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()[:16]
