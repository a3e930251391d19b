"""Wire schemas of the leak test: the evidence of each test, and the shuffles."""

from pydantic import BaseModel, Field


class EvidencePoint(BaseModel):
    """A test's evidence after a number of rounds."""

    rounds: int
    log10: float


class LeakLine(BaseModel):
    """A running test: who it is about, its evidence and where it would raise an alarm, as powers of ten."""

    kind: str = Field(examples=["player"], description="player, dealer-player, players or shuffle")
    subject: list[str] = Field(
        examples=[["ada"]],
        description="the player; dealer and player; the player and the one whose cards they may know; or the table",
    )
    rounds: int
    evidence_log10: float
    peak_log10: float = Field(description="the highest evidence so far")
    threshold_log10: float = Field(description="the evidence that raises the alarm")
    suspicion: str = Field(examples=["dealer:1"], description="the leak that fits the evidence best")
    place: str | None = Field(description="the place of the cards, where the leak is of certain cards")
    card: int | None = Field(description="which card of the place; null for all of them")
    alarm_round: str = Field(description="the round that raised the alarm; empty without one")
    points: list[EvidencePoint] = Field(description="the evidence over time, for a drawing")


class ShuffleLine(BaseModel):
    """The shuffle of a table's cards, tested once over 10,000 rounds at 99%."""

    table: str
    rounds: int
    needed: int = Field(examples=[10_000])
    passes: bool | None = Field(description="null until there are enough rounds")
    places_p: float | None = Field(description="the chance of places at least this uneven")
    steps_p: float | None = Field(description="the chance of neighbors at least this uneven")


class LeakReport(BaseModel):
    """Every running test of the floor, the strongest evidence first."""

    rounds: int
    decisions: int
    bound: float = Field(examples=[0.01], description="the chance that an honest floor ever raises an alarm, at most")
    count: int = Field(description="how many tests there are in total")
    tests: list[LeakLine]
    shuffles: list[ShuffleLine]
