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
from pitboss.round.state import DEALING, OUT, Round, facts
from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.irregularity import (
    CARDS_OUT,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    FLOOR_RULES,
    FORFEIT,
    GOES_ON,
    OTHER_DECK,
    PROGRESSIVE_MISMATCH,
    RESHUFFLE,
    RETURN_WAGER,
    SETTLE_ONLY,
    SHOE_JAM,
    SHUFFLER_JAM,
    VOID,
    Remedy,
)
from pitboss.rules.play import Bets
from pitboss.rules.refusal import Refusal

__all__ = ["NO_DEALER", "rule"]

# What can go wrong while wagers are placed: devices, chips, a card drawn too soon. The rest needs a round dealt.
_WHILE_WAGERING = (SHUFFLER_JAM, SHOE_JAM, PROGRESSIVE_MISMATCH, DRAWN_IN_ERROR)


def rule(state: Round, command: ReportIrregularity) -> tuple[Event, ...] | Refusal:
    """Return what the rulebook orders for a reported irregularity."""
    known = facts(state)
    remedy = state.rules.remedy(command.irregularity, known | {OTHER_DECK} if command.other_deck else known)
    if remedy is None:
        return Refusal(f"This rulebook has no rule for {command.irregularity!r}")
    refusal = _cannot_be(state, command, remedy, known)
    if refusal:
        return refusal
    then = remedy.then
    if then == FLOOR_RULES:
        then = {"void": VOID, "abandoned": FORFEIT}.get(str(command.ruling), GOES_ON)
    ruled = IrregularityRuled(
        command.irregularity,
        then,
        command.seat,
        command.card,
        command.ruling if remedy.then == FLOOR_RULES else remedy.ruling,
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
        return _forfeit(state, state.players[command.seat], ruled)
    if then == RETURN_WAGER:
        assert command.seat is not None
        assert remedy.wager is not None
        return (ruled, WagerReturned(command.seat, remedy.wager, remedy.cite))
    return (ruled,)


def _cannot_be(state: Round, command: ReportIrregularity, remedy: Remedy, known: frozenset[str]) -> Refusal | None:
    if isinstance(state.rules.play[state.step], Bets) and command.irregularity not in _WHILE_WAGERING:
        return Refusal("Wagers are still being placed; no card of this round is out", remedy.cite)
    if command.irregularity == SHOE_JAM and AUTOMATED_SHOE not in known:
        return Refusal("No automated shoe deals the cards of this table", remedy.cite)
    needs_seat = remedy.then in (FORFEIT, RETURN_WAGER) or "abandoned" in remedy.rulings
    if command.seat is not None or needs_seat:
        if command.seat is None or command.seat not in state.players:
            return Refusal(
                f"{command.irregularity} needs the seat it concerns; seat {command.seat} is not in the round",
                remedy.cite,
            )
        if needs_seat and state.status[command.seat] == OUT:
            return Refusal(f"Seat {command.seat} has nothing left in this round", remedy.cite)
    if command.irregularity == FACE_UP_CARD:
        if CARDS_OUT in known:
            return Refusal("No card of this round is being dealt", remedy.cite)
        if command.card is None:
            return Refusal("Name the card that was found face up", remedy.cite)
    if command.card is not None:
        if command.card not in state.rules.game.deck:
            return Refusal(f"{command.card} is not a card of this deck")
        if command.irregularity == FACE_UP_CARD and command.card in state.drawn:
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


def _forfeit(state: Round, player: str, ruled: IrregularityRuled) -> tuple[Event, ...]:
    # Every wager of the player is lost, on each position held.
    events: list[Event] = []
    for seat in state.seats:
        if state.players[seat] == player and state.status[seat] != OUT:
            events.extend((replace(ruled, seat=seat), *_lose(state, seat, ruled.clause)))
    return tuple(events)


def _lose(state: Round, seat: int, clause: str) -> tuple[Event, ...]:
    wagers = tuple(wager for wager in state.seat_stakes(seat) if (seat, wager) not in state.results)
    settled = WagersSettled(seat, None, tuple(lost(wager, state.stakes[seat, wager], clause) for wager in wagers))
    if state.phase == DEALING or not state.cards.get(seat) or seat in state.collected:
        return (settled,)
    return (settled, CardsCollected(seat, clause))
