"""What a fold forfeits: collected at once, or with all other folds after every player has acted."""

from collections.abc import Sequence

from pitboss.round.events import ActionTaken, CardsCollected, Event, WagersSettled
from pitboss.round.evolve import evolve
from pitboss.round.money import settle_wagers
from pitboss.round.settle import NO_DEALER, open_stakes
from pitboss.round.state import OVER, Round
from pitboss.rules.play import FOLDED, UNDECIDED, Action, Ask
from pitboss.rules.reading import SeatCards


def forfeited(state: Round, seat: int, action: Action) -> tuple[Event, ...]:
    """Return what collects a folded seat's wagers, and its cards where no wager is left on them."""
    rules = state.rules
    stakes = open_stakes(state, seat)
    over = {wager: cents for wager, cents in stakes.items() if rules.settled_by_fold(wager)}
    if not over:
        return ()
    folded = SeatCards(state.cards.get(seat, ()), FOLDED, state.discards.get(seat))
    reading = rules.game.readings.seat(state.table_cards(), NO_DEALER, folded, rules.options, ())
    results, _ = settle_wagers(rules, reading, over, coupons=state.seat_coupons(seat))
    events: tuple[Event, ...] = (WagersSettled(seat, None, tuple(results)),)
    return events if len(over) < len(stakes) else (*events, CardsCollected(seat, action.collect_cite or action.cite))


def collected_after(state: Round, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that collect waiting folds, once these events leave no seat to ask."""
    here = state.rules.play[state.step]
    if not isinstance(here, Ask) or not here.folds_wait:
        return ()
    status = state.status
    if isinstance(events[0], ActionTaken) and any(
        seat > state.cursor and status[seat] == UNDECIDED for seat in state.seats
    ):
        return ()  # an answer decides for its own seat only, and others are still to be asked
    after = state
    for event in events:
        after = evolve(after, event)
    if after.step == state.step or after.phase == OVER or after.only is not None:
        return ()
    fold = next(action for action in here.actions if action.becomes == FOLDED)
    # As wagers are settled: counterclockwise from the dealer's right.
    folded = [seat for seat in reversed(after.seats) if after.status[seat] == FOLDED]
    return tuple(event for seat in folded for event in forfeited(after, seat, fold))
