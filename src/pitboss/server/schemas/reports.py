"""Wire schemas of reports, alerts, people and the floor's tiles."""

from pydantic import BaseModel, Field

from pitboss.house import entry_kinds
from pitboss.house.reports.alerts import KINDS
from pitboss.server.schemas.tables import ID, TableSummary, Wire

AT = 1_700_000_000_000
CLAUSE = Field(examples=["H-13"])


class HoldLine(BaseModel):
    """Handle, drop and win of one group of the report."""

    table: str | None = Field(default=None, examples=["table-1"])
    game: str | None = None
    dealer: str | None = None
    hour: str | None = Field(default=None, examples=["2026-03-01T21:00Z"])
    day: str | None = Field(default=None, examples=["2026-03-01"])
    shift: str | None = Field(default=None, examples=["swing"])
    wager: str | None = Field(default=None, examples=["ante"])
    handle_cents: int | None
    drop_cents: int | None = Field(description="null for a wager, which has no drop box of its own")
    win_cents: int
    hold: str | None = Field(description="win divided by drop, as an exact fraction", examples=["1/20"])
    won_of_handle: str | None = Field(examples=["1/40"])
    coupons_cents: int = Field(description="face value of coupons taken; not part of drop, handle or win")
    voided_rounds: int | None = Field(
        description="rounds voided as a whole, in the hour and under the dealer of the void; null for a wager"
    )
    free_play: bool = Field(description="whether this is play money, which is never added to real money")
    hold_percent: float | None
    won_percent: float | None


class ShiftLine(BaseModel):
    """What went through a table's tray and box, and the part that is unaccounted for."""

    table: str
    tray_cents: int
    win_cents: int
    unexplained_cents: int = Field(description="zero if the books balance")
    opening_cents: int
    fills_cents: int
    credits_cents: int
    closing_cents: int = Field(description="the trays at closing, sent to the cage or locked")
    drop_cents: int
    won_cents: int
    contributed_cents: int
    counted_over_cents: int
    corrected_cents: int
    coupons_cents: int = Field(description="face value of coupons taken; not part of the win")


class TheoryLine(BaseModel):
    """An actual win against the expected win."""

    table: str = Field(description="empty if the line covers all tables")
    game: str
    rules: str = Field(description="the version of the rules; empty if the line covers several")
    wager: str = Field(description="empty if the line covers all wagers")
    rounds: int
    handle_cents: int
    win_cents: int = Field(description="before payout limits, and without progressive payouts")
    expected_cents: str = Field(examples=["2185/100"])
    expected_nearest_cents: int = Field(description="the same to the nearest cent")
    error_cents: float
    low_cents: float = Field(description="low end of the band that contains the win at least 95% of the time")
    high_cents: float
    z: float | None = Field(description="standard errors above the expected win")
    counted_off_cents: float = Field(
        description="difference from the expected win, with each win counted up to 20 times its stake"
    )
    counted_error_cents: float
    counted_z: float | None = Field(description="the value that raises an alert")
    is_enough: bool = Field(description="whether there are enough rounds for an alert")
    free_play: bool = Field(description="whether this is play money, which is never added to real money")
    is_outside: bool


class TheoryReport(BaseModel):
    """Actual against expected wins, and the versions of rules whose theory is still being computed."""

    lines: list[TheoryLine]
    waits_for: list[str]


class MeterLine(BaseModel):
    """A meter's equation."""

    progressive: str
    meter: str
    seed_cents: int
    contributed_cents: str
    shown_cents: int
    reserve_cents: str
    overflow_cents: str
    paid_cents: int
    remainder_cents: str
    hits: int
    balances: bool
    transferred_cents: int = Field(description="transferred to other meters, minus what came from them")
    contributed_nearest_cents: int = Field(description="the exact amount of the same name to the nearest cent")
    reserve_nearest_cents: int
    overflow_nearest_cents: int
    remainder_nearest_cents: int


class HitLine(BaseModel):
    """A payment from a meter."""

    at: int = Field(examples=[AT])
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
    from_reserve_cents: int
    from_house_cents: int
    is_reversed: bool


class IncidentLine(BaseModel):
    """A stub count, deck change, irregularity or void."""

    kind: str = Field(examples=["void"])
    event: str
    table: str
    game: str
    round: str
    sequence: int
    at: int = Field(examples=[AT])
    actor: str
    role: str
    second: str
    dealer: str
    clause: str | None
    says: str
    players_net_cents: int | None
    incident: str = Field(description="the report that this is or answers; otherwise empty")
    exposed: str = Field(description="where a card was seen too early, if this reports it: dealer or board")
    ante_cents: int | None = Field(description="then the highest Ante of the round")
    could_gain_cents: int | None = Field(
        default=None, description="then what one seat could gain by it at that Ante, as far as the lab knows"
    )


class VoidsLine(BaseModel):
    """The voids a person was involved in, against what the rounds would have paid."""

    person: str
    voids: int
    house_lost: int
    house_won: int
    undecided: int
    expected_lost: float
    z: float | None
    is_suspicious: bool


class SignificantLine(BaseModel):
    """A significant event; stream and sequence identify its entry."""

    at: int = Field(examples=[AT])
    stream: str
    sequence: int
    kind: str = Field(examples=[entry_kinds.TABLE_OPENED])
    table: str
    actor: str
    role: str
    clause: str | None
    says: str


class SignificantPage(BaseModel):
    """A page of significant events, newest first, and where the next page begins."""

    lines: list[SignificantLine]
    count: int = Field(description="how many events match in total")
    next: str | None = Field(description="the value of `after` for the next page; null if there are no more")


class AlertShown(BaseModel):
    """Something that needs attention, open until someone acknowledges it."""

    id: str = Field(examples=["tray-low:table-1:412"])
    kind: str = Field(examples=[KINDS[0]])
    table: str
    since: int = Field(examples=[AT])
    text: str = Field(description="what happened, in a sentence without the final period")
    clause: str | None = CLAUSE
    cause_gone_at: int | None = Field(description="when the cause went away; the alert stays open")


class Acknowledge(Wire):
    """The acknowledgement of an alert."""

    id: str = ID
    note: str = Field(default="", max_length=400, examples=["recounted; correct"])


class AnsweredAlert(BaseModel):
    """An acknowledged alert."""

    alert: AlertShown
    by: str
    at: int = Field(examples=[AT])
    note: str


class PersonShown(BaseModel):
    """An account."""

    name: str
    full_name: str = ""
    badge: str = ""
    license: str = ""
    roles: list[str]
    standing: str = Field(description="stands (active), locked or revoked", examples=["stands"])
    locked_because: str | None
    failures: int = Field(description="failed sign-ins in a row")
    has_password: bool
    has_second_factor: bool
    is_signed_in: bool
    last_sign_in: int | None = Field(examples=[AT])


class StaffName(BaseModel):
    """A member of the staff as forms and reports name them."""

    name: str
    full_name: str
    badge: str
    license: str
    roles: list[str]


class CommandGranted(BaseModel):
    """Who may give a command, and what each needs besides the role."""

    command: str = Field(examples=["VoidRound"])
    says: str
    clause: str = Field(examples=["H-2"])
    grants: dict[str, list[str]] = Field(examples=[{"floorperson": [], "dealer": ["lease"]}])
    second: dict[str, list[str]] | None = Field(
        description="who may be the second person; null if one person is enough"
    )


class RoleTable(BaseModel):
    """The full table of roles and commands."""

    roles: list[str]
    departments: list[list[str]] = Field(description="a person's roles must all be in one department")
    second_factor: list[str] = Field(description="the roles that take a second factor here")
    commands: list[CommandGranted]
    rules: dict[str, str] = Field(
        description="the house's rules by id", examples=[{"H-15": "Each command is open only to ..."}]
    )


class CommandOpen(BaseModel):
    """A command that the caller may give."""

    command: str = Field(examples=["Fill"])
    role: str = Field(description="the role in which the caller gives it")
    needs: list[str] = Field(description="what else it needs", examples=[["lease"]])
    takes_two: bool
    as_second: bool = Field(description="whether this role acts as the second person")
    says: str
    clause: str


class DeckShown(BaseModel):
    """A deck at a table, and when it must be changed."""

    name: str
    stage: str
    since: int = Field(examples=[AT])
    due_at: int | None
    clause: str | None


class Takings(BaseModel):
    """What a table has taken in since the gaming day began."""

    handle_cents: int
    drop_cents: int | None = Field(description="null while the tray's count is due")
    win_cents: int | None = Field(description="null while the tray's count is due: it tells what the tray should hold")


class DutyLeft(BaseModel):
    """A duty of the last round that nobody confirmed."""

    duty: str = Field(examples=["announce-dealer"])
    text: str
    by: str
    clause: str


class Tile(BaseModel):
    """A table as the floor page shows it."""

    summary: TableSummary
    dealer: str | None
    dealer_name: str = Field("", description="the dealer's full name")
    dealer_badge: str = ""
    phase: str | None
    sequence: int
    rules: str | None = Field(description="the version of the submission in force")
    decks: list[DeckShown]
    devices: dict[str, str] = Field(examples=[{"shuffler": "in-service", "shoe": "absent"}])
    tray_cents: int | None = Field(description="null where the tray is counted blind")
    tray_low_cents: int | None = Field(description="the tray is low below this amount; null where it's counted blind")
    today: Takings
    proposals: int = Field(description="how many requests are waiting for a second person")
    todo: list[str] = Field(default=[], description="the duties that wait for a floorperson, such as verifying a deck")
    alerts: list[AlertShown]
    trouble: str | None
    trouble_kind: str | None = Field(
        description="the irregularity, or `dispute`, that the table waits to have ruled on", examples=["misdeal"]
    )
    trouble_seats: list[int] = Field(description="the seats it concerns; empty where it concerns the table")
    trouble_clause: str | None
    unconfirmed: list[DutyLeft] = Field(description="duties of the last round that were not confirmed")


class FloorShown(BaseModel):
    """All tables of the floor, and any reason wagering is stopped everywhere."""

    tables: list[Tile]
    alerts: list[AlertShown] = Field(description="those about no table: accounts, the cage, the record")
    day_began_at: int = Field(examples=[AT], description="when `today` began")
    no_wagers: str | None
