"""What decided a wager is told from the cards that its holder sees, and never contradicts the money."""

import pytest

from pitboss.cards.deck import face
from pitboss.round.counted import counted
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import Readings
from round.played import GAMES, RandomPlay, table_of

ROUNDS = 60
OWN = ("colorado-holdem", "dragon-poker", "top-five-poker", "ultimate-texas-holdem")


@pytest.mark.parametrize("name", GAMES)
def test_a_random_rounds_wagers_are_explained_by_cards_on_the_table(name: str) -> None:
    compared, folds = set(), 0
    for seed in range(ROUNDS):
        play = RandomPlay(name, seed).play().state
        on_table = [card for place, cards in play.cards.items() if isinstance(place, str) for card in cards]
        results = dict(play.results)
        for seat in {seat for seat, _ in results}:
            held = {face(card) for card in (*play.cards[seat], *on_table)}
            found = counted(play, seat)
            assert {each.wager for each in found} <= {wager for at, wager in results if at == seat}
            for each in found:
                result = results[seat, each.wager]
                folds += each.folded
                if each.folded:
                    assert play.seat_cards(seat).status == FOLDED
                    assert result.result != "win"
                    continue
                assert each.seat is not None
                assert set(each.seat.cards) <= held
                assert len(each.seat.cards) == len(each.seat.counting)
                assert each.seat.hand
                if each.order and play.rules.game.wagers_by_name[each.wager].by_action:
                    compared.add((each.order, result.result))
    assert folds
    game = play.rules.game
    explains = game.readings.counted is not Readings(game.readings.dealer, game.readings.seat).counted
    assert explains or name not in OWN, "only a game from outside may leave out what decided a wager"
    # What a player adds after seeing cards is decided by the comparison; side wagers have paytables of their own.
    assert bool(compared) == (explains and "dealer" in game.table_cards)
    assert ("wins", "lose") not in compared
    assert ("loses", "win") not in compared


@pytest.mark.parametrize("name", GAMES)
def test_before_it_is_settled_nothing_is_explained(name: str) -> None:
    table = table_of(name)
    table.place(1, {wager.name: 1000 for wager in table.rules.game.wagers if wager.required})
    table.dealt()
    assert counted(table.state, 1) == ()


def test_a_folded_seats_wagers_are_lost_by_the_fold() -> None:
    table = table_of("dragon-poker")
    table.place(1, {wager.name: 1000 for wager in table.rules.game.wagers if wager.required})
    table.answered("fold")
    table.settle()
    assert [(each.wager, each.folded, each.seat) for each in counted(table.state, 1)] == [
        (wager, True, None) for at, wager in table.state.results if at == 1
    ]


def test_the_hand_of_each_wager_is_named_with_its_cards() -> None:
    table = table_of("ultimate-texas-holdem", "As Kd Ad 7d 2c Ah 9h 3s Js")
    table.place(1, {"ante": 1000, "blind": 1000, "trips": 500})
    table.dealt()
    table.act("raise 4x")
    while table.state.phase == "dealing":
        table.deal_on()
    table.settle()
    found = {each.wager: each for each in counted(table.state, 1)}
    seat, dealer = found["ante"].seat, found["ante"].dealer
    assert seat is not None
    assert dealer is not None
    assert found["ante"].order in ("wins", "loses", "ties")
    assert found["trips"].dealer is None
    assert {face(card) for card in table.state.cards[1]} <= set(seat.cards)
    assert sum(seat.counting) == 5
