"""Wire schemas of the house's controls: settings, cage, slips, counts, boxes and forms."""

from typing import Any

from pydantic import BaseModel, Field

from pitboss.house.controls.state import Slip
from pitboss.house.money.chips import total
from pitboss.rules.plain import plain


class SlipShown(BaseModel):
    """A fill or credit that isn't finished."""

    slip: str = Field(examples=["FILL-000012"])
    kind: str = Field(examples=["fill"])
    table: str
    chips: dict[str, int] = Field(description="by denomination in cents")
    cents: int
    stage: str = Field(examples=["prepared"])
    signed: dict[str, str] = Field(description="who did each step so far")


def slip_shown(number: str, slip: Slip) -> SlipShown:
    """Return an open slip as the page gets it."""
    return SlipShown(
        slip=number,
        kind=slip.kind,
        table=slip.table,
        chips=plain(slip.chips),
        cents=total(slip.chips),
        stage=slip.stage,
        signed=dict(slip.signed),
    )


class BoxShown(BaseModel):
    """A drop box on its way to the count; nobody sees what the books say before it is counted."""

    box: str = Field(examples=["BOX-000003"])
    table: str
    day: str
    shift: str
    dropped_by: list[str]
    counted_by: list[str] = Field(description="who has counted so far, without what they counted")


class TrayCountShown(BaseModel):
    """A tray being counted."""

    table: str
    moment: str = Field(examples=["opener"])
    counted_by: list[str]
    is_recount: bool


class MoneyAtTable(BaseModel):
    """What money controls ask of a table now."""

    moment: str = Field(examples=["opener"], description="what a count of the tray would be now")
    counted_by: list[str] = Field(description="who has counted so far, without what they counted")
    is_recount: bool = Field(description="the first count differed from the books")
    has_differed: bool = Field(description="the two counts differed, and both people count again")
    slips: list[SlipShown] = Field(description="open slips of this table")


class Holdings(BaseModel):
    """Cash and chips in the cage or the vault."""

    cash_cents: int
    chips: dict[str, int] = Field(description="by denomination in cents")
    cents: int


class SettingsChange(BaseModel):
    """A change of the house settings, with the values before and after."""

    at: int
    by: str
    second: str
    before: dict[str, Any]
    after: dict[str, Any]


class SignedTitle(BaseModel):
    """A report that is printed with its header."""

    name: str = Field(examples=["hold-by-table"])
    title: str


class VarianceShown(BaseModel):
    """A difference that nobody has explained."""

    variance: str = Field(examples=["VARIANCE-000002"])
    form: str
    what: str
    table: str
    over_cents: int
    at: int


class DisplayShown(BaseModel):
    """A progressive whose displays are read and compared with the books."""

    progressive: str
    meters: list[str]


class ControlsShown(BaseModel):
    """The current state of the house's controls."""

    settings: dict[str, Any]
    day: str
    shift: str
    is_cage_open: bool
    cage_counted_by: list[str]
    vault: Holdings | None = Field(description="for people who move its money or oversee them")
    cage: Holdings | None = Field(description="for people who don't count it; those who do count it blind")
    slips: list[SlipShown]
    boxes: list[BoxShown]
    trays: list[TrayCountShown]
    variances: list[VarianceShown]
    displays: list[DisplayShown] = Field(description="progressive displays at real-money tables, by progressive")


class FormLine(BaseModel):
    """A numbered form."""

    number: str
    title: str
    at: int
    status: str
    table: str
    total_cents: int
    expected_cents: int | None
    over_cents: int
    people: str
    note: str


class Report(BaseModel):
    """A report with its header."""

    header: dict[str, str]
    lines: list[dict[str, Any]]
    note: str | None = Field(default=None, examples=["No activity"])
