"""What an event does to the state; no rule is asked here, only followed."""

from collections.abc import Callable
from typing import Any

from pitboss.round.events import (
    ActionTaken,
    BetsClosed,
    CardsCollected,
    CardsDealt,
    CardsTurned,
    EnvyPaid,
    Event,
    IrregularityRuled,
    MeterAwaited,
    MeterPaid,
    RoundClosed,
    RoundVoided,
    WagerReturned,
    WagersPlaced,
    WagersReversed,
    WagersSettled,
    WagersWithdrawn,
)
from pitboss.round.state import (
    ASKING,
    AWAITING_METER,
    DEALING,
    OUT,
    OVER,
    SETTLING,
    SKIPPED_AFTER_PARTIAL_VOID,
    Round,
    deliveries,
)
from pitboss.rules.dealing import Deal
from pitboss.rules.irregularity import FACE_UP_CARD, FORFEIT, SETTLE_ONLY, VOID
from pitboss.rules.play import UNDECIDED, Ask


def evolve(state: Round, event: Event) -> Round:
    """Return the state after an event."""
    return _HANDLERS[type(event)](state, event)


def _placed(state: Round, event: WagersPlaced) -> Round:
    stakes = {key: cents for key, cents in state.stakes.items() if key[0] != event.seat}
    for wager, cents in event.stakes.items():
        stakes[event.seat, wager] = cents
    players = {**state.players, event.seat: event.player}
    return state._replace(
        seats=tuple(sorted(players)),
        players=players,
        stakes=stakes,
        status={**state.status, event.seat: UNDECIDED},
    )


def _withdrawn(state: Round, event: WagersWithdrawn) -> Round:
    return state._replace(
        seats=tuple(seat for seat in state.seats if seat != event.seat),
        players={seat: player for seat, player in state.players.items() if seat != event.seat},
        stakes={key: cents for key, cents in state.stakes.items() if key[0] != event.seat},
        status={seat: status for seat, status in state.status.items() if seat != event.seat},
    )


def _closed_bets(state: Round, event: BetsClosed) -> Round:
    return _enter(state, state.step + 1)


def _wager_returned(state: Round, event: WagerReturned) -> Round:
    gone = (event.seat, event.wager)
    return state._replace(stakes={key: cents for key, cents in state.stakes.items() if key != gone})


def _dealt(state: Round, event: CardsDealt) -> Round:
    place = event.place
    held = state.cards.get(place, ()) + event.cards
    return _delivered(
        state,
        cards={**state.cards, place: held},
        face_up={**state.face_up, place: len(held)} if event.face_up else state.face_up,
        drawn=state.drawn.union(event.cards),
    )


def _turned(state: Round, event: CardsTurned) -> Round:
    return _delivered(state, face_up={**state.face_up, event.place: event.count})


def _delivered(state: Round, **changed: Any) -> Round:
    cursor = state.cursor + 1
    if cursor < len(state.pending):
        return state._replace(cursor=cursor, **changed)
    return _enter(state, state.step + 1, **changed)


def _acted(state: Round, event: ActionTaken) -> Round:
    seat = event.seat
    answers = (*state.acted.get(seat, ()), event.action)
    changed: dict[str, Any] = {
        "status": {**state.status, seat: event.becomes},
        "acted": {**state.acted, seat: answers},
    }
    if event.wager:
        changed["stakes"] = {**state.stakes, (seat, event.wager): event.stake}
    if event.discard:
        changed["discards"] = {**state.discards, seat: event.discard}
    return _next_asked(state, seat, **changed)


def _next_asked(state: Round, after: int, **changed: Any) -> Round:
    status = state.status  # what changed concerns only the seat that was asked
    for seat in state.seats:
        if seat > after and status[seat] == UNDECIDED:
            return state._replace(cursor=seat, **changed)
    return _enter(state, state.step + 1, **changed)


def _enter(state: Round, step: int, **changed: Any) -> Round:
    # Stretches in which nothing is left to do are passed over.
    play = state.rules.play
    status = changed.get("status", state.status)
    while True:
        here = play[step]
        if isinstance(here, Deal):
            pending = deliveries(state, step)
            if pending:
                return state._replace(step=step, phase=DEALING, cursor=0, pending=pending, **changed)
        elif isinstance(here, Ask):
            waiting = next((seat for seat in state.seats if status[seat] == UNDECIDED), None)
            if waiting is not None and state.only is None:
                return state._replace(step=step, phase=ASKING, cursor=waiting, **changed)
        else:
            return state._replace(step=step, phase=SETTLING, cursor=0, **changed)
        step += 1


def _collected(state: Round, event: CardsCollected) -> Round:
    return state._replace(collected=(*state.collected, event.place))


def _settled(state: Round, event: WagersSettled) -> Round:
    results = dict(state.results)
    for result in event.results:
        results[event.seat, result.wager] = result
    changed: dict[str, Any] = {"results": results}
    if event.hand is not None:
        changed["hands"] = {**state.hands, event.seat: event.hand}
        changed["face_up"] = {**state.face_up, event.seat: len(state.cards[event.seat])}
    return state._replace(**changed)


def _envy_paid(state: Round, event: EnvyPaid) -> Round:
    return state._replace(envy=(*state.envy, event))


def _meter_awaited(state: Round, event: MeterAwaited) -> Round:
    return state._replace(meter=event, phase=AWAITING_METER)


def _meter_paid(state: Round, event: MeterPaid) -> Round:
    return state._replace(meter=None, phase=SETTLING)


def _ruled(state: Round, event: IrregularityRuled) -> Round:
    changed: dict[str, Any] = {"deck": event.deck} if event.remedy in (VOID, SETTLE_ONLY) else {}
    if event.irregularity == FACE_UP_CARD:
        changed["face_up_found"] = state.face_up_found + 1
        changed["drawn"] = state.drawn | {event.card}
    if event.remedy == FORFEIT and event.seat is not None:
        state = state._replace(status={**state.status, event.seat: OUT}, **changed)
        if state.meter is not None and state.meter.seat == event.seat:
            return state._replace(meter=None, phase=SETTLING)
        return _next_asked(state, event.seat) if state.phase == ASKING and state.cursor == event.seat else state
    state = state._replace(**changed)
    if event.remedy == SETTLE_ONLY:
        return _complete_the_board(state._replace(only=event.settles, only_clause=event.settles_clause))
    return state


def _complete_the_board(state: Round) -> Round:
    if state.phase != DEALING:
        return _enter(state, state.step)
    done = state.pending[: state.cursor]
    cursor = sum(1 for one in done if one[0] not in SKIPPED_AFTER_PARTIAL_VOID)
    pending = deliveries(state, state.step)
    if cursor < len(pending):
        return state._replace(cursor=cursor, pending=pending)
    return _enter(state, state.step + 1)


def _reversed(state: Round, event: WagersReversed) -> Round:
    taken_back = {(event.seat, result.wager) for result in event.results}
    return state._replace(
        results={key: result for key, result in state.results.items() if key not in taken_back},
        envy=tuple(one for one in state.envy if one.seat != event.seat) if event.envy else state.envy,
    )


def _voided(state: Round, event: RoundVoided) -> Round:
    return state._replace(outcome="void", phase=OVER, deck=event.deck, meter=None)


def _closed(state: Round, event: RoundClosed) -> Round:
    return state._replace(outcome="settled", phase=OVER, collected=(*state.collected, *event.pickup))


_HANDLERS: dict[type, Callable[[Round, Any], Round]] = {
    WagersPlaced: _placed,
    WagersWithdrawn: _withdrawn,
    BetsClosed: _closed_bets,
    WagerReturned: _wager_returned,
    CardsDealt: _dealt,
    CardsTurned: _turned,
    ActionTaken: _acted,
    CardsCollected: _collected,
    WagersSettled: _settled,
    EnvyPaid: _envy_paid,
    MeterAwaited: _meter_awaited,
    MeterPaid: _meter_paid,
    IrregularityRuled: _ruled,
    WagersReversed: _reversed,
    RoundVoided: _voided,
    RoundClosed: _closed,
}
