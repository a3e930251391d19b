"""Wire schemas for the rules of games and tables, which hold no secrets."""

from pydantic import BaseModel, Field

from pitboss.server.schemas.tables import Body, Wire

CLAUSE = Field(examples=["Ch. 7 §F(1)"])
WAGER = Field(examples=["ante"])
CENTS = Field(examples=[1000])


class BookShown(BaseModel):
    """The document a game is taken from."""

    title: str
    authority: str
    jurisdiction: str
    version: str | None


class PaytableLine(BaseModel):
    """A hand, what it pays and the clause that says so."""

    hand: str = Field(examples=["full-house"])
    title: str = Field(examples=["full house"])
    odds: str = Field(examples=["3 to 1"])
    clause: str | None = CLAUSE


class OptionValue(BaseModel):
    """An option and the value of it that something depends on."""

    option: str = Field(examples=["dealer-cards"])
    value: str = Field(examples=["delivered"])


class PaytableShown(BaseModel):
    """What a wager pays, in the order of the rulebook."""

    letter: str | None = Field(examples=["A"], description="null if the rulebook has only one paytable")
    when: str | None = Field(default=None, description="the option it applies to; null if it always applies")
    under: OptionValue | None = Field(default=None, description="the same, its option and value apart")
    lines: list[PaytableLine]


class MeterShown(BaseModel):
    """A progressive meter and the lowest amount it may start from."""

    name: str = Field(examples=["major"])
    minimum_cents: int


class WagerShown(BaseModel):
    """A wager of the game, whether or not a table offers it."""

    name: str = WAGER
    title: str
    required: bool
    by_action: bool
    equals: str | None
    needs: list[str]
    nature: str = Field(description="who places it and what it depends on, in words")
    fixed_stakes: list[int] = Field(description="in cents; empty if any stake within the limits is allowed")
    defined_by_submission: bool
    hands: dict[str, list[str]] = Field(description="the hands on which a wager the rulebook leaves open may pay")
    dealing: str | None = Field(description="the only dealing method with which it may be offered; null if any")
    minimum_odds: bool = Field(description="whether a submission may raise its odds")
    is_progressive: bool
    meters: dict[str, list[MeterShown]] = Field(description="the meters each paytable pays from")
    envy: list[str] = Field(description="the letters of its envy tables")
    paytables: list[PaytableShown]
    cite: str = CLAUSE


class OptionShown(BaseModel):
    """A choice left to the operator; the default comes first."""

    name: str
    values: list[str] | None = Field(description="null if it is an amount in cents")
    meaning: dict[str, str]
    minimum_cents: int | None
    concerns: str | None = Field(description="the wager or option without which it has no effect")
    concerns_wager: str | None = Field(description="the same, where it is a wager")
    concerns_option: OptionValue | None = Field(description="the same, where it is an option's value")
    counts_positions: bool = Field(description="whether it follows from the number of betting positions")
    must_state: str | None = Field(description="the wager that requires a submission to state it")
    ruling: str | None
    cite: str = CLAUSE


class InstrumentShown(BaseModel):
    """Something other than chips that a submission may let players bet with."""

    name: str = Field(examples=["match-play-coupon"])
    clause: str
    is_beside_chips: bool = Field(description="whether it is bet with chips, like a coupon, and never instead of them")


class GameShown(BaseModel):
    """A game in the catalog."""

    name: str
    title: str
    rulebook: BookShown
    cards: int = Field(description="how many cards its deck has")
    positions: int
    dealing: list[str]
    wagers: list[WagerShown]
    options: list[OptionShown]
    instruments: list[InstrumentShown] = Field(description="what a submission may allow wagers to be made with")


class ClauseShown(BaseModel):
    """A clause in one sentence, and what the program does about it."""

    summary: str
    status: str = Field(examples=["enforced"])


class RulingShown(BaseModel):
    """How an unclear clause is read, and why."""

    id: str = Field(examples=["G-1"])
    clause: str
    clauses: list[str] = Field(description="the clauses it interprets, listed separately")
    question: str
    reading: str
    reason: str
    effect: str
    option: str | None


class PlaceShown(BaseModel):
    """A place on the table that holds cards."""

    place: str = Field(examples=["board"])
    title: str
    cards: int
    groups: list[int] = Field(description="how many of its cards are turned up at a time, in order")
    cite: str | None


class WagerAtTable(BaseModel):
    """A wager that a table offers, with its limits and what it pays there."""

    name: str = WAGER
    title: str
    inscription: str | None = Field(description="what is printed in its area of the layout")
    inscribed_name: str | None = Field(description="the same without the sign before it")
    after_equals: bool = Field(description="whether an equals sign is printed before it")
    required: bool
    by_action: bool
    equals: str | None
    needs: list[str]
    step_cents: int | None
    minimum_cents: int | None
    maximum_cents: int | None
    fixed_stakes: list[int] | None
    paytable: PaytableShown | None
    envy: PaytableShown | None
    survives_fold: bool
    meters: list[str]
    takes_coupon: bool = Field(default=False, description="whether a match play coupon may be bet with its chips")
    cite: str = CLAUSE


class ActionShown(BaseModel):
    """A player's move."""

    name: str = Field(examples=["fold"])
    title: str
    wager: str | None = Field(description="the wager it places")
    multiple: int | None = Field(description="its stake as a multiple of the other wager")
    of: str | None
    discards: bool
    step: str = Field(description="the decision it belongs to")
    cite: str = CLAUSE


class InscriptionShown(BaseModel):
    """A sentence printed on the layout or its sign."""

    text: str
    alternative: str
    cite: str = CLAUSE


class HowToPlay(BaseModel):
    """One sentence on how the game is played here, for someone who has never seen it."""

    text: str = Field(examples=["Only tens, jacks, queens, kings and aces count."])
    clauses: list[str] = Field(examples=[["Ch. 6 §A"]])


class IrregularityNeeds(BaseModel):
    """What a report of an irregularity must state."""

    seat: bool
    card: bool
    note: bool = Field(default=False, description="whether the person who rules must give a reason")


class LimbShown(BaseModel):
    """One of the duties whose breach a clause penalizes."""

    name: str = Field(examples=["out-of-view"])
    title: str
    cite: str


class IrregularityShown(BaseModel):
    """Something that can go wrong here, and what the rulebook orders."""

    name: str
    title: str
    needs: IrregularityNeeds
    other_deck: bool = Field(description="whether a report must say which of two decks is affected")
    rulings: list[str] = Field(description="the rulings a floorperson chooses from, if one is needed")
    clauses: list[str]
    limbs: list[LimbShown] = Field(
        default=[], description="if there are any, a report must say which of these was breached"
    )


class TableRules(BaseModel):
    """Everything the page draws and explains about a table: its layout, wagers, actions and limits."""

    table: str
    title: str
    game: str
    game_title: str
    rulebook: BookShown
    version: str = Field(description="the version of the submission in force")
    facility: str
    seats: int
    per_player: int = Field(description="how many adjacent seats one player may hold")
    free_play: bool
    analysis: bool = Field(description="whether its rules are for analysis only, which the page shows prominently")
    real_cards: bool
    is_automatic: bool
    minimum_cents: int | None = CENTS
    maximum_cents: int | None = CENTS
    dealing: str
    shuffler: str
    decks: int
    options: dict[str, str]
    payout_limit_cents: int | None
    coupon_most_cents: int | None = Field(default=None, description="the maximum face value of a coupon, if one is set")
    places: list[PlaceShown]
    cards_each: int
    discards: bool
    wagers: list[WagerAtTable]
    actions: list[ActionShown]
    inscriptions: list[InscriptionShown]
    how_to_play: list[HowToPlay] = Field(description="in reading order; empty if the game has none")
    deck: list[str] = Field(description="every card of the deck by its face", examples=[["As", "Kd"]])
    card_titles: dict[str, str]
    rulings: list[str] = Field(description="the rulings that apply to this table")
    irregularities: list[IrregularityShown]


class RulesDocument(Wire):
    """A document that a table could run by."""

    document: Body = Field(
        examples=[{"facility": {"name": "Harbor", "jurisdiction": "Maryland"}, "table": {"name": "1"}}],
        max_length=20,
    )


class FaultShown(BaseModel):
    """One fault of a submission: where it is, how to fix it, and the clause."""

    table: str | None
    field: str = Field(examples=["table[0].wagers.ante"])
    path: list[str] = Field(
        description="the same as the keys that lead there in the document", examples=[["table", "wagers", "ante"]]
    )
    reason: str
    clause: str | None = CLAUSE
