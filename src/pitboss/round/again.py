"""Replays a recorded round's decisions: which command led to each event, and whether the rules still agree."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pitboss.round import commands as asked
from pitboss.round import events as happened
from pitboss.round.decide import decide
from pitboss.round.evolve import evolve
from pitboss.round.state import OVER, SETTLING, Round, open_round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal


class Disagreement(NamedTuple):
    """A recorded event that the rules would not produce now."""

    event: int  # its place in the round, from 0
    says: str


def decided_again(rules: RulesInForce, events: Sequence[happened.Event]) -> Iterator[Disagreement]:
    """Yield where the rules now give a different answer than the record."""
    state = open_round(rules)
    place = 0
    while place < len(events):
        answer = _answer(state, events[place:])
        if isinstance(answer, str):
            yield Disagreement(place, answer)
            return
        for event in answer:
            state = evolve(state, event)
        place += len(answer)


def _answer(state: Round, events: Sequence[happened.Event]) -> tuple[happened.Event, ...] | str:
    if state.phase == OVER and isinstance(events[0], happened.WagersReversed | happened.WagersSettled):
        return (events[0],)  # two people resolved a dispute; no rule of the round gives the same answer
    refused = ""
    for command in _commands(state, events):
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            refused = f"{type(command).__name__} is refused now: {answer}"
        elif all(map(_is_recorded, answer, events)) and len(answer) <= len(events):
            return tuple(events[: len(answer)])
        else:
            refused = (
                f"{type(command).__name__} now has a different outcome than the recorded {type(events[0]).__name__}"
            )
    return refused or f"no command of a round leads to {type(events[0]).__name__}"


def _commands(state: Round, events: Sequence[happened.Event]) -> Iterator[asked.Command]:
    first = events[0]
    match first:
        case happened.WagersPlaced():
            others = first.other_instruments
            yield asked.PlaceWagers(first.seat, first.player, first.stakes, first.instrument, others, first.coupons)
        case happened.WagersWithdrawn():
            yield asked.WithdrawWagers(first.seat)
        case happened.BetsClosed():
            yield asked.CloseBets(first.verification)
        case happened.StakesBanked():
            yield asked.BankStakes()
        case happened.CardsDealt():
            yield asked.DealCards(first.cards)
        case happened.CardCorrected():
            yield asked.CorrectCard(first.place, first.was, first.card)
        case happened.CardsTurned():
            yield asked.TurnCards()
        case happened.ActionTaken() if first.absent:
            yield asked.ActForAbsent(first.seat, first.discard, first.ruling, first.ruled_by, first.dealer)
        case happened.ActionTaken():
            yield asked.Act(first.seat, first.action, first.discard)
        case happened.PayoutValidated():
            yield asked.ValidatePayout(first.seat, first.validated_by)
        case happened.MeterPaid():
            # Of what the meter showed, only the share that was paid matters here; the meter has a record of its own.
            yield asked.PayMeter(first.seat, -(-first.paid * 100 // first.percent), first.validated_by)
        case _:
            if state.phase == SETTLING:
                yield asked.Settle()
            yield from _reports(events)


def _reports(events: Sequence[happened.Event]) -> Iterator[asked.Command]:
    ruled = next((event for event in events if isinstance(event, happened.IrregularityRuled)), None)
    if ruled is None:
        return
    ruling = ruled.ruling if ruled.ruled_by else None
    for other_deck in (False, True):
        yield asked.ReportIrregularity(
            ruled.irregularity,
            ruled.seat,
            ruled.card,
            other_deck,
            ruling,
            ruled.ruled_by,
            ruled.limb,
            ruled.note,
            ruled.after,
        )


def _is_recorded(answer: happened.Event, recorded: happened.Event) -> bool:
    if isinstance(answer, happened.IrregularityRuled) and isinstance(recorded, happened.IrregularityRuled):
        # Records written before rulings named their readings and which deck they meant lack these two.
        answer = replace(
            answer,
            rests_on=recorded.rests_on and answer.rests_on,
            other_deck=recorded.other_deck and answer.other_deck,
        )
    return answer == recorded
