"""What happens to the wagers of a player who left: lost if the player still had to decide, otherwise settled."""

from dataclasses import replace

from pitboss.round.events import CardsCollected, Event, IrregularityRuled, WagersSettled
from pitboss.round.money import lost
from pitboss.round.state import DEALING, Round, facts
from pitboss.rules.dealing import SEATS
from pitboss.rules.irregularity import CARDS_OUT, GOES_ON
from pitboss.rules.play import FOLDED, OUT, UNDECIDED


def abandoned(state: Round, player: str, ruled: IrregularityRuled) -> tuple[Event, ...]:
    """Return the events that forfeit a player's undecided wagers, on each position held."""
    events: list[Event] = []
    for seat in state.seats:
        if state.players[seat] == player and state.status[seat] != OUT:
            events.extend(_abandoned(state, seat, ruled))
    return tuple(events) or (replace(ruled, remedy=GOES_ON),)


def is_decided(state: Round, seat: int, wager: str) -> bool:
    """Say whether the cards that decide a wager are out, and no answer of the player could change it."""
    if state.status[seat] == UNDECIDED and state.rules.settled_by_fold(wager):
        return False
    deciding = state.rules.decided_by(wager)
    if deciding is None:
        return CARDS_OUT in facts(state)
    return all(
        len(state.cards.get(seat if place == SEATS else place, ())) >= count for place, count in deciding.items()
    )


def _abandoned(state: Round, seat: int, ruled: IrregularityRuled) -> tuple[Event, ...]:
    # A payout that only waits for a floorperson's verification is not given up.
    won = state.payout.results if state.payout is not None and state.payout.seat == seat else ()
    settled = {result.wager for result in won} | {wager for other, wager in state.results if other == seat}
    still_open = [wager for wager in state.seat_stakes(seat) if wager not in settled]
    kept = [wager for wager in still_open if is_decided(state, seat, wager)]
    given_up = tuple(wager for wager in still_open if wager not in kept)
    if not given_up:
        return ()
    clause = ruled.clause
    taken = WagersSettled(seat, None, tuple(lost(wager, state.stakes[seat, wager], clause) for wager in given_up))
    left = (replace(ruled, seat=seat, becomes=FOLDED if kept else OUT), taken)
    if kept or state.phase == DEALING or not state.cards.get(seat) or seat in state.collected:
        return left
    return (*left, CardsCollected(seat, clause))
