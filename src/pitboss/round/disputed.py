"""A settled round in dispute: seats are voided or settled again, by reversal, as people agree."""

from collections.abc import Collection, Mapping

from pitboss.cards.deck import Card, face
from pitboss.round.events import SETTLED, Event, Place, WagerResult, WagersReversed, WagersSettled
from pitboss.round.irregular import give_back
from pitboss.round.money import settle_wagers
from pitboss.round.settle import NO_DEALER, envy_paid, progressive_seats
from pitboss.round.state import OVER, Round
from pitboss.rules.payoff import MeterShare, payoff
from pitboss.rules.play import OUT
from pitboss.rules.refusal import Refusal
from pitboss.rules.settlement import PUSH

RULING = "G-19"
Rulings = tuple[Event, ...] | Refusal


def is_settled(state: Round) -> bool:
    """Say whether a round was settled, so that there is something to dispute."""
    return state.phase == OVER and state.outcome == SETTLED


def voided(state: Round, seats: Collection[int]) -> Rulings:
    """Return the events that reverse what these seats won or lost and give their stakes back."""
    clause = state.rules.settle.pickup_cite
    events: list[Event] = []
    for seat in reversed(state.seats):
        if seat in seats:
            events.extend(give_back(state, seat, tuple(state.seat_stakes(seat)), clause))
    return tuple(events)


def settled_again(state: Round, seats: Collection[int], cards: Mapping[Place, tuple[Card, ...]]) -> Rulings:
    """Return the events that settle these seats again by corrected cards; wagers with the same result are left out."""
    misplaced = _misplaced_discard(state, cards)
    if misplaced:
        return misplaced
    corrected = with_cards(state, cards)
    if _envy(corrected) != _envy(state):
        return Refusal("These cards change an envy bonus, which can't be settled again. Void the seats instead", RULING)
    events: list[Event] = []
    for seat in reversed(state.seats):
        if seat in seats:
            again = _again(state, corrected, seat)
            if isinstance(again, Refusal):
                return again
            events.extend(again)
    if not events:
        return Refusal(
            "These cards don't change any result of the seats you named. Let the results stand", RULING, "cards"
        )
    return tuple(events)


def with_cards(state: Round, cards: Mapping[Place, tuple[Card, ...]]) -> Round:
    """Return a round with the cards that were really in these places."""
    # If the discard was misread, the discard is the card that was really in its place.
    discards = {
        seat: cards[seat][state.cards[seat].index(discard)] if seat in cards else discard
        for seat, discard in state.discards.items()
    }
    misread = {card for place in cards for card in state.cards[place]}
    drawn = (state.drawn - misread).union(*cards.values())
    return state._replace(cards={**state.cards, **cards}, discards=discards, drawn=drawn)


def with_named_cards(state: Round, cards: Mapping[str, Collection[str]]) -> Round:
    """Return a round with corrected cards as a record writes them, each place by its name."""
    places = {str(place): place for place in state.cards}
    return with_cards(state, {places[name]: tuple(map(Card, held)) for name, held in cards.items()})


def _misplaced_discard(state: Round, cards: Mapping[Place, tuple[Card, ...]]) -> Refusal | None:
    for seat, discard in state.discards.items():
        if discard in cards.get(seat, ()) and cards[seat].index(discard) != state.cards[seat].index(discard):
            reason = f"Seat {seat} discarded {face(discard)}, but you list it elsewhere in the hand"
            return Refusal(f"{reason}. List the cards in the order they were dealt", RULING, "cards")
    return None


def _again(state: Round, corrected: Round, seat: int) -> Rulings:
    rules = state.rules
    if state.status[seat] == OUT:
        return Refusal(f"Seat {seat} forfeited its wagers. Different cards don't change that", RULING, "seats")
    stakes = {
        wager: cents for wager, cents in state.seat_stakes(seat).items() if state.only is None or wager in state.only
    }
    table = corrected.table_cards()
    dealer = NO_DEALER if state.only is not None else rules.game.readings.dealer(table, rules.options)
    reading = rules.game.readings.seat(table, dealer, corrected.seat_cards(seat), rules.options, stakes)
    results, claim = settle_wagers(rules, reading, stakes, clause=state.only_clause, coupons=state.seat_coupons(seat))
    share = str(claim[1]) if claim else None
    for wager in stakes:
        was = state.results[seat, wager]
        if rules.draws_on_meter(wager) and (was.result, was.clause) == (PUSH, rules.settle.pickup_cite):
            reason = f"Seat {seat} was voided and its progressive wager returned"
            return Refusal(f"{reason}. It can't be settled again. Let the void stand", RULING, "seats")
        now_share = share if claim and claim[0] == wager else None
        if (was.odds if _is_share(was) else None) != now_share:
            reason = f"These cards change seat {seat}'s meter payout, which can't be settled again"
            return Refusal(f"{reason}. Let the result stand, or void the whole round", RULING, "cards")
    now = {result.wager: result for result in results}
    before = {wager: state.results[seat, wager] for wager in (*now, *rules.bonuses) if (seat, wager) in state.results}
    changed = tuple(result for result in results if result != before.get(result.wager))
    were = tuple(result for wager, result in before.items() if result != now.get(wager))
    if not changed and not were:
        return ()
    back = (WagersReversed(seat, were, 0, rules.settle.pickup_cite),) if were else ()
    return (*back, WagersSettled(seat, reading.hand, changed))


def _is_share(result: WagerResult) -> bool:
    return result.odds is not None and isinstance(payoff(result.odds), MeterShare)


def _envy(state: Round) -> set[tuple[int, int, int]]:
    if state.only is not None or not progressive_seats(state):
        return set()
    dealer = state.rules.game.readings.dealer(state.table_cards(), state.rules.options)
    return {(paid.seat, paid.from_seat, paid.net) for seat in state.seats for paid in envy_paid(state, seat, dealer)}
