"""Commands of the back office about the house's controls; chips are by denomination in cents."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pitboss.house.controls.house_settings import HouseSettings

Chips = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeHouseSettings:
    """Put other house settings in force."""

    settings: HouseSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class FundVault:
    """Bring the house's own cash and chips into the vault."""

    cash_cents: int = 0
    chips: Chips = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveVault:
    """Move cash and chips between the vault and the cage."""

    to: Literal["cage", "vault"]
    cash_cents: int = 0
    chips: Chips = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountCage:
    """Count the cage to open or close it; two people count, each without seeing the other's count."""

    cash_cents: int
    chips: Chips = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFill:
    """Ask the cage for chips for a table's tray."""

    table: str
    chips: Chips


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestCredit:
    """Ask the cage to take chips from a table's tray."""

    table: str
    chips: Chips


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareSlip:
    """Write the slip of a request in the cage; for a fill, count out its chips."""

    slip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CarrySlip:
    """Take a slip and its chips from the cage to the table, or from the table to the cage."""

    slip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptCredit:
    """Count the chips of a credit in the cage."""

    slip: str
    chips: Chips


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidSlip:
    """Void a slip that isn't finished; its number stays used, and its chips go back where they came from."""

    slip: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PullBox:
    """Take a table's drop box away for the count."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountBox:
    """Count a drop box's cash by bill; two members of the count team count, neither seeing the other's count."""

    box: str
    bills: Chips


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainVariance:
    """Explain a difference that a count found."""

    variance: str
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMeter:
    """Enter what a progressive's display shows at the table, to compare it with the books."""

    progressive: str
    meter: str
    cents: int


OfTheCage = ChangeHouseSettings | FundVault | MoveVault | CountCage | ExplainVariance
OfSlips = RequestFill | RequestCredit | PrepareSlip | CarrySlip | AcceptCredit | VoidSlip
OfBoxes = PullBox | CountBox
Command = OfTheCage | OfSlips | OfBoxes | ReadMeter
