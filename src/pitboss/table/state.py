"""The state of a table: flat, immutable, and everything in it derived from events."""

from dataclasses import dataclass, replace

from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.table.commands import SHUFFLER
from pitboss.table.rack import Racked
from pitboss.table.settings import NO_SHUFFLER, TableSettings, UnsoundSettings, settings_faults

# Where a deck stands between being received and being dealt.
OPENING = "opening"  # duties of people come first
STACKED = "stacked"  # to be shuffled
SHUFFLED = "shuffled"
CUT = "cut"
LOADED = "loaded"
RACKED = "racked"  # in the discard rack, to be shuffled

# Which duties a deck goes through while it is being opened.
RECEIVED = "received"
READY = "ready"  # inspected and shuffled before it came
IDLE_FACE_DOWN = "idle-face-down"
IDLE_FACE_UP = "idle-face-up"

# Why a deck is to be shuffled.
BEFORE_PLAY = "before-play"
AFTER_ROUND = "after-round"
DIRECTED = "directed"
JAMMED = "jammed"

# How a device stands; one that was covered, marked or removed stands under that word.
ABSENT = "absent"
IN_SERVICE = "in-service"
FAILED = "failed"

# Where the stub of the open round is.
WITH_DEALER = "with-dealer"
STUB_RACKED = "racked"
STUB_DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class TableDeck:
    """One deck at the table."""

    name: str
    received_at: int
    stage: str
    script: str = RECEIVED
    done: int = 0  # how many duties of the script are confirmed
    handled_by: str = ""  # who confirmed the last of them
    shuffled: str = ""
    reason: str = BEFORE_PLAY
    counted: bool = False
    cut_cards: int = 0
    rounds_since_count: int = 0  # of its own rounds


@dataclass(frozen=True, slots=True)
class TableRound:
    """The round in play, as far as the cards are concerned."""

    name: str
    deck: str  # nothing from the moment it is taken away until another is loaded in its place
    dealt: int = 0
    stub: str = WITH_DEALER
    counted: bool = False
    irregularity: str = ""  # a wrong count orders the round void for this
    fate: str = ""
    fate_clause: str = ""
    miscounted: str = ""  # the clause by which its deck leaves, which was counted wrong before its first card
    confirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """A table and everything on it."""

    settings: TableSettings
    method: str
    shuffler: str
    shoe: str
    at: int = 0
    decks: tuple[TableDeck, ...] = ()
    round: TableRound | None = None
    rack: tuple[Racked, ...] = ()
    last_deck: str = ""
    rounds_since_count: int = 0  # of all rounds at the table
    two_decks_confirmed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # decks that may not come back
    unconfirmed: tuple[str, ...] = ()  # duties of the last round that nobody confirmed

    def deck(self, name: str) -> TableDeck | None:
        """Return the deck of this name, if it is at the table."""
        return next((one for one in self.decks if one.name == name), None)

    def device(self, name: str) -> str:
        """Return how a device stands."""
        return self.shuffler if name == SHUFFLER else self.shoe

    def with_deck(self, deck: TableDeck) -> "TableState":
        """Return the state with this deck in the place of its former self."""
        return replace(self, decks=tuple(deck if one.name == deck.name else one for one in self.decks))


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
