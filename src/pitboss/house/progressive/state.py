"""The state of a progressive: meters, linked tables, their open rounds, and the recent hits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from pitboss.house.progressive.meter import Meter
from pitboss.house.progressive.meter_terms import NOTHING, Link, Stake

HITS_KEPT = 25


@dataclass(frozen=True, slots=True)
class Hit:
    """A payment from a meter, and what brought the meter back to its reset."""

    at: int
    table: str
    round: str
    seat: int
    player: str
    meter: str
    percent: int
    hand: str
    shown_cents: int
    paid_cents: int
    claimed_by: str
    validated_by: str
    clause: str | None
    from_reserve_cents: int = 0
    from_house_cents: int = 0
    is_reversed: bool = False

    @property
    def place(self) -> tuple[str, str, int]:
        """Return where it was made: a meter pays a seat once per round."""
        return self.table, self.round, self.seat


@dataclass(frozen=True, slots=True)
class Fed:
    """What a round's stakes have fed a meter."""

    amount: Fraction
    to_reserve: Fraction
    from_tray_cents: int


@dataclass(frozen=True, slots=True)
class Play:
    """A round at a linked table."""

    round: str
    is_locked: bool = False
    is_counted: bool = False
    stakes: tuple[Stake, ...] = ()
    fed: Mapping[str, Fed] = field(default_factory=dict)  # by meter
    hits: tuple[Hit, ...] = ()
    envy_cents: int = 0

    def has_wager(self, seat: int) -> bool:
        """Say whether a progressive wager for this seat was counted."""
        return any(stake.seat == seat for stake in self.stakes)


@dataclass(frozen=True, slots=True)
class ProgressiveState:
    """A progressive. Mappings are replaced, never changed."""

    name: str
    meters: Mapping[str, Meter] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)  # by table
    plays: Mapping[str, Play] = field(default_factory=dict)  # by table
    hits: tuple[Hit, ...] = ()  # the last 25, newest last
    envy_cents: int = 0  # the total of envy bonuses in all closed rounds

    @property
    def pool_cents(self) -> int:
        """Return the whole cents behind all meters, which is the pool account's balance."""
        return floor(sum((meter.held for meter in self.meters.values()), NOTHING))

    @property
    def carried(self) -> Fraction:
        """Return the fraction of a cent that the account can't hold and the next contribution completes."""
        return sum((meter.held for meter in self.meters.values()), NOTHING) - self.pool_cents

    def shown(self) -> dict[str, int]:
        """Return each meter's displayed amount, in cents."""
        return {name: meter.shown_cents for name, meter in self.meters.items() if not meter.is_retired}
