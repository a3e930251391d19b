"""Writes what a command does to a live table: asks the rules of cards and play, and keeps the drafts in order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from pitboss.cards.deck import Card, Deck
from pitboss.house.compliance.filings import Filing
from pitboss.house.controls.state import Controls
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.deck_order import sealer_of
from pitboss.house.live_table.evolve import (
    HOUSE,
    ROUND,
    TABLE,
    Reading,
    after_cards,
    after_house,
    after_play,
    with_head,
)
from pitboss.house.live_table.sealed_events import POSTINGS, Opener, Sealer, recorded
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.stream_balances import by_stream, overdrawn
from pitboss.house.live_table.table_accounts import moved
from pitboss.house.live_table.table_terms import AUTOMATON, TableTerms
from pitboss.house.money.ledger import Transfer
from pitboss.house.money.postings import Books, transfer_of
from pitboss.house.patron_controls.play_totals import PlayTotals
from pitboss.house.patron_controls.state import PatronRules
from pitboss.house.patrons import is_patron
from pitboss.house.progressive import ProgressiveState, drafts_of
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.progressive import evolve as evolve_meters
from pitboss.house.progressive.commands import Command as MeterCommand
from pitboss.house.progressive.events import Event as MeterEvent
from pitboss.record.entries import Draft, Entry, Head
from pitboss.round import Round
from pitboss.round import decide as decide_play
from pitboss.round.commands import Command as PlayCommand
from pitboss.round.events import CardsDealt
from pitboss.round.events import Event as PlayEvent
from pitboss.rules.plain import plain
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person
from pitboss.table import decide as decide_cards
from pitboss.table.commands import Command as CardsCommand
from pitboss.table.events import DeviceJammed
from pitboss.table.people import AUTOMATON as AT_THE_TABLE
from pitboss.table.state import LOADED


class RoundSeal(Opener, Protocol):
    """Everything that the holder of its secret can seal and open in one round or one shuffle."""

    def seal(self, position: int, card: Card, salt: str | None = None) -> str:
        """Return a card sealed with its salt, or with the given salt."""
        ...

    def salt(self, position: int) -> str:
        """Return the salt in a position's commitment."""
        ...

    def commitments(self, order: Sequence[Card]) -> tuple[str, ...]:
        """Return each position's salted hash."""
        ...

    def seal_order(self, order: Sequence[Card]) -> str:
        """Return the whole order sealed."""
        ...

    def open_order(self, sealed: str) -> tuple[Card, ...]:
        """Return the order that was sealed."""
        ...

    def dealt_key(self) -> str:
        """Return the key that opens only the dealt cards."""
        ...


class Means(NamedTuple):
    """Who gives the command, when, and what a decision may need from outside the table."""

    actor: str
    role: str
    at: int
    token: int | None  # of the dealer's lease, as the sender presents it
    reading: Reading
    seal: Callable[[str, str], RoundSeal]  # by the name of a round or a shuffle, and its key's id
    key: str  # the id of the key that seals a new round
    shuffle: Callable[[Deck], tuple[Card, ...]]
    fresh: Callable[[], str]  # a unique name
    progressive: ProgressiveState | None = None
    second: str | None = None  # who acted as the second person
    money: Mapping[str, int] = {}  # of every player's account and drop box
    standing: Callable[[Person], Refusal | None] = lambda person: None  # why a person may no longer act
    are_two: Callable[[str, str], Refusal | None] = lambda first, second: None  # why two accounts aren't two people
    deals_at: Callable[[str], str | None] = lambda person: None  # the other table a person holds as its dealer
    entry: Callable[[int], Entry | None] = lambda sequence: None  # of this table, by sequence
    activated: Callable[[], tuple[Entry, ...]] = tuple  # the versions put in force at this table, in order
    keys_enrolled: Callable[[], frozenset[str]] = frozenset  # of all readers this table ever had
    filing: Callable[[str], Filing | None] = lambda version: None  # of a version for this table; None: never filed
    beside_others: Callable[[TableTerms], Refusal | None] = lambda terms: None  # why other tables rule out these terms
    beside_open: Callable[[TableTerms], Refusal | None] = lambda terms: None  # why other open tables rule them out
    controls: Controls = Controls()
    patrons: PatronRules = PatronRules()
    played: Callable[[str], tuple[PlayTotals, ...]] = lambda person: ()  # at the other tables, by account
    open_text: Callable[[str, str], str | None] = lambda name, sealed: None  # of a text sealed under a name
    no_wagers: Refusal | None = None  # why the house accepts no wager now
    requires_readers: bool = False  # at real-money tables; a house setting
    reader: tuple[str, int] | None = None  # the reader whose message this is, and the message's number
    best_discard: Callable[[Round, int, str], Card] | None = None  # with the highest value, by round, seat and action


class EventWriter:
    """A table as it will be once the drafts are recorded, except for the hash of its head, and these drafts."""

    def __init__(self, live: LiveTable, means: Means) -> None:
        self.live = live._replace(at=means.at)
        self.means = means
        self.meters = means.progressive
        self.drafts: list[Draft] = []

    @property
    def person(self) -> Person:
        """Return the sender, as the table knows them."""
        return Person(self.means.actor, AT_THE_TABLE if self.means.role == AUTOMATON else self.means.role)

    @property
    def dealer(self) -> Person:
        """Return the table's dealer, no matter who gives this command."""
        if self.means.role == AUTOMATON or self.live.lease.holder is None:
            return self.person
        return Person(self.live.lease.holder, DEALER)

    @property
    def supervisor(self) -> str:
        """Return which of the two people is from the floor; at an automatic table, the one who took that place."""
        means = self.means
        stands_in = means.role in (AUTOMATON, DEALER) and means.second is not None
        return str(means.second) if stands_in else means.actor

    def player_at(self, seat: int | None) -> str:
        """Return whom a command for a seat is about: the patron the dealer acts for, or the sender."""
        seated = self.live.seats.get(seat, "") if seat is not None else ""
        return seated if is_patron(seated) else self.means.actor

    @property
    def seal(self) -> RoundSeal:
        """Return the seal of the open round's cards."""
        return self.means.seal(self.live.round, self.live.key)

    def sealer(self) -> Sealer:
        """Return what seals dealt cards, each with the salt from its commitment."""
        return sealer_of(self.means.seal, self.live.round, self.live.key, self.live.order)

    def house(
        self, event: happened.Event, transfer: Transfer | None = None, clause: str | None = None
    ) -> Refusal | None:
        """Write one of the table's own events, with the money it moves at the table."""
        means = self.means
        self._next_entry()
        self.live = after_house(self.live, event, means.reading, means.actor, means.role)
        kind = f"{HOUSE}.{type(event).__name__}"
        return self._write(kind, happened.body_of(event), clause or event.clause, transfer)

    def cards(self, command: CardsCommand, by: Person | None = None) -> Refusal | None:
        """Ask the rules of the cards, and write the resulting events."""
        assert self.live.cards is not None, "a submission is in force"
        answer = decide_cards(self.live.cards, replace(command, by=by or self.person, at=self.means.at))
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            if isinstance(event, DeviceJammed) and event.in_play:
                event = replace(event, drawn=len(self.live.waiting))
            self._next_entry()
            self.live = after_cards(self.live, event)
            self._write(f"{TABLE}.{type(event).__name__}", plain(event), event.clause, None)
        return self._forget_reads()

    def play(self, command: PlayCommand, dealt: Mapping[Card, int] | None = None) -> Refusal | None:
        """Ask the rules of the round, and write the resulting events with hidden cards sealed."""
        assert self.live.play is not None, "a round is open"
        answer = decide_play(self.live.play, command)
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            refusal = self._played(event, dealt or {})
            if refusal:
                return refusal
        return None

    def ruled(self, events: Iterable[PlayEvent]) -> Refusal | None:
        """Write events of the last round that people ruled on after it was settled."""
        for event in events:
            refusal = self._played(event, {})
            if refusal:
                return refusal
        return None

    def progressive(self, command: MeterCommand) -> tuple[MeterEvent, ...] | Refusal:
        """Ask the progressive linked to this table, and write the resulting events to its stream."""
        assert self.meters is not None, "the table is linked to a progressive"
        answer = decide_meters(self.meters, command)
        if isinstance(answer, Refusal):
            return answer
        self.drafts.extend(drafts_of(self.meters, answer))
        for event in answer:
            self.meters = evolve_meters(self.meters, event)
        return answer

    def other(self, draft: Draft) -> None:
        """Write an entry to a stream other than the table's."""
        self.drafts.append(draft)

    def _played(self, event: PlayEvent, dealt: Mapping[Card, int]) -> Refusal | None:
        before = self.live.play
        assert before is not None
        positions = dealt if isinstance(event, CardsDealt) else {}
        known = {**self.live.positions, **positions}
        body = recorded(event, known, self.sealer)
        progressive = self.live.terms.progressive if self.live.terms else None
        transfer = transfer_of(Books(self.live.table, progressive), before, event)
        self._next_entry()
        self.live = after_play(self.live, event, positions, self.means.actor)
        return self._write(f"{ROUND}.{type(event).__name__}", body, getattr(event, "clause", None), transfer)

    def _next_entry(self) -> None:
        self.live = with_head(self.live, Head(self.live.head.sequence + 1), self.means.actor, self.means.at)

    def _forget_reads(self) -> Refusal | None:
        # Cards that were read are back in the deck at unknown positions once it is to be cut or shuffled again.
        live = self.live
        played = live.cards.round if live.cards is not None else None
        is_drawn = bool(live.waiting or (live.play is not None and live.play.dealt_next))
        if played is None or not live.in_round or not is_drawn:
            return None
        deck = live.cards.deck(played.deck) if live.cards is not None else None
        if deck is not None and deck.stage == LOADED:
            return None
        places = tuple(live.positions[card] for card in live.waiting)
        return self.house(happened.ReadsForgotten(deck=played.deck, positions=places))

    def _write(self, kind: str, body: dict[str, Any], clause: str | None, transfer: Transfer | None) -> Refusal | None:
        here = dict(by_stream(transfer.postings).get(self.live.stream, {})) if transfer else {}
        self.live = moved(self.live, kind, body, here)
        if here:
            is_blind = self.means.controls.settings.money_controls and not self.live.free_play
            refusal = overdrawn(self.live, is_tray_hidden=is_blind)
            if refusal:
                return refusal
            body[POSTINGS] = here
        self.drafts.append(Draft(self.live.stream, kind, body, clause))
        return None
