"""What players are asked during a round and what each answer does."""

from dataclasses import dataclass
from typing import Final, Literal

from pitboss.rules.dealing import Deal

# The status of a seat that is in the round.
SeatStatus = Literal["undecided", "played", "folded", "declared", "out"]
UNDECIDED: Final = "undecided"
PLAYED: Final = "played"
FOLDED: Final = "folded"
DECLARED: Final = "declared"
OUT: Final = "out"  # forfeited or abandoned: neither asked nor settled again


@dataclass(frozen=True, slots=True)
class Stakes:
    """The wager an action places, as a multiple of another."""

    wager: str
    times: int
    of: str


@dataclass(frozen=True, slots=True)
class Action:
    """A player's move, with the clause that allows it."""

    name: str
    becomes: SeatStatus
    cite: str
    stakes: Stakes | None = None
    discards: bool = False
    settles_at_once: bool = False
    collect_cite: str | None = None  # where the hand's collection has a clause of its own
    when: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask each undecided seat, clockwise from the dealer's left."""

    name: str
    actions: tuple[Action, ...]
    cite: str  # the order of asking
    answers_cite: str  # which answers are open
    when: str | None = None
    folds_wait: bool = False  # what folds forfeit is collected once all have answered, not with each fold


@dataclass(frozen=True, slots=True)
class Bets:
    """Wagers are placed until the dealer calls no more bets."""

    cite: str
    closed_cite: str


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle each seat, counterclockwise from the dealer's right."""

    cite: str
    pickup_cite: str
    when: str | None = None


Step = Bets | Deal | Ask | Settle
