"""Decides a command: the events it causes, or a refusal with its reason and clause."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pitboss.round import irregular
from pitboss.round.commands import (
    Act,
    ActForAbsent,
    BankStakes,
    CloseBets,
    Command,
    CorrectCard,
    DealCards,
    PayMeter,
    PlaceWagers,
    ReportIrregularity,
    Settle,
    TurnCards,
    ValidatePayout,
    WithdrawWagers,
)
from pitboss.round.events import (
    ActionTaken,
    BetsClosed,
    CardCorrected,
    CardsCollected,
    CardsDealt,
    CardsTurned,
    Event,
    StakesBanked,
    WagersPlaced,
    WagersSettled,
    WagersWithdrawn,
)
from pitboss.round.evolve import evolve
from pitboss.round.folds import collected_after, forfeited
from pitboss.round.money import settle_wagers
from pitboss.round.settle import pay_meter, pay_payout, payout_awaited, settle_seats
from pitboss.round.state import (
    ASKING,
    AWAITING_METER,
    AWAITING_VERIFICATION,
    DEALING,
    OVER,
    SETTLING,
    WAGERING,
    Round,
    counts_for,
)
from pitboss.rules.at_once import is_worth_offering
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import DRAWN_IN_ERROR
from pitboss.rules.play import FOLDED, Action, Ask, SeatStatus
from pitboss.rules.reading import SeatCards
from pitboss.rules.refusal import Refusal
from pitboss.rules.settlement import WIN

Decision = tuple[Event, ...] | Refusal

_WAITS_FOR = {
    WAGERING: "wagers are still being placed",
    DEALING: "cards are being dealt",
    ASKING: "a player is deciding",
    SETTLING: "wagers are being settled",
    AWAITING_METER: "a progressive payout is waiting for its meter",
    AWAITING_VERIFICATION: "a payout is waiting for a floorperson to verify it",
    OVER: "the round is over",
}

CORRECTED = "G-22"  # the ruling that allows a misread card to be corrected


def decide(state: Round, command: Command) -> Decision:
    """Return the events a command causes, or why it is refused."""
    answer = _HANDLERS[type(command)](state, command)
    if state.phase != ASKING or isinstance(answer, Refusal):
        return answer
    later = collected_after(state, answer)
    return (*answer, *later) if later else answer


def legal_actions(state: Round) -> tuple[Action, ...]:
    """Return the actions open to the seat whose turn it is."""
    here = state.rules.play[state.step]
    return tuple(state.rules.actions[here.name].values()) if state.phase == ASKING and isinstance(here, Ask) else ()


def offered_actions(state: Round) -> tuple[Action, ...]:
    """Return the actions to offer the player: every legal one but a declaration the player's cards contradict."""
    seat = state.seat_asked
    if seat is None:
        return ()
    cards = state.cards[seat]
    return tuple(action for action in legal_actions(state) if is_worth_offering(state.rules, action, cards))


def least_action(state: Round) -> Action:
    """Return the action that wagers nothing more; a hand that can declare a win declares it."""
    seat = state.cursor
    plain = [action for action in legal_actions(state) if action.stakes is None]
    for action in plain:
        if action.settles_at_once:
            results, _ = _read_and_settle(state, seat, action.becomes)
            if any(result.result == WIN for result in results):
                return action
    return next(action for action in plain if not action.settles_at_once)


def _place_wagers(state: Round, command: PlaceWagers) -> Decision:
    rules, positions = state.rules, state.rules.game.positions
    if state.phase != WAGERING:
        return Refusal("Bets are closed. Place wagers in the next round", rules.game.bets.closed_cite)
    if not 1 <= command.seat <= rules.seats_most:
        return Refusal(f"There is no seat {command.seat}. This table has seats 1 to {rules.seats_most}", positions.cite)
    if state.players.get(command.seat, command.player) != command.player:
        return Refusal(f"Seat {command.seat} is taken by another player")
    refusal = _check_positions(state, command)
    refusal = refusal or rules.check_stakes(command.stakes) or _check_instruments(rules, command)
    refusal = refusal or rules.check_coupons(command.stakes, command.coupons)
    others = (state.seat_stakes(seat) for seat in state.seats if seat != command.seat)
    refusal = refusal or _cannot_be_dealt(rules, command) or rules.check_progressive_stake(command.stakes, others)
    if refusal:
        return refusal
    stakes, instruments = dict(command.stakes), dict(command.other_instruments)
    cite, coupons = rules.game.bets.cite, dict(command.coupons)
    return (WagersPlaced(command.seat, command.player, stakes, command.instrument, cite, instruments, coupons),)


def _check_positions(state: Round, command: PlaceWagers) -> Refusal | None:
    if command.player not in state.players.values():
        return None
    others = [seat for seat, player in state.players.items() if player == command.player and seat != command.seat]
    if not others:
        return None
    cite, most, held = state.rules.game.positions.per_player_cite, state.rules.per_player(), [*others, command.seat]
    if len(held) > most:
        many = "one position" if most == 1 else f"{most} adjacent positions"
        return Refusal(f"A player may bet only {many}", cite)
    if max(held) - min(held) >= len(held):
        return Refusal("A player's positions must be adjacent", cite)
    return None


def _check_instruments(rules: RulesInForce, command: PlaceWagers) -> Refusal | None:
    if command.instrument in rules.taken_anywhere and not command.other_instruments:
        return None
    for name in command.other_instruments:
        if name not in command.stakes:
            return Refusal(f"An instrument is given for {name}, but nothing is staked on it", None, name)
    for name in command.stakes:
        instrument = command.other_instruments.get(name, command.instrument)
        refusal = rules.check_instrument(instrument, name)
        if refusal:
            return refusal
        if instrument in rules.game.procedures.instruments.beside_chips:
            clause = rules.game.procedures.instruments.if_submitted[instrument]
            return Refusal("A coupon must be bet together with chips. Enter it under coupons", clause, name)
    return None


def _cannot_be_dealt(rules: RulesInForce, command: PlaceWagers) -> Refusal | None:
    for name in command.stakes:
        if name in rules.dealt_otherwise:
            wager = rules.game.wagers_by_name[name]
            return Refusal(f"{wager.title} can be bet only with {wager.dealing} dealing", wager.dealing_cite, name)
    return None


def _withdraw(state: Round, command: WithdrawWagers) -> Decision:
    if state.phase != WAGERING:
        return Refusal("Bets are closed. Wagers can't be withdrawn now", state.rules.game.bets.closed_cite)
    if command.seat not in state.players:
        return Refusal(f"Seat {command.seat} has no wagers")
    player = state.players[command.seat]
    left = [seat for seat in state.seats if seat != command.seat and state.players[seat] == player]
    if left and left[-1] - left[0] >= len(left):
        return Refusal("A player's positions must be adjacent", state.rules.game.positions.per_player_cite)
    return (WagersWithdrawn(command.seat, state.rules.game.bets.cite),)


def _close_bets(state: Round, command: CloseBets) -> Decision:
    if state.phase != WAGERING:
        return Refusal("Bets are already closed", state.rules.game.bets.closed_cite)
    if not state.players:
        return Refusal("Nobody has placed a wager yet", state.rules.game.bets.cite)
    return (BetsClosed(state.rules.game.bets.cite, command.verification),)


def _bank(state: Round, command: BankStakes) -> Decision:
    progressive = state.rules.game.progressive
    clause = progressive.bank_cites.get(state.rules.choices.dealing) if progressive is not None else None
    if progressive is None or clause is None:
        return Refusal("This table collects no chips before the deal", state.rules.game.bets.closed_cite)
    if state.phase != DEALING or state.drawn:
        return _not_now(state, 'Put the chips in the tray after "no more bets" and before the deal')
    lying = {
        seat: cents
        for (seat, wager), cents in sorted(state.stakes.items())
        if wager == progressive.wager and (seat, wager) not in state.banked
    }
    if not lying:
        return Refusal("There are no progressive chips on the layout", clause)
    return (StakesBanked(progressive.wager, tuple(lying), sum(lying.values()), clause),)


def _deal(state: Round, command: DealCards) -> Decision:
    if state.phase != DEALING:
        return _not_now(state, "Cards can't be dealt now")
    place, count, face_up, clause, is_turned = state.pending[state.cursor]
    if is_turned:
        return Refusal("Turn cards face up next. No card is dealt now", clause)
    cards = command.cards
    if len(cards) != count:
        return Refusal(f"{_title(place)} gets {count} card{'s' * (count > 1)} next, not {len(cards)}", clause)
    if not state.rules.deck_cards.issuperset(cards):
        foreign = next(card for card in cards if card not in state.rules.deck_cards)
        return Refusal(f"{foreign} is not a card of this deck")
    if (count > 1 and len(set(cards)) < count) or not state.drawn.isdisjoint(cards):
        return Refusal("A card that is already out of the deck can't be dealt again")
    if state.dealt_next and any(owed not in (None, card) for owed, card in zip(state.dealt_next, cards, strict=False)):
        drawn = state.rules.remedy(DRAWN_IN_ERROR, ())
        return Refusal("Deal the card that was drawn in error next", drawn.cite if drawn else None)
    return (CardsDealt(place, cards, face_up, clause),)


def _correct(state: Round, command: CorrectCard) -> Decision:
    place, was, card = command.place, command.was, command.card
    if state.phase in (WAGERING, OVER) or was not in state.cards.get(place, ()):
        return Refusal(f"{_title(place)} doesn't hold that card", CORRECTED)
    if card not in state.rules.game.deck or card in state.drawn:
        return Refusal("The corrected card is already out of the deck", CORRECTED)
    if was in state.relied_on:
        return Refusal("A player has already acted on this card. Ask the floor for a ruling", CORRECTED)
    waiting = {claim.seat for claim in (state.payout, state.meter) if claim is not None}
    if any(counts_for(place, seat) for seat in (*waiting, *(seat for seat, _ in state.results))):
        return Refusal("Wagers decided by this card are already settled. Ask the floor for a ruling", CORRECTED)
    return (CardCorrected(place, was, card, CORRECTED),)


def _turn(state: Round, command: TurnCards) -> Decision:
    due = state.due
    if due is None:
        return _not_now(state, "Cards can't be turned now")
    place, count, _, clause, is_turned = due
    if not is_turned:
        return Refusal(f"{_title(place)} must get {count} card{'s' * (count > 1)} first", clause)
    return (CardsTurned(place, count, clause),)


def _act(state: Round, command: Act) -> Decision:
    refusal = _out_of_turn(state, command.seat)
    if refusal:
        return refusal
    here = state.rules.play[state.step]
    assert isinstance(here, Ask)
    action = state.rules.actions[here.name].get(command.action)
    if action is None:
        open_now = " or ".join(state.rules.actions[here.name])
        return Refusal(f"{command.action!r} isn't available now. Choose {open_now}", here.answers_cite)
    return _take(state, command.seat, action, command)


def _act_for_absent(state: Round, command: ActForAbsent) -> Decision:
    refusal = _out_of_turn(state, command.seat)
    if refusal:
        return refusal
    return _take(state, command.seat, least_action(state), command)


def _out_of_turn(state: Round, seat: int) -> Refusal | None:
    if state.phase != ASKING:
        return _not_now(state, "No player has a decision to make now")
    if seat != state.cursor:
        here = state.rules.play[state.step]
        assert isinstance(here, Ask)
        return Refusal(f"It is seat {state.cursor}'s turn, not seat {seat}'s", here.cite)
    return None


def _take(state: Round, seat: int, action: Action, command: Act | ActForAbsent) -> Decision:
    discard = command.discard
    if action.discards and discard is None:
        return Refusal(f"{action.title} needs a card to discard", action.cite)
    if discard is not None:
        if not action.discards:
            return Refusal(f"{action.title} doesn't take a discard", action.cite)
        if discard not in state.cards[seat]:
            return Refusal(f"Seat {seat} doesn't hold {discard}", action.cite)
    wager, stake = None, 0
    if action.stakes:
        wager = action.stakes.wager
        stake = state.stakes[seat, action.stakes.of] * action.stakes.times
    absent = isinstance(command, ActForAbsent)
    by = (command.ruling, command.ruled_by, command.dealer) if isinstance(command, ActForAbsent) else ()
    taken = ActionTaken(seat, action.name, action.becomes, wager, stake, discard, absent, action.cite, *by)
    if action.becomes == FOLDED:
        here = state.rules.play[state.step]
        assert isinstance(here, Ask)
        return (taken,) if here.folds_wait else (taken, *forfeited(state, seat, action))
    if action.settles_at_once:
        results, hand = _read_and_settle(state, seat, action.becomes)
        collect = action.collect_cite or action.cite
        waits = payout_awaited(state, seat, hand, results, ())
        if waits is None:
            return taken, WagersSettled(seat, hand, tuple(results)), CardsCollected(seat, collect)
        at_once = tuple(result for result in results if result not in waits.results)
        return taken, WagersSettled(seat, hand, at_once), replace(waits, collect_clause=collect)
    return (taken,)


def _read_and_settle(state: Round, seat: int, status: SeatStatus) -> tuple[list[Any], str]:
    rules = state.rules
    stakes = state.seat_stakes(seat)
    held = SeatCards(state.cards[seat], status)
    reading = rules.game.readings.seat(state.table_cards(), _NO_DEALER, held, rules.options, stakes)
    results, claim = settle_wagers(rules, reading, stakes, coupons=state.seat_coupons(seat))
    assert claim is None, "no wager settled at once draws on a meter"
    return results, reading.hand


def _settle(state: Round, command: Settle) -> Decision:
    if state.phase != SETTLING:
        return _not_now(state, "Wagers can't be settled now")
    return settle_seats(state)


def _validate_payout(state: Round, command: ValidatePayout) -> Decision:
    waiting = state.payout
    if waiting is None:
        return _not_now(state, "No payout is waiting to be verified")
    if command.seat != waiting.seat:
        return Refusal(f"Seat {waiting.seat}'s payout comes first", waiting.clause)
    if not command.validated_by.strip():
        return Refusal("A floorperson or above must verify this payout", waiting.clause)
    events = pay_payout(state, command)
    for event in events:
        state = evolve(state, event)
    # A hand that was settled while others are still asked leads to no settling pass.
    return events if waiting.collect_clause is not None else (*events, *settle_seats(state))


def _pay_meter(state: Round, command: PayMeter) -> Decision:
    if state.meter is None:
        return _not_now(state, "No progressive payout is waiting for a meter")
    if command.seat != state.meter.seat:
        return Refusal(f"Seat {state.meter.seat}'s payout comes first", state.meter.clause)
    if not command.validated_by.strip():
        progressive = state.rules.game.progressive
        clause = (progressive.validation_cite if progressive else "") or state.meter.clause
        return Refusal("A floorperson or above must validate a progressive payout", clause)
    if command.meter_cents < 0:
        return Refusal("A meter can't be below zero", state.meter.clause)
    events = pay_meter(state, command)
    for event in events:
        state = evolve(state, event)
    return (*events, *settle_seats(state))


def _report(state: Round, command: ReportIrregularity) -> Decision:
    if state.phase == OVER:
        return _not_now(state, "Nothing can be reported now")
    return irregular.rule(state, command)


def _not_now(state: Round, what: str) -> Refusal:
    step = state.rules.play[state.step]
    clause = state.due.cite if state.due else getattr(step, "cite", None)
    return Refusal(f"{what}: {_WAITS_FOR[state.phase]}", clause)


def _title(place: int | str) -> str:
    return f"Seat {place}" if isinstance(place, int) else f"The {place}"


_NO_DEALER = irregular.NO_DEALER
_HANDLERS: dict[type, Callable[[Round, Any], Decision]] = {
    PlaceWagers: _place_wagers,
    WithdrawWagers: _withdraw,
    CloseBets: _close_bets,
    BankStakes: _bank,
    DealCards: _deal,
    CorrectCard: _correct,
    TurnCards: _turn,
    Act: _act,
    ActForAbsent: _act_for_absent,
    Settle: _settle,
    ValidatePayout: _validate_payout,
    PayMeter: _pay_meter,
    ReportIrregularity: _report,
}
