"""The moments a round has reached, and whether a duty is done now, too early or too late."""

from collections.abc import Iterator, Mapping

from pitboss.house.live_table.state import LiveTable
from pitboss.round.state import AWAITING_METER, AWAITING_VERIFICATION, OVER, SETTLING, WAGERING, Round, facts
from pitboss.rules import procedure as moment
from pitboss.rules.irregularity import ALL_DECIDED, CARDS_OUT, DEALER_WAITS, HANDS_DEALT
from pitboss.rules.play import DECLARED, FOLDED
from pitboss.rules.procedure import Duty
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ConfirmDuty
from pitboss.table.conditions import round_duties
from pitboss.table.duties_now import CONFIRM, DutyNow

# The moment that ends another one; those not listed last as long as the round.
LASTS_UNTIL: Mapping[str, str] = {
    moment.WAGERED: moment.DEALT,
    moment.CLOSED: moment.DECIDED,
    moment.DEALT: moment.PAYING,
    moment.DECIDED: moment.SETTLED,
}
_WHEN: Mapping[str, str] = {
    moment.WAGERED: "between the first wager and the hands",
    moment.CLOSED: 'between "no more bets" and the last answer',
    moment.DEALT: "from the deal of the hands until wagers are settled",
    moment.FOLD: "once a folded hand is collected",
    moment.DECLARATION: "once a hand is declared",
    moment.DECIDED: "between the last answer and the settlement",
    moment.CARDS_DEALT: "once every card is dealt",
    moment.PAYING: "when wagers are settled",
    moment.PAYOUT: "while a payout waits to be validated",
    moment.SETTLED: "once all wagers are settled",
}
_STUB = ("RackStub", "CountStub")
_ENDING = ("CloseRound",)


def reached(live: LiveTable) -> frozenset[str]:
    """Return the moments that the current round has reached; none if no round is open."""
    play = live.play
    if not live.in_round or play is None:
        return frozenset()
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
    return frozenset(name for name, is_reached in found.items() if is_reached)


def came(live: LiveTable) -> tuple[str, ...]:
    """Return every moment that a finished round reached, so that unconfirmed duties can be listed."""
    play = live.play
    assert play is not None
    progressive = play.rules.game.progressive
    was_paid = progressive is not None and any(
        result.paid for (_, wager), result in play.results.items() if wager == progressive.wager
    )
    return tuple(sorted(reached(live) | ({moment.PAYOUT} if was_paid else set())))


def is_due(duty: DutyNow, now: frozenset[str]) -> bool:
    """Say whether a duty of the table belongs to a moment that has come and isn't over."""
    if not now:
        return True  # between rounds the cards have their own order
    if duty.command in _STUB:
        return moment.CARDS_DEALT in now
    if duty.command in _ENDING:
        return moment.SETTLED in now
    if duty.command != CONFIRM or duty.deck is not None:
        return True
    return duty.moment in now and LASTS_UNTIL.get(duty.moment) not in now


def check_moment(live: LiveTable, command: ConfirmDuty) -> Refusal | None:
    """Return why a duty of the round can't be confirmed now, or None; the order of the cards has its own rules."""
    now = reached(live)
    duty = next((duty for duty in _of_round(live) if duty.id == command.duty), None)
    if not now or command.deck is not None or duty is None:
        return None
    is_over = LASTS_UNTIL.get(duty.moment) in now
    if duty.moment in now and not is_over:
        return None
    when = "Its moment is over" if is_over else "It is too early for this"
    return Refusal(f"{when}. This duty is done {_WHEN[duty.moment]}: {duty.text}", duty.cite, "duty")


def blocking(live: LiveTable, kind: str) -> Duty | None:
    """Return the duty that must be confirmed before a command, if people handle the cards."""
    if live.terms is None or not live.terms.real_cards or live.cards is None or live.cards.round is None:
        return None
    now, done = reached(live), live.cards.round.confirmed
    waiting = (duty for duty in _of_round(live) if duty.blocks == kind and duty.id not in done)
    return next((duty for duty in waiting if duty.moment in now and LASTS_UNTIL.get(duty.moment) not in now), None)


def check_order(live: LiveTable, kind: str) -> Refusal | None:
    """Return why a command waits for a duty that its clause puts first, or None."""
    duty = blocking(live, kind)
    return None if duty is None else Refusal(f"Do this first, and confirm it: {duty.text}", duty.cite, "duty")


def _of_round(live: LiveTable) -> Iterator[Duty]:
    if live.in_round and live.cards is not None and live.cards.round is not None:
        yield from round_duties(live.cards)


def _is_collected(play: Round, seat: int) -> bool:
    return any(settled == seat for settled, _ in play.results)
