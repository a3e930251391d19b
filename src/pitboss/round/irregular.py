"""What a round does when something goes wrong, as the game's remedies order."""

from dataclasses import replace

from pitboss.round.commands import ReportIrregularity
from pitboss.round.events import (
    CardsCollected,
    Event,
    IrregularityRuled,
    RoundVoided,
    WagerReturned,
    WagersReversed,
    WagersSettled,
)
from pitboss.round.money import lost, returned
from pitboss.round.settle import NO_DEALER
from pitboss.round.state import OUT, Round, facts
from pitboss.rules.irregularity import (
    CARDS_OUT,
    FACE_UP_CARD,
    FLOOR_RULES,
    FORFEIT,
    GOES_ON,
    OTHER_DECK,
    RESHUFFLE,
    RETURN_WAGER,
    SETTLE_ONLY,
    VOID,
    Remedy,
)
from pitboss.rules.play import Bets
from pitboss.rules.refusal import Refusal

__all__ = ["NO_DEALER", "rule"]


def rule(state: Round, command: ReportIrregularity) -> tuple[Event, ...] | Refusal:
    """Return what the rulebook orders for a reported irregularity."""
    known = facts(state)
    remedy = state.rules.remedy(command.kind, known | {OTHER_DECK} if command.other_deck else known)
    if remedy is None:
        return Refusal(f"This rulebook has no rule for {command.kind!r}")
    refusal = _cannot_be(state, command, remedy, known)
    if refusal:
        return refusal
    then = remedy.then
    if then == FLOOR_RULES:
        then = {"void": VOID, "abandoned": FORFEIT}.get(str(command.ruling), GOES_ON)
    ruled = IrregularityRuled(
        command.kind,
        then,
        command.seat,
        command.card,
        command.ruling or remedy.ruling,
        command.ruled_by,
        remedy.deck if then in (VOID, SETTLE_ONLY) or remedy.then != FLOOR_RULES else "kept",
        remedy.settles,
        remedy.settles_cite,
        remedy.cite,
    )
    if then == VOID:
        return (ruled, *_void(state, remedy.cite, remedy.deck))
    if then == SETTLE_ONLY:
        return _settle_only(state, remedy, ruled)
    if then == FORFEIT:
        assert command.seat is not None
        return (ruled, *_forfeit(state, command.seat, remedy.cite))
    if then == RETURN_WAGER:
        assert command.seat is not None
        assert remedy.wager is not None
        return (ruled, WagerReturned(command.seat, remedy.wager, remedy.cite))
    return (ruled,)


def _cannot_be(state: Round, command: ReportIrregularity, remedy: Remedy, known: frozenset[str]) -> Refusal | None:
    needs_seat = remedy.then in (FORFEIT, RETURN_WAGER) or "abandoned" in remedy.rulings
    if command.seat is not None or needs_seat:
        if command.seat is None or command.seat not in state.players:
            return Refusal(
                f"{command.kind} needs the seat it concerns; seat {command.seat} is not in the round", remedy.cite
            )
        if needs_seat and state.status[command.seat] == OUT:
            return Refusal(f"Seat {command.seat} has nothing left in this round", remedy.cite)
    if command.kind == FACE_UP_CARD:
        if CARDS_OUT in known or isinstance(state.rules.play[state.step], Bets):
            return Refusal("No card of this round is being dealt", remedy.cite)
        if command.card is None:
            return Refusal("Name the card that was found face up", remedy.cite)
    if command.card is not None:
        if command.card not in state.rules.game.deck:
            return Refusal(f"{command.card} is not a card of this deck")
        if command.kind == FACE_UP_CARD and command.card in state.drawn:
            return Refusal(f"{command.card} is already out of the deck")
    if remedy.then == FLOOR_RULES:
        if command.ruling not in remedy.rulings:
            return Refusal(f"A floorperson has to rule: {' or '.join(remedy.rulings)}", remedy.cite)
        if not command.ruled_by:
            return Refusal("Say which floorperson ruled", remedy.cite)
    if remedy.then == RETURN_WAGER:
        if state.drawn:
            return Refusal("Chips are counted before the deal", remedy.cite)
        if (command.seat, remedy.wager) not in state.stakes:
            return Refusal(f"Seat {command.seat} has no {remedy.wager} wager", remedy.cite)
    return None


def _void(state: Round, clause: str, deck: str) -> tuple[Event, ...]:
    events: list[Event] = []
    for seat in reversed(state.seats):
        events.extend(_give_back(state, seat, tuple(state.seat_stakes(seat)), clause))
    return (*events, RoundVoided(deck, clause))


def _give_back(state: Round, seat: int, wagers: tuple[str, ...], clause: str) -> list[Event]:
    settled = tuple(state.results[seat, wager] for wager in wagers if (seat, wager) in state.results)
    envy = sum(one.net for one in state.envy if one.seat == seat)
    events: list[Event] = []
    if settled or envy:
        events.append(WagersReversed(seat, settled, envy, clause))
    results = tuple(returned(wager, state.stakes[seat, wager], clause) for wager in wagers)
    events.append(WagersSettled(seat, None, results))
    return events


def _settle_only(state: Round, remedy: Remedy, ruled: IrregularityRuled) -> tuple[Event, ...]:
    if not any((seat, wager) in state.stakes for seat in state.seats for wager in remedy.settles):
        return (replace(ruled, remedy=VOID), *_void(state, remedy.cite, RESHUFFLE))
    events: list[Event] = []
    for seat in reversed(state.seats):
        others = tuple(wager for wager in state.seat_stakes(seat) if wager not in remedy.settles)
        events.extend(_give_back(state, seat, others, remedy.cite))
    return (*events, ruled)


def _forfeit(state: Round, seat: int, clause: str) -> tuple[Event, ...]:
    wagers = tuple(wager for wager in state.seat_stakes(seat) if (seat, wager) not in state.results)
    results = tuple(lost(wager, state.stakes[seat, wager], clause) for wager in wagers)
    events: tuple[Event, ...] = (WagersSettled(seat, None, results),)
    if state.cards.get(seat) and seat not in state.collected:
        events = (*events, CardsCollected(seat, clause))
    return events
