"""Hand pays that a dispute leads to: a seat is settled again by corrected cards once its form is on record."""

from collections.abc import Mapping

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import disputes, hand_pays
from pitboss.house.live_table.approvals import SOMEBODY
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.hand_pays import HandPay
from pitboss.house.live_table.state import LiveTable, form_key
from pitboss.house.patron_controls.events import HandPaid
from pitboss.house.patron_controls.evolve import draft_of
from pitboss.round.events import WagersSettled
from pitboss.round.settle import staked
from pitboss.rules.refusal import Refusal


def all_due(live: LiveTable, meters: Mapping[str, int]) -> tuple[HandPay, ...]:
    """Return the hand pays that the round waits for, or those of the answers to its dispute that are proposed."""
    if live.in_round or live.dispute is None:
        return hand_pays.due(live, meters)
    answers = (asked.command_of(proposal.command) for proposal in live.proposals.values())
    found = [pay for answer in answers if isinstance(answer, asked.ResolveDispute) for pay in _of_answer(live, answer)]
    return tuple(dict.fromkeys(found))


def record(writer: EventWriter, command: asked.RecordHandPay) -> Refusal | None:
    """Record the sealed data of a seat's hand pays."""
    return hand_pays.record(writer, command, all_due(writer.live, hand_pays.shown_meters(writer.meters)))


def pay(writer: EventWriter, command: asked.ResolveDispute) -> Refusal | None:
    """Note on its form each hand pay that this answer leads to, or return which form is missing."""
    means = writer.means
    if means.second == SOMEBODY:
        return None  # the answer is only proposed; its forms can be written from then on
    for due in _of_answer(writer.live, command):
        if due.form is None:
            return hand_pays.no_form(due)
        paid = HandPaid(form=due.form, cents=due.cents, by=means.actor, second=str(means.second))
        writer.other(draft_of(paid))
    return None


def _of_answer(live: LiveTable, command: asked.ResolveDispute) -> tuple[HandPay, ...]:
    play, events = live.play, disputes.resettled(live, command)
    if play is None or isinstance(events, Refusal) or play.verification is None:
        return ()
    again = ((event.seat, result) for event in events if isinstance(event, WagersSettled) for result in event.results)
    return tuple(
        HandPay(
            seat,
            play.players[seat],
            result.wager,
            staked(play, seat, result),
            result.paid,
            live.forms.get(form_key(seat, result.wager)),
        )
        for seat, result in again
        if play.verification.is_hand_pay(result.paid, staked(play, seat, result))
    )
