"""What a round does when something goes wrong, following the game's remedies."""

from dataclasses import replace

from pitboss.round.commands import ReportIrregularity
from pitboss.round.departure import abandoned
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
from pitboss.round.state import DEALING, Round, facts
from pitboss.rules.dealing import AUTOMATED_SHOE, BOARD, DEALER
from pitboss.rules.irregularity import (
    CARDS_DEALT,
    CARDS_OUT,
    COMMUNITY_CARD_EXPOSED,
    DEALER_CARD_EXPOSED,
    DECK_COUNT_WRONG,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    FLOOR_RULES,
    FORFEIT,
    GOES_ON,
    KEEP,
    OTHER_DECK,
    PLAYER_LEFT,
    PROGRESSIVE_MISMATCH,
    REMOVE,
    RESHUFFLE,
    RETURN_WAGER,
    SETTLE_ONLY,
    SHOE_JAM,
    SHUFFLER_JAM,
    VOID,
    WRONG_NUMBER,
    DeckFate,
    Limb,
    Remedy,
)
from pitboss.rules.play import OUT, Bets
from pitboss.rules.refusal import Refusal
from pitboss.rules.settlement import LOSE

__all__ = ["NO_DEALER", "rule"]

# What can go wrong while wagers are placed: devices, counts, a card drawn too soon. The rest needs a round dealt.
_WHILE_WAGERING = (SHUFFLER_JAM, SHOE_JAM, PROGRESSIVE_MISMATCH, DRAWN_IN_ERROR, DECK_COUNT_WRONG)
_NEEDS_A_HAND = (WRONG_NUMBER,)
NOTE_LETTERS = 500
_REVERSES = "G-7"  # the reading by which a void reverses collections and payments


def rule(state: Round, command: ReportIrregularity) -> tuple[Event, ...] | Refusal:
    """Return what the rulebook requires for a reported irregularity."""
    known = facts(state)
    remedy = remedy_for(state, command.irregularity, is_drawn=command.is_drawn, is_other=command.other_deck)
    if remedy is None:
        return Refusal(f"This rulebook has no rule for this irregularity: {command.irregularity}")
    refusal = cannot_be(state, command, remedy, known)
    if refusal:
        return refusal
    then = remedy.then
    if then == FLOOR_RULES:
        then = {"void": VOID, "abandoned": FORFEIT}.get(str(command.ruling), GOES_ON)
    limb = _limb(remedy, command)
    ruled = IrregularityRuled(
        command.irregularity,
        then,
        command.seat,
        command.card,
        command.ruling if remedy.then == FLOOR_RULES else remedy.ruling,
        command.ruled_by,
        remedy.deck if then in (VOID, SETTLE_ONLY) or remedy.then != FLOOR_RULES or remedy.deck == REMOVE else KEEP,
        remedy.settles,
        remedy.settles_cite,
        remedy.cite,
        _readings(state, command, remedy),
        limb.name if limb else None,
        limb.cite if limb else None,
        (command.note or "").strip() or None,
        max(command.after, len(state.dealt_next)) if command.irregularity == DRAWN_IN_ERROR else 0,
        command.other_deck,
    )
    if then == VOID:
        return _void(state, ruled, remedy.cite, remedy.deck)
    if then == SETTLE_ONLY:
        return _settle_only(state, remedy, ruled)
    if then == FORFEIT:
        assert command.seat is not None
        if command.irregularity == PLAYER_LEFT:
            return abandoned(state, state.players[command.seat], ruled)
        return _forfeit(state, _held(state, command.seat), ruled, remedy.late_ruling)
    if then == RETURN_WAGER:
        assert command.seat is not None
        assert remedy.wager is not None
        return (ruled, WagerReturned(command.seat, remedy.wager, remedy.cite))
    return (ruled,)


def remedy_for(state: Round, kind: str, *, is_drawn: bool, is_other: bool) -> Remedy | None:
    """Return what the rulebook requires now; a drawn card is out of the deck before it is delivered."""
    known = facts(state) | ({CARDS_DEALT} if is_drawn else set()) | ({OTHER_DECK} if is_other else set())
    return state.rules.remedy(kind, known)


def cannot_be(state: Round, command: ReportIrregularity, remedy: Remedy, known: frozenset[str]) -> Refusal | None:
    """Return why a report can't be true now, or is missing what its remedy needs, or None."""
    return (
        _not_at_this_moment(state, command, remedy, known)
        or _not_of_this_seat(state, command, remedy)
        or _not_of_this_card(state, command, remedy)
        or _lacks_a_limb(state, command, remedy)
        or _lacks_a_ruling(command, remedy)
    )


def _not_at_this_moment(
    state: Round, command: ReportIrregularity, remedy: Remedy, known: frozenset[str]
) -> Refusal | None:
    kind = command.irregularity
    if isinstance(state.rules.play[state.step], Bets) and kind not in _WHILE_WAGERING:
        return Refusal("Wagers are still being placed. No card of this round is out yet", remedy.cite)
    if kind == SHOE_JAM and AUTOMATED_SHOE not in known:
        return Refusal("This table isn't dealt from an automated shoe", remedy.cite)
    if kind in (FACE_UP_CARD, DRAWN_IN_ERROR) and CARDS_OUT in known:
        return Refusal("Every card of this round is already dealt", remedy.cite)
    if kind == FACE_UP_CARD and state.dealt_next:
        reason = "A card was drawn in error. Deal it first"
        return Refusal(reason, remedy.cite)
    if kind in _NEEDS_A_HAND and not any(state.cards.values()):
        return Refusal("No card of this round is out yet, so nothing can have been misdealt", remedy.cite)
    if kind == DEALER_CARD_EXPOSED:
        return _nothing_hidden(state, DEALER, remedy)
    if kind == COMMUNITY_CARD_EXPOSED:
        return _nothing_hidden(state, BOARD, remedy)
    if remedy.then == RETURN_WAGER and (state.drawn or command.is_drawn):
        return Refusal("Progressive chips are checked before the deal, not after", remedy.cite)
    return None


def _nothing_hidden(state: Round, place: str, remedy: Remedy) -> Refusal | None:
    whose = "dealer's" if place == DEALER else "community"
    lies, shown = len(state.cards.get(place, ())), state.face_up.get(place, 0)
    if lies and lies == shown:
        return Refusal(
            f"The {whose} cards on the table were turned up at the right time. None was exposed early", remedy.cite
        )
    return None if lies else Refusal(f"No {whose} card is on the table yet, so none can be exposed", remedy.cite)


def _not_of_this_seat(state: Round, command: ReportIrregularity, remedy: Remedy) -> Refusal | None:
    seat = command.seat
    needs_seat = remedy.then in (FORFEIT, RETURN_WAGER) or "abandoned" in remedy.rulings
    if seat is None and not needs_seat:
        return None
    if seat is None:
        return Refusal("Enter the seat this report is about", remedy.cite)
    if seat not in state.players:
        return Refusal(f"Seat {seat} is not in this round", remedy.cite)
    if needs_seat and state.status[seat] == OUT:
        return Refusal(f"Seat {seat} has nothing left in this round", remedy.cite)
    if remedy.limbs and not state.cards.get(seat):
        return Refusal(f"Seat {seat} has no cards yet, so no rule about them can have been broken", remedy.cite)
    if remedy.then == RETURN_WAGER and (seat, remedy.wager) not in state.stakes:
        return Refusal(f"Seat {seat} has no {remedy.wager} wager", remedy.cite)
    return None


def _not_of_this_card(state: Round, command: ReportIrregularity, remedy: Remedy) -> Refusal | None:
    card = command.card
    if card is None:
        is_found = command.irregularity == FACE_UP_CARD
        return Refusal("Name the card that was found face up", remedy.cite) if is_found else None
    if card not in state.rules.game.deck:
        return Refusal(f"{card} is not a card of this deck")
    if command.irregularity in (FACE_UP_CARD, DRAWN_IN_ERROR) and card in (*state.drawn, *state.dealt_next):
        return Refusal(f"{card} is already out of the deck")
    return None


def _limb(remedy: Remedy, command: ReportIrregularity) -> Limb | None:
    return next((limb for limb in remedy.limbs if limb.name == command.limb), None)


def _lacks_a_limb(state: Round, command: ReportIrregularity, remedy: Remedy) -> Refusal | None:
    limb = _limb(remedy, command)
    if limb is None:
        if command.limb is None and not remedy.limbs:
            return None
        names = " or ".join(limb.name for limb in remedy.limbs)
        reason = (
            f"Say which rule was broken: {names}"
            if names
            else f"{command.irregularity} has no rules to choose from. Leave limb out"
        )
        return Refusal(reason, remedy.cite, "limb")
    if limb.until_revealed and state.face_up.get(DEALER):
        return Refusal("The dealer's cards are shown, so this rule can no longer be broken", limb.cite, "limb")
    return None


def _lacks_a_ruling(command: ReportIrregularity, remedy: Remedy) -> Refusal | None:
    if len(command.note or "") > NOTE_LETTERS:
        return Refusal(f"A note can have at most {NOTE_LETTERS} characters", remedy.cite, "note")
    if remedy.then != FLOOR_RULES:
        return None
    if command.ruling not in remedy.rulings:
        return Refusal(f"A floorperson must rule: {' or '.join(remedy.rulings)}", remedy.cite)
    if not command.ruled_by:
        return Refusal("Say which floorperson ruled", remedy.cite)
    if remedy.needs_note and not (command.note or "").strip():
        return Refusal("No clause covers this. Explain your ruling in the note", remedy.cite, "note")
    return None


def _void(state: Round, ruled: IrregularityRuled, clause: str, deck: DeckFate) -> tuple[Event, ...]:
    events: list[Event] = []
    for seat in reversed(state.seats):
        events.extend(give_back(state, seat, tuple(state.seat_stakes(seat)), clause))
    return (_with_reversals(ruled, events), *events, RoundVoided(deck, clause))


def _with_reversals(ruled: IrregularityRuled, events: list[Event]) -> IrregularityRuled:
    if not any(isinstance(event, WagersReversed) for event in events):
        return ruled
    return replace(ruled, rests_on=(*ruled.rests_on, _REVERSES))


def give_back(state: Round, seat: int, wagers: tuple[str, ...], clause: str) -> list[Event]:
    """Return the events that reverse the results of a seat's wagers and return their stakes."""
    bonuses = tuple(bonus for bonus, base in state.rules.bonuses.items() if base in wagers)
    settled = tuple(state.results[seat, wager] for wager in (*wagers, *bonuses) if (seat, wager) in state.results)
    envy = sum(paid.net for paid in state.envy if paid.seat == seat)
    events: list[Event] = []
    if settled or envy:
        events.append(WagersReversed(seat, settled, envy, clause))
    results = tuple(returned(wager, state.stakes[seat, wager], clause) for wager in wagers)
    events.append(WagersSettled(seat, None, results, given_back=True))
    return events


def _settle_only(state: Round, remedy: Remedy, ruled: IrregularityRuled) -> tuple[Event, ...]:
    if not any((seat, wager) in state.stakes for seat in state.seats for wager in remedy.settles):
        return _void(state, replace(ruled, remedy=VOID), remedy.cite, RESHUFFLE)
    events: list[Event] = []
    for seat in reversed(state.seats):
        others = tuple(wager for wager in state.seat_stakes(seat) if wager not in remedy.settles)
        events.extend(give_back(state, seat, others, remedy.cite))
    return (*events, _with_reversals(ruled, events))


def _readings(state: Round, command: ReportIrregularity, remedy: Remedy) -> tuple[str, ...]:
    # A second ruling applies if a ruling on one position covers the player's other positions.
    is_several = command.seat is not None and len(_held(state, command.seat)) > 1
    return tuple(filter(None, (remedy.ruling, remedy.several_ruling if is_several else None)))


def _held(state: Round, seat: int) -> list[int]:
    player = state.players[seat]
    return [other for other in state.seats if state.players[other] == player and state.status[other] != OUT]


def _forfeit(state: Round, held: list[int], ruled: IrregularityRuled, late_ruling: str | None) -> tuple[Event, ...]:
    # Every wager of the player is lost, on each position held.
    events: list[Event] = []
    for seat in held:
        taken = _lose(state, seat, ruled.clause)
        is_late = any(isinstance(event, WagersReversed) for event in taken)
        rests_on = (*ruled.rests_on, late_ruling) if is_late and late_ruling else ruled.rests_on
        events.extend((replace(ruled, seat=seat, rests_on=rests_on), *taken))
    return tuple(events)


def _lose(state: Round, seat: int, clause: str) -> tuple[Event, ...]:
    # A wager that was returned or paid is lost like the others; only what a meter paid stays paid.
    rules, stakes = state.rules, state.seat_stakes(seat)
    own = {wager: result for (other, wager), result in state.results.items() if other == seat}
    kept = {wager for wager, result in own.items() if result.result == LOSE or rules.draws_on_meter(wager)}
    wagers = tuple(wager for wager in stakes if wager not in kept)
    back = tuple(result for wager, result in own.items() if wager not in kept)
    events: tuple[Event, ...] = (WagersReversed(seat, back, 0, clause),) if back else ()
    events = (*events, WagersSettled(seat, None, tuple(lost(wager, stakes[wager], clause) for wager in wagers)))
    if state.phase == DEALING or not state.cards.get(seat) or seat in state.collected:
        return events
    return (*events, CardsCollected(seat, clause))
