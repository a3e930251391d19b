"""The commands people may send to a table; each says who sent it and when, in UTC milliseconds."""

from dataclasses import dataclass

from pitboss.rules.irregularity import KEEP
from pitboss.table.people import Person
from pitboss.table.rack import Racked

# How a deck is shuffled.
MANUAL = "manual"
DEVICE = "device"
PRESHUFFLED = "preshuffled"

# Which side of idle cards is up.
FACE_DOWN = "face-down"
FACE_UP = "face-up"

# Why a deck leaves the table.
DEFECT = "defect"
HOURS = "hours"
SET_APART = "set-apart"
WRONG_COUNT = "wrong-count"
IRREGULARITY = "irregularity"

SHUFFLER = "shuffler"
SHOE = "shoe"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCommand:
    """What every command carries."""

    by: Person
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmDuty(TableCommand):
    """Confirm that a duty due now was done, naming the deck if it concerns one."""

    duty: str
    deck: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveDeck(TableCommand):
    """Take a deck to the table."""

    deck: str
    preinspected: bool = False
    preshuffled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleDeck(TableCommand):
    """Shuffle a deck, by hand or by the device."""

    deck: str
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDeviceCount(TableCommand):
    """Read how many cards the shuffler counted."""

    deck: str
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutDeck(TableCommand):
    """Cut a deck at a number of cards from its top."""

    deck: str
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRecut(TableCommand):
    """Have the cards cut again."""

    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectShuffle(TableCommand):
    """Have the cards shuffled again."""

    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadDeck(TableCommand):
    """Put a deck where it is dealt from: shoe, hand or device."""

    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDeck(TableCommand):
    """Count a whole deck outside a round."""

    deck: str
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDeck(TableCommand):
    """Take a deck from the table."""

    deck: str
    reason: str = SET_APART


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadIdle(TableCommand):
    """Spread the cards of an idle table, face up if a player asked for it."""

    face: str = FACE_DOWN
    asked_by: Person | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRound(TableCommand):
    """Open a round on a loaded deck."""

    round: str
    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDealt(TableCommand):
    """Report how many more cards left the deck, burned and set-aside ones included."""

    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RackStub(TableCommand):
    """Put the stub into the discard rack, uncounted or with the number of its cards."""

    cards: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountStub(TableCommand):
    """Count the stub face down."""

    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FindMisdeal(TableCommand):
    """Say, after a wrong count, whether the cards were misdealt and how many the deck has in all."""

    misdealt: bool
    cards_in_deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenCount(TableCommand):
    """Have the stub counted again, because its wrong count was not confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveMiscounted(TableCommand):
    """Take away the deck of the round, which was counted wrong before its first card; another may take its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseRound(TableCommand):
    """End the round: how it ended, what happens to the deck, and the hands in the order they were picked up."""

    ended: str
    pickup: tuple[Racked, ...] = ()
    fate: str = KEEP
    clause: str | None = None
    moments: tuple[str, ...] | None = None  # the moments the round reached; duties of other moments were not due


@dataclass(frozen=True, slots=True, kw_only=True)
class JamDevice(TableCommand):
    """Report that a device jammed or stopped on a deck."""

    device: str
    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReshuffleJammed(TableCommand):
    """Have the deck of a jam that was ruled on shuffled again, whatever was done with the shuffler since."""

    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FailDevice(TableCommand):
    """Report that a device cannot be used."""

    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOutDevice(TableCommand):
    """Cover, mark or remove a device."""

    device: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnDevice(TableCommand):
    """Return a repaired device to service."""

    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDealing(TableCommand):
    """Change the dealing method."""

    method: str


DeckCommand = (
    ConfirmDuty
    | ReceiveDeck
    | ShuffleDeck
    | ReadDeviceCount
    | CutDeck
    | OrderRecut
    | DirectShuffle
    | LoadDeck
    | CountDeck
    | RemoveDeck
    | SpreadIdle
)
RoundCommand = (
    OpenRound | ReportDealt | RackStub | CountStub | FindMisdeal | ReopenCount | RemoveMiscounted | CloseRound
)
DeviceCommand = JamDevice | FailDevice | TakeOutDevice | ReturnDevice | ChangeDealing
Command = DeckCommand | RoundCommand | DeviceCommand | ReshuffleJammed
