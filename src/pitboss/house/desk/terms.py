"""What a table is run by: one version of its submission, read into settings."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from pitboss.house.record import Body, canonical
from pitboss.table.settings import READER, TableSettings

AUTOMATIC_SUPERVISOR = "automatic supervisor"
HOUSE_DEALER = "house dealer"
AUTOMATON = "automaton"


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table that deals by itself waits, in milliseconds."""

    wagers_ms: int = 20_000  # from the first wager to no more bets
    decision_ms: int = 30_000
    step_ms: int = 700
    between_rounds_ms: int = 4_000


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
