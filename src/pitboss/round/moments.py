"""Which moments of the procedure a round has reached."""

from pitboss.round.state import AWAITING_METER, AWAITING_VERIFICATION, OVER, SETTLING, WAGERING, Round, facts
from pitboss.rules import procedure as moment
from pitboss.rules.irregularity import ALL_DECIDED, CARDS_OUT, DEALER_WAITS, HANDS_DEALT
from pitboss.rules.play import DECLARED, FOLDED
from pitboss.rules.procedure import Moment


def reached(play: Round) -> frozenset[Moment]:
    """Return the moments that a round has reached."""
    known = facts(play)
    is_closed = play.phase != WAGERING
    found = {
        moment.BEGUN: True,
        moment.WAGERED: bool(play.players),
        moment.CLOSED: is_closed,
        moment.DEALT: is_closed and not {HANDS_DEALT, DEALER_WAITS}.isdisjoint(known),
        moment.FOLD: any(_is_collected(play, seat) for seat, status in play.status.items() if status == FOLDED),
        moment.DECLARATION: DECLARED in play.status.values(),
        moment.DECIDED: is_closed and ALL_DECIDED in known,
        moment.CARDS_DEALT: is_closed and (CARDS_OUT in known or play.phase == OVER),
        moment.PAYING: play.phase in (SETTLING, AWAITING_METER, AWAITING_VERIFICATION, OVER),
        moment.PAYOUT: play.phase in (AWAITING_METER, AWAITING_VERIFICATION),
        moment.SETTLED: play.phase == OVER,
    }
    return frozenset(each for each, is_reached in found.items() if is_reached)


def names_of_reached(play: Round) -> tuple[str, ...]:
    """Return the names of all moments a finished round reached, so that unconfirmed duties can be listed."""
    progressive = play.rules.game.progressive
    was_paid = progressive is not None and any(
        result.paid for (_, wager), result in play.results.items() if wager == progressive.wager
    )
    every = reached(play) | ({moment.PAYOUT} if was_paid else set())
    return tuple(sorted(each.name for each in every))


def _is_collected(play: Round, seat: int) -> bool:
    return any(settled == seat for settled, _ in play.results)
