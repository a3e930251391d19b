"""Tables held by a report: what waits until the report is answered, and how report and answer are written."""

from pitboss.cards.deck import Card
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import DECLINED, RULED, WITHDRAWN, Declined, IncidentAnswered, IrregularityReported
from pitboss.house.live_table.state import LiveTable, Trouble
from pitboss.house.narrator import irregularity_title
from pitboss.house.people import house_rules as rule
from pitboss.house.people import leases
from pitboss.round.irregular import remedy_for
from pitboss.rules import irregularity as wrong
from pitboss.rules.irregularity import DRAWN_IN_ERROR, Remedy
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import (
    CountDeck,
    CountStub,
    FailDevice,
    FindMisdeal,
    JamDevice,
    ReadDeviceCount,
    ReopenCount,
    ReturnDevice,
    TakeOutDevice,
)
from pitboss.table.conditions import deck_title, stub_count
from pitboss.table.state import STUB_DISPUTED

HELD = "G-17"  # the ruling by which any report holds the table
# What may be done while a report waits. A fill only brings chips from the cage, and a void may need them.
WHILE_HELD = (
    asked.ReportIrregularity,
    asked.TakeSeat,
    asked.Fill,
    asked.ReceiveFill,
    asked.CallFloor,
    asked.AnswerCall,
    asked.NoteShift,
    asked.ReserveSeat,
    asked.EndReservation,
    asked.RetireSensor,
    leases.TakeLease,
    leases.RenewLease,
    leases.ReleaseLease,
    leases.WithdrawLease,
    JamDevice,
    FailDevice,
    TakeOutDevice,
    ReturnDevice,
)
WHILE_DISPUTED = (*WHILE_HELD, CountStub, FindMisdeal)
WHILE_MISCOUNTED = (*WHILE_HELD, CountDeck, ReadDeviceCount)
STUB_COUNTS = (wrong.STUB_COUNT_MISDEALT, wrong.STUB_COUNT_MISDEALT_AND_SHORT, wrong.STUB_COUNT_WRONG)
# No one person withdraws what a count or a device shows: a floorperson who didn't report it declines it.
NOT_WITHDRAWN = (*STUB_COUNTS, wrong.DECK_COUNT_WRONG, wrong.SHUFFLER_JAM, wrong.SHOE_JAM)


def held(live: LiveTable, command: asked.Command) -> Refusal | None:
    """Return why a command waits for the answer to a report or the explanation of a count, or None."""
    trouble, cards = live.trouble, live.cards
    if trouble is not None and not isinstance(command, WHILE_HELD):
        title = irregularity_title(trouble.irregularity)
        reason = f"The table is on hold until the report ({title}) is ruled on or declined"
        return Refusal(reason, trouble.clause or rule.ORDER, "irregularity")
    played = cards.round if cards is not None else None
    is_disputed = played is not None and played.stub == STUB_DISPUTED and not played.irregularity
    if cards is not None and is_disputed and not isinstance(command, WHILE_DISPUTED):
        reason = "The stub count is wrong. Determine first whether cards were misdealt"
        return Refusal(reason, stub_count(cards).check_cite)
    if played is not None and played.miscounted and not isinstance(command, WHILE_MISCOUNTED):
        return Refusal(f"The count of {deck_title(played.deck)} was wrong. Count it again", played.miscounted, "deck")
    return None


def remedy_of(live: LiveTable, kind: str, *, is_other: bool = False) -> Remedy | None:
    """Return what the rulebook requires for something that went wrong in the round as it is now."""
    assert live.play is not None
    return remedy_for(live.play, kind, is_drawn=bool(live.waiting), is_other=is_other)


def about_another(trouble: Trouble, command: asked.ReportIrregularity) -> Refusal | None:
    """Return why a report must wait for the one that holds the table, or None if it is about the same thing."""
    is_same = command.irregularity == trouble.irregularity and command.seat in (None, trouble.seat)
    if is_same and command.card in (None, trouble.card):
        return None
    reason = f"There is an earlier report ({irregularity_title(trouble.irregularity)}). Rule on it or decline it first"
    return Refusal(reason, trouble.clause or rule.ORDER, "irregularity")


def note(writer: EventWriter, command: asked.ReportIrregularity, clause: str | None) -> Refusal | None:
    """Write a report; the table is held from this entry on."""
    reported = IrregularityReported(
        irregularity=command.irregularity,
        seat=command.seat,
        by_clause=clause,
        incident=writer.means.fresh(),
        card=_written(writer, command.irregularity, command.card),
        other_deck=command.other_deck,
        limb=command.limb,
        note=command.note,
        ruling=HELD,
    )
    return writer.house(reported, clause=clause)


def answer(writer: EventWriter, outcome: str, reason: str = "") -> None:
    """Write the answer to the report, and drop any other proposals about it."""
    trouble = writer.live.trouble
    assert trouble is not None, "the table is on hold"
    for proposal in about_report(writer.live):
        writer.house(Declined(proposal=proposal, has_lapsed=outcome == RULED, reason=reason))
    answered = IncidentAnswered(
        incident=trouble.incident,
        irregularity=trouble.irregularity,
        seat=trouble.seat,
        outcome=outcome,
        reported_by=trouble.by,
        second=writer.means.second,
        reason=reason,
    )
    writer.house(answered, clause=trouble.clause)


def turn_down(writer: EventWriter, reason: str) -> Refusal | None:
    """Decline a report, or withdraw your own, with a reason for the record."""
    trouble = writer.live.trouble
    assert trouble is not None, "the table is on hold"
    outcome = WITHDRAWN if writer.means.actor == trouble.by else DECLINED
    if not reason.strip():
        title = irregularity_title(trouble.irregularity)
        return Refusal(f"Enter why the report ({title}) is {outcome}", HELD, "reason")
    answer(writer, outcome, reason.strip())
    return writer.cards(ReopenCount(by=asked.NOBODY, at=0)) if trouble.irregularity in STUB_COUNTS else None


def about_report(live: LiveTable) -> tuple[str, ...]:
    """Return the proposals that would rule on the report that holds the table."""
    kind = asked.ReportIrregularity.__name__
    return tuple(name for name, proposal in live.proposals.items() if live.trouble and proposal.command["kind"] == kind)


def _written(writer: EventWriter, irregularity: str, card: Card | None) -> dict[str, object] | None:
    # Only a card drawn in error is face down; everyone has seen any other card that is named.
    if card is None:
        return None
    position = writer.live.positions.get(card)
    if irregularity == DRAWN_IN_ERROR and position is not None:
        return {"position": position, "sealed": writer.sealer().seal(position, card)}
    return {"card": card}
