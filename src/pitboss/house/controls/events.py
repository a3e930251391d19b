"""What happens in the house's controls, as the record keeps it; chips are by denomination in cents."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.people import house_rules as rule

Chips = Mapping[int, int]
FILL, CREDIT = "fill", "credit"
OPENER, CLOSER = "opener", "closer"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    clause: ClassVar[str] = rule.SETTINGS
    settings: HouseSettings
    before: HouseSettings
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultFunded:
    clause: ClassVar[str] = rule.CAGE_BOOKS
    form: str
    cash_cents: int
    chips: Chips
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultMoved:
    clause: ClassVar[str] = rule.CAGE_BOOKS
    form: str
    to: str
    cash_cents: int
    chips: Chips
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CageCountEntered:
    """One person's count of the cage, which nobody sees before the other count is in."""

    clause: ClassVar[str] = rule.CAGE_BOOKS
    cash_cents: int
    chips: Chips
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CageCountsDiffered:
    clause: ClassVar[str] = rule.CAGE_BOOKS
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CageCounted:
    clause: ClassVar[str] = rule.CAGE_BOOKS
    form: str
    moment: str
    cash_cents: int
    chips: Chips
    expected_cash_cents: int
    expected_chips: Chips
    over_cents: int
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CashPaidIn:
    """Cash came to the cage window: a deposit, or a sale of chips."""

    clause: ClassVar[str] = rule.CAGE_BOOKS
    form: str
    why: str
    person: str
    cents: int
    chips: Chips = field(default_factory=dict)
    by: str
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashPaidOut:
    """Cash left the cage window: a deposit paid back, or chips redeemed."""

    clause: ClassVar[str] = rule.CAGE_BOOKS
    form: str
    why: str
    person: str
    cents: int
    chips: Chips = field(default_factory=dict)
    by: str
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipRequested:
    clause: ClassVar[str] = rule.SLIPS
    slip: str
    kind_of_slip: str
    table: str
    chips: Chips
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipPrepared:
    clause: ClassVar[str] = rule.SLIPS
    slip: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipCarried:
    clause: ClassVar[str] = rule.SLIPS
    slip: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipAtTable:
    """The dealer counted a slip's chips at the table: into the tray for a fill, out of it for a credit."""

    clause: ClassVar[str] = rule.SLIPS
    slip: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditAccepted:
    clause: ClassVar[str] = rule.SLIPS
    slip: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipVoided:
    clause: ClassVar[str] = rule.SLIPS
    slip: str
    reason: str
    by: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCountEntered:
    """One person's count of a tray, which nobody sees before the other count is in."""

    clause: ClassVar[str] = rule.TRAY_COUNTS
    table: str
    moment: str
    chips: Chips
    by: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCountsDiffered:
    clause: ClassVar[str] = rule.TRAY_COUNTS
    table: str
    moment: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventorySlipWritten:
    """Two people counted the same in a tray; a count that differs from what was expected is done once more."""

    clause: ClassVar[str] = rule.TRAY_COUNTS
    form: str
    table: str
    moment: str
    chips: Chips
    expected_chips: Chips
    over_cents: int
    dealer: str
    floorperson: str
    is_final: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPulled:
    clause: ClassVar[str] = rule.DROP_COUNT
    box: str
    table: str
    day: str
    shift: str
    booked_cents: int
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxCountEntered:
    """One person's count of a box, which nobody sees before the other count is in."""

    clause: ClassVar[str] = rule.DROP_COUNT
    box: str
    bills: Chips
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxCountsDiffered:
    clause: ClassVar[str] = rule.DROP_COUNT
    box: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxCounted:
    clause: ClassVar[str] = rule.DROP_COUNT
    form: str
    box: str
    table: str
    day: str
    shift: str
    bills: Chips
    counted_cents: int
    booked_cents: int
    over_cents: int
    dropped_by: tuple[str, ...]
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterRead:
    """Someone read a progressive's display; the entry also has what it should have shown by the books."""

    clause: ClassVar[str] = rule.METER_READINGS
    form: str
    progressive: str
    meter: str
    read_cents: int
    shown_cents: int
    over_cents: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceFound:
    """A count differs from the books, and nobody has explained it yet."""

    clause: ClassVar[str] = rule.TRAY_COUNTS
    variance: str
    form: str
    what: Literal["cage", "opener", "closer", "drop", "meter"]
    table: str
    over_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceExplained:
    clause: ClassVar[str] = rule.TRAY_COUNTS
    variance: str
    explanation: str
    by: str
    second: str


OfTheCage = (
    SettingsChanged
    | VaultFunded
    | VaultMoved
    | CageCountEntered
    | CageCountsDiffered
    | CageCounted
    | CashPaidIn
    | CashPaidOut
)
OfSlips = SlipRequested | SlipPrepared | SlipCarried | SlipAtTable | CreditAccepted | SlipVoided
OfCounts = (
    TrayCountEntered
    | TrayCountsDiffered
    | InventorySlipWritten
    | BoxPulled
    | BoxCountEntered
    | BoxCountsDiffered
    | BoxCounted
    | MeterRead
    | VarianceFound
    | VarianceExplained
)
Event = OfTheCage | OfSlips | OfCounts
KINDS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}
