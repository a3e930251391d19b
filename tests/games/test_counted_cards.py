"""What decides each wager, as a player is told: the cards that count, full names, and who is ahead."""

import random

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import PLAYED
from pitboss.rules.reading import NO_DEALER, SeatCards, TableCards

DEALS = 300


def deal(name: str, chance: random.Random) -> tuple[RulesInForce, TableCards, SeatCards]:
    rules = RulesInForce(game(name))
    deck = chance.sample(rules.game.deck.cards, len(rules.game.deck.cards))
    sizes = [rules.game.table_cards.get(place, 0) for place in ("dealer", "board", "box")]
    table = TableCards(*(tuple(deck.pop() for _ in range(size)) for size in sizes))
    own = tuple(deck.pop() for _ in range(rules.game.cards_each))
    discards = any(action.discards for ask in rules.actions.values() for action in ask.values())
    return rules, table, SeatCards(own, PLAYED, own[0] if discards else None)


@pytest.mark.parametrize("name", game_names())
def test_every_wager_names_the_cards_it_counts(name: str) -> None:
    chance = random.Random(11)
    for _ in range(DEALS):
        rules, table, seat = deal(name, chance)
        on_table = {*seat.cards, *table.dealer, *table.board, *table.box}
        for wager in rules.game.wagers:
            count = rules.game.readings.counted(table, seat, rules.options, wager.name)
            assert count is not None
            for hand in filter(None, (count.seat, count.dealer)):
                assert set(hand.cards) <= set(hand.among) <= on_table
                assert hand.name


@pytest.mark.parametrize("name", game_names())
def test_a_comparison_says_what_settles_the_wager_and_never_with_equal_names(name: str) -> None:
    chance = random.Random(12)
    orders = set()
    for _ in range(DEALS):
        rules, table, seat = deal(name, chance)
        readings = rules.game.readings
        ahead = (
            readings.dealer(table, rules.options),
            readings.dealer(table._replace(dealer=seat.cards), rules.options),
        )
        for wager in rules.game.wagers:
            count = readings.counted(table, seat, rules.options, wager.name)
            if count is None or count.order is None:
                continue
            assert count.dealer is not None
            dealer, own = ahead
            assert count.order == (
                "wins" if own.value > dealer.value else "loses" if own.value < dealer.value else "ties"
            )
            assert (count.seat.name == count.dealer.name) <= (count.order == "ties"), count
            orders.add(count.order)
    assert orders in (set(), {"wins", "loses"}, {"wins", "loses", "ties"})


def test_a_wager_that_counts_a_seats_own_cards_is_priced_by_them_only() -> None:
    chance, checked = random.Random(13), 0
    for name in game_names() * (DEALS // 4):
        rules, table, seat = deal(name, chance)
        readings = rules.game.readings
        for wager in rules.game.wagers:
            count = readings.counted(table, seat, rules.options, wager.name)
            if count is None or not set(count.seat.among) <= set(seat.cards) or count.dealer is not None:
                continue
            others = [card for card in rules.game.deck.cards if card not in seat.cards]
            elsewhere = TableCards(*(tuple(others.pop() for _ in place) for place in table))
            cells = [
                readings.seat(here, NO_DEALER, seat, rules.options, (wager.name,)).cells.get(wager.name)
                for here in (table, elsewhere)
            ]
            assert cells[0] == cells[1]
            checked += 1
    assert checked > DEALS


@pytest.mark.parametrize("name", game_names())
def test_a_hidden_dealer_is_not_counted(name: str) -> None:
    rules, table, seat = deal(name, random.Random(14))
    for wager in rules.game.wagers:
        count = rules.game.readings.counted(table._replace(dealer=()), seat, rules.options, wager.name)
        assert count is not None
        assert count.dealer is None
