"""Wire schemas about patrons: exclusions, limits, hand pays and statements."""

from typing import Any

from pydantic import BaseModel, Field


class PlayLimitsShown(BaseModel):
    """Limits on buy-ins, losses and time at real-money tables; null means no limit."""

    deposit_day_cents: int | None
    deposit_week_cents: int | None
    loss_day_cents: int | None
    loss_week_cents: int | None
    day_minutes: int | None
    week_minutes: int | None


class LimitsUsed(BaseModel):
    """What you used of your limits, in this gaming day and in the last seven."""

    bought_day_cents: int
    bought_week_cents: int
    lost_day_cents: int = Field(description="with bets that aren't decided yet; negative if you're ahead")
    lost_week_cents: int
    day_minutes: int
    week_minutes: int


class OwnPlay(BaseModel):
    """Your limits and exclusion, and what the house offers."""

    has_limits: bool = Field(description="whether players can set limits at this house")
    has_exclusions: bool = Field(description="whether players can exclude themselves at this house")
    limits: PlayLimitsShown = Field(description="your own, in force now")
    later: PlayLimitsShown | None = Field(description="your own from the given moment on")
    later_from: int | None
    house: PlayLimitsShown
    used: LimitsUsed
    loosening_hours: int
    excluded_until: int | None = Field(description="when your exclusion ends; null without an end or an exclusion")
    is_excluded: bool


class ExclusionShown(BaseModel):
    """An entry of the exclusion list."""

    exclusion: str = Field(examples=["EXCLUSION-000004"])
    person: str
    full_name: str
    identifier: str
    is_self: bool
    reason: str
    since: int
    until: int | None
    by: str
    is_in_force: bool


class HandPayShown(BaseModel):
    """A payout that waits for a form, or has one."""

    table: str
    seat: int
    player: str
    wager: str
    stake_cents: int
    cents: int
    form: str | None = Field(examples=["HANDPAY-000001"])


class HandPayEntered(BaseModel):
    """The identity and the tax form's data of a winner; the house seals them before anything is recorded."""

    id: str = Field(min_length=1, max_length=100)
    seat: int
    full_name: str = Field(max_length=200)
    address: str = Field(max_length=200)
    taxpayer_id: str = Field(max_length=200)
    first_document: str = Field(max_length=200, examples=["driver's license MD-123-456-789"])
    second_document: str = Field(max_length=200)


class HandPayForm(BaseModel):
    """A hand pay's form with its data."""

    number: str
    at: int
    status: str
    table: str
    round: str
    seat: int
    player: str
    wager: str
    stake_cents: int
    cents: int
    data: dict[str, str]


class Statement(BaseModel):
    """A player's statement with its header."""

    header: dict[str, str]
    lines: list[dict[str, Any]]
    note: str | None = Field(default=None, examples=["No activity"])
