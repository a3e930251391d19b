"""What an event does to the state; no rule is checked here."""

from collections.abc import Callable
from typing import Any

from pitboss.round.events import (
    SETTLED,
    VOIDED,
    ActionTaken,
    BetsClosed,
    CardCorrected,
    CardsCollected,
    CardsDealt,
    CardsTurned,
    EnvyPaid,
    Event,
    IrregularityRuled,
    MeterAwaited,
    MeterPaid,
    PayoutAwaited,
    PayoutValidated,
    RoundClosed,
    RoundVoided,
    StakesBanked,
    WagerReturned,
    WagersPlaced,
    WagersReversed,
    WagersSettled,
    WagersWithdrawn,
)
from pitboss.round.state import (
    ASKING,
    AWAITING_METER,
    AWAITING_VERIFICATION,
    DEALING,
    OVER,
    SETTLING,
    Round,
    deliveries,
    is_still_due,
)
from pitboss.rules.dealing import SHARED_PLACES, Deal
from pitboss.rules.irregularity import (
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    FORFEIT,
    RESHUFFLE,
    SETTLE_ONLY,
    SHUFFLER_JAM,
    VOID,
)
from pitboss.rules.play import UNDECIDED, Ask

_CURSOR, _PENDING, _CARDS, _DRAWN, _DEALT_NEXT = map(
    Round._fields.index, ("cursor", "pending", "cards", "drawn", "dealt_next")
)
_made = tuple.__new__


def evolve(state: Round, event: Event) -> Round:
    """Return the state after an event."""
    return _HANDLERS[type(event)](state, event)


def _placed(state: Round, event: WagersPlaced) -> Round:
    seat, stakes, coupons = event.seat, dict(state.stakes), state.coupons
    if seat in state.players:  # these wagers replace the seat's earlier ones
        stakes = {key: cents for key, cents in stakes.items() if key[0] != seat}
        coupons = {key: face for key, face in coupons.items() if key[0] != seat}
    for wager, cents in event.stakes.items():
        stakes[seat, wager] = cents
    if event.coupons:
        coupons = {**coupons, **{(seat, wager): face for wager, face in event.coupons.items()}}
    players = {**state.players, seat: event.player}
    return state._replace(
        seats=tuple(sorted(players)),
        players=players,
        stakes=stakes,
        coupons=coupons,
        status={**state.status, seat: UNDECIDED},
    )


def _withdrawn(state: Round, event: WagersWithdrawn) -> Round:
    return state._replace(
        seats=tuple(seat for seat in state.seats if seat != event.seat),
        players={seat: player for seat, player in state.players.items() if seat != event.seat},
        stakes={key: cents for key, cents in state.stakes.items() if key[0] != event.seat},
        coupons={key: face for key, face in state.coupons.items() if key[0] != event.seat},
        status={seat: status for seat, status in state.status.items() if seat != event.seat},
    )


def _closed_bets(state: Round, event: BetsClosed) -> Round:
    return _enter(state, state.step + 1, {"verification": event.verification})


def _banked(state: Round, event: StakesBanked) -> Round:
    return state._replace(banked=(*state.banked, *((seat, event.wager) for seat in event.seats)))


def _wager_returned(state: Round, event: WagerReturned) -> Round:
    gone = (event.seat, event.wager)
    return state._replace(
        stakes={key: cents for key, cents in state.stakes.items() if key != gone},
        banked=tuple(key for key in state.banked if key != gone),
    )


def _dealt(state: Round, event: CardsDealt) -> Round:
    place, cards, face_up, _ = event
    # Most commands of most rounds deal one card face down with more to come, so this path is the short one.
    fields: list[Any] = [*state]
    cursor, before = fields[_CURSOR] + 1, fields[_CARDS]
    held = before.get(place, ()) + cards
    if cursor < len(fields[_PENDING]) and not (face_up or fields[_DEALT_NEXT]):
        fields[_CURSOR], fields[_CARDS] = cursor, {**before, place: held}
        fields[_DRAWN] = fields[_DRAWN].union(cards)
        return _made(Round, fields)
    changed: dict[str, Any] = {"cards": {**state.cards, place: held}, "drawn": state.drawn.union(cards)}
    if face_up:
        changed["face_up"] = {**state.face_up, place: len(held)}
    if state.dealt_next:
        changed["dealt_next"] = state.dealt_next[len(cards) :]
    return _delivered(state, changed)


def _corrected(state: Round, event: CardCorrected) -> Round:
    held = tuple(event.card if card == event.was else card for card in state.cards[event.place])
    return state._replace(cards={**state.cards, event.place: held}, drawn=state.drawn - {event.was} | {event.card})


def _turned(state: Round, event: CardsTurned) -> Round:
    return _delivered(state, {"face_up": {**state.face_up, event.place: event.count}})


def _delivered(state: Round, changed: dict[str, Any]) -> Round:
    cursor = state.cursor + 1
    if cursor < len(state.pending):
        changed["cursor"] = cursor
        return state._replace(**changed)
    return _enter(state, state.step + 1, changed)


def _acted(state: Round, event: ActionTaken) -> Round:
    seat = event.seat
    answers = (*state.acted.get(seat, ()), event.action)
    cards = state.cards
    seen = [cards[place] for place in (seat, *SHARED_PLACES) if place in cards]
    changed: dict[str, Any] = {
        "status": {**state.status, seat: event.becomes},
        "acted": {**state.acted, seat: answers},
        "relied_on": state.relied_on.union(*seen),
    }
    if event.wager:
        changed["stakes"] = {**state.stakes, (seat, event.wager): event.stake}
    if event.discard:
        changed["discards"] = {**state.discards, seat: event.discard}
    return _next_asked(state, seat, changed)


def _next_asked(state: Round, after: int, changed: dict[str, Any]) -> Round:
    status = state.status  # what changed concerns only the seat that was asked
    for seat in state.seats:
        if seat > after and status[seat] == UNDECIDED:
            changed["cursor"] = seat
            return state._replace(**changed)
    return _enter(state, state.step + 1, changed)


def _enter(state: Round, step: int, changed: dict[str, Any]) -> Round:
    # Phases with nothing left to do are skipped.
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


def _payout_awaited(state: Round, event: PayoutAwaited) -> Round:
    return state._replace(payout=event, phase=AWAITING_VERIFICATION, goes_on=state.phase)


def _payout_validated(state: Round, event: PayoutValidated) -> Round:
    return state._replace(payout=None, phase=state.goes_on)


def _meter_awaited(state: Round, event: MeterAwaited) -> Round:
    return state._replace(meter=event, phase=AWAITING_METER)


def _meter_paid(state: Round, event: MeterPaid) -> Round:
    return state._replace(meter=None, phase=SETTLING)


def _ruled(state: Round, event: IrregularityRuled) -> Round:
    changed: dict[str, Any] = {"deck": event.deck} if event.remedy in (VOID, SETTLE_ONLY) else {}
    if event.irregularity == FACE_UP_CARD:
        changed["face_up_found"] = state.face_up_found + 1
        changed["drawn"] = state.drawn | {event.card}
    if event.irregularity == DRAWN_IN_ERROR:
        before = (None,) * (event.after - len(state.dealt_next))
        changed["dealt_next"] = (*state.dealt_next, *before, event.card)
    if event.irregularity == SHUFFLER_JAM and event.deck == RESHUFFLE and not event.other_deck:
        changed["dealt_next"] = ()  # the card is shuffled again with the rest
    if event.remedy == FORFEIT and event.seat is not None:
        state = state._replace(status={**state.status, event.seat: event.becomes}, **changed)
        if state.meter is not None and state.meter.seat == event.seat:
            return state._replace(meter=None, phase=SETTLING)
        return _passed_over(state, event.seat)
    state = state._replace(**changed)
    if event.remedy == SETTLE_ONLY:
        # What was waiting is settled again with what is left of the round.
        left = state._replace(only=event.settles, only_clause=event.settles_clause, meter=None, payout=None)
        return _complete_the_board(left)
    return state


def _passed_over(state: Round, seat: int) -> Round:
    payout = state.payout
    if payout is not None:
        state = state._replace(phase=state.goes_on)
    if state.phase == ASKING and state.cursor == seat:
        state = _next_asked(state, seat, {})
    if payout is None or payout.seat == seat:
        return state._replace(payout=None)
    return state._replace(phase=AWAITING_VERIFICATION, goes_on=state.phase)


def _complete_the_board(state: Round) -> Round:
    if state.phase != DEALING:
        return _enter(state, state.step, {})
    done = state.pending[: state.cursor]
    cursor = sum(1 for delivered in done if is_still_due(state, state.step, delivered))
    pending = deliveries(state, state.step)
    if cursor < len(pending):
        return state._replace(cursor=cursor, pending=pending)
    return _enter(state, state.step + 1, {})


def _reversed(state: Round, event: WagersReversed) -> Round:
    taken_back = {(event.seat, result.wager) for result in event.results}
    return state._replace(
        results={key: result for key, result in state.results.items() if key not in taken_back},
        envy=tuple(paid for paid in state.envy if paid.seat != event.seat) if event.envy else state.envy,
    )


def _voided(state: Round, event: RoundVoided) -> Round:
    return state._replace(outcome=VOIDED, phase=OVER, deck=event.deck, meter=None, payout=None)


def _closed(state: Round, event: RoundClosed) -> Round:
    return state._replace(outcome=SETTLED, phase=OVER, collected=(*state.collected, *event.pickup))


_HANDLERS: dict[type, Callable[[Round, Any], Round]] = {
    WagersPlaced: _placed,
    WagersWithdrawn: _withdrawn,
    BetsClosed: _closed_bets,
    StakesBanked: _banked,
    WagerReturned: _wager_returned,
    CardsDealt: _dealt,
    CardCorrected: _corrected,
    CardsTurned: _turned,
    ActionTaken: _acted,
    CardsCollected: _collected,
    WagersSettled: _settled,
    EnvyPaid: _envy_paid,
    PayoutAwaited: _payout_awaited,
    PayoutValidated: _payout_validated,
    MeterAwaited: _meter_awaited,
    MeterPaid: _meter_paid,
    IrregularityRuled: _ruled,
    WagersReversed: _reversed,
    RoundVoided: _voided,
    RoundClosed: _closed,
}
