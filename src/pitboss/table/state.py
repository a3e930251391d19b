"""The state of a table: flat, immutable, and everything in it derived from events."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.procedure import OutOfUse
from pitboss.table.commands import SHUFFLER
from pitboss.table.rack import Racked
from pitboss.table.settings import NO_SHUFFLER, TableSettings, UnsoundSettings, settings_faults

# The stages of a deck between being received and being dealt.
DeckStage = Literal["opening", "stacked", "shuffled", "cut", "loaded", "racked"]
OPENING: Final = "opening"  # duties of people come first
STACKED: Final = "stacked"  # to be shuffled
SHUFFLED: Final = "shuffled"
CUT: Final = "cut"
LOADED: Final = "loaded"
RACKED: Final = "racked"  # in the discard rack, to be shuffled
STAGE_WORDS: Final[dict[DeckStage, str]] = {
    OPENING: "still being opened",
    STACKED: "not shuffled yet",
    SHUFFLED: "shuffled but not loaded",
    CUT: "cut but not loaded",
    LOADED: "already loaded",
    RACKED: "still in the discard rack",
}

# Which duties a deck goes through while it is being opened.
DeckScript = Literal["received", "ready", "idle-face-down", "idle-face-up"]
RECEIVED: Final = "received"
READY: Final = "ready"  # inspected and shuffled before it came
IDLE_FACE_DOWN: Final = "idle-face-down"
IDLE_FACE_UP: Final = "idle-face-up"

# Why a deck is to be shuffled.
ShuffleReason = Literal["before-play", "after-round", "directed", "jammed"]
BEFORE_PLAY: Final = "before-play"
AFTER_ROUND: Final = "after-round"
DIRECTED: Final = "directed"
JAMMED: Final = "jammed"

# Whether a device may be used, and what was done with one that may not.
DeviceState = Literal["absent", "in-service", "failed"] | OutOfUse
ABSENT: Final = "absent"
IN_SERVICE: Final = "in-service"
FAILED: Final = "failed"
DEVICE_WORDS: Final[dict[DeviceState, str]] = {
    ABSENT: "not installed",
    IN_SERVICE: "in service",
    FAILED: "out of order",
    "covered": "covered",
    "marked": "marked out of order",
    "removed": "removed",
}

# Where the stub of the open round is.
StubPlace = Literal["with-dealer", "racked", "disputed"]
WITH_DEALER: Final = "with-dealer"
STUB_RACKED: Final = "racked"
STUB_DISPUTED: Final = "disputed"


@dataclass(frozen=True, slots=True)
class TableDeck:
    """One deck at the table."""

    name: str
    received_at: int
    stage: DeckStage
    script: DeckScript = RECEIVED
    done: int = 0  # how many duties of the script are confirmed
    handled_by: str = ""  # who confirmed the last of them
    shuffled: str = ""
    reason: ShuffleReason = BEFORE_PLAY
    counted: bool = False
    cut_cards: int = 0
    rounds_since_count: int = 0  # of its own rounds


@dataclass(frozen=True, slots=True)
class TableRound:
    """The round in play, as far as the cards are concerned."""

    name: str
    deck: str  # empty after it is taken away, until another is loaded
    dealt: int = 0
    stub: StubPlace = WITH_DEALER
    counted: bool = False
    irregularity: str = ""  # the irregularity for which a wrong count voids the round
    fate: str = ""
    fate_clause: str = ""
    miscounted: str = ""  # the clause by which its deck leaves, which was counted wrong before its first card
    confirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """A table and everything on it."""

    settings: TableSettings
    method: str
    shuffler: DeviceState
    shoe: DeviceState
    at: int = 0
    decks: tuple[TableDeck, ...] = ()
    round: TableRound | None = None
    rack: tuple[Racked, ...] = ()
    last_deck: str = ""
    rounds_since_count: int = 0  # of all rounds at the table
    two_decks_confirmed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # decks that may not come back
    unconfirmed: tuple[str, ...] = ()  # duties of the last round that were not confirmed

    def deck(self, name: str) -> TableDeck | None:
        """Return the deck of this name, if it is at the table."""
        return next((deck for deck in self.decks if deck.name == name), None)

    def device(self, name: str) -> DeviceState:
        """Return the state of a device."""
        return self.shuffler if name == SHUFFLER else self.shoe

    def with_deck(self, deck: TableDeck) -> "TableState":
        """Return the state with this deck replacing its old version."""
        return replace(self, decks=tuple(deck if other.name == deck.name else other for other in self.decks))


def new_table(settings: TableSettings) -> TableState:
    """Return a table without cards, or raise UnsoundSettings."""
    faults = settings_faults(settings)
    if faults:
        raise UnsoundSettings(faults)
    return TableState(
        settings,
        method=settings.dealing,
        shuffler=ABSENT if settings.shuffler == NO_SHUFFLER else IN_SERVICE,
        shoe=IN_SERVICE if settings.dealing == AUTOMATED_SHOE else ABSENT,
    )
