"""Nobody's view of a round depends on a card that is hidden from them."""

from collections.abc import Collection
from dataclasses import asdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import Card
from pitboss.cards.deck import face
from pitboss.round import Round, decide, evolve, open_round, view
from pitboss.round.commands import Act, Command, DealCards, ReportIrregularity
from pitboss.round.events import (
    ActionTaken,
    CardsDealt,
    CardsTurned,
    Event,
    IrregularityRuled,
    WagersSettled,
)
from pitboss.round.view import RoundView, SeatView
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from round.played import GAMES, MANY, SOME, RandomPlay, Table, table_of


def seen(events: Collection[Event], own_seats: Collection[int]) -> set[Card]:
    """Return the cards that a person has seen so far, by what lies open on a table."""
    held: dict[int | str, tuple[Card, ...]] = {}
    discards: dict[int, Card] = {}
    known: set[Card] = set()
    for event in events:
        if isinstance(event, CardsDealt):
            held[event.place] = held.get(event.place, ()) + event.cards
            if event.face_up or event.place in own_seats:
                known.update(event.cards)
        elif isinstance(event, CardsTurned):
            known.update(held[event.place][: event.count])
        elif isinstance(event, ActionTaken) and event.discard:
            discards[event.seat] = event.discard
        elif isinstance(event, WagersSettled) and event.hand is not None:
            known.update(card for card in held[event.seat] if card != discards.get(event.seat))
        elif isinstance(event, IrregularityRuled) and event.card:
            known.add(event.card)
    return known


def with_cards_swapped(command: Command, first: Card, other: Card) -> Command:
    swap = {first: other, other: first}
    if isinstance(command, DealCards):
        return command._replace(cards=tuple(swap.get(card, card) for card in command.cards))
    if isinstance(command, Act) and command.discard:
        return command._replace(discard=swap.get(command.discard, command.discard))
    return command


def played_again(rules: RulesInForce, commands: Collection[Command]) -> list[Round]:
    state = open_round(rules)
    states = [state]
    for command in commands:
        decision = decide(state, command)
        assert not isinstance(decision, Refusal), f"{command}: {decision}"
        for event in decision:
            state = evolve(state, event)
        states.append(state)
    return states


def viewers(table: Table) -> list[tuple[int, ...]]:
    return [(), *((seat,) for seat in table.state.seats), table.state.seats[:2]]


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20), stop=st.integers(1, 60))
@MANY
def test_changing_hidden_cards_changes_nothing_that_others_see(game: str, seed: int, stop: int) -> None:
    play = RandomPlay(game, seed)
    table = play.open()
    while table.state.outcome is None and len(table.commands) < stop:
        table.do(play.next_command())
    own_seats = play.chance.choice(viewers(table))
    hidden = sorted(set(table.rules.game.deck.cards) - seen(table.events, own_seats))
    first, other = play.chance.sample(hidden, 2)
    swapped = [with_cards_swapped(command, first, other) for command in table.commands]
    before, after = played_again(table.rules, table.commands), played_again(table.rules, swapped)
    assert before[-1] == table.state
    assert [view(state, own_seats) for state in before] == [view(state, own_seats) for state in after]


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20))
@SOME
def test_a_view_shows_the_cards_a_person_has_seen_and_no_other(game: str, seed: int) -> None:
    table = RandomPlay(game, seed).play()
    for count, state in enumerate(table.states):
        for own_seats in viewers(table):
            shown = view(state, own_seats)
            known = {face(card) for card in seen(table.events[:count], own_seats)}
            for place, cards in shown.table.items():
                assert len(cards) == len(state.cards[place])
                assert set(cards) - {None} <= known
            for seat in shown.seats:
                assert len(seat.cards) == len(state.cards.get(seat.seat, ()))
                assert set(seat.cards) - {None} <= known
                if seat.seat in own_seats:
                    assert None not in seat.cards


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20))
@SOME
def test_what_was_seen_stays_in_view(game: str, seed: int) -> None:
    table = RandomPlay(game, seed).play()
    for before, after in pairwise(table.states):
        old, new = view(before), view(after)
        for place, cards in old.table.items():
            for index, card in enumerate(cards):
                assert card in (None, new.table[place][index])


def test_a_view_has_no_field_but_those_allowed() -> None:
    table = table_of("ultimate-texas-holdem")
    table.place(1, {"ante": 500, "blind": 500})
    table.dealt()
    shown = asdict(view(table.state, (1,)))
    assert set(shown) == {"game", "phase", "seats", "table", "seat_asked", "actions", "outcome"}
    assert set(RoundView.__slots__) == set(shown)
    assert set(shown["seats"][0]) == set(SeatView.__slots__)
    assert set(SeatView.__slots__) == {
        "seat",
        "player",
        "status",
        "stakes",
        "cards",
        "discard",
        "hand",
        "results",
        "envy_cents",
        "envy",
        "coupons",
    }


def test_only_the_player_asked_sees_which_actions_are_open() -> None:
    table = table_of("ultimate-texas-holdem")
    for seat in (1, 2):
        table.place(seat, {"ante": 500, "blind": 500})
    table.dealt()
    assert view(table.state, (1,)).actions == ("raise 4x", "raise 3x", "check")
    assert view(table.state, (2,)).actions == view(table.state).actions == ()
    assert view(table.state, (2,)).seat_asked == 1


def test_burn_cards_are_in_nobodys_view() -> None:
    table = table_of("ultimate-texas-holdem", dealing="hand")
    table.place(1, {"ante": 500, "blind": 500})
    table.answered("raise 4x")
    assert len(table.state.cards["burn"]) == 2
    assert set(view(table.state, (1,)).table) == {"dealer", "board"}


def test_a_card_is_shown_by_its_face_and_not_by_which_copy_it_is() -> None:
    table = table_of("dragon-poker", "Ra Ra Ra Ra Ra Ra")
    table.place(1, {"ante": 500, "ante-bonus": 500})
    table.dealt()
    assert view(table.state, (1,)).seats[0].cards == ("Ra", "Ra", "Ra")


def test_a_discard_stays_hidden_from_others_when_the_hand_is_turned() -> None:
    table = table_of("colorado-holdem", "Ac 2d Kh 3d Qs 4d")
    table.place(1, {"ante": 500})
    table.answered("bet discard Qs")
    assert view(table.state).seats[0].cards == (None, None, None)
    assert view(table.state, (1,)).seats[0].discard == "Qs"
    table.settle()
    assert view(table.state).seats[0].cards == ("Ac", "Kh", None)
    assert view(table.state).seats[0].discard is None
    assert view(table.state, (1,)).seats[0].cards == ("Ac", "Kh", "Qs")


def test_a_folded_hand_that_is_collected_is_never_turned() -> None:
    table = table_of("top-five-poker")
    table.place(1, {"ante": 500})
    table.place(2, {"ante": 500})
    table.answered("fold", "play")
    table.settle()
    assert view(table.state).seats[0].cards == (None,) * 7
    assert None not in view(table.state).seats[1].cards
    assert view(table.state).seats[0].hand is None


@pytest.mark.parametrize("declared", ["Ac Ad Ah", "Ac Ad 7h"])
def test_a_declared_hand_lies_open_right_or_wrong(declared: str) -> None:
    first, two, three = declared.split()
    table = table_of("colorado-holdem", f"{first} 9d {two} 9c {three} 8c")
    table.place(1, {"ante": 500})
    table.dealt()
    table.act("declare")
    assert view(table.state).seats[0].cards == tuple(declared.split())


def test_a_voided_round_turns_nobodys_cards() -> None:
    table = table_of("dragon-poker")
    for seat in (1, 2):
        table.place(seat, {"ante": 500, "ante-bonus": 500})
    table.dealt()
    table.do(ReportIrregularity("wrong-number-of-cards"))
    shown = view(table.state, (2,))
    assert shown.outcome == "void"
    assert shown.seats[0].cards == (None, None, None)
    assert shown.table["dealer"] == (None, None, None)


def test_envy_bonuses_are_counted_in_the_receivers_view() -> None:
    table = table_of("ultimate-texas-holdem", "9d Ah 3d 8s Kh 4c Qh Jh Th 2s 2d")
    for seat in (1, 2):
        table.place(seat, {"ante": 1000, "blind": 1000, "progressive": 100})
    table.answered("raise 4x")
    table.settle()
    assert [seat.envy_cents for seat in view(table.state).seats] == [100_000, 0]
