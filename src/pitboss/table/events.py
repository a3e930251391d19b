"""What has happened at a table; each event says who, when, and by which clause or ruling."""

from dataclasses import dataclass

from pitboss.rules.procedure import OutOfUse
from pitboss.table.people import Person
from pitboss.table.rack import Racked


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """What every event carries; a ruling is named where the rulebook is silent or unclear."""

    by: Person
    at: int
    clause: str
    ruling: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyConfirmed(TableEvent):
    duty: str
    deck: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceived(TableEvent):
    deck: str
    preinspected: bool
    preshuffled: bool
    is_checked_here: bool = False  # what came ready is still looked at and confirmed at the table


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckShuffled(TableEvent):
    deck: str
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCounted(TableEvent):
    deck: str
    cards: int
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCut(TableEvent):
    deck: str
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecutOrdered(TableEvent):
    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleDirected(TableEvent):
    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckLoaded(TableEvent):
    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCounted(TableEvent):
    deck: str
    cards: int
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRemoved(TableEvent):
    deck: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSpread(TableEvent):
    face: str
    asked_by: Person | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened(TableEvent):
    round: str
    deck: str
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsLeftDeck(TableEvent):
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StubRacked(TableEvent):
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StubCounted(TableEvent):
    cards: int
    expected: int

    @property
    def right(self) -> bool:
        """Say whether the deck is complete by this count."""
        return self.cards == self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongCountRuled(TableEvent):
    """The round is to be voided for this irregularity, and the deck meets this fate."""

    misdealt: bool
    cards_in_deck: int
    irregularity: str
    fate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountReopened(TableEvent):
    """The wrong count of the stub was not confirmed; it is counted again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClosed(TableEvent):
    round: str
    ended: str
    fate: str
    pickup: tuple[Racked, ...]
    unconfirmed: tuple[str, ...]  # duties of the round that were not confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceJammed(TableEvent):
    """In play, the irregularity goes to the round; otherwise the deck is shuffled again and play goes on."""

    device: str
    deck: str
    in_play: bool
    irregularity: str
    drawn: int = 0  # cards of it that were drawn and not dealt yet


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFailed(TableEvent):
    device: str
    reshuffle: tuple[str, ...]  # decks whose shuffle the device did not finish


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTakenOut(TableEvent):
    device: str
    how: OutOfUse


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReturned(TableEvent):
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealingChanged(TableEvent):
    method: str
    before: str = ""


Event = (
    DutyConfirmed
    | DeckReceived
    | DeckShuffled
    | DeviceCounted
    | DeckCut
    | RecutOrdered
    | ShuffleDirected
    | DeckLoaded
    | DeckCounted
    | DeckRemoved
    | CardsSpread
    | RoundOpened
    | CardsLeftDeck
    | StubRacked
    | StubCounted
    | WrongCountRuled
    | CountReopened
    | RoundClosed
    | DeviceJammed
    | DeviceFailed
    | DeviceTakenOut
    | DeviceReturned
    | DealingChanged
)
