"""The settled seats of a round, from its final state or from a finished hand in its written form."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.lab.split import SettledSeat
from pitboss.odds.deciding import answer_name
from pitboss.round.events import VOIDED, Event, WagerResult, WagersReversed, WagersSettled
from pitboss.round.finished import read_hand, settle_hand
from pitboss.round.state import Round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import For, MeterShare, payoff
from pitboss.rules.play import OUT
from pitboss.rules.reading import SeatCards
from pitboss.rules.refusal import Refusal
from pitboss.rules.settlement import WIN


def settled_seats(play: Round, events: Iterable[Event]) -> dict[int, SettledSeat]:
    """Return the seats of a round that is over, without wagers that were only given back."""
    undecided = _given_back(events)
    progressive = play.rules.game.progressive
    found = {}
    for seat in play.seats:
        results = tuple(
            result
            for (of, wager), result in play.results.items()
            if of == seat and (of, wager) not in undecided and (play.outcome != VOIDED or result.net)
        )
        acted, discard = play.acted.get(seat, ()), play.discards.get(seat)
        answers = (*acted[:-1], answer_name(acted[-1], discard)) if acted else ()
        wagered = [other for other in play.seats if other != seat and play.status[other] != OUT]
        if progressive and play.rules.options.get(progressive.envy_option) == "yes":
            wagered = [other for other in wagered if (other, progressive.wager) in play.stakes]
        found[seat] = SettledSeat(
            play.seat_cards(seat),
            answers,
            play.table_cards(),
            results,
            len(wagered),
            sum(paid.net for paid in play.envy if paid.seat == seat),
        )
    return found


def seats_of_hand(rules: RulesInForce, given: Mapping[str, Any]) -> dict[int, SettledSeat] | Refusal:
    """Return the settled seats of a hand that is written as `pitboss settle` reads it, or why it is refused."""
    settled, hand = settle_hand(rules, given), read_hand(rules, given)
    if isinstance(settled, Refusal):
        return settled
    assert not isinstance(hand, Refusal), "it was settled"
    progressive = rules.game.progressive
    found = {}
    for row, told, seat in zip(given["seats"], settled["seats"], hand.seats, strict=True):
        others = [other for other in hand.seats if other.seat != seat.seat]
        if progressive and rules.options.get(progressive.envy_option) == "yes":
            others = [other for other in others if progressive.wager in other.stakes]
        found[seat.seat] = SettledSeat(
            seat.held,
            _answers(row["actions"], seat.held),
            hand.table,
            tuple(_result(rules, wager, written) for wager, written in told["wagers"].items()),
            len(others),
            sum(bonus["net"] for bonus in told["envy"]),
        )
    return found


def _given_back(events: Iterable[Event]) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for event in events:
        if isinstance(event, WagersSettled | WagersReversed):
            keys = {(event.seat, result.wager) for result in event.results}
            back = isinstance(event, WagersSettled) and event.given_back
            found = found | keys if back else found - keys
    return found


def _answers(actions: list[str], held: SeatCards) -> tuple[str, ...]:
    if held.discard is None:
        return tuple(actions)
    return (*actions[:-2], answer_name(actions[-2], held.discard))


def _result(rules: RulesInForce, wager: str, row: Mapping[str, Any]) -> WagerResult:
    stake, net, odds = row["stake"], row["net"], row["odds"]
    paid = 0
    if row["result"] == WIN:
        won = payoff(odds)
        is_kept = isinstance(won, For) or (isinstance(won, MeterShare) and not rules.stake_returned_on_meter(wager))
        paid = net + (stake if is_kept else 0)
    return WagerResult(
        wager,
        stake,
        row["result"],
        net,
        odds,
        row["clause"],
        row["odds_clause"],
        paid,
        row.get("remainder", "0"),
        row.get("limit", {}).get("cut", 0),
    )
