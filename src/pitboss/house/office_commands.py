"""Commands of the back office: the cage, the meters, filings, and the second person's answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.house.chip_counter import OfChips
from pitboss.house.controls.commands import Command as OfControls
from pitboss.house.patron_controls.commands import Command as OfPatrons
from pitboss.house.people.access import OfAccess
from pitboss.house.people.second_factor_orders import OfFactors
from pitboss.house.progressive import MeterTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueMoney:
    """Take a person's deposit, or give play money; if all tables are free play it is play money."""

    person: str
    cents: int
    free_play: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeemMoney:
    """Pay out a person's deposit, or take play money back; if all tables are free play it is play money."""

    person: str
    cents: int
    free_play: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectDrop:
    """Empty a table's drop box into the cage."""

    table: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitRules:
    """File a table's rules, so that they can be put in force there; the approval is the commission's reference."""

    table: str
    document: Mapping[str, Any]
    approval: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordApproval:
    """Record the commission's approval of a version filed for a table."""

    table: str
    version: str
    approval: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostNotice:
    """Record that players get notice of a version filed for a table, this many days before it takes effect."""

    table: str
    version: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMeters:
    """Open a progressive with these meters."""

    progressive: str
    meters: tuple[MeterTerms, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTerms:
    """Run a meter by different terms from now on."""

    progressive: str
    terms: MeterTerms
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveMeter:
    """Move what a meter has grown by to another meter, or all its money if it retires."""

    progressive: str
    meter: str
    to_progressive: str
    to_meter: str
    reason: str
    retires: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTable:
    """Let a table's progressive wagers feed the meters its submission names."""

    progressive: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkTable:
    """Unlink a table from a progressive."""

    progressive: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Confirm a proposal as the second person; the digest identifies what was read before agreeing."""

    proposal: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Decline a proposal, or withdraw your own."""

    proposal: str
    reason: str


OfCash = IssueMoney | RedeemMoney | OfChips
OfMoney = OfCash | CollectDrop
OfMeters = OpenMeters | ChangeTerms | MoveMeter | LinkTable | UnlinkTable
OfFilings = SubmitRules | RecordApproval | PostNotice
OfHouse = OfMoney | OfMeters | OfFilings | OfControls | OfPatrons | OfFactors | OfAccess
