"""What an event does to a table's state; no rule is checked here."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import assert_never

from pitboss.rules.irregularity import RESHUFFLE
from pitboss.table.commands import FACE_UP, PRESHUFFLED, SHUFFLER
from pitboss.table.conditions import cards_of, script_duties
from pitboss.table.events import (
    CardsLeftDeck,
    CardsSpread,
    CountReopened,
    DealingChanged,
    DeckCounted,
    DeckCut,
    DeckLoaded,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    DeviceCounted,
    DeviceFailed,
    DeviceJammed,
    DeviceReturned,
    DeviceTakenOut,
    DutyConfirmed,
    Event,
    RecutOrdered,
    RoundClosed,
    RoundOpened,
    ShuffleDirected,
    StubCounted,
    StubRacked,
    WrongCountRuled,
)
from pitboss.table.rack import STUB, Racked
from pitboss.table.settings import TableSettings
from pitboss.table.state import (
    AFTER_ROUND,
    BEFORE_PLAY,
    CUT,
    DIRECTED,
    FAILED,
    IDLE_FACE_DOWN,
    IDLE_FACE_UP,
    IN_SERVICE,
    JAMMED,
    LOADED,
    OPENING,
    RACKED,
    READY,
    SHUFFLED,
    STACKED,
    STUB_DISPUTED,
    STUB_RACKED,
    DeckScript,
    DeckStage,
    DeviceState,
    ShuffleReason,
    TableDeck,
    TableRound,
    TableState,
    new_table,
)

RoundEvent = RoundOpened | CardsLeftDeck | StubRacked | StubCounted | WrongCountRuled | CountReopened | RoundClosed


def evolve(state: TableState, event: Event) -> TableState:
    """Return the state after an event."""
    state = replace(state, at=event.at)
    if isinstance(event, RoundEvent):
        return _evolve_round(state, event)
    if isinstance(event, DeviceJammed | DeviceFailed | DeviceTakenOut | DeviceReturned | DealingChanged):
        return _evolve_device(state, event)
    return _evolve_deck(state, event)


def replay(settings: TableSettings, events: Iterable[Event]) -> TableState:
    """Return the state that these events lead to from an empty table."""
    return reduce(evolve, events, new_table(settings))


def _evolve_deck(
    state: TableState,
    event: DutyConfirmed
    | DeckReceived
    | DeckShuffled
    | DeviceCounted
    | DeckCut
    | RecutOrdered
    | ShuffleDirected
    | DeckLoaded
    | DeckCounted
    | DeckRemoved
    | CardsSpread,
) -> TableState:
    match event:
        case DutyConfirmed():
            return _confirmed(state, event)
        case DeckReceived():
            return replace(state, decks=(*state.decks, _received(event)), two_decks_confirmed=())
        case DeckShuffled(deck=name, way=way):
            deck = _deck(state, name)
            rack = () if deck.stage == RACKED else state.rack
            shuffled = replace(deck, stage=SHUFFLED, shuffled=way, counted=False, cut_cards=0)
            return replace(state, rack=rack).with_deck(shuffled)
        case DeviceCounted(deck=name) if _is_disputed(state, event):
            return _miscounted(state, event.clause)
        case DeviceCounted(deck=name):
            state = _miscounted(state, "", name)
            counted = replace(_deck(state, name), counted=True, rounds_since_count=0)
            return replace(state, rounds_since_count=0).with_deck(counted)
        case DeckCut(deck=name, cards=cards):
            return state.with_deck(replace(_deck(state, name), stage=CUT, cut_cards=cards))
        case RecutOrdered(deck=name):
            return state.with_deck(replace(_deck(state, name), stage=SHUFFLED, cut_cards=0))
        case ShuffleDirected(deck=name):
            return state.with_deck(_to_shuffle(_deck(state, name), DIRECTED))
        case DeckLoaded(deck=name):
            state = state.with_deck(replace(_deck(state, name), stage=LOADED))
            if state.round is None or state.round.deck:
                return state
            return replace(state, round=replace(state.round, deck=name))
        case DeckCounted(deck=name) if _is_disputed(state, event):
            return _miscounted(state, event.clause).with_deck(_to_shuffle(_deck(state, name), BEFORE_PLAY))
        case DeckCounted(deck=name):
            state = _miscounted(state, "", name)
            deck = _deck(state, name)
            rack = () if deck.stage == RACKED else state.rack
            counted = replace(_to_shuffle(deck, BEFORE_PLAY), rounds_since_count=0)
            return replace(state, rounds_since_count=0, rack=rack).with_deck(counted)
        case DeckRemoved(deck=name):
            return _removed(state, name)
        case CardsSpread(face=face):
            script: DeckScript = IDLE_FACE_UP if face == FACE_UP else IDLE_FACE_DOWN
            spread = tuple(
                replace(_to_shuffle(deck, BEFORE_PLAY), stage=OPENING, script=script) for deck in state.decks
            )
            return replace(state, decks=spread, rack=())
        case _:
            assert_never(event)


def _received(event: DeckReceived) -> TableDeck:
    is_ready = event.preinspected and event.preshuffled
    if is_ready and event.is_checked_here:
        return TableDeck(event.deck, event.at, OPENING, script=READY, handled_by=event.by.name)
    stage: DeckStage = SHUFFLED if is_ready else OPENING
    return TableDeck(event.deck, event.at, stage, shuffled=PRESHUFFLED if is_ready else "")


def _removed(state: TableState, name: str) -> TableState:
    deck, played = _deck(state, name), state.round
    if played is not None and played.deck == name:
        played = replace(played, deck="", miscounted="")
    return replace(
        state,
        round=played,
        decks=tuple(deck for deck in state.decks if deck.name != name),
        removed=(*state.removed, name),
        rack=() if deck.stage == RACKED else state.rack,
        two_decks_confirmed=(),
    )


def _is_disputed(state: TableState, event: DeckCounted | DeviceCounted) -> bool:
    # A deck that no open round is dealt from leaves the table at once.
    return not event.right and state.round is not None and state.round.deck == event.deck


def _miscounted(state: TableState, clause: str, deck: str | None = None) -> TableState:
    played = state.round
    if played is None or deck not in (None, played.deck):
        return state
    return replace(state, round=replace(played, miscounted=clause))


def _confirmed(state: TableState, event: DutyConfirmed) -> TableState:
    if event.deck is not None:
        deck = _deck(state, event.deck)
        deck = replace(deck, done=deck.done + 1, handled_by=event.by.name)
        done = deck.done == len(script_duties(state, deck))
        if done and deck.script == READY:
            return state.with_deck(TableDeck(deck.name, deck.received_at, SHUFFLED, shuffled=PRESHUFFLED))
        return state.with_deck(_to_shuffle(deck, BEFORE_PLAY) if done else deck)
    if state.round is not None:
        return replace(state, round=replace(state.round, confirmed=(*state.round.confirmed, event.duty)))
    return replace(state, two_decks_confirmed=(*state.two_decks_confirmed, event.duty))


def _evolve_round(state: TableState, event: RoundEvent) -> TableState:
    if isinstance(event, RoundOpened):
        return replace(state, round=TableRound(event.round, event.deck))
    played = state.round
    assert played is not None, "a round is open"
    match event:
        case CardsLeftDeck(cards=cards):
            return replace(state, round=replace(played, dealt=played.dealt + cards))
        case StubRacked(cards=cards):
            return replace(state, round=replace(played, stub=STUB_RACKED), rack=(Racked(STUB, cards),))
        case StubCounted():
            counted = replace(played, counted=True, stub=STUB_RACKED if event.right else STUB_DISPUTED)
            rack = (Racked(STUB, event.cards),) if event.right else ()
            deck = state.deck(played.deck)
            state = state.with_deck(replace(deck, rounds_since_count=0)) if deck is not None else state
            return replace(state, round=counted, rack=rack, rounds_since_count=0)
        case WrongCountRuled(irregularity=irregularity, fate=fate, clause=clause):
            return replace(state, round=replace(played, irregularity=irregularity, fate=fate, fate_clause=clause))
        case CountReopened():
            return replace(state, round=replace(played, irregularity="", fate="", fate_clause=""))
        case RoundClosed():
            return _closed(state, played, event)
        case _:
            assert_never(event)


def _closed(state: TableState, played: TableRound, event: RoundClosed) -> TableState:
    state = replace(state, round=None, unconfirmed=event.unconfirmed)
    deck = state.deck(played.deck)
    if not played.dealt or deck is None:
        called_off = deck is not None and event.fate == RESHUFFLE and deck.stage in (SHUFFLED, CUT, LOADED)
        return state.with_deck(_to_shuffle(deck, BEFORE_PLAY)) if deck and called_off else state
    # The remaining cards go into the rack now, so that it holds the whole deck.
    left = cards_of(state) - played.dealt
    stub = state.rack or (Racked(STUB, left),)
    uncounted = 0 if played.counted else 1
    racked = replace(
        _to_shuffle(deck, AFTER_ROUND), stage=RACKED, rounds_since_count=deck.rounds_since_count + uncounted
    )
    return replace(
        state.with_deck(racked),
        rack=(*stub, *event.pickup),
        last_deck=played.deck,
        rounds_since_count=state.rounds_since_count + uncounted,
    )


def _evolve_device(
    state: TableState, event: DeviceJammed | DeviceFailed | DeviceTakenOut | DeviceReturned | DealingChanged
) -> TableState:
    match event:
        case DeviceJammed(deck=name):
            if state.round is not None and state.round.deck == name and (state.round.dealt or event.drawn):
                return state  # it is shuffled once the round is over
            return _reshuffled(state, (name,))
        case DeviceFailed(device=device, reshuffle=names):
            return _reshuffled(_with_device(state, device, FAILED), names)
        case DeviceTakenOut(device=device, how=how):
            return _with_device(state, device, how)
        case DeviceReturned(device=device):
            return _with_device(state, device, IN_SERVICE)
        case DealingChanged(method=method):
            return replace(state, method=method, decks=tuple(map(_unloaded, state.decks)))
        case _:
            assert_never(event)


def _with_device(state: TableState, device: str, standing: DeviceState) -> TableState:
    return replace(state, shuffler=standing) if device == SHUFFLER else replace(state, shoe=standing)


def _reshuffled(state: TableState, names: tuple[str, ...]) -> TableState:
    for name in names:
        deck = _deck(state, name)
        # A deck that jammed on its way from the discard rack has left it.
        state = replace(state, rack=() if deck.stage == RACKED else state.rack)
        state = state.with_deck(_to_shuffle(deck, JAMMED))
    return state


def _unloaded(deck: TableDeck) -> TableDeck:
    if deck.stage != LOADED:
        return deck
    return replace(deck, stage=CUT if deck.cut_cards else SHUFFLED)


def _to_shuffle(deck: TableDeck, reason: ShuffleReason) -> TableDeck:
    since = deck.rounds_since_count
    return TableDeck(deck.name, deck.received_at, STACKED, reason=reason, rounds_since_count=since)


def _deck(state: TableState, name: str) -> TableDeck:
    deck = state.deck(name)
    assert deck is not None, "the deck is at the table"
    return deck
