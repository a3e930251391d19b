"""The terms a table runs by: one version of its submission, read into settings."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property

from pitboss.house.people import house_rules as rule
from pitboss.house.progressive.meter_terms import MeterTerms
from pitboss.record.entries import Body, digest
from pitboss.round.verification import Verification
from pitboss.rules.refusal import Refusal
from pitboss.table.settings import READER, TableSettings

AUTOMATIC_SUPERVISOR = "automatic supervisor"
HOUSE_DEALER = "house dealer"
AUTOMATON = "automaton"
LONGEST_MS = 60 * 60_000
MOST_CENTS = 10**12
VERIFIED_BY = "G-23"
LEAST_DECISION_MS = 10_000  # when people deal for money: no one is rushed through a hand


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table waits, in milliseconds; mostly for automatic tables."""

    wagers_ms: int = 20_000  # from the first wager to no more bets
    decision_ms: int = 30_000
    step_ms: int = 700
    between_rounds_ms: int = 4_000
    idle_ms: int = 30_000  # how long no one is seated before the cards must be spread

    def fault(self, *, free_play: bool) -> str | None:
        """Return what is wrong with this pace, or None."""
        for name, waits_ms in asdict(self).items():
            if not 0 <= waits_ms <= LONGEST_MS:
                return f"{name} must be from 0 to {LONGEST_MS:,} milliseconds, not {waits_ms:,}."
        if not free_play and self.decision_ms < LEAST_DECISION_MS:
            return f"At a real-money table, players must have at least {LEAST_DECISION_MS:,} milliseconds to decide."
        return None


@dataclass(frozen=True, slots=True)
class PayoutLimits:
    """The amounts at or above which a floorperson verifies a payout or confirms cash at this table."""

    progressive_from_cents: int = 0  # of a progressive payout; zero: all of them
    payout_from_cents: int = 10_000_00  # of everything paid to one hand
    payout_from_times: int = 300  # of one wager's payout, as a multiple of the stake
    keyboard_from_cents: int = 500_00  # the same two, where the dealer enters the cards by keyboard
    keyboard_from_times: int = 20  # also of a hand that any wager of the table would pay so
    cash_from_cents: int = 2_500_00  # of cash that a player puts down at the table at once

    def fault(self) -> str | None:
        """Return what is wrong with these limits, or None."""
        for name, amount in asdict(self).items():
            if not 0 <= amount <= MOST_CENTS:
                return f"{name} must be from 0 to {MOST_CENTS:,}, not {amount:,}."
        for name, times in (("payout", self.payout_from_times), ("keyboard", self.keyboard_from_times)):
            if not times:
                return f"{name}_from_times must be at least 1. It compares a payout with its wager."
        return None

    def of_round(self, *, is_by_keyboard: bool = False, hand_pay: tuple[int, int] | None = None) -> Verification:
        """Return the limits for a round: lower for cards by keyboard, and with the hand pay thresholds."""
        cents, times = self.payout_from_cents, self.payout_from_times
        if is_by_keyboard:
            cents, times = min(cents, self.keyboard_from_cents), min(times, self.keyboard_from_times)
        return Verification(
            self.progressive_from_cents,
            cents,
            times,
            rule.METERS,
            rule.PAYOUTS,
            VERIFIED_BY,
            self.keyboard_from_times if is_by_keyboard else None,
            *(hand_pay or ()),
        )


@dataclass(frozen=True)
class TableTerms:
    """A version of a table's submission; everything else can be read again from the document."""

    document: Body
    settings: TableSettings
    progressive: str | None = None  # the progressive whose meters its wager draws on
    pace: Pace = field(default_factory=Pace)
    facility: str = ""  # who submitted it; a rulebook may bind all tables of a facility together
    analysis: bool = False  # its odds may differ from any rulebook's
    meters: tuple[MeterTerms, ...] = ()  # the meters of its progressive wager, as submitted
    refusal: Refusal | None = None  # why no table may be put under these rules, by today's checks
    verification: PayoutLimits = field(default_factory=PayoutLimits)

    @cached_property
    def version(self) -> str:
        """Return the name of this version, unique to its document."""
        return version_of(self.document)

    @property
    def automatic(self) -> bool:
        """Say whether this is an automatic free-play table."""
        return self.settings.self_dealing

    @property
    def is_dealt_by_people(self) -> bool:
        """Say whether a dealer works the table by hand: it is neither electronic nor automatic."""
        return not (self.settings.electronic or self.settings.self_dealing)

    @property
    def real_cards(self) -> bool:
        """Say whether a reader reports each card."""
        return self.settings.cards == READER


ReadTerms = Callable[[Body], TableTerms]  # raises UnsoundDocument


class UnsoundDocument(ValueError):
    """A document that no table may run by."""


def version_of(document: Body) -> str:
    """Return the version of a submitted document."""
    return digest(document)[:16]
