"""What people do around a round, in order, each duty with its clause: shown, confirmed and recorded."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

DEALER = "dealer"
FLOORPERSON = "floorperson"
PLAYER = "player"

OutOfUse = Literal["covered", "marked", "removed"]  # what is done with a device that is not to be used

CUT = "cut"
RECUT = "recut"
IDLE_SPREAD = "idle-spread"


@dataclass(frozen=True, slots=True)
class Moment:
    """A part of a round in which duties are done, from the time it is reached until another one is."""

    name: str
    when: str  # the same as text
    until: "Moment | None" = None  # None: it lasts as long as the round

    def is_over(self, reached: Collection["Moment"]) -> bool:
        """Say whether a round that has reached these moments has left this one behind."""
        return self.until is not None and self.until in reached

    def is_now(self, reached: Collection["Moment"]) -> bool:
        """Say whether a round that has reached these moments is in this one."""
        return self in reached and not self.is_over(reached)


BEGUN = Moment("begun", "during the round")
SETTLED = Moment("settled", "after all wagers are settled")
PAYOUT = Moment("payout", "while a payout is waiting for validation")
PAYING = Moment("paying", "when wagers are settled")
CARDS_DEALT = Moment("cards-dealt", "after every card is dealt")
DECIDED = Moment("decided", "after the last decision and before settlement", until=SETTLED)
DECLARATION = Moment("declaration", "after a hand is declared")
FOLD = Moment("fold", "after a folded hand is collected")
DEALT = Moment("dealt", "after the hands are dealt and before wagers are settled", until=PAYING)
CLOSED = Moment("closed", 'after "no more bets" and before the last decision', until=DECIDED)
WAGERED = Moment("wagered", "after the first wager and before the hands are dealt", until=DEALT)


@dataclass(frozen=True, slots=True)
class Duty:
    """One thing a person does, in the words shown to them."""

    id: str
    text: str
    by: str
    cite: str
    if_offered: str | None = None  # only where this wager is offered
    when: str | None = None  # an option fact such as "dealer-cards=delivered"
    ruling: str | None = None  # the reading this rests on
    moment: Moment = BEGUN  # when in a round it is done
    blocks: str | None = None  # the command that waits until it is confirmed


def duties_in_force(
    duties: tuple[Duty, ...], option_facts: Collection[str], offered: Collection[str]
) -> tuple[Duty, ...]:
    """Return the duties that hold under these options where these wagers are offered."""
    return tuple(
        duty
        for duty in duties
        if (duty.when is None or duty.when in option_facts) and (duty.if_offered is None or duty.if_offered in offered)
    )


@dataclass(frozen=True)
class Cards:
    """What a deck must be and come with, confirmed when it is received."""

    one_deck_cite: str
    cover_cards: int
    cover_cards_cite: str
    duties: tuple[Duty, ...]


@dataclass(frozen=True)
class Opening:
    """From decks received to decks ready for the shuffle."""

    duties: tuple[Duty, ...]
    two_decks_cite: str  # each deck goes through the duties separately
    skipped_cite: str  # preinspected and preshuffled decks skip them
    shuffle_cite: str = ""  # the stacked cards are shuffled next


@dataclass(frozen=True)
class Shuffling:
    """When cards are shuffled and what a counting device's wrong count means."""

    before_play_cite: str
    after_round_cite: str
    directed_cite: str | None
    stack_cite: str
    device_cite: str
    wrong_count_cite: str
    self_shuffling_cite: str | None  # what a device that reshuffles and counts by itself suspends; None: not allowed
    self_shuffling_suspends: tuple[str, ...] = (CUT, RECUT, IDLE_SPREAD)
    self_shuffling_allowed_cite: str | None = None  # if a different clause than the suspending one allows the device
    self_shuffling_ruling: str | None = None
    counting_cite: str = ""  # what makes a device a counting one


@dataclass(frozen=True)
class Cutting:
    """How the stack is cut and who may order it cut again."""

    minimum_cards: int
    cite: str
    duties: tuple[Duty, ...]
    recut_cite: str
    required_cite: str  # cut after a manual shuffle or a preshuffled deck, not after a device
    uncut_cite: str = ""  # cards from a device are dealt as they come


@dataclass(frozen=True)
class StubCount:
    """The count of what is left of the deck, for one dealing method."""

    every_rounds: int
    cite: str
    right_cite: str
    check_cite: str
    misdealt_cite: str
    wrong_cite: str
    how_cite: str = ""  # where a clause of its own says how to count
    counting_device_cite: str = ""  # where a clause of its own lets a counting device take the count's place
    ruling: str | None = None  # the reading the duty to count rests on
    misdealt_ruling: str | None = None  # the ruling on what happens to a misdealt deck


@dataclass(frozen=True)
class Idle:
    """What happens to the cards while the table is idle."""

    face_down_first: bool  # spread face down unless a player asks otherwise; else either way up
    duties: tuple[Duty, ...]
    arrival: tuple[Duty, ...]
    cite: str
    resumes_at: str = "turn"  # the duty of the opening that follows the arriving player's look
    resumes_cite: str = ""


@dataclass(frozen=True)
class Devices:
    """What must be done with a device that has failed before another method is used."""

    failed: tuple[OutOfUse, ...]
    cites: Mapping[str, str]
    working_too: bool = False  # one that works is taken out as well before cards are shuffled in another way


@dataclass(frozen=True)
class DeckHours:
    """How long cards may stay in play, by dealing method."""

    hours: Mapping[str, int]
    cites: Mapping[str, str]


@dataclass(frozen=True)
class Instruments:
    """What wagers may be made with."""

    allowed: Mapping[str, str]  # instrument to clause
    if_submitted: Mapping[str, str] = field(default_factory=dict)  # only where the submission allows it
    beside_chips: tuple[str, ...] = ()  # of those: what is placed with chips, never instead of them
    verbal_cash_cite: str = ""
    chips_only: Mapping[str, str] = field(default_factory=dict)  # wagers that take only a chip, to clause


@dataclass(frozen=True)
class TwoDecks:
    """The conditions of two decks taking turns."""

    cite: str
    duties: tuple[Duty, ...]
    alternate_cite: str
    one_in_rack_cite: str
    device_cite: str = ""  # the deck that is not in play is shuffled by the device
    is_stored: bool = True  # it must be ready before the other is played; otherwise it may still be in the shuffle


@dataclass(frozen=True)
class Procedures:
    """A game's whole procedure around the round."""

    opening: Opening
    shuffling: Shuffling
    cutting: Cutting
    stub: Mapping[str, StubCount]  # by dealing method
    idle: Idle
    devices: Devices
    two_decks: TwoDecks
    instruments: Instruments
    dealing: Mapping[str, tuple[Duty, ...]]  # by dealing method, before and while cards are dealt
    round: tuple[Duty, ...]  # what players and dealer observe during a round
    cards: Cards | None = None
    methods: Mapping[str, str] = field(default_factory=dict)  # dealing method to the clause that allows it
    deck_hours: DeckHours | None = None  # None: the submission sets the hours
    hand_needs_shuffler_cite: str = ""
    electronic_cite: str | None = None
