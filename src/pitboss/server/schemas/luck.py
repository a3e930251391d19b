"""Wire schemas of the luck-and-skill ledger: results split by player, table, dealer, game and shift, and by seat."""

from pydantic import BaseModel, Field

EXACT = "an exact fraction of a cent"


class LuckLine(BaseModel):
    """A line of the ledger; parts are the players', wins are the house's."""

    player: str | None = None
    table: str | None = None
    dealer: str | None = None
    game: str | None = None
    shift: str | None = Field(default=None, examples=["2026-03-01T22:00Z"], description="when it began")
    free_play: bool = Field(description="whether this is play money, which is never added to real money")
    rounds: int
    hands: int
    staked_cents: int
    average_bets_cents: dict[str, str] = Field(description=f"by wager, {EXACT}")
    played_minutes: float = Field(description="from round to round, without breaks of more than ten minutes")
    rounds_an_hour: float | None
    net_cents: int = Field(description="what the players won")
    edge_cents: str = Field(description=f"the house edge on everything staked, {EXACT}")
    decisions_cents: str = Field(description="what decisions cost, compared with the best ones")
    luck_cents: str
    cards_cents: str = Field(description="luck of the players' cards")
    board_cents: str
    dealer_cents: str = Field(description="luck of the dealer's cards")
    sides_cents: str = Field(description="luck of side wagers")
    besides_cents: str = Field(description="what isn't odds: rounding, payout limits, coupons, meters, rulings")
    theoretical_loss_cents: str = Field(description="edge and decisions: the expected loss at this skill")
    comp_base_cents: str
    win_without_luck_cents: str
    without_luck_low_cents: float = Field(description="the lower end of its 95% band")
    without_luck_high_cents: float
    win_error_cents: float = Field(description="the standard error of the win itself")
    without_luck_error_cents: float
    fewer_rounds: float | None = Field(
        description="how many times fewer rounds the win without luck needs for the same error"
    )


class LuckReport(BaseModel):
    """The whole ledger as it is kept: the lines by each grouping."""

    rounds: int = Field(default=0, description="rounds split so far")
    left_out: int = Field(default=0, description="rounds of rules that can't be computed")
    lines: dict[str, list[LuckLine]] = Field(default_factory=dict)
    closed: dict[str, list[LuckLine]] = Field(default_factory=dict, description="of real money, as of the last day")
    closed_at: int | None = None


class LuckTable(BaseModel):
    """The ledger by one grouping."""

    by: str
    rounds: int = Field(description="rounds split so far")
    left_out: int = Field(description="rounds of rules that can't be computed")
    lines: list[LuckLine]
    as_of: int | None = Field(None, description="until when real-money rounds are in it; null if all are (H-53)")


class SeatParts(BaseModel):
    """Where a seat's money came from in a round; the parts add up to the net."""

    seat: int
    player: str
    net_cents: int
    parts: dict[str, str] = Field(
        examples=[{"edge": "-22", "dealer": "522"}],
        description="exact fractions of a cent: edge, decisions, cards, board, dealer, sides, besides",
    )
    nearest_cents: dict[str, int] = Field(description="the same parts, rounded so that they add up to the net")
