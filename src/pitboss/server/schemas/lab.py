"""Response schemas of the lab and the coach."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pitboss.server.schemas.rules import OptionValue

JobState = Literal["waiting", "running", "done", "cancelled", "failed"]


class LabState(BaseModel):
    """The lab's readiness."""

    state: Literal["cold", "warming", "ready"]
    games: dict[str, bool] = Field(description="which games the lab can answer questions about right away")
    compiling: str | None = Field(description="the kernel being compiled now")


class PrintedLine(BaseModel):
    """A line of a paytable as the rulebook prints it."""

    hand: str
    title: str
    pays: str
    prize_cents: int | None = Field(description="the sum it pays, where that is a sum and not odds")
    clause: str


class PrintedTable(BaseModel):
    """A paytable as the rulebook prints it."""

    letter: str | None
    when: str | None = Field(description="the option value it applies to")
    under: OptionValue | None = Field(description="the same, its option and value apart")
    clause: str
    lines: list[PrintedLine]


class LabWager(BaseModel):
    """A wager as the lab prices it."""

    wager: str
    title: str
    clause: str
    is_main: bool = Field(description="whether it is priced together with the rest of the main game")
    stakes_cents: list[int]
    paytables: list[PrintedTable]


class LabOption(BaseModel):
    """A choice that the rulebook or a ruling leaves to the operator; the default comes first."""

    option: str
    values: list[str]
    meaning: dict[str, str]
    clause: str
    ruling: str | None
    is_amount: bool


class LabStrategy(BaseModel):
    """A named strategy."""

    strategy: str
    title: str


class LabGame(BaseModel):
    """A game as the lab shows it."""

    game: str
    title: str
    jurisdiction: str
    seats_most: int
    cards_each: int
    board_sizes: dict[str, int] = Field(description="for each decision, how many board cards are face up")
    faces: dict[str, str] = Field(description="the title of every card face in the deck")
    copies: dict[str, int] = Field(description="how many cards in the deck have each face")
    wagers: list[LabWager]
    options: list[LabOption]
    meters: dict[str, dict[str, int]] = Field(description="the minimum of each meter, by progressive paytable")


class EdgeRow(BaseModel):
    """The worth of a wager under a paytable, with exact figures as fractions in lowest terms."""

    model_config = ConfigDict(extra="allow")

    game: str
    wager: str
    paytable: str | None
    options: dict[str, Any]
    ev: str
    house_edge: float
    hit_frequency: str
    hit_rate: float = Field(description="the hit frequency as a number")
    standard_deviation: float
    element_of_risk: float
    average_wager: float
    method: str
    break_even_meter: int | None = None
    notes: list[str] | None = None


class ExposureRow(BaseModel):
    """What cards seen too early are worth to a player, per unit of Ante under best play."""

    model_config = ConfigDict(extra="ignore")

    seen: list[str]
    ev: str = Field(description="a fraction in lowest terms where the method is exact")
    player_edge: float
    gain: float = Field(description="over fair play")
    method: str
    standard_error: float | None = None
    answers: dict[str, str] = Field(description="how often each answer to the first question is best")
    situations: int | None
    hands_an_hour: int
    minimum_cents: int
    maximum_cents: int
    hourly_cents_at_minimum: int
    hourly_cents_at_maximum: int
    rule: list[str] = Field(description="a short rule that a cheat could remember; none where there is none")
    rule_cost: float = Field(description="of the rule, compared with best play")


class Figures(BaseModel):
    """A wager's figures per unit staked; the main game's are per unit of Ante."""

    ev: str = Field(description="exact, as a fraction in lowest terms", examples=["-59/663"])
    house_edge: float
    hit_frequency: float
    standard_deviation: float
    element_of_risk: float
    average_wager: float
    break_even_meter_cents: int | None
    combinations: int
    notes: list[str]


class ParLine(BaseModel):
    """A line of a PAR sheet."""

    hand: str
    units: int
    pays: str
    clause: str | None
    combinations: int
    probability: float
    contribution: float


class Unlawful(BaseModel):
    """Why no table may pay these odds."""

    reason: str
    clause: str | None
    hand: str | None


class PaytablePriced(Figures):
    """An edited paytable: its value, the printed paytable's value, and whether a table may offer it."""

    wager: str
    priced_as: str
    letter: str | None
    play: Literal["kept", "best"]
    printed: Figures
    is_lawful: bool
    findings: list[Unlawful]
    lines: list[ParLine]


class ParSheet(BaseModel):
    """The PAR sheet lines of one wager."""

    wager: str
    title: str
    lines: list[ParLine]


class Par(BaseModel):
    """A PAR sheet."""

    wager: str
    paytable: str | None
    figures: Figures
    sheets: list[ParSheet]


class NetResult(BaseModel):
    """How often a round has a given net."""

    net: str
    units: float
    combinations: int
    probability: float


class BandPoint(BaseModel):
    """The 95% band of the house's result after a number of rounds, in units."""

    rounds: int
    expected: float
    low: float
    high: float


class HitWait(BaseModel):
    """How many rounds a result takes to come up."""

    hand: str
    probability: str
    mean: str = Field(description="rounds on average, as a fraction in lowest terms")
    within: dict[str, int] = Field(description="by probability: the fewest rounds in which it has come up")


class Risk(BaseModel):
    """Risk figures per unit: exact ones as fractions in lowest terms, the others as decimals."""

    skewness: float
    excess_kurtosis: str
    volatility_index: dict[str, float] = Field(description="by share of results, standard deviations of a round")
    n0: str | None = Field(description="rounds after which the expected result equals one standard deviation")
    percentiles: dict[str, dict[str, float]] = Field(description="by rounds, then by percentile: a player's result")
    bankroll: dict[str, float | None] = Field(description="by risk of ruin: the house's bankroll, in units")
    hits: list[HitWait]


class Distribution(BaseModel):
    """The distribution of results."""

    wager: str
    paytable: str | None
    figures: Figures
    results: list[NetResult]
    band: list[BandPoint]
    clear_rounds: int | None = Field(description="the number of rounds after which the whole band is a house win")
    risk: Risk


class Choice(BaseModel):
    """An action, with the card it discards."""

    action: str = Field(description="its name, plus the card it discards, if any", examples=["fold"])
    move: str = Field(description="the action's name", examples=["fold"])
    discard: str | None = Field(description="the card it discards, if any", examples=["4d"])


class ActionWorth(Choice):
    """The worth of an action and its cost against the best, in units of the Ante."""

    worth: str
    units: float
    cost: str
    cost_units: float


class Quoted(BaseModel):
    """What the strategy's chart says about the cards."""

    rules: list[str] = Field(description="the chart's rules that apply", examples=[["With a pair: bet."]])
    action: str
    discard: str | None
    cost: str = Field(description="what this costs against the best action, in units of the Ante")
    cost_units: float
    because: str | None = Field(
        description="why, in a sentence", examples=["If you play, you win in 22% of deals and lose in 78%, so fold."]
    )


class Marked(BaseModel):
    """A section of the strategy's chart, with the squares of its grid that match the cards."""

    title: str
    rules: list[str]
    squares: list[list[int]] = Field(description="row and column of each square")


class Advised(BaseModel):
    """The worth of every action with these cards, best first."""

    game: str
    asked: str
    cards: list[str]
    board: list[str]
    best: str
    actions: list[ActionWorth]
    line: Quoted | None
    marks: list[Marked]


class ChartGrid(BaseModel):
    """Marks by row and column, and the meaning of each mark."""

    rows: list[str]
    columns: list[str]
    cells: list[list[str]]
    legend: dict[str, str] = Field(description="what each mark means, the strongest first")
    is_points: bool = Field(description="whether each cell is a number of points and not a mark")
    strengths: list[list[int]] = Field(description="how strong each cell is, from 0 to 100")


class ChartSection(BaseModel):
    """One decision of a strategy."""

    title: str
    rules: list[str]
    cost: str
    cost_units: float
    hands: dict[str, int]
    grid: ChartGrid | None
    notations: list[Literal["short-hands", "multiples"]] = Field(
        description="what its rules abbreviate: two cards as AKs or 22+, raises as 4x"
    )


class StrategyChart(BaseModel):
    """A strategy a person can memorize, and its cost against optimal play, in units of the Ante."""

    game: str
    sections: list[ChartSection]
    cost: str
    cost_units: float


class HardHand(BaseModel):
    """A close decision to practice on."""

    game: str
    seed: int
    asked: str
    cards: list[str]
    board: list[str]
    actions: list[str]
    choices: list[Choice] = Field(description="the actions, with each discard listed separately")


class Practised(Advised):
    """The score of an answer to a hard hand: 100 for the best, 0 for the worst, in between by value."""

    action: str
    score: int
    is_best: bool
    cost_units: float


class ReadingWorth(BaseModel):
    """The worth of a wager under one reading."""

    value: str
    ev: str
    house_edge: float


class RulingEffect(BaseModel):
    """A wager whose value a ruling changes."""

    wager: str
    paytable: str | None
    under: dict[str, str]
    readings: list[ReadingWorth]
    notes: list[str] = Field(default_factory=list)


class RulingPriced(BaseModel):
    """A ruling with the value of each reading."""

    id: str
    clause: str
    problem: str
    reading: str
    reason: str
    effect: str
    option: str | None
    effects: list[RulingEffect]


class JobPoint(BaseModel):
    """The house's win after a number of rounds."""

    rounds: int
    house_cents: int


class Job(BaseModel):
    """A running or finished simulation."""

    id: str
    game: str
    state: JobState
    asked: int = Field(description="rounds requested")
    rounds: int = Field(description="rounds played so far")
    points: list[JobPoint]
    result: dict[str, Any] | None = Field(description="as `pitboss simulate --json` prints it, with money in cents")
    reason: str | None = Field(description="why it failed")


class CoachedAction(ActionWorth):
    """An available action, with its cost in money at this Ante."""

    cost_cents: int


class Coached(BaseModel):
    """The coach's advice on a player's decision; empty while someone else is asked."""

    table: str
    round_id: str
    sequence: int
    seat: int | None = Field(description="the seat that is asked, if it is the player's own")
    asked: str | None
    cards: list[str]
    board: list[str]
    ante_cents: int | None
    best: str | None
    actions: list[CoachedAction]
    line: Quoted | None
    marks: list[Marked]
