"""Schemas of rounds: recorded ones step by step, the dealer's console, and disputed hands."""

from typing import Literal

from pydantic import BaseModel, Field

from pitboss.house import entry_kinds
from pitboss.house.live_table.console import Console
from pitboss.server.schemas.rules import TableRules
from pitboss.server.schemas.tables import Envy, Result, WagerCounted

StepGroup = Literal["cards", "move", "money", "report", "exception", "other"]


class RecordedResult(Result):
    """How a wager ended, with how its payment was rounded and cut."""

    paid: int = Field(description="winnings paid, in cents")
    remainder: str = Field(description="the fraction of a cent left over by rounding down")
    cut: int = Field(description="the reduction by the payout limit, in cents")
    cut_clause: str | None
    rests_on: list[str] = Field(description="the rulings under which the payment was rounded or reduced")


class ProvedEntry(BaseModel):
    """An entry of the record, with the proof that it is in the tree that a checkpoint signs."""

    leaf: int = Field(description="its place in the tree, from 0")
    line: str
    proof: list[str] = Field(description="hashes in base64, from the leaf to the root")


class OpenedCard(BaseModel):
    """A dealt card with the salt of its commitment."""

    place: str
    position: int
    card: str
    salt: str


class Settlement(BaseModel):
    """What a player staked in a round, and how they ended."""

    staked_cents: int
    net_cents: int


class Receipt(BaseModel):
    """A player's receipt for a round, to be checked offline."""

    format: str
    round: str
    table: str
    player: str
    seats: list[int]
    hands: dict[str, list[str]]
    money: Settlement
    entries: list[ProvedEntry]
    openings: list[OpenedCard]
    checkpoint: str = Field(description="a C2SP signed note")


class RecordedEnvy(Envy):
    """An envy bonus and the seat it was paid to."""

    seat: int


class RecordedSeat(BaseModel):
    """A seat of a recorded round; a card that was face down to the viewer is null."""

    seat: int
    player: str
    status: str
    stakes: dict[str, int]
    cards: list[str | None]
    discard: str | None
    hand: str | None
    results: list[RecordedResult]
    envy_cents: int
    envy: list[RecordedEnvy]
    coupons: dict[str, int]
    acted: list[str] = Field(description="the actions taken in this round, in order", examples=[["check", "raise 2x"]])
    bot: int | None = Field(description="the number of the bot that played here; none for a person")
    counted: list[WagerCounted] = Field(
        default=[], description="what decided each settled wager; only in the viewer's own seats"
    )


class RoundSeen(BaseModel):
    """A round after one of its steps, as its viewer saw it."""

    game: str
    phase: str
    seats: list[RecordedSeat]
    table: dict[str, list[str | None]] = Field(description="the cards in each place on the table")
    seat_asked: int | None
    actions: list[str]
    outcome: str | None
    dealer_hand: str | None = Field(examples=["pair of nines"])
    dealer_qualifies: bool | None


class RecalledStep(BaseModel):
    """One step of a recorded round."""

    sequence: int
    at: int
    kind: str = Field(examples=[entry_kinds.BETS_CLOSED])
    group: StepGroup = Field(description="what it is about: cards, a player's move, money, an exception, or the rest")
    told: str = Field(examples=["No more bets"], description="what happened, in a sentence without any hidden cards")
    actor: str
    role: str
    clause: str | None
    seen: RoundSeen = Field(description="the round after this step, as everyone at the table saw it")
    cards: dict[str, list[str]] | None = Field(description="all cards dealt by then, for auditors and regulators")


class RecalledRound(BaseModel):
    """A recorded round, step by step."""

    round: str
    table: str
    is_over: bool
    rules: str | None = Field(description="the version of the submission it was played under")
    agrees: bool = Field(description="whether replaying the rules gives the same money and clauses")
    disagrees: list[str] = Field(description="the differences, in sentences")
    commitments: int = Field(description="how many deck positions were committed before the first wager")
    steps: list[RecalledStep]


class OwnStep(BaseModel):
    """One step of a round as a player saw it."""

    sequence: int
    at: int
    kind: str = Field(examples=[entry_kinds.BETS_CLOSED])
    told: str = Field(examples=["No more bets"])
    clause: str | None
    seen: RoundSeen = Field(description="the round after this step, as the player saw it")


class OwnRound(BaseModel):
    """A round the caller has played, step by step."""

    round: str
    table: str
    is_over: bool
    seats: list[int] = Field(description="the player's own seats")
    steps: list[OwnStep]


class RoundLink(BaseModel):
    """A link to a finished round: anyone with the key sees what a spectator saw."""

    round: str
    key: str = Field(description="what the link carries; the page's address is /rounds/{round}?key={key}")


class SharedRound(BaseModel):
    """A finished round step by step, as a spectator saw it, without names."""

    round: str
    table: str
    rules: TableRules
    steps: list[OwnStep]


class OwnSummary(BaseModel):
    """A round the caller has played, in a line."""

    round: str
    table: str
    game: str
    title: str = Field(description="the game's title")
    free_play: bool = Field(description="whether it was for play money")
    number: int
    at: int = Field(description="when the round ended, or when it began if it is in progress")
    seats: list[int]
    staked_cents: int
    net_cents: int
    outcome: str | None = Field(examples=["settled"], description="null while the round is in progress")


class SplitResult(BaseModel):
    """What was won or lost, and where it came from: the parts add up to the money."""

    times: int = Field(description="how many rounds, or how often a wager was made")
    staked_cents: int
    net_cents: int
    edge_cents: str = Field(description="the house edge on what was staked, as an exact fraction of a cent")
    edge_nearest_cents: int = Field(description="the same to the nearest cent")
    decisions_cents: str = Field(description="what the player's decisions cost, compared with the best ones")
    decisions_nearest_cents: int
    luck_cents: str
    luck_nearest_cents: int
    other_cents: str = Field(description="what isn't odds: rounding, payout limits, coupons, meters, rulings")
    other_nearest_cents: int


class SplitWager(SplitResult):
    """The results of a wager, or of the main game's wagers together."""

    wager: str = Field(examples=["main"])
    title: str


class SplitGame(SplitResult):
    """The results of a game, and of each of its wagers."""

    game: str
    title: str
    wagers: list[SplitWager]


class SplitPoint(BaseModel):
    """The totals after a round."""

    round: str
    at: int
    net_cents: int
    expected_nearest_cents: int = Field(description="house edge and decisions so far, without luck")


class OwnStatistics(SplitResult):
    """The caller's last finished rounds added up, play money apart from money."""

    free_play: bool = Field(description="whether these rounds were for play money")
    is_all: bool = Field(description="false if older rounds were left out")
    games: list[SplitGame]
    points: list[SplitPoint] = Field(description="oldest first")


class DealersConsole(BaseModel):
    """A table as its dealer works it: the next step, its command, and what would be refused."""

    console: Console
    lease: int | None = Field(description="the lease token, shown only to the dealer who holds the lease")


class RackedHand(BaseModel):
    """The cards of one place as they lie in the discard rack."""

    place: str = Field(examples=["2", "dealer", "board", "stub"])
    count: int
    cards: list[str] = Field(description="empty if no one saw the cards, such as the stub")


class DisputedHands(BaseModel):
    """The hands of a disputed round, reconstructed in the order of the rack."""

    round: str
    seats: list[int] = Field(description="the seats in dispute")
    note: str
    clause: str = Field(description="the clause that sets the order in which cards are picked up")
    ruling: str
    hands: list[RackedHand]
