"""Which cards go where and in which order, under the three dealing methods."""

from typing import Any

import pytest

from pitboss.cards import Card
from pitboss.round import legal_actions
from pitboss.round.commands import DealCards, Settle, TurnCards
from pitboss.round.events import CardsDealt, CardsTurned
from pitboss.rules.dealing import METHODS
from round.played import GAMES, LEAST, Table, table_of

UTH = "ultimate-texas-holdem"
TWO = (2, 5)


def dealt(game: str, *answers: str, seats: tuple[int, ...] = TWO, **choices: Any) -> list[tuple[Any, ...]]:
    """Return what leaves the deck or is turned, in order, in a round answered this way."""
    table = table_of(game, **choices)
    for seat in seats:
        table.place(seat, LEAST[game])
    table.answered(*answers)
    return [
        (event.place, len(event.cards), event.face_up)
        if isinstance(event, CardsDealt)
        else (event.place, "up", event.count)
        for event in table.events
        if isinstance(event, CardsDealt | CardsTurned)
    ]


def round_the_table(*places: int | str, cards: int) -> list[tuple[Any, ...]]:
    return [(place, 1, False) for _ in range(cards) for place in places]


@pytest.mark.parametrize("method", ["manual-shoe", "hand"])
def test_top_five_cards_go_one_by_one_clockwise_and_to_the_dealer_last(method: str) -> None:
    order = dealt("top-five-poker", "play", dealing=method)
    assert order == [*round_the_table(2, 5, "dealer", cards=7), ("dealer", "up", 7)]


def test_top_five_stacks_from_the_automated_shoe() -> None:
    order = dealt("top-five-poker", "play", dealing="automated-shoe")
    assert order == [(2, 7, False), (5, 7, False), ("dealer", 7, False), ("dealer", "up", 7)]


@pytest.mark.parametrize("method", ["manual-shoe", "hand"])
def test_dragon_cards_go_one_by_one_clockwise_and_to_the_dealer_last(method: str) -> None:
    order = dealt("dragon-poker", "play", dealing=method)
    assert order == [*round_the_table(2, 5, "dealer", cards=3), ("dealer", "up", 3)]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("delivered", [(2, 3, False), (5, 3, False), ("dealer", 3, False), ("dealer", "up", 3)]),
        ("in-shuffler", [(2, 3, False), (5, 3, False), ("dealer", 3, True)]),
    ],
)
def test_dragon_stacks_with_the_dealers_cards_delivered_or_left_in_the_shuffler(
    where: str, expected: list[tuple[Any, ...]]
) -> None:
    assert dealt("dragon-poker", "play", dealing="automated-shoe", options={"dealer-cards": where}) == expected


@pytest.mark.parametrize("method", ["manual-shoe", "hand"])
def test_colorado_cards_go_one_by_one_with_a_community_card_after_each_pass(method: str) -> None:
    order = dealt("colorado-holdem", "bet", dealing=method)
    assert order == [*round_the_table(2, 5, "board", cards=3), ("board", "up", 3)]


@pytest.mark.parametrize("version", ["required-bet", "permissible-bet"])
def test_colorado_stacks_of_three_with_the_community_cards_last(version: str) -> None:
    order = dealt("colorado-holdem", "bet", dealing="automated-shoe", options={"version": version})
    assert order == [(2, 3, False), (5, 3, False), ("board", 3, False), ("board", "up", 3)]


def test_hold_em_from_the_manual_shoe_deals_the_board_face_up_and_burns_nothing() -> None:
    assert dealt(UTH, "check", "check", "check", "check", "raise 1x") == [
        *round_the_table(2, 5, "dealer", cards=2),
        ("board", 3, True),
        ("board", 2, True),
        ("dealer", "up", 2),
    ]


def test_hold_em_from_the_hand_burns_a_card_before_the_flop_and_before_the_last_two() -> None:
    assert dealt(UTH, "raise 4x", dealing="hand") == [
        *round_the_table(2, 5, "dealer", cards=2),
        ("burn", 1, False),
        ("board", 3, True),
        ("burn", 1, False),
        ("board", 2, True),
        ("dealer", "up", 2),
    ]


@pytest.mark.parametrize(
    ("offered", "where", "expected"),
    [
        (
            {"six-card-bonus", "trips"},
            "delivered",
            [("box", 4, False), ("board", 5, False), ("dealer", 2, False), (2, 2, False), (5, 2, False)],
        ),
        (set(), "delivered", [("board", 5, False), ("dealer", 2, False), (2, 2, False), (5, 2, False)]),
        (
            {"six-card-bonus", "trips"},
            "in-shuffler",
            [("box", 4, False), ("board", 5, False), (2, 2, False), (5, 2, False)],
        ),
        (set(), "in-shuffler", [("board", 5, False), (2, 2, False), (5, 2, False)]),
    ],
)
def test_hold_em_stacks_begin_with_the_box_only_where_it_is_offered(
    offered: set[str], where: str, expected: list[tuple[Any, ...]]
) -> None:
    order = dealt(
        UTH, "raise 4x", dealing="automated-shoe", offered=frozenset(offered), options={"dealer-cards": where}
    )
    turned: list[tuple[Any, ...]] = [("board", "up", 3), ("board", "up", 5)]
    turned += [("dealer", "up", 2)] if where == "delivered" else [("dealer", 2, True)]
    turned += [("box", "up", 4)] if offered else []
    assert order == expected + turned


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", GAMES)
def test_every_place_ends_with_as_many_cards_as_the_definition_says(game: str, method: str) -> None:
    table = table_of(game, dealing=method)
    for seat in (1, 3, 6):
        table.place(seat, LEAST[game])
    table.close()
    while table.state.phase != "settling":
        if table.state.phase == "dealing":
            table.deal_on()
        else:
            table.act(legal_actions(table.state)[0].name)
    held_by = {place: len(cards) for place, cards in table.state.cards.items()}
    burnt = held_by.pop("burn", 0)
    assert burnt == (2 if (game, method) == (UTH, "hand") else 0)
    expected = {place: count for place, count in table.rules.game.table_cards.items() if place in held_by}
    assert held_by == dict.fromkeys((1, 3, 6), table.rules.game.cards_each) | expected
    missing = set(table.rules.game.table_cards) - set(held_by)
    assert missing == ({"box"} if game == UTH and method != "automated-shoe" else set())


def asked(game: str = UTH, **choices: Any) -> Table:
    table = table_of(game, **choices)
    table.place(1, LEAST[game])
    table.close()
    return table


def test_a_wrong_number_of_cards_is_refused_and_says_whose_turn_it_is() -> None:
    table = asked()
    refusal = table.refusal(DealCards((Card("As"), Card("Kd"))))
    assert refusal.clause == "Ch. 8 §D(2)"
    assert "Seat 1 gets 1 card next, not 2" in refusal.reason
    assert table.refusal(DealCards(())).clause == "Ch. 8 §D(2)"
    table.do(DealCards((Card("As"),)))
    assert "The dealer gets 1 card" in table.refusal(DealCards(())).reason


def test_one_card_cannot_be_dealt_twice_to_a_stack_or_again_later() -> None:
    table = asked("top-five-poker", dealing="automated-shoe")
    twice = (Card("As"), *table.next_cards(5), Card("As"))
    assert "already out" in table.refusal(DealCards(twice)).reason
    stack = table.next_cards(7)
    table.do(DealCards(stack))
    assert "already out" in table.refusal(DealCards((*table.next_cards(6), stack[0]))).reason


@pytest.mark.parametrize("foreign", ["Ra1", "1s", "as", ""])
def test_a_card_of_another_deck_cannot_be_dealt(foreign: str) -> None:
    assert "not a card of this deck" in asked().refusal(DealCards((Card(foreign),))).reason
    assert "not a card of this deck" in asked("dragon-poker").refusal(DealCards((Card("As"),))).reason
    assert "not a card of this deck" in asked("dragon-poker").refusal(DealCards((Card("Ra"),))).reason


def test_turning_is_refused_while_cards_are_to_be_dealt_and_dealing_while_they_are_to_be_turned() -> None:
    table = asked("dragon-poker")
    refusal = table.refusal(TurnCards())
    assert (refusal.clause, "first" in refusal.reason) == ("Ch. 8 §D(2)", True)
    table.deal_until("asking")
    table.act("play")
    refusal = table.refusal(DealCards(table.next_cards(3)))
    assert (refusal.clause, "Turn cards face up" in refusal.reason) == ("Ch. 11 §D(2)", True)
    assert table.refusal(DealCards(())).clause == "Ch. 11 §D(2)"
    table.do(TurnCards())


@pytest.mark.parametrize("command", [DealCards((Card("As"),)), TurnCards(), Settle()])
def test_dealing_turning_and_settling_are_refused_while_a_player_is_asked(command: Any) -> None:
    table = asked()
    table.deal_until("asking")
    refusal = table.refusal(command)
    assert (refusal.clause, "deciding" in refusal.reason) == ("Ch. 11 §B", True)


@pytest.mark.parametrize("command", [DealCards((Card("As"),)), TurnCards(), Settle()])
def test_dealing_turning_and_settling_are_refused_while_wagers_are_placed(command: Any) -> None:
    table = table_of(UTH)
    table.place(1, LEAST[UTH])
    refusal = table.refusal(command)
    assert (refusal.clause, "placed" in refusal.reason) == ("Ch. 7 §D", True)


def test_settling_is_refused_while_cards_are_dealt_with_the_clause_of_what_is_due() -> None:
    table = asked()
    assert table.refusal(Settle()).clause == "Ch. 8 §D(2)"
    table.deal_until("asking")
    table.act("check")
    assert table.refusal(Settle()).clause == "Ch. 11 §C(2)"
