"""The state of the house's controls: settings, what cage and vault hold, open slips, counts, boxes and variances."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.house.controls.house_settings import HouseSettings

Chips = Mapping[int, int]
REQUESTED, PREPARED, CARRIED, AT_TABLE = "requested", "prepared", "carried", "at the table"
CAGE, VAULT = "cage", "vault"


@dataclass(frozen=True, slots=True)
class Slip:
    """A fill or credit that isn't finished: how far it is, and who signed each step."""

    kind: str
    table: str
    chips: Chips
    stage: str = REQUESTED
    signed: Mapping[str, str] = field(default_factory=dict)  # by stage


@dataclass(frozen=True, slots=True)
class Box:
    """A drop box on its way to the count room, and the counts of it so far."""

    table: str
    day: str
    shift: str
    booked_cents: int
    dropped_by: tuple[str, ...]
    counts: Mapping[str, Chips] = field(default_factory=dict)  # by person


@dataclass(frozen=True, slots=True)
class TrayCount:
    """A tray being counted: each person's chips by name, in whose role, and whether this is the second time."""

    moment: str
    counts: Mapping[str, Chips] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    is_recount: bool = False


@dataclass(frozen=True, slots=True)
class CageCount:
    """One person's count of the cage."""

    cash_cents: int
    chips: Chips


@dataclass(frozen=True, slots=True)
class Variance:
    """A difference that nobody has explained."""

    form: str
    what: str
    table: str
    over_cents: int
    at: int


@dataclass(frozen=True, slots=True)
class Controls:
    """Everything that is open; what is finished is in the record."""

    settings: HouseSettings = field(default_factory=HouseSettings)
    cash: Mapping[str, int] = field(default_factory=dict)  # by place: the cage, the vault
    chips: Mapping[str, Chips] = field(default_factory=dict)  # by place
    is_cage_open: bool = False
    cage_counts: Mapping[str, CageCount] = field(default_factory=dict)
    slips: Mapping[str, Slip] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)  # the last number of each series of forms
    trays: Mapping[str, TrayCount] = field(default_factory=dict)  # by table, while it is being counted
    closers: Mapping[str, Chips] = field(default_factory=dict)  # by closed table: the chips locked in its tray
    boxes: Mapping[str, Box] = field(default_factory=dict)
    variances: Mapping[str, Variance] = field(default_factory=dict)

    def held(self, place: str) -> Chips:
        """Return the chips in the cage or the vault."""
        return self.chips.get(place, {})

    def next_number(self, series: str) -> str:
        """Return the next number in a series of forms."""
        return f"{series}-{self.numbers.get(series, 0) + 1:06d}"
