"""The solver of games with one decision, over the kernels of the games that use it."""

from fractions import Fraction
from types import ModuleType

import pytest

from pitboss.cards.deck import Card
from pitboss.games import catalogue
from pitboss.games.colorado_holdem import exact as colorado
from pitboss.games.dragon_poker import exact as dragon
from pitboss.games.top_five_poker import exact as top_five
from pitboss.odds.one_decision import in_discard_order
from pitboss.odds.pricing import net_of_stakes
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards

GAMES = {"dragon-poker": dragon, "top-five-poker": top_five, "colorado-holdem": colorado}


def hand(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@pytest.mark.parametrize(("name", "exact"), GAMES.items())
def test_the_optimal_player_earns_what_the_main_game_is_worth(name: str, exact: ModuleType) -> None:
    rules = RulesInForce(catalogue.game(name))
    counts = exact.main_counts(rules)
    nets = (
        outcome.count * net_of_stakes(rules, outcome.stakes, outcome.facts, outcome.cells)
        for outcome in counts.outcomes
    )
    assert exact.SOLVER.mean_worth(rules, exact.SOLVER.player(rules)) == sum(nets, Fraction(0)) / counts.total


@pytest.mark.parametrize(("name", "exact"), GAMES.items())
def test_the_hands_of_a_class_have_the_same_choices(name: str, exact: ModuleType) -> None:
    rules = RulesInForce(catalogue.game(name))
    cards = rules.game.deck.cards
    for start in range(0, len(cards) - rules.game.cards_each, 5):
        dealt = cards[start : start + rules.game.cards_each]
        worths = [list(exact.action_worths(rules, same).values()) for same in (dealt, exact.SOLVER.in_class(dealt))]
        assert worths[0] == worths[1], dealt


def test_a_discard_is_named_in_the_suits_that_were_dealt() -> None:
    rules = RulesInForce(catalogue.game("colorado-holdem"))
    player = colorado.SOLVER.player(rules)
    (ask,) = rules.actions
    for dealt, discard in (("Ac Kc 2d", "2d"), ("2s Ah Kh", "2s"), ("Kd 2c Ad", "2c")):
        assert player(ask, hand(dealt), TableCards()) == ("bet", discard)


def test_of_discards_worth_the_same_the_lowest_goes_and_two_of_a_suit_stay() -> None:
    assert in_discard_order(hand("Kc 5d 2h")) == hand("2h 5d Kc")
    assert in_discard_order(hand("5c 5d Kc")) == hand("5d 5c Kc")
