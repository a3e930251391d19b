"""Whether a duty of the current round is done now, too early or too late, and which command waits for it."""

from pitboss.house.live_table.state import LiveTable
from pitboss.round import moments
from pitboss.rules.procedure import Duty, Moment
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ConfirmDuty
from pitboss.table.conditions import round_duties


def reached(live: LiveTable) -> frozenset[Moment]:
    """Return the moments that the current round has reached; none if no round is open."""
    return moments.reached(live.play) if live.in_round and live.play is not None else frozenset()


def check_moment(live: LiveTable, command: ConfirmDuty) -> Refusal | None:
    """Return why a duty of the round can't be confirmed now, or None; the order of the cards has its own rules."""
    now = reached(live)
    duty = next((duty for duty in _of_round(live) if duty.id == command.duty), None)
    if not now or command.deck is not None or duty is None or duty.moment.is_now(now):
        return None
    when = "It's too late for this" if duty.moment.is_over(now) else "It's too early for this"
    return Refusal(f"{when}. This duty is done {duty.moment.when}: {duty.text}", duty.cite, "duty")


def blocking(live: LiveTable, kind: str) -> Duty | None:
    """Return the duty that must be confirmed before a command, if people handle the cards."""
    if live.terms is None or not live.terms.real_cards or live.cards is None or live.cards.round is None:
        return None
    now, done = reached(live), live.cards.round.confirmed
    waiting = (duty for duty in _of_round(live) if duty.blocks == kind and duty.id not in done)
    return next((duty for duty in waiting if duty.moment.is_now(now)), None)


def check_order(live: LiveTable, kind: str) -> Refusal | None:
    """Return why a command waits for a duty that its clause puts first, or None."""
    duty = blocking(live, kind)
    return None if duty is None else Refusal(f"First do this and confirm it: {duty.text}", duty.cite, "duty")


def _of_round(live: LiveTable) -> tuple[Duty, ...]:
    if not live.in_round or live.cards is None or live.cards.round is None:
        return ()
    return round_duties(live.cards)
