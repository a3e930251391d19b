"""A Rules Submission as written: a facility, its tables and what each table states."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.submission.fault import Fault

WHOLE_DOLLARS = 100
ONLY_METER = ""  # an amount or a rate stated without naming its meter


@dataclass(frozen=True, slots=True)
class Facility:
    """Who submits, and where."""

    name: str | None = None
    jurisdiction: str | None = None


@dataclass(frozen=True)
class SubmittedWager:
    """What a table states about one wager."""

    name: str
    stated: frozenset[str] = frozenset()  # the keys that were written
    paytable: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    step: int | None = None
    stake: int | None = None
    rate: Mapping[str, str] = field(default_factory=dict)
    initial: Mapping[str, int] = field(default_factory=dict)
    reset: Mapping[str, int] = field(default_factory=dict)
    envy: str | None = None
    hand: str | None = None
    odds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SubmittedTable:
    """What a submission states about one table; None or empty if nothing is stated."""

    name: str | None = None
    game: str | None = None
    positions: int | None = None
    dealing: str | None = None
    shuffler: str | None = None
    decks: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    step: int | None = None
    chip: int | None = None
    deck_hours: int | None = None
    cards: str | None = None
    electronic: bool = False
    free_play: bool = False
    analysis: bool = False
    instruments: tuple[str, ...] = ()
    coupon_wagers: tuple[str, ...] | None = None  # the wagers a coupon may be placed on; None: every wager
    coupon_maximum: int | None = None
    wagers: Mapping[str, SubmittedWager] = field(default_factory=dict)
    options: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Submission:
    """A whole file, with the faults in its shape."""

    facility: Facility
    tables: tuple[SubmittedTable, ...]
    faults: tuple[Fault, ...] = ()
