"""What the house dealer at an automatic table does next, and when."""

from typing import NamedTuple, assert_never

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.absent_players import is_left
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import HOUSE_DEALER, Pace
from pitboss.house.people import leases
from pitboss.round.state import DEALING, WAGERING, Round
from pitboss.table.automaton import next_command
from pitboss.table.commands import CountStub, RackStub
from pitboss.table.conditions import cards_of, is_count_due
from pitboss.table.people import AUTOMATON, Person
from pitboss.table.state import WITH_DEALER

DEALER = Person(HOUSE_DEALER, AUTOMATON)


class Step(NamedTuple):
    """A command and the time it is due."""

    at: int
    command: asked.Command


def next_step(live: LiveTable, now: int) -> Step | None:
    """Return the next step at an automatic table, or None while it waits for people."""
    if live.terms is None or live.cards is None or not (live.is_open and live.terms.automatic):
        return None
    if live.trouble is not None or live.dispute is not None:
        return None  # people answer what people reported
    if live.lease.holder != HOUSE_DEALER or not live.lease.is_held(now):
        return Step(now, leases.TakeLease(by=DEALER, at=now))
    if live.shift is not None and live.shift.is_tray_low:  # players take chips away, and no one could buy more
        return Step(now, asked.Fill(cents=live.shift.opening_cents - live.tray_cents))
    pace = live.terms.pace
    if not live.in_round:
        return _between_rounds(live, pace, now)
    assert live.play is not None
    return _in_round(live, live.play, pace)


def _between_rounds(live: LiveTable, pace: Pace, now: int) -> Step | None:
    assert live.cards is not None
    prepared = next_command(live.cards, DEALER, max(now, live.at))
    if prepared is not None:
        return Step(live.at, prepared)  # type: ignore[arg-type]  # the automaton neither opens nor closes rounds
    if not live.seats:
        return None
    return Step(live.ended_at + pace.between_rounds_ms, asked.BeginRound())


def _in_round(live: LiveTable, play: Round, pace: Pace) -> Step | None:
    paced = live.at + pace.step_ms
    assert live.cards is not None
    prepared = next_command(live.cards, DEALER, live.at) if play.phase in (WAGERING, DEALING) else None
    if prepared is not None:
        return Step(live.at, prepared)  # type: ignore[arg-type]  # the automaton neither opens nor closes rounds
    match play.phase:
        case "wagering":
            return _wagering(live, play, pace)
        case "dealing":
            assert play.due is not None
            return Step(paced, asked.TurnCards() if play.due.is_turned else asked.DealCards())
        case "asking":
            due = paced if is_left(live, play.cursor) else live.asked_at + pace.decision_ms
            return Step(due, asked.ActForAbsent(seat=play.cursor))
        case "settling":
            return Step(paced, asked.Settle())
        case "awaiting-meter":
            assert play.meter is not None
            return Step(paced, asked.ValidateMeter(seat=play.meter.seat))
        case "awaiting-verification":
            assert play.payout is not None
            return Step(paced, asked.ValidatePayout(seat=play.payout.seat))
        case "over":
            return Step(paced, _pick_up(live))
    assert_never(play.phase)


def _wagering(live: LiveTable, play: Round, pace: Pace) -> Step | None:
    if not play.players:
        return None if live.seats else Step(live.at + pace.wagers_ms, asked.EndRound())
    everybody = set(live.seats) <= set(play.players)  # per position: one player may hold several
    due = live.at + pace.step_ms if everybody else live.wagered_at + pace.wagers_ms
    return Step(min(due, live.wagered_at + pace.wagers_ms), asked.CloseBets())


def _pick_up(live: LiveTable) -> asked.Command:
    cards = live.cards
    assert cards is not None
    assert cards.round is not None
    if cards.round.dealt and cards.round.stub == WITH_DEALER:
        if is_count_due(cards):
            return CountStub(by=DEALER, at=0, cards=cards_of(cards) - cards.round.dealt)
        return RackStub(by=DEALER, at=0)
    return asked.EndRound()
