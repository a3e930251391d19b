"""A recorded round decided again: what each event was an answer to, and whether the rules still answer the same."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pitboss.round import commands as asked
from pitboss.round import events as happened
from pitboss.round.decide import decide
from pitboss.round.evolve import evolve
from pitboss.round.state import SETTLING, Round, open_round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal


class Disagreement(NamedTuple):
    """An event of the record that the rules do not bring about now."""

    event: int  # its place in the round, from 0
    says: str


def decided_again(rules: RulesInForce, events: Sequence[happened.Event]) -> Iterator[Disagreement]:
    """Yield where the rules, asked again, answer otherwise than was recorded."""
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
    refused = ""
    for command in _commands(state, events):
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            refused = f"{type(command).__name__} is refused now: {answer}"
        elif answer == tuple(events[: len(answer)]):
            return answer
        else:
            refused = f"{type(command).__name__} has another outcome now than {type(events[0]).__name__} as recorded"
    return refused or f"nothing that is asked of a round begins with {type(events[0]).__name__}"


def _commands(state: Round, events: Sequence[happened.Event]) -> Iterator[asked.Command]:
    first = events[0]
    match first:
        case happened.WagersPlaced():
            others = first.other_instruments
            yield asked.PlaceWagers(first.seat, first.player, first.stakes, first.instrument, others)
        case happened.WagersWithdrawn():
            yield asked.WithdrawWagers(first.seat)
        case happened.BetsClosed():
            yield asked.CloseBets()
        case happened.CardsDealt():
            yield asked.DealCards(first.cards)
        case happened.CardsTurned():
            yield asked.TurnCards()
        case happened.ActionTaken() if first.absent:
            yield asked.ActForAbsent(first.seat, first.discard)
        case happened.ActionTaken():
            yield asked.Act(first.seat, first.action, first.discard)
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
        yield asked.ReportIrregularity(ruled.irregularity, ruled.seat, ruled.card, other_deck, ruling, ruled.ruled_by)
