"""Wire schemas, with types that can't hold what their viewer may not see."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pitboss.house import entry_kinds

ID = Field(min_length=1, max_length=80, pattern=r"^[\w.:@ -]+$", examples=["9f1c2d"])
NAME = Field(min_length=1, max_length=80, examples=["alice"])
KIND = Field(min_length=1, max_length=40, pattern=r"^[A-Za-z]+$", examples=["PlaceWagers"])

ReactionName = Literal["nice-hand", "well-played", "good-luck", "thanks", "ouch", "wow"]

WHOLE_MOST = 2**53
_DEEPEST = 12


def plain_body(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body that a record can hold: text, whole numbers, booleans, and lists and mappings of these."""
    _check_plain(body, _DEEPEST)
    return body


def _check_plain(value: Any, depth: int) -> None:
    if depth == 0:
        raise ValueError("the body is nested too deeply")
    if isinstance(value, dict):
        for name, item in value.items():
            _check_plain(name, depth - 1)
            _check_plain(item, depth - 1)
    elif isinstance(value, list):
        for item in value:
            _check_plain(item, depth - 1)
    elif isinstance(value, float):
        raise ValueError("numbers must be whole; enter money in cents")
    elif isinstance(value, int) and abs(value) > WHOLE_MOST:
        raise ValueError("a number is too large")
    elif isinstance(value, str) and ("\0" in value or (not value.isprintable() and not _encodes(value))):
        raise ValueError("text must not contain NUL or invalid characters")


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


Body = Annotated[dict[str, Any], AfterValidator(plain_body)]


class Wire(BaseModel):
    """Base of all request schemas: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SecondShown(Wire):
    """A second factor: a code of an app or a recovery code, or a passkey's answer as browsers write it as JSON."""

    code: str = Field(default="", max_length=40, examples=["123456"])
    passkey: dict[str, Any] | None = Field(default=None, max_length=12)


class SignIn(SecondShown):
    """A name and its password, with a second factor if the person has one."""

    name: str = NAME
    password: str = Field(min_length=1, max_length=256, examples=["correct horse battery"])


class FollowLink(SecondShown):
    """The token of a sign-in link, with a second factor if the person has one."""

    token: str = Field(min_length=16, max_length=200)


class Command(Wire):
    """A command at a table; the body holds its kind and that kind's fields."""

    id: str = ID
    body: Body = Field(examples=[{"kind": "PlaceWagers", "seat": 1, "stakes": {"ante": 1000}}], max_length=20)
    token: int | None = Field(default=None, ge=0, le=2**53, description="the dealer's lease token, if any")
    seen: int | None = Field(default=None, ge=0, le=2**53, description="the last entry the sender has seen")


class OfficeCommand(Wire):
    """A back office command; the body holds its kind and that kind's fields."""

    id: str = ID
    body: Body = Field(examples=[{"kind": "IssueMoney", "person": "alice", "cents": 50000}], max_length=20)


class NewPassword(Wire):
    """Your new password, with the current one; a person who signed in with a link has none yet."""

    old: str = Field(default="", max_length=256, examples=["correct horse battery"])
    password: str = Field(min_length=1, max_length=256, examples=["wrong donkey charger"])


class GivenPassword(Wire):
    """A password given to another person."""

    password: str = Field(min_length=1, max_length=256, examples=["wrong donkey charger"])


class Link(BaseModel):
    """A one-time sign-in link."""

    person: str
    path: str
    proposal: str | None = Field(None, description="what a second administrator confirms before the link works")


class AccessGiven(BaseModel):
    """A password that another person was given."""

    person: str
    proposal: str | None = Field(None, description="what a second administrator confirms before the password works")


class Waiting(BaseModel):
    """A command that waits for a second person."""

    proposal: str
    by: str
    role: str
    body: dict[str, Any]
    until: int = Field(description="when it expires, in UTC milliseconds")
    clause: str = Field(description="the rule that requires two people", examples=["H-5"])
    digest: str | None = Field(description="the second person sends it back to confirm exactly this request")
    permission: str | None = Field(
        default=None, description="in the back office, what the two people need to be allowed"
    )


class Happened(BaseModel):
    """An entry of the record as everyone may see it."""

    sequence: int
    kind: str = Field(examples=[entry_kinds.BETS_CLOSED])
    clause: str | None = Field(examples=["Ch. 7 §F(1)"])


class Refused(BaseModel):
    """The reason for a refusal, and its clause."""

    reason: str
    clause: str | None = None
    field: str | None = None
    passkey: dict[str, Any] | None = Field(default=None, description="if a second factor is needed: for the browser")


class RefusedAnswer(BaseModel):
    """The response to a refused request."""

    refused: Refused


class Acknowledged(BaseModel):
    """A table command that is on disk."""

    id: str
    sequence: int = Field(description="the table's last entry so far")
    again: bool = Field(description="whether the command had already been carried out")
    entries: list[Happened] = Field(description="what it recorded in the table's stream")
    proposal: str | None = Field(default=None, description="the name of the request, if it waits for a second person")
    lease: int | None = Field(default=None, description="the token of the dealer's lease, if this command took it")


class Settled(BaseModel):
    """A back office command that is on disk."""

    id: str
    again: bool
    proposal: str | None = Field(default=None, description="the name of the request, if it waits for a second person")


class Me(BaseModel):
    """Who is signed in."""

    name: str
    roles: list[str]
    purse_cents: int = Field(description="play money, for free-play tables")
    deposit_cents: int = Field(description="real money on deposit, for real-money tables")
    has_pin: bool = Field(False, description="whether a locked console can be unlocked with a PIN")
    locks_after_ms: int = Field(0, description="after how long without use this session locks; 0 if never")


class LockedSession(BaseModel):
    """A session that locked because nobody used it."""

    name: str
    has_pin: bool


class Pin(Wire):
    """The PIN of a locked console."""

    pin: str = Field(min_length=1, max_length=64, examples=["4071"])


class NewPin(Pin):
    """Your new PIN, with your password."""

    password: str = Field(max_length=256, examples=["correct horse battery"])


class PaceShown(BaseModel):
    """How long a table waits for its players."""

    wagers_ms: int = Field(description='the time from the first wager to "no more bets"')
    decision_ms: int = Field(description="the time a player has to decide")


class Session(BaseModel):
    """Who is signed in, if anyone."""

    me: Me | None
    locked: LockedSession | None = Field(None, description="whose session is locked, if it is")
    admits_guests: bool = Field(description="whether anyone may play as a guest, with play money")
    shares_rounds: bool = Field(description="whether players may share links to finished rounds")
    allows_reactions: bool = Field(description="whether seated players may send reactions")


class TableSummary(BaseModel):
    """A table as the lobby shows it."""

    table: str
    title: str
    game: str | None
    is_open: bool
    free_play: bool
    analysis: bool = Field(description="whether its rules are for analysis only, which the page shows prominently")
    seats: int
    players: list[str]
    bots: dict[str, int] = Field(
        default={}, description="which of the players are bots, with their numbers from 1", examples=[{"bot 0 at 1": 1}]
    )
    phase: str | None
    round: int
    minimum_cents: int | None
    maximum_cents: int | None
    meters: dict[str, int]
    paytables: dict[str, str] = Field(description="the letter in force for each wager", examples=[{"progressive": "A"}])
    dealer: str | None = Field(description="the current dealer")
    is_automatic: bool = Field(description="whether the table deals by itself")
    real_cards: bool = Field(description="whether the table uses physical cards, each read by a card reader")
    pace: PaceShown | None = Field(description="null unless the table deals by itself")
    rounds_per_hour: int | None = Field(description="from the last rounds; null if there were none")


class Reaction(BaseModel):
    """What a seated player says with one press."""

    reaction: ReactionName


class DeckCommitments(BaseModel):
    """The program's commitments to the order of a deck it has shuffled."""

    deck: str
    shuffle: str = Field(description="the name of the shuffle that fixed the order")
    cut_cards: int = Field(description="how many cards the cuts since then have moved from top to bottom")
    commitment: str = Field(description="SHA-256 of all commitments joined together, in hexadecimal")
    commitments: list[str] = Field(description="the commitment for each position, from the top card down")


class Commitments(BaseModel):
    """The commitments to the order of a round's deck, made before the first wager, and of the waiting decks."""

    round_id: str
    commitment: str = Field(description="SHA-256 of all commitments joined together, in hexadecimal")
    commitments: list[str] = Field(description="for each position, the SHA-256 of its salt and its card")
    decks: list[DeckCommitments] = Field(description="each shuffled deck at the table, in its order after the cuts")


class Ticket(BaseModel):
    """A short-lived ticket that opens one socket."""

    ticket: str


class Result(BaseModel):
    """How a wager ended."""

    wager: str
    stake: int
    result: str
    net: int
    odds: str | None
    clause: str
    odds_clause: str | None
    coupon: int = Field(default=0, description="the face value of a coupon taken with this result, in cents")


class HandCounted(BaseModel):
    """A hand that decided a wager."""

    cards: list[str] = Field(description="the faces of the cards the wager looks at")
    counting: list[bool] = Field(description="for each card, whether it counts")
    hand: str = Field(examples=["seven-high straight"])


class WagerCounted(BaseModel):
    """What decided a wager."""

    wager: str
    folded: bool = Field(description="whether the wager was lost by folding, whatever the cards")
    seat: HandCounted | None = Field(description="the player's cards; null for a fold")
    dealer: HandCounted | None = Field(description="the dealer's cards, where the two hands are compared")
    order: str | None = Field(description="wins, loses or ties, where the two hands are compared")


class Envy(BaseModel):
    """An envy bonus for another seat's hand."""

    from_seat: int
    hand: str
    net: int
    clause: str


class Seat(BaseModel):
    """A betting position."""

    seat: int
    player: str
    stack_cents: int | None
    status: str | None
    stakes: dict[str, int]
    cards: list[str | None]
    discard: str | None
    hand: str | None
    results: list[Result]
    envy_cents: int
    acted: list[str] = Field(description="the actions taken in this round, in order", examples=[["check", "raise 2x"]])
    sitting_out: bool = Field(description="whether the seat is taken but isn't in the current round")
    envy: list[Envy] = Field(description="the seat's envy bonuses, each with its clause")
    coupons: dict[str, int] = Field(
        default={}, description="the face values of coupons bet with its chips, by wager", examples=[{"ante": 1500}]
    )
    given_up: bool = Field(default=False, description="whether its player left during the current round")
    bot: int | None = Field(description="the number of the bot that plays here; none for a person")
    counted: list[WagerCounted] = Field(
        default=[], description="what decided each settled wager; only in the viewer's own seats"
    )


class Opened(BaseModel):
    """A card that may be seen, with the salt of its commitment."""

    position: int
    card: str
    salt: str


class Held(BaseModel):
    """A report that holds the table: play stops until it is ruled on, declined or withdrawn."""

    irregularity: str = Field(examples=["wrong-number-of-cards"])
    seat: int | None
    clause: str | None
    since: int


class TableView(BaseModel):
    """A table as one person may see it."""

    table: str
    sequence: int
    at: int
    game: str | None
    rules: str | None
    is_open: bool
    free_play: bool
    analysis: bool = Field(description="whether its rules are for analysis only, which the page shows prominently")
    dealer: str | None
    round: int
    round_id: str
    last_round: str | None = Field(description="the previous round")
    phase: str | None
    seats: list[Seat]
    cards: dict[str, list[str | None]]
    dealer_hand: str | None = Field(description="null until every card in it is face up", examples=["pair of nines"])
    dealer_qualifies: bool | None
    seat_asked: int | None
    until: int | None
    actions: list[str]
    at_bell: str | None = Field(description="the action taken if the viewer's time runs out; null at a dealer's table")
    outcome: str | None
    commitment: str = Field(description="SHA-256 of the deck's commitments joined together; empty if none")
    opened: list[Opened]
    held: Held | None = Field(description="the report that has the table on hold, or null")
    meters: dict[str, int]
