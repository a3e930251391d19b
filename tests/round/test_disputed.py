"""Seats of a settled round voided, or settled again by corrected cards, in every game."""

import pytest

from pitboss.cards import Card
from pitboss.round import evolve, legal_actions
from pitboss.round.again import decided_again
from pitboss.round.commands import ReportIrregularity
from pitboss.round.disputed import is_settled, settled_again, voided
from pitboss.round.events import Event, WagersReversed, WagersSettled
from pitboss.round.state import Round
from pitboss.rules.refusal import Refusal
from round.played import GAMES, LEAST, Table, table_of

UTH = "ultimate-texas-holdem"
every_game = pytest.mark.parametrize("game", GAMES)


def played(game: str, order: str = "", wagers: dict[str, int] | None = None) -> Table:
    table = table_of(game, order)
    for seat in (1, 2):
        table.place(seat, LEAST[game] | (wagers or {}))
    table.dealt()
    while table.state.outcome is None:
        if table.state.phase == "dealing":
            table.deal_on()
        elif table.state.phase == "asking":
            table.act(legal_actions(table.state)[0].name)
        else:
            table.settle()
    return table


def after(state: Round, events: tuple[Event, ...] | Refusal) -> Round:
    assert not isinstance(events, Refusal), events
    for event in events:
        state = evolve(state, event)
    return state


def nets(state: Round, seat: int) -> dict[str, int]:
    return {wager: result.net for (number, wager), result in state.results.items() if number == seat}


@every_game
def test_a_void_seat_has_every_stake_back_and_the_others_keep_theirs(game: str) -> None:
    table = played(game)
    assert is_settled(table.state)
    events = voided(table.state, (1,))
    assert not isinstance(events, Refusal)
    assert [type(event) for event in events] == [WagersReversed, WagersSettled]
    state = after(table.state, events)
    assert set(nets(state, 1).values()) == {0}
    assert nets(state, 2) == nets(table.state, 2)
    assert {result.clause for (seat, _), result in state.results.items() if seat == 1} == {
        table.rules.settle.pickup_cite
    }
    assert not list(decided_again(table.rules, [*table.events, *events])), "what people resolved is no disagreement"


@every_game
def test_the_same_cards_change_nothing(game: str) -> None:
    table = played(game)
    answer = settled_again(table.state, (1, 2), dict(table.state.cards))
    assert isinstance(answer, Refusal)
    assert "Let the results stand" in answer.reason
    assert answer.clause == "G-19"


@every_game
def test_other_cards_settle_as_if_they_had_been_dealt(game: str) -> None:
    table, other = played(game), played(game)
    spare = [card for card in table.rules.game.deck.cards if card not in table.state.drawn]
    count = len(table.state.cards[1])
    found = 0
    for start in range(0, len(spare) - count):
        hand = tuple(spare[start : start + count])
        answer = settled_again(table.state, (1,), {1: hand})
        if isinstance(answer, Refusal):
            continue
        found += 1
        dealt = other.state._replace(cards={**other.state.cards, 1: hand}, results={}, phase="settling", outcome=None)
        if 1 in dealt.discards:  # the same one of the hand's cards
            place = other.state.cards[1].index(dealt.discards[1])
            dealt = dealt._replace(discards={**dealt.discards, 1: hand[place]})
        fresh = Table(table.rules)
        fresh.state = dealt
        fresh.settle()
        assert nets(after(table.state, answer), 1) == nets(fresh.state, 1)
        assert nets(after(table.state, answer), 2) == nets(table.state, 2)
    assert found


def test_a_seat_that_forfeited_is_not_settled_again() -> None:
    table = table_of("top-five-poker")
    for seat in (1, 2):
        table.place(seat, LEAST["top-five-poker"])
    table.dealt()
    table.do(ReportIrregularity("player-violation", 1, limb="touched"))
    table.act("play")
    table.deal_until("settling")
    table.settle()
    hand = tuple(card for card in table.rules.game.deck.cards if card not in table.state.drawn)[:7]
    answer = settled_again(table.state, (1,), {1: hand})
    assert isinstance(answer, Refusal)
    assert "forfeited" in answer.reason


def test_a_payout_of_a_meter_is_not_settled_again() -> None:
    # Seat 2 holds a royal flush with the flop and is paid by the meter.
    table = table_of(UTH, "9h Ah 3d 8d Kh 4c Qh Jh Th 2s 2d", paytables={"progressive": "B"})
    for seat in (1, 2):
        table.place(seat, {"ante": 1000, "blind": 1000, "progressive": 100})
    table.answered("raise 4x")
    table.settle({"major": 1_000_00})
    kept = settled_again(table.state, (1,), {1: (Card("9c"), Card("9d"))})
    assert isinstance(kept, Refusal) or nets(after(table.state, kept), 2) == nets(table.state, 2)
    refused = settled_again(table.state, (2,), {2: (Card("2c"), Card("7c"))})
    assert isinstance(refused, Refusal)
    assert refused.clause == "G-19"
