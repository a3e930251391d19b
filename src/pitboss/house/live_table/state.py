"""The state of a live table: its cards, play, seats and chips, all derived from entries."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.cards.deck import Card
from pitboss.house.live_table.deck_order import Order
from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.money.chips import Chips, total, tray_after
from pitboss.house.money.ledger import inventory, stack
from pitboss.house.money.shift import Shift
from pitboss.house.patron_controls.play_totals import PlayTotals
from pitboss.house.people.leases import Lease
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Head
from pitboss.round.state import Round
from pitboss.rules.quick_replace import quick_replace
from pitboss.rules.refusal import Refusal
from pitboss.table.state import TableState


class Proposal(NamedTuple):
    """A command that waits for its second person until it expires."""

    command: Mapping[str, Any]
    by: str
    role: str
    token: int | None = None  # of the dealer's lease, as the proposer presented it
    until: int = 0


class Trouble(NamedTuple):
    """A report that holds the table until it is answered."""

    irregularity: str
    seat: int | None
    clause: str | None
    incident: str = ""  # none in a record written before reports had names
    by: str = ""
    role: str = ""
    at: int = 0
    card: Card | None = None
    other_deck: bool = False


class SigningDevice(NamedTuple):
    """An enrolled card reader or bet sensor: its public key, and the number of its last message."""

    key: str
    sequence: int = 0


class Reservation(NamedTuple):
    """A seat that is kept for somebody until a moment; the account is empty for a player the house doesn't know."""

    player: str
    until: int


class ShiftNote(NamedTuple):
    """What somebody left for the people who work the table next."""

    at: int
    by: str
    text: str


class Dispute(NamedTuple):
    """The settlement of the last round, disputed at these seats until two people resolve it."""

    dispute: str
    seats: tuple[int, ...]
    note: str
    by: str
    at: int


@quick_replace
class LiveTable(NamedTuple):
    """One live table, whose mappings are replaced, never changed."""

    table: str
    head: Head = Head()
    at: int = 0  # of its last entry
    terms: TableTerms | None = None
    is_open: bool = False
    cards: TableState | None = None
    play: Round | None = None  # the current round, or the last one until the next begins
    round: str = ""
    last_round: str = ""  # the previous one
    key: str = ""  # the id of the master key behind the round's seals
    rounds: int = 0
    begun: tuple[int, ...] = ()  # when the last rounds began
    in_round: bool = False
    drawn: int = 0  # how many cards have left the deck in this round
    positions: Mapping[Card, int] = {}  # the position in the deck of each of them
    orders: Mapping[str, Order] = {}  # of the decks that the program has shuffled, by deck
    order: Order | None = None  # the one that the current or last round is dealt from
    is_order_fixed: bool = False  # since the first wager of the round
    waiting: tuple[Card, ...] = ()  # read and not yet dealt
    readers: Mapping[str, SigningDevice] = {}
    sensors: Mapping[str, SigningDevice] = {}  # of the chips on the layout
    by_keyboard: bool = False  # the floor lets the dealer enter cards
    keyboard_by: tuple[str, ...] = ()  # who switched that on; until the next round they don't also verify what is paid
    seats: Mapping[int, str] = {}
    bet_before: Mapping[int, Mapping[str, int]] = {}  # by position: what its player put down in the round before
    played: Mapping[str, PlayTotals] = {}  # by account, at a real-money table
    forms: Mapping[str, str] = {}  # of this round's hand pays, by seat and wager: the form's number
    held: Mapping[str, str] = {}  # by player: the deposit account that an excluded person's chips go to
    limits: Mapping[str, tuple[int, int]] = {}  # by wager: the minimum and the maximum, within the submitted limits
    reserved: Mapping[int, Reservation] = {}
    called_at: int = 0  # since when the dealer waits for the floor; 0 if not
    notes: tuple[ShiftNote, ...] = ()  # the last ones
    balances: Mapping[str, int] = {}
    heap: Mapping[int, int] = {}  # the tray's chips when they were last counted, filled or credited
    shift: Shift | None = None  # since the table was opened
    counted: int = 0  # the entry that last counted the tray
    corrected: tuple[int, ...] = ()  # the entries that were reversed
    lease: Lease = Lease()
    proposals: Mapping[str, Proposal] = {}
    trouble: Trouble | None = None
    dispute: Dispute | None = None
    given_up: tuple[int, ...] = ()  # seats whose players left during the round
    gone: tuple[str, ...] = ()  # players who left during the round, as the floor ruled
    chips_found: int | None = None  # counted progressive chips that don't match the wagers
    claimed_by: str = ""  # who settled the payout that waits
    asked_at: int = 0  # since when the table has waited for the seat to act
    wagered_at: int = 0  # when the first wager of the round was placed
    ended_at: int = 0
    empty_since: int = 0  # since when no one has been seated
    stood_idle: bool = False  # until the first player came; the cards haven't been spread since

    @property
    def stream(self) -> str:
        """Return the stream of this table's entries."""
        return stream_of(self.table)

    @property
    def free_play(self) -> bool:
        """Say whether the table is played for play money."""
        return self.terms is not None and self.terms.settings.free_play

    @property
    def commitments(self) -> tuple[str, ...]:
        """Return the commitments to the round's deck, from the top card down; none for real cards."""
        return self.order.commitments if self.order is not None else ()

    def is_drawn_from(self, deck: str) -> bool:
        """Say whether cards of this deck were drawn for the round and aren't dealt yet."""
        played = self.cards.round if self.cards is not None else None
        return bool(self.waiting) and self.in_round and played is not None and played.deck == deck

    def seats_of(self, person: str) -> tuple[int, ...]:
        """Return the betting positions a person holds."""
        return tuple(seat for seat, player in sorted(self.seats.items()) if player == person)

    def stack_cents(self, person: str) -> int:
        """Return a person's chips at this table, without stakes on the layout."""
        return self.balances.get(stack(self.table, person), 0)

    @property
    def tray_cents(self) -> int:
        """Return the tray's amount."""
        return self.balances.get(inventory(self.table), 0)

    @property
    def tray(self) -> Chips:
        """Return the tray in chips: as last counted, with the fewest chips for what went in and out since."""
        return self.tray_with(0)

    def tray_with(self, cents: int) -> Chips:
        """Return the tray in chips as it was before it paid an amount."""
        after = tray_after(self.heap, self.tray_cents + cents - total(self.heap))
        assert not isinstance(after, Refusal), "the tray's chips don't match its account"
        return after.tray


ROUNDS_TIMED = 10
NOTES_KEPT = 20


def form_key(seat: int, wager: str) -> str:
    """Return the name under which a table keeps the form of a seat's hand pay."""
    return f"{seat} {wager}"
